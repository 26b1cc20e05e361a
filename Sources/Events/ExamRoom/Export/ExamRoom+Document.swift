package import Core

extension ExamRoom {
    /// The JSON documents that exams travel in (R34, R35). Written by exports, read by imports and
    /// migrations, their fields listed once.
    package enum Document {
        /// The forms of a document: one exam, or everything.
        package enum Format: String, Choice {
            case exam = "examroom.exam"
            case archive = "examroom.archive"
        }

        package static let version = 1

        /// SHA-256 in lower-case hex of a document or a migrated content in canonical form.
        package static func digest(of json: JSON) -> String {
            SHA256Digest.hex(of: json.canonical)
        }

        /// A question of an exam object: its content and its image, side by side.
        package struct QuestionObject: Record {
            package private(set) var question = QuestionID.none
            package private(set) var content = Question.Content()
            package private(set) var image: Image.File?

            package init() {}

            package init(question: QuestionID, content: Question.Content, image: Image.File?) {
                self.question = question
                self.content = content
                self.image = image
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("question", &question)
                content.fields(&coder)
                coder.field("image", &image)
            }
        }

        /// An exam with its questions, as documents and migrations hold it (R34, R36).
        package struct ExamObject: Record {
            package private(set) var exam = ExamID.none
            package private(set) var details = Exam.Details()
            package private(set) var questions: [QuestionObject] = []

            package init() {}

            package init(exam: ExamID, details: Exam.Details, questions: [QuestionObject]) {
                self.exam = exam
                self.details = details
                self.questions = questions
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                details.fields(&coder)
                coder.field("questions", &questions)
            }

            package var images: [Image.File] { questions.compactMap(\.image) }
        }

        /// A completed attempt that counts. For the record: imports do not bring it back.
        package struct ResultObject: Record {
            package var attempt = AttemptID.none
            package var exam = ExamID.none
            package var student = StudentID.none
            package var startedAt = Instant.epoch
            package var closedAt = Instant.epoch
            package var how = Attempt.How.student
            package var score = 0
            package var maxScore = 0
            package var percent = Percent.zero
            package var passed = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("attempt", &attempt)
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("startedAt", &startedAt)
                coder.field("closedAt", &closedAt)
                coder.field("how", &how)
                coder.field("score", &score)
                coder.field("maxScore", &maxScore)
                coder.field("percent", &percent)
                coder.field("passed", &passed)
            }
        }

        /// One exam with its images.
        package struct Single: SignedDocument {
            package private(set) var format = Format.exam
            package private(set) var version = Document.version
            package private(set) var exam = ExamObject()
            package private(set) var images: [Image.File] = []
            package var digest: String?

            package init() {}

            package init(exam: ExamObject, images: [Image.File]) {
                self.exam = exam
                self.images = images
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("format", &format)
                coder.field("version", &version)
                coder.field("exam", &exam)
                coder.field("images", &images)
                coder.optional("digest", &digest)
            }
        }

        /// All exams by id, the results at all exams, and the images, by hash, once each.
        package struct Archive: SignedDocument {
            package private(set) var format = Format.archive
            package private(set) var version = Document.version
            package private(set) var exams: [ExamObject] = []
            package private(set) var results: [ResultObject] = []
            package private(set) var images: [Image.File] = []
            package var digest: String?

            package init() {}

            package init(exams: [ExamObject], results: [ResultObject], images: [Image.File]) {
                self.exams = exams
                self.results = results
                self.images = images
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("format", &format)
                coder.field("version", &version)
                coder.field("exams", &exams)
                coder.field("results", &results)
                coder.field("images", &images)
                coder.optional("digest", &digest)
            }
        }
    }

    /// A document that carries the digest of itself without it; nil while that is being made.
    package protocol SignedDocument: Record {
        var digest: String? { get set }
    }
}
