import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Is there room? Null for a device that was never measured.
    static let storageView = ReadModel<State>(
        "examroom.storage", "Is there room?", key: "device",
        keys: { state in
            state.names.texts(
                state.devices.allKeys.filter {
                    state.devices.read($0) { $0.storage != nil } ?? false
                }
            )
        },
        basis: .on(.stream("device"))
    ) { state, request, output in
        guard let device: DeviceID = state.id(request.key), let row = state.devices[device]?.storage
        else { return false }
        output.object { output in
            output.member("capacityBytes", row.capacityBytes)
            output.member("device", device)
            output.member("examCreation", row.level != .critical)
            output.member("level", row.level)
            output.member("measuredAt", row.measuredAt)
            output.member("percent", row.percent)
            output.member("totalBytes", row.totalBytes)
            output.member("usedBytes", row.usedBytes)
        }
        return true
    }
}
