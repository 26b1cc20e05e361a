import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Reports the network that a device finds (15.1, 15.2).
    struct ObserveConnection: Command {
        static let type = "examroom.connection.observe"
        var device = DeviceID.none
        var network = Connection.Network.offline

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let row = context.state.devices[device] ?? DeviceRow()
            if row.network == network { throw .nothingToChange }
            context.record(Connection.Changed(device: device, network: network), on: device)
        }
    }

    /// Begins to hand over what the other side lacks (R48, 8.6, 8.8).
    struct BeginSync: Command {
        static let type = "examroom.sync.begin"
        var device = DeviceID.none
        var trigger = Sync.Trigger.automatic

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let state = context.state
            let row = state.devices[device] ?? DeviceRow()
            if row.network == .offline { throw .offline }
            if row.isRunning { throw .syncRunning }
            if trigger == .automatic {
                if !state.mayAutomaticallySync(device) { throw .syncPreference }
                if let retryAt = row.retryAt, context.at < retryAt { throw .retryTooEarly }
            }
            let pending = state.commands(after: row.through, through: context.lastPosition)
            if pending == 0 { throw .nothingToSync }
            context.record(
                Sync.Begun(
                    device: device, network: row.network, trigger: trigger, pending: pending,
                    estimatedBytes: state.estimatedBytes(ofCommands: pending, after: row.through)),
                on: device)
        }
    }

    /// So much of the transfer is done (8.6).
    struct ReportSync: Command {
        static let type = "examroom.sync.report"
        var device = DeviceID.none
        /// Of the commands that wait, and of the estimate's bytes.
        var items = 0
        var bytes = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.number("items", &items)
            coder.number("bytes", &bytes, in: Storage.sizes)
        }

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let done = try context.runningSync(of: device).progress ?? .init()
            if items > done.totalItems || items < done.items || bytes < done.bytes {
                throw .progressInvalid
            }
            if items == done.items, bytes == done.bytes { throw .nothingToChange }
            context.record(Sync.Progressed(device: device, items: items, bytes: bytes), on: device)
        }
    }

    /// The other side holds the journal up to a position (8.4, 8.5).
    struct CompleteSync: Command {
        static let type = "examroom.sync.complete"
        var device = DeviceID.none
        var through = Position.zero

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let row = try context.runningSync(of: device)
            if through > context.lastPosition { throw .seenUnknown }
            context.record(
                Sync.Completed(
                    device: device, through: through,
                    uploaded: context.state.commands(after: row.through, through: through)),
                on: device)
        }
    }

    /// The transfer broke off; the next automatic one waits (R49, 8.7).
    struct FailSync: Command {
        static let type = "examroom.sync.fail"
        var device = DeviceID.none
        var reason = ""

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let failures = try context.runningSync(of: device).failures.addingClamping(1)
            let policy = context.state.policy
            // Past 60 doublings any wait is the longest.
            let doubled = policy.retryBaseSeconds.multipliedClamping(1 << min(failures - 1, 60))
            let wait = Int64(min(policy.retryMaxSeconds, doubled))
            let last = Instant.untellable - 1
            context.record(
                Sync.Failed(
                    device: device, reason: reason, failures: failures,
                    retryAt: min(context.at + wait, last)),
                on: device)
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// The journal's last position before what this decision records.
    var lastPosition: Position { Position(nextPosition.number - 1) }

    fileprivate func runningSync(
        of device: ExamRoom.DeviceID
    ) throws(ExamRoom.Rejection) -> ExamRoom.DeviceRow {
        guard let row = state.devices[device], row.isRunning else { throw .syncNotRunning }
        return row
    }
}
