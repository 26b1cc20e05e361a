package import Core

extension ExamRoom {
    /// A document whose exams were taken in (R35). Stream `examroom/import/IMPORT`.
    package enum Import: Thing {
        package static let noun = "import"; package static let isTagged = false

        /// The exams of a document became drafts, its results attempts (R35).
        package struct Applied: Payload {
            package static let type = "examroom.import.applied"
            /// Version 1 brought no results back.
            package static let version: UInt16 = 2
            package static let streams = ["import"]
            package static let sentence = "A document was imported."
            package static let rules = [35]
            package static let significance = Significance.administrative
            /// It lists what was imported and what was not.
            package static let isNeverTooLarge = true
            package internal(set) var application = ImportID.none
            package internal(set) var format = Document.Format.exam
            package internal(set) var digest = ""
            /// Those that were imported, in the order of the document.
            package internal(set) var exams: [ExamID] = []
            /// Those whose ids were in use.
            package internal(set) var skipped: [ExamID] = []
            /// The attempts whose results came back, in the order of the document.
            package internal(set) var results: [AttemptID] = []
            /// Those whose id is in use, or whose exam or student is not here.
            package internal(set) var omitted: [AttemptID] = []
            /// How much was imported.
            package internal(set) var questions = 0
            package internal(set) var images = 0
            /// Exams, questions and results together.
            package internal(set) var records = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("import", &application)
                coder.field("format", &format)
                coder.field("digest", &digest)
                coder.field("exams", &exams)
                coder.field("skipped", &skipped)
                if version > 1 {
                    coder.field("results", &results)
                    coder.field("omitted", &omitted)
                }
                coder.field("questions", &questions)
                coder.field("images", &images)
                coder.field("records", &records)
            }
        }
    }
}
