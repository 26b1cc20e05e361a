import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

/// How the views find what a key or an argument names.
///
/// A text that the journal does not contain is no id, and no table is asked: a table keeps a slot for each
/// key that it is asked about.
extension ExamRoom.State {
    /// The id behind a text; nil when no event has ever used it.
    func id<T>(_ text: String) -> Identifier<T>? {
        names.known(text).map { Identifier($0) }
    }

    func text<T>(_ id: Identifier<T>) -> String { names.text(id) }

    func precedes<T>(_ left: Identifier<T>, _ right: Identifier<T>) -> Bool {
        text(left).precedes(text(right))
    }

    /// Lists of ids are sorted by code point (page, Read models).
    func sorted<T>(_ ids: [Identifier<T>]) -> [Identifier<T>] {
        ids.map { (id: $0, text: text($0)) }.sorted { $0.text.precedes($1.text) }.map(\.id)
    }

    /// The texts of keys, as `ReadModel.keys` wants them.
    func texts<T>(_ ids: [Identifier<T>]) -> [String] { ids.map { text($0) } }

    /// For a deleted account only `account` and `sign-in` answer.
    func activeAccount(_ key: String) -> (id: ExamRoom.AccountID, row: ExamRoom.AccountRow)? {
        guard let id: ExamRoom.AccountID = id(key), let row = accounts[id], row.isActive else {
            return nil
        }
        return (id, row)
    }

    var activeAccounts: [ExamRoom.AccountID] {
        accounts.allKeys.filter { accounts.read($0) { $0.isActive } ?? false }
    }

    func activeStudent(_ key: String) -> ExamRoom.StudentID? {
        guard let account = activeAccount(key), account.row.role == .student else { return nil }
        return .init(account.id)
    }

    func isActiveStudent(_ student: ExamRoom.StudentID) -> Bool {
        accounts.read(.init(student)) { $0.isActiveStudent } ?? false
    }

    var activeStudents: [ExamRoom.StudentID] {
        students.allKeys.filter { isActiveStudent($0) }
    }

    func isDeleted(_ exam: ExamRoom.ExamID) -> Bool {
        exams.read(exam) { $0.isDeleted } ?? true
    }

    /// The rules of the zone in which dates of filters and trends are read (R32).
    var defaultZone: TimeZoneRules { TimeZones.zone(named: policy.defaultTimeZone) ?? .utc }

    /// The rules of an account's zone (R30).
    func zone(of account: ExamRoom.AccountID) -> TimeZoneRules {
        TimeZones.zone(named: timeZoneName(of: account)) ?? .utc
    }
}
