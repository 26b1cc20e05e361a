package import Core

extension ExamRoom {
    /// A document made of exams, results or the audit trail (R34). Stream `examroom/export/EXPORT`.
    package enum Export: Thing {
        package static let noun = "export"; package static let isTagged = false

        /// What is exported.
        package enum Scope: String, Choice {
            case exam, all, results, audit
        }

        package enum Format: String, Choice {
            case json, csv
            /// The text of `csv`; only in journals of earlier versions.
            case pdf
            // Since version 2 of `Made`: a format is stored as its place in this list.
            case html
        }

        /// Which audit entries are wanted; the arguments of `examroom.audit`.
        package struct Filters: Record {
            package var from: LocalDate?
            package var to: LocalDate?
            package var user: String?
            package var action: String?
            package var exam: String?
            package var search: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.optional("from", &from)
                coder.optional("to", &to)
                coder.optionalText("user", &user)
                coder.optionalText("action", &action)
                coder.optionalText("exam", &exam)
                coder.optionalText("search", &search)
            }
        }

        /// A document was made, known by its digest (R34).
        package struct Made: Payload {
            package static let type = "examroom.export.made"
            /// Version 1 had fewer formats, and its tables were as plain as their digests; of versions 1 and 2 the
            /// audit trail had no entries of what is done to another's account.
            package static let version: UInt16 = 3
            package static let streams = ["export"]
            package static let sentence = "Data was exported."
            package static let rules = [34]
            package static let significance = Significance.administrative
            package internal(set) var export = ExportID.none
            package internal(set) var scope = Scope.exam
            package internal(set) var exam: ExamID?
            package internal(set) var filters: Filters?
            package internal(set) var format = Format.json
            package internal(set) var records = 0
            /// SHA-256 in lower-case hex.
            package internal(set) var digest = ""
            private var isFormer = false
            private var isBeforeOccasional = false

            package init() {}

            package init(
                export: ExportID, scope: Scope, exam: ExamID?, filters: Filters?, format: Format,
                records: Int, digest: String
            ) {
                self.export = export
                self.scope = scope
                self.exam = exam
                self.filters = filters
                self.format = format
                self.records = records
                self.digest = digest
            }

            /// Tables have a byte-order mark, and no cell of theirs can become a formula (R34).
            package var isForSpreadsheets: Bool { !isFormer }

            /// Also entries that not each event of a type makes (R51).
            package var hasOccasionalEntries: Bool { !isBeforeOccasional }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                isFormer = version < 2
                isBeforeOccasional = version < 3
                coder.field("export", &export)
                coder.field("scope", &scope)
                coder.field("exam", &exam)
                coder.field("filters", &filters)
                if version < 2 {
                    coder.field("format", &format, as: FirstCases<3, Format>.self)
                } else {
                    coder.field("format", &format)
                }
                coder.field("records", &records)
                coder.field("digest", &digest)
            }
        }
    }
}

extension ExamRoom.Export.Made: NamesPeople {
    /// Whose audit entries were exported.
    package func people(_ names: Names) -> [String] {
        [filters?.user].compactMap(\.self)
    }
}
