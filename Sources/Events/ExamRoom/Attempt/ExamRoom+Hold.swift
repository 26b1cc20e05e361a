package import Core

extension ExamRoom.Attempt {
    /// The attempt is kept and does not count until an admin settles the conflict (R53, R54).
    package struct Held: Payload {
        package static let type = "examroom.attempt.held"
        package static let streams = ["attempt"]
        package static let sentence = "An attempt was held until an admin chooses."
        package static let rules = [53, 54]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var conflict = ExamRoom.ConflictID.none

        package init() {}
    }

    /// A held attempt counts from here on: an admin chose so, or a merge took the reason away (R45, R54).
    package struct Released: Payload {
        package static let type = "examroom.attempt.released"
        package static let streams = ["attempt"]
        package static let sentence = "A held attempt was released."
        package static let rules = [45, 54]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var conflict = ExamRoom.ConflictID.none

        package init() {}
    }
}

extension ExamRoom.Attempt {
    /// A merge refused a submission since another device's earlier one stood. It counts should that one come out
    /// as late (R53).
    package struct Resubmitted: Payload {
        package static let type = "examroom.attempt.resubmitted"
        package static let streams = ["attempt"]
        package static let sentence = "A later submission of an attempt was noted."
        package static let rules = [53]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var submittedAt = Instant.epoch

        package init() {}
    }
}

extension ExamRoom.Answer {
    /// Answers and submissions came after their key could be known: they are kept and do not count until an
    /// admin settles the conflict (R53).
    package struct Held: Payload {
        package static let type = "examroom.answer.held"
        package static let streams = ["attempt"]
        package static let sentence = "Late answers were held until an admin chooses."
        package static let rules = [53]
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var conflict = ExamRoom.ConflictID.none
        /// Positions of the answers in this journal.
        package internal(set) var answers: [Position] = []
        package internal(set) var submissions: [Instant] = []

        package init() {}
    }

    /// An admin chose that the late answers count (R45).
    package struct Admitted: Payload {
        package static let type = "examroom.answer.admitted"
        package static let streams = ["attempt"]
        package static let sentence = "Late answers were admitted."
        package static let rules = [45]
        package static let significance = Significance.administrative
        package internal(set) var attempt = ExamRoom.AttemptID.none
        package internal(set) var exam = ExamRoom.ExamID.none
        package internal(set) var student = ExamRoom.StudentID.none
        package internal(set) var conflict = ExamRoom.ConflictID.none

        package init() {}
    }
}
