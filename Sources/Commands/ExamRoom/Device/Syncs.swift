package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Tells which network a device finds (15.1, 15.2).
    package struct ObserveConnection: Command {
        package static let type = "examroom.connection.observe"
        var device = DeviceID.none
        var network = Connection.Network.offline

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.field("network", &network)
        }

        package func who(in room: Room) -> Who { .memberOrService() }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = scene.state.devices[device] ?? DeviceRow()
            if row.network == network { throw .nothingToChange }
            scene.record(
                Connection.Changed(device: device, network: network),
                on: scene.deviceStream(device))
        }
    }

    /// Begins to hand over what the other side lacks (R48, 8.6, 8.8).
    package struct BeginSync: Command {
        package static let type = "examroom.sync.begin"
        var device = DeviceID.none
        var trigger = Sync.Trigger.automatic

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.field("trigger", &trigger)
        }

        package func who(in room: Room) -> Who { .memberOrService() }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let room = scene.state
            let row = room.devices[device] ?? DeviceRow()
            if row.network == .offline { throw .offline }
            if row.isRunning { throw .syncRunning }
            if trigger == .automatic {
                if !room.mayAutomaticallySync(device) { throw .syncPreference }
                if let retryAt = row.retryAt, scene.at < retryAt { throw .retryTooEarly }
            }
            let pending = room.commands(after: row.through, through: scene.lastPosition)
            if pending == 0 { throw .nothingToSync }
            scene.record(
                Sync.Begun(
                    device: device, network: row.network, trigger: trigger, pending: pending,
                    estimatedBytes: room.estimatedBytes(ofCommands: pending, after: row.through)),
                on: scene.deviceStream(device))
        }
    }

    /// The other side holds the journal up to a position (8.4, 8.5).
    package struct CompleteSync: Command {
        package static let type = "examroom.sync.complete"
        var device = DeviceID.none
        var through = Position.zero

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.field("through", &through)
        }

        package func who(in room: Room) -> Who { .memberOrService() }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let row = try scene.runningSync(of: device)
            if through > scene.lastPosition { throw .seenUnknown }
            scene.record(
                Sync.Completed(
                    device: device, through: through,
                    uploaded: scene.state.commands(after: row.through, through: through)),
                on: scene.deviceStream(device))
        }
    }

    /// The transfer broke off; the next automatic one waits (R49, 8.7).
    package struct FailSync: Command {
        package static let type = "examroom.sync.fail"
        var device = DeviceID.none
        var reason = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.field("reason", &reason)
        }

        package func who(in room: Room) -> Who { .memberOrService() }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let failures = try scene.runningSync(of: device).failures.addingClamping(1)
            let policy = scene.state.policy
            // Past 60 doublings any wait is the longest.
            let doubled = policy.retryBaseSeconds.multipliedClamping(1 << min(failures - 1, 60))
            let wait = Int64(min(policy.retryMaxSeconds, doubled))
            let last = Instant.untellable - 1
            scene.record(
                Sync.Failed(
                    device: device, reason: reason, failures: failures,
                    retryAt: min(scene.at + wait, last)),
                on: scene.deviceStream(device))
        }
    }
}

extension Scene<ExamRoom.Room> {
    func deviceStream(_ device: ExamRoom.DeviceID) -> String {
        "examroom/device/\(names.text(device))"
    }

    /// The journal's last position before what this decision records.
    var lastPosition: Position { Position(nextPosition.number - 1) }

    fileprivate func runningSync(
        of device: ExamRoom.DeviceID
    ) throws(ExamRoom.Rejection) -> ExamRoom.DeviceRow {
        guard let row = state.devices[device], row.isRunning else { throw .syncNotRunning }
        return row
    }
}
