import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Should this device sync, and what waits? Answers for any device.
    static let syncView = ReadModel<State>(
        "examroom.sync", "Should this device sync, and what waits?", key: "device",
        keys: { $0.names.texts($0.devices.keys) }
    ) { state, request, output in
        let device: DeviceID? = state.id(request.key)
        let row = device.flatMap { state.devices[$0] } ?? DeviceRow()
        let pending = state.commands(after: row.through, through: request.through)
        let mayRetry = row.retryAt.map { request.now >= $0 } ?? true
        output.object { output in
            output.member("device", request.key)
            output.object("entities") { output in
                for entity in row.entities.sorted(by: { $0.noun.precedes($1.noun) }) {
                    output.member(entity.noun, entity.at)
                }
            }
            output.member(
                "estimatedBytes", state.estimatedBytes(ofCommands: pending, after: row.through))
            output.member("failures", row.failures)
            output.member("indicator", row.network == .offline ? "offline" : "online")
            output.member("lastCompletedAt", row.lastCompletedAt)
            output.member("network", row.network)
            output.member("pending", pending)
            output.member(
                "preference",
                device.map { state.syncPreference(on: $0) } ?? state.policy.defaultSync)
            output.json.key("progress")
            write(row.progress, to: &output)
            output.member("retryAt", row.retryAt)
            output.member("running", row.isRunning)
            output.member(
                "shouldSync",
                pending > 0 && !row.isRunning && mayRetry
                    && device.map { state.mayAutomaticallySync($0) } ?? false)
            output.member("through", row.through)
        }
        return true
    }

    /// Items and bytes done of all (8.6); the bytes of all are estimated, and never fewer than those done.
    private static func write(_ progress: DeviceRow.Progress?, to output: inout JSONOutput) {
        guard let progress else { return output.json.null() }
        output.object { output in
            output.member("bytes", progress.bytes)
            output.member("items", progress.items)
            output.member("totalBytes", max(progress.totalBytes, progress.bytes))
            output.member("totalItems", progress.totalItems)
        }
    }
}
