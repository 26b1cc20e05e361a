package import Core

extension ExamRoom.Exam {
    /// A question that an exam begins with (R10, R35).
    package struct InitialQuestion: Record {
        package private(set) var question = ExamRoom.QuestionID.none
        package private(set) var content = ExamRoom.Question.Content()
        package private(set) var image: ExamRoom.Image.File?

        package init() {}

        package init(
            question: ExamRoom.QuestionID, content: ExamRoom.Question.Content,
            image: ExamRoom.Image.File?
        ) {
            self.question = question
            self.content = content
            self.image = image
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("content", &content)
            coder.field("image", &image)
        }
    }

    /// A draft with the details and questions of another exam, on the copy's stream (R10).
    package struct Duplicated: Payload {
        package static let type = "examroom.exam.duplicated"
        package static let streams = ["exam"]
        package static let sentence = "An exam was duplicated."
        package static let rules = [10]
        /// The copy.
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var source = ExamRoom.ExamID.none
        package internal(set) var details = Details()
        package internal(set) var questions: [InitialQuestion] = []

        package init() {}
    }

    /// A draft out of a document (R35) or out of the former system (R36): one of the two is named.
    package struct Imported: Payload {
        package static let type = "examroom.exam.imported"
        package static let streams = ["exam"]
        package static let sentence = "An exam was imported."
        package static let rules = [35, 36]
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var application: ExamRoom.ImportID?
        package internal(set) var migration: ExamRoom.MigrationID?
        package internal(set) var details = Details()
        package internal(set) var questions: [InitialQuestion] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("import", &application)
            coder.field("migration", &migration)
            coder.field("details", &details)
            coder.field("questions", &questions)
        }
    }
}
