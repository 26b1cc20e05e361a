import Core
package import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func syncRoutes(_ routes: inout Routes<ExamRoom.State>) {
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
                var progress = ExamRoom.DeviceRow.Progress()
                progress.totalItems = event.pending
                progress.totalBytes = event.estimatedBytes
                $0.progress = progress
            }
        }
        routes.on(ExamRoom.Sync.Progressed.self) { state, event, _ in
            state.devices.updateExisting(event.device) {
                $0.progress?.items = event.items
                $0.progress?.bytes = event.bytes
            }
        }
        routes.on(ExamRoom.Sync.Completed.self) { state, event, metadata in
            let former = state.devices.read(event.device) { $0.through } ?? .zero
            // No device can have more than there was.
            let through = min(event.through, metadata.position)
            for noun in state.nounsWritten(after: former, through: through) {
                state.noteEntity(noun, of: event.device, at: metadata.at)
            }
            state.devices.update(event.device) {
                $0.isRunning = false
                $0.progress = nil
                $0.through = through
                $0.lastCompletedAt = metadata.at
                $0.failures = 0
                $0.retryAt = nil
            }
        }
        routes.on(ExamRoom.Sync.Failed.self) { state, event, _ in
            state.devices.update(event.device) {
                $0.isRunning = false
                $0.progress = nil
                $0.failures = event.failures
                $0.retryAt = event.retryAt
            }
        }
    }

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
