package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What is so of a device that has a journal of its own, or brings one.
    package struct DeviceRow: Record {
        /// A device is offline until observed.
        package var network = Connection.Network.offline
        package var isRunning = false
        /// Of the last completed sync; 0 before the first.
        package var through = Position.zero
        package var lastCompletedAt: Instant?
        /// In a row, and until when no automatic sync begins (R49).
        package var failures = 0
        package var retryAt: Instant?
        /// It was observed or synced here: the other side may ask what it lacks.
        package var hasSynced = false
        /// When a batch of the device last wrote to streams of a noun, by noun.
        package var entities: [Entity] = []
        package var storage: StorageRow?
        /// Sessions that began on it and may still be open.
        package var sessions: [SessionID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("network", &network)
            coder.field("isRunning", &isRunning)
            coder.field("through", &through)
            coder.field("lastCompletedAt", &lastCompletedAt)
            coder.field("failures", &failures)
            coder.field("retryAt", &retryAt)
            coder.field("hasSynced", &hasSynced)
            coder.field("entities", &entities)
            coder.field("storage", &storage)
            coder.field("sessions", &sessions)
        }

        package struct Entity: Record {
            package var noun = ""
            package var at = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("noun", &noun)
                coder.field("at", &at)
            }
        }
    }

    /// The last measurement of a device's storage.
    package struct StorageRow: Record {
        package var measuredAt = Instant.epoch
        package var capacityBytes = 0
        package var usedBytes = Storage.Used()
        package var totalBytes = 0
        package var percent = Percent.zero
        package var level = Storage.Level.normal

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("measuredAt", &measuredAt)
            coder.field("capacityBytes", &capacityBytes)
            coder.field("usedBytes", &usedBytes)
            coder.field("totalBytes", &totalBytes)
            coder.field("percent", &percent)
            coder.field("level", &level)
        }
    }
}

extension ExamRoom.State {
    static func deviceRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Connection.Changed.self) { state, event, _ in
            state.devices.update(event.device) {
                $0.network = event.network
                $0.hasSynced = true
            }
        }
        routes.on(ExamRoom.Sync.Begun.self) { state, event, _ in
            state.devices.update(event.device) {
                $0.isRunning = true
                $0.hasSynced = true
            }
        }
        routes.on(ExamRoom.Sync.Completed.self) { state, event, metadata in
            state.devices.update(event.device) {
                $0.isRunning = false
                $0.through = event.through
                $0.lastCompletedAt = metadata.at
                $0.failures = 0
                $0.retryAt = nil
            }
        }
        routes.on(ExamRoom.Sync.Failed.self) { state, event, _ in
            state.devices.update(event.device) {
                $0.isRunning = false
                $0.failures = event.failures
                $0.retryAt = event.retryAt
            }
        }
        routes.on(ExamRoom.Storage.Measured.self) { state, event, metadata in
            state.devices.update(event.device) {
                var row = ExamRoom.StorageRow()
                row.measuredAt = metadata.at
                row.capacityBytes = event.capacityBytes
                row.usedBytes = event.usedBytes
                row.totalBytes = event.totalBytes
                row.percent = event.percent
                row.level = event.level
                $0.storage = row
            }
        }
        routes.also(ExamRoom.Session.Started.self) { state, event, metadata in
            state.began(event.session, on: .init(metadata.writer))
        }
    }

    private func began(_ session: ExamRoom.SessionID, on device: ExamRoom.DeviceID) {
        guard device != .none, sessions.contains(session) else { return }
        let kept = devices.update(device) { row in
            row.sessions.append(session)
            return row.sessions
        }
        // Those that ended are dropped now and then, at ever greater distances.
        guard kept.count >= 8, kept.count & (kept.count - 1) == 0 else { return }
        devices.update(device) { row in row.sessions = kept.filter { isOpen($0) } }
    }

    private func isOpen(_ session: ExamRoom.SessionID) -> Bool {
        sessions.read(session) { $0.endedAt == nil } ?? false
    }

    /// A batch of the device wrote to a stream of this noun.
    func noteEntity(_ noun: String, of device: ExamRoom.DeviceID, at instant: Instant) {
        let isNoted =
            devices.read(device) { row in
                row.entities.contains { $0.noun == noun && $0.at == instant }
            } ?? false
        if isNoted { return }
        devices.update(device) { row in
            guard let place = row.entities.firstIndex(where: { $0.noun == noun }) else {
                var entity = ExamRoom.DeviceRow.Entity()
                entity.noun = noun
                entity.at = instant
                row.entities.append(entity)
                return
            }
            row.entities[place].at = instant
        }
    }
}

extension ExamRoom.State {
    /// R48: that of the account whose open session on the device started last, else the policy's.
    package func syncPreference(on device: ExamRoom.DeviceID) -> ExamRoom.Account.SyncPreference {
        var last: ExamRoom.SessionRow?
        for session in devices[device]?.sessions ?? [] {
            guard let row = sessions[session], row.endedAt == nil else { continue }
            if let known = last,
                (known.startedAt, known.position) > (row.startedAt, row.position)
            {
                continue
            }
            last = row
        }
        let chosen = last.flatMap { preferences(of: $0.account).sync }
        return chosen ?? policy.defaultSync
    }

    /// R48: whether the preference lets a sync begin by itself on the device's network.
    package func mayAutomaticallySync(_ device: ExamRoom.DeviceID) -> Bool {
        let network = devices[device]?.network ?? .offline
        return switch syncPreference(on: device) {
        case .wifi: network == .wifi
        case .wifiOrCellular: network != .offline
        case .manual: false
        }
    }
}
