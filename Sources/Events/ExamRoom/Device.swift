extension ExamRoom {
    /// A device with a journal of its own. Stream `examroom/device/DEVICE`.
    package enum Device: Thing { package static let tag: String? = nil }
    package typealias DeviceID = Identifier<Device>
}
