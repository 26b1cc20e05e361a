package import Core

extension ExamRoom.Exam {
    /// The exam is archived: it cannot be edited or published (R12).
    package struct Archived: Payload {
        package static let type = "examroom.exam.archived"
        package static let streams = ["exam"]
        package static let sentence = "An exam was archived."
        package static let rules = [12]
        package internal(set) var exam = ExamRoom.ExamID.none

        package init() {}
    }

    /// The exam left the archive and is a draft again (R12).
    package struct Unarchived: Payload {
        package static let type = "examroom.exam.unarchived"
        package static let streams = ["exam"]
        package static let sentence = "An exam was taken out of the archive."
        package static let rules = [12]
        package internal(set) var exam = ExamRoom.ExamID.none

        package init() {}
    }
}
