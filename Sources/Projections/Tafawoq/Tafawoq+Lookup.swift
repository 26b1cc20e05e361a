import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

/// How the read models find what a key names; an erased student's is not found (R2).
extension Tafawoq.State {
    /// The id behind a text; nil when no event has ever used it.
    func id<T>(_ text: String) -> Identifier<T>? { names.known(text).map { Identifier($0) } }

    func student(_ key: String) -> (id: Tafawoq.StudentID, row: Tafawoq.StudentRow)? {
        guard let id: Tafawoq.StudentID = id(key), let row = students[id], !row.isErased else {
            return nil
        }
        return (id, row)
    }

    func sitting(
        _ kind: Tafawoq.SittingKind, _ key: String
    ) -> (key: Tafawoq.SittingKey, row: Tafawoq.SittingRow)? {
        guard let id: Tafawoq.SittingID = id(key), let row = sittings[.init(kind, id)],
            exists(row.student)
        else { return nil }
        return (.init(kind, id), row)
    }

    var studentKeys: [String] { names.texts(students.allKeys.filter { exists($0) }) }

    func sittingKeys(_ kind: Tafawoq.SittingKind) -> [String] {
        names.texts(
            sittings.allKeys.filter { key in
                key.kind == kind && (sittings.read(key) { exists($0.student) } ?? false)
            }.map(\.id))
    }
}
