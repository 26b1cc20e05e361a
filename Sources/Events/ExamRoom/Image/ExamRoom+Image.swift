package import Core

extension ExamRoom {
    /// A picture in a question, known by its hash; the file is the client's (R11).
    package enum Image: Thing {
        package static let noun = "image"; package static let isTagged = false

        /// An image file as its device stored it.
        package struct File: Record {
            package private(set) var hash = ImageHash.none
            package private(set) var format = ""
            package private(set) var bytes = 0

            package init() {}

            package init(hash: ImageHash, format: String, bytes: Int) {
                self.hash = hash
                self.format = format
                self.bytes = bytes
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("hash", &hash)
                coder.text("format", &format)
                coder.number("bytes", &bytes)
            }
        }

        /// A question has this image from here on; a register (R11, R40).
        package struct Attached: Payload {
            package static let type = "examroom.image.attached"
            package static let streams = ["exam"]
            package static let sentence = "An image was attached to a question."
            package static let rules = [11, 40]
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var image = File()
            package internal(set) var originalBytes: Int?
            /// The hash of the image that was there before.
            package internal(set) var replaced: ImageHash?

            package init() {}
        }

        /// A question has no image from here on; a register (R11, R40).
        package struct Detached: Payload {
            package static let type = "examroom.image.detached"
            package static let streams = ["exam"]
            package static let sentence = "An image was detached from a question."
            package static let rules = [11, 40]
            package internal(set) var exam = ExamID.none
            package internal(set) var question = QuestionID.none
            package internal(set) var hash: ImageHash?

            package init() {}
        }

        /// No question refers to the file any more: the client may delete it (R11). Stream `examroom/image/HASH`.
        package struct Orphaned: Payload {
            package static let type = "examroom.image.orphaned"
            package static let streams = ["image"]
            package static let sentence = "An image lost its last reference."
            package static let rules = [11]
            package internal(set) var hash = ImageHash.none
            package internal(set) var bytes = 0

            package init() {}
        }
    }
}
