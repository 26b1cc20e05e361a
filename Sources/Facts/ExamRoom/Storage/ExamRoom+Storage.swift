package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The last measurement of a device's storage.
    package struct StorageRow: Record {
        package var measuredAt = Instant.epoch
        package var capacityBytes = 0
        package var usedBytes = Storage.Used()
        package var totalBytes = 0
        package var percent = Percent.zero
        package var level = Storage.Level.normal

        package init() {}
    }
}

extension ExamRoom.State {
    static func storageRoutes(_ routes: inout Routes<ExamRoom.State>) {
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
    }
}
