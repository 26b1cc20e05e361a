package import Core

extension ExamRoom {
    /// What one device did while it was away from another (R38). Stream `examroom/device/DEVICE`.
    package enum Batch: Thing {
        package static let noun = "batch"; package static let isTagged = false

        /// A command of the batch that was refused, with its code (R39).
        package struct Refusal: Record {
            package private(set) var id = ""
            package private(set) var code = ""

            package init() {}

            package init(id: String, code: String) {
                self.id = id
                self.code = code
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("id", &id)
                coder.field("code", &code)
            }
        }

        /// The lists are in the order of the batch (R38, R46).
        package struct Merged: Payload {
            package static let type = "examroom.batch.merged"
            package static let streams = ["device"]
            package static let sentence = "A device's commands were merged."
            package static let rules = [38, 46]
            package internal(set) var device = DeviceID.none
            package internal(set) var batch = BatchID.none
            /// The last position of this journal that the device held.
            package internal(set) var seen = Position.zero
            package internal(set) var accepted: [String] = []
            package internal(set) var repeated: [String] = []
            package internal(set) var refused: [Refusal] = []
            package internal(set) var conflicts: [ConflictID] = []

            package init() {}
        }
    }
}
