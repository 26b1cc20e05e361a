package import Core

extension ExamRoom {
    /// The audit trail: entries made of events, archived by their date (R51).
    package enum Audit {
        /// The entries of a date left the view (R51). Stream `examroom/audit/DATE`.
        package struct Archived: Payload {
            package static let type = "examroom.audit.archived"
            package static let streams = ["audit"]
            package static let sentence = "The audit entries of a date were archived."
            package static let rules = [51]
            /// The UTC date of the entries' events.
            package internal(set) var archive = LocalDate.epoch
            package internal(set) var entries = 0
            package internal(set) var fromPosition = Position.zero
            package internal(set) var toPosition = Position.zero
            /// SHA-256 in lower-case hex of the list of the entries as then readable.
            package internal(set) var digest = ""

            package init() {}
        }
    }
}
