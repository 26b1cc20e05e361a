import Core
import Folding
import LearnableEvents
import LearnableFacts
import Projections

/// What a key or an argument names; nil for what ended.
extension Learnable.State {
    func id<T>(_ text: String) -> Identifier<T>? { names.known(text).map { Identifier($0) } }

    func student(_ key: String) -> (id: Learnable.StudentID, row: Learnable.StudentRow)? {
        guard let id: Learnable.StudentID = id(key), let row = students[id], row.isActive else {
            return nil
        }
        return (id, row)
    }

    func subject(_ key: String) -> (id: Learnable.SubjectID, row: Learnable.SubjectRow)? {
        guard let id: Learnable.SubjectID = id(key), let row = subjects[id], !row.isDeleted,
            isCurrent(row.student, row.epoch)
        else { return nil }
        return (id, row)
    }

    func draft(_ key: String) -> (id: Learnable.DraftID, row: Learnable.DraftRow)? {
        guard let id: Learnable.DraftID = id(key), let row = drafts[id],
            isCurrent(row.student, row.epoch)
        else { return nil }
        return (id, row)
    }

    /// Also one that is deleted (page, Read models).
    func question(_ key: String) -> (id: Learnable.QuestionID, row: Learnable.QuestionRow)? {
        guard let id: Learnable.QuestionID = id(key), let row = questions[id],
            isCurrent(row.student, row.epoch)
        else { return nil }
        return (id, row)
    }

    func quiz(_ key: String) -> (id: Learnable.QuizID, row: Learnable.QuizRow)? {
        guard let id: Learnable.QuizID = id(key), let row = quizzes[id],
            isCurrent(row.student, row.epoch)
        else { return nil }
        return (id, row)
    }

    // MARK: Keys

    var studentKeys: [String] {
        students.allKeys.filter { students.read($0) { $0.isActive } ?? false }.map(names.text)
    }

    var subjectKeys: [String] {
        keys(of: subjects) { !$0.isDeleted && isCurrent($0.student, $0.epoch) }
    }

    var draftKeys: [String] { keys(of: drafts) { isCurrent($0.student, $0.epoch) } }
    var questionKeys: [String] { keys(of: questions) { isCurrent($0.student, $0.epoch) } }
    var quizKeys: [String] { keys(of: quizzes) { isCurrent($0.student, $0.epoch) } }

    private func keys<T, Row>(
        of table: Table<Identifier<T>, Row>, where isShown: (borrowing Row) -> Bool
    ) -> [String] {
        table.allKeys.filter { table.read($0, isShown) ?? false }.map { names.text($0) }
    }

    /// The order of names, ties by id (R4).
    func isBefore<T>(
        _ left: (name: CollationKey, id: Identifier<T>),
        _ right: (name: CollationKey, id: Identifier<T>)
    ) -> Bool {
        left.name != right.name
            ? left.name < right.name : names.text(left.id).precedes(names.text(right.id))
    }
}

extension ViewRequest {
    /// The argument, which must be one of some words; the first of them when it is not given.
    func word(_ name: String, of words: [String]) throws(WrongArgument) -> String {
        guard let text = arguments[name] else { return words.first ?? "" }
        guard words.contains(where: { $0.isExactly(text) }) else {
            throw WrongArgument(name, "expected one of \(words.joined(separator: ", "))")
        }
        return text
    }
}

extension Learnable.State {
    /// A subject of the student's library that an argument names; nil when it is not given.
    func librarySubject(
        _ request: ViewRequest, of student: Learnable.StudentID
    ) throws(WrongArgument) -> (id: Learnable.SubjectID, row: Learnable.SubjectRow)? {
        guard let text = request.arguments["subject"] else { return nil }
        guard let found = subject(text), found.row.student == student else {
            throw WrongArgument("subject", "expected a subject in the student's library")
        }
        return found
    }
}

/// A count with its noun: `1 question`, `2 questions`.
func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
}
