import Core
import Folding
package import LearnableEvents
package import LearnableFacts
package import Projections

extension Learnable {
    /// What can be asked about Learnable, in the order of the page.
    package static let readModels: [ReadModel<State>] = [
        homeView, libraryView, draftView, generationView, contentsView, lectureView, chatView,
        dailyQuizView, quizView, poolView, questionView, scheduleView, achievementsView,
        calendarView, masteryView, evaluationView, settingsView, accountView, accessView, shopView,
        offerView, earningsView, notificationsView, exportView, policyView,
    ]

    static let policyView = ReadModel<State>.policy(
        "Which numbers and switches are in force?", basis: .on(Grounds.policy))

    /// What the views' bases are made of (ADR 0020).
    enum Grounds {
        typealias Query = Basis.Query

        static let policy = Query.types(PolicyAdopted.self)

        /// Who a student is, and that they were erased.
        static let student = Query.all(.stream("student"), .erasure)

        /// One subject with whose it is; of a copy also its source, which is not folded without its author.
        static let subject = Query.stream("subject").each("student", student)
            .each("subject", Query.stream("subject").each("student", student))

        /// All that a student did, and that they were erased; with what copies were made of.
        static let life = Query.all(
            Query.tag("student").each("subject", Query.stream("subject").each("student", student)),
            .erasure)
    }
}

/// How the views find what a key or an argument names; what ended is nothing.
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

    func epochRow(_ row: Learnable.StudentRow) -> Learnable.EpochRow {
        epochs[row.epoch] ?? Learnable.EpochRow()
    }

    // MARK: Keys

    var studentKeys: [String] {
        students.allKeys.filter { students.read($0) { $0.isActive } ?? false }.map(names.text)
    }

    var subjectKeys: [String] {
        subjects.allKeys.map { names.text($0) }.filter { subject($0) != nil }
    }

    /// R4: A-Z as a-z, by code point, ties by id.
    func isBefore<T>(
        _ left: (name: String, id: Identifier<T>), _ right: (name: String, id: Identifier<T>)
    ) -> Bool {
        let (first, second) = (left.name.asciiLowercased, right.name.asciiLowercased)
        if !first.isExactly(second) { return first.precedes(second) }
        return names.text(left.id).precedes(names.text(right.id))
    }
}

extension ViewRequest {
    /// One of the words, the first when it is not given.
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
