package import Core

extension ExamRoom {
    /// The audit trail: entries made of events, archived by their date (R51).
    package enum Audit {
        /// The entries of a date left the view. Stream `examroom/audit/DATE`.
        package struct Archived: Payload {
            package static let type = "examroom.audit.archived"
            package static let streams = ["audit"]
            package static let sentence = "The audit entries of a date were archived."
            /// The UTC date of the entries' events.
            package private(set) var archive = LocalDate.epoch
            package private(set) var entries = 0
            package private(set) var fromPosition = Position.zero
            package private(set) var toPosition = Position.zero
            /// SHA-256 in lower-case hex of the list of the entries as then readable.
            package private(set) var digest = ""

            package init() {}

            package init(
                archive: LocalDate, entries: Int, fromPosition: Position, toPosition: Position,
                digest: String
            ) {
                self.archive = archive
                self.entries = entries
                self.fromPosition = fromPosition
                self.toPosition = toPosition
                self.digest = digest
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("archive", &archive)
                coder.field("entries", &entries)
                coder.field("fromPosition", &fromPosition)
                coder.field("toPosition", &toPosition)
                coder.field("digest", &digest)
            }
        }
    }
}
