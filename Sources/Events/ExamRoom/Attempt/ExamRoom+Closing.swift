package import Core

extension ExamRoom.Attempt {
    /// The mark of one question at the closing; `points` are those earned (R16, R19).
    package struct Mark: Record {
        package private(set) var question = ExamRoom.QuestionID.none
        package private(set) var answered = false
        package private(set) var correct = false
        package private(set) var points = 0
        package private(set) var seconds = 0

        package init() {}

        package init(
            question: ExamRoom.QuestionID, answered: Bool, correct: Bool, points: Int, seconds: Int
        ) {
            self.question = question
            self.answered = answered
            self.correct = correct
            self.points = points
            self.seconds = seconds
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("question", &question)
            coder.field("answered", &answered)
            coder.field("correct", &correct)
            coder.field("points", &points)
            coder.field("seconds", &seconds)
        }
    }

    /// The attempt is closed and scored (R19).
    package struct Submitted: Payload {
        package static let type = "examroom.attempt.submitted"
        package static let streams = ["attempt"]
        package static let sentence = "An attempt was closed and scored."
        package static let rules = [19]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var how = How.student
        package internal(set) var closedAt = Instant.epoch
        package internal(set) var localDate = LocalDate.epoch
        package internal(set) var secondsTaken = 0
        package internal(set) var answered = 0
        package internal(set) var correct = 0
        package internal(set) var score = 0
        package internal(set) var maxScore = 0
        package internal(set) var percent = Percent.zero
        package internal(set) var passed = false
        /// In paper order.
        package internal(set) var marks: [Mark] = []

        package init() {}
    }

    /// The closing that a reconciliation replaces.
    package struct Previous: Record {
        package private(set) var how = How.student
        package private(set) var closedAt = Instant.epoch
        package private(set) var score = 0

        package init() {}

        package init(how: How, closedAt: Instant, score: Int) {
            self.how = how
            self.closedAt = closedAt
            self.score = score
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("how", &how)
            coder.field("closedAt", &closedAt)
            coder.field("score", &score)
        }
    }

    /// A closed attempt was scored anew with what another device knew of it (R43).
    package struct Reconciled: Payload {
        package static let type = "examroom.attempt.reconciled"
        package static let streams = ["attempt"]
        package static let sentence = "A closed attempt was reconciled with another device."
        package static let rules = [43]
        package internal(set) var closing = Submitted()
        package internal(set) var previous = Previous()

        package init() {}

        package init(_ closing: Submitted, previous: Previous) {
            self.closing = closing
            self.previous = previous
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            closing.fields(&coder)
            coder.field("previous", &previous)
        }
    }
}
