import Core

extension ExamRoom {
    /// A device with a journal of its own. Stream `examroom/device/DEVICE`.
    package enum Device: Thing {
        package static let noun = "device"; package static let isTagged = false
    }
}
