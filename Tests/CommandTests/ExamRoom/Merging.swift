import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport

/// Merging what other devices did (R38-R46).
extension Classroom {
    /// One command of a batch, as admin A-1 unless said otherwise.
    static func inner(
        _ id: String, _ command: String, _ at: String, _ data: String, by: String = "admin:A-1"
    ) -> String {
        #"{"id":"\#(id)","command":"examroom.\#(command)","at":"\#(instant(at))","#
            + #""by":"\#(by)","data":\#(data)}"#
    }

    /// Merges a batch at noon, of a device that held the journal up to `seen`; by default as far as
    /// that of the first merge: no device has sight of another.
    @discardableResult
    func merge(
        _ device: String, _ commands: [String], seen: UInt64? = nil, batch: String = "B-1",
        at: String = "12:00", by: String = "service:hub"
    ) throws -> Brief {
        let seen = seen ?? all(ExamRoom.Batch.Merged.self).first?.seen.number ?? head
        return try brief(
            by, "device.merge", at,
            #"{"device":"\#(device)","batch":"\#(batch)","seen":\#(seen),"commands":[\#(commands.joined(separator: ","))]}"#
        )
    }

    /// What the last merge said of its commands.
    var report: ExamRoom.Batch.Merged { last(ExamRoom.Batch.Merged.self) ?? .init() }

    var refused: [String] { report.refused.map { "\($0.id) \($0.code)" } }

    /// The kinds of the conflicts so far, and what they are about.
    var conflicts: [String] {
        all(ExamRoom.Conflict.Detected.self).map { "\($0.kind.rawValue) \($0.record)" }.sorted()
    }

    /// The last event of a type, and where a merge brought it from.
    func lastWithOrigin<P: Payload>(_ type: P.Type) -> (fact: P, origin: Origin?)? {
        guard let event = facts.last(where: { $0.type.name == P.type }) else { return nil }
        return event.read(type).map { ($0, event.metadata.origin) }
    }

    // MARK: What is merged

    static func rename(_ id: String, _ at: String, _ name: String) -> String {
        inner(id, "profile.revise", at, #"{"account":"S-1","name":"\#(name)"}"#)
    }

    static func title(_ id: String, _ at: String, _ title: String) -> String {
        inner(id, "exam.revise", at, #"{"exam":"EX-1","changes":{"title":"\#(title)"}}"#)
    }

    static func innerStart(_ id: String, _ at: String, _ attempt: String) -> String {
        inner(
            id, "attempt.start", at,
            #"{"attempt":"\#(attempt)","exam":"EX-1","student":"S-1"}"#, by: "student:S-1")
    }

    static func innerAnswer(
        _ id: String, _ at: String, _ attempt: String, _ chosen: String
    ) -> String {
        inner(
            id, "answer.save", at,
            #"{"attempt":"\#(attempt)","question":"Q-1","chosen":["\#(chosen)"]}"#,
            by: "student:S-1")
    }

    static func innerSubmit(_ id: String, _ at: String, _ attempt: String) -> String {
        inner(id, "attempt.submit", at, #"{"attempt":"\#(attempt)"}"#, by: "student:S-1")
    }
}
