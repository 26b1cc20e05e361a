package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A device with a journal of its own: its network, its syncs, its storage.
    package struct DeviceRow: Record {
        /// A device is offline until observed.
        package var network = Connection.Network.offline
        package var isRunning = false
        /// Of the sync that is running.
        package var progress: Progress?
        /// Of the last completed sync; 0 before the first.
        package var through = Position.zero
        package var lastCompletedAt: Instant?
        /// In a row, and until when no automatic sync begins (R49).
        package var failures = 0
        package var retryAt: Instant?
        /// It was observed or synced here: the other side may ask what it lacks.
        package var hasSynced = false
        /// When streams of a noun were last written to by a batch of the device, or uploaded by a sync of it.
        package var entities: [Entity] = []
        package var storage: StorageRow?
        /// Sessions that began on it and may still be open.
        package var sessions: [SessionID] = []

        package init() {}

        /// How much of a sync is done (8.6).
        package struct Progress: Record {
            package var items = 0
            package var bytes = 0
            package var totalItems = 0
            package var totalBytes = 0

            package init() {}
        }

        /// A noun, and when its streams were last written to by a batch, or uploaded (8.4).
        package struct Entity: Record {
            package var noun = ""
            package var at = Instant.epoch

            package init() {}
        }
    }
}

extension ExamRoom.State {
    /// A session began on a device.
    func began(_ session: ExamRoom.SessionID, on device: ExamRoom.DeviceID) {
        guard device != .none, sessions.contains(session) else { return }
        let kept = devices.update(device) { row in
            row.sessions.append(session)
            return row.sessions
        }
        // Those that ended are dropped now and then, at ever greater distances.
        guard kept.count >= 8, kept.count & (kept.count - 1) == 0 else { return }
        devices.update(device) { row in row.sessions = kept.filter { isOpen($0) } }
    }

    /// Who is signed in on a device.
    package func signedIn(on device: ExamRoom.DeviceID) -> [ExamRoom.AccountID] {
        (devices.read(device) { $0.sessions } ?? []).compactMap { session in
            sessions.read(session) { $0.endedAt == nil ? $0.account : nil } ?? nil
        }
    }

    /// A batch of the device wrote to a stream of this noun, or a sync uploaded one.
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
