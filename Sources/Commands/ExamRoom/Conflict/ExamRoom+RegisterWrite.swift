import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// What an event wrote into the registers of one record (R40, R44).
    struct RegisterWrite {
        let event: RecordedWrite
        let kind: Conflict.Kind
        let record: String
        var values: [String: JSON]
    }
}

extension DecisionContext<ExamRoom> {
    /// The values that an event wrote, by register; nil for an event that writes none.
    func registerWrite(_ event: ExamRoom.RecordedWrite) -> ExamRoom.RegisterWrite? {
        typealias Register = ExamRoom.Register
        func write(
            _ kind: ExamRoom.Conflict.Kind, _ record: String, _ values: [String: JSON]
        ) -> ExamRoom.RegisterWrite {
            ExamRoom.RegisterWrite(event: event, kind: kind, record: record, values: values)
        }
        func members(of json: JSON) -> [String: JSON] {
            Dictionary((json.members ?? []).map { ($0.name, $0.value) }) { $1 }
        }
        func json<V: FieldValue>(_ value: V) -> JSON { JSONOutput.json(of: value, names) }

        if let own = event.read(ExamRoom.Account.Revised.self, names) {
            let values = own.changes.map { members(of: json($0)) } ?? [:]
            return write(.profile, stream(of: own.account), values)
        }
        if let own = event.read(ExamRoom.Account.PreferenceChosen.self, names) {
            return write(.preference, stream(of: own.account), members(of: json(own.changes)))
        }
        if let own = event.read(ExamRoom.PolicyAdopted.self, names) {
            return write(.policy, "examroom/policy", members(of: own.changes))
        }
        if let own = event.read(ExamRoom.Exam.Revised.self, names) {
            let values = members(of: json(own.changes)).compactMapValues { $0["to"] }
            return write(.exam, stream(of: own.exam), values)
        }
        if let own = event.read(ExamRoom.Exam.Published.self, names) {
            return write(.exam, stream(of: own.exam), [Register.publication: .bool(true)])
        }
        if let own = event.read(ExamRoom.Exam.Withdrawn.self, names) {
            return write(.exam, stream(of: own.exam), [Register.publication: .bool(false)])
        }
        if let own = event.read(ExamRoom.Results.Published.self, names) {
            return write(.exam, stream(of: own.exam), [Register.results: .bool(true)])
        }
        if let own = event.read(ExamRoom.Results.Withheld.self, names) {
            return write(.exam, stream(of: own.exam), [Register.results: .bool(false)])
        }
        if let own = event.read(ExamRoom.Question.Revised.self, names) {
            return write(
                .question, questionRecord(own.exam, own.question),
                [Register.content: json(own.content)])
        }
        if let own = event.read(ExamRoom.Image.Attached.self, names) {
            return write(
                .question, questionRecord(own.exam, own.question),
                [Register.image: json(own.image)])
        }
        if let own = event.read(ExamRoom.Image.Detached.self, names) {
            return write(
                .question, questionRecord(own.exam, own.question), [Register.image: .null])
        }
        if let own = event.read(ExamRoom.Seat.Blocked.self, names) {
            return write(.seat, seatStream(own.exam, own.student), [Register.block: .bool(true)])
        }
        if let own = event.read(ExamRoom.Seat.Unblocked.self, names) {
            return write(.seat, seatStream(own.exam, own.student), [Register.block: .bool(false)])
        }
        if let own = event.read(ExamRoom.Extension.Granted.self, names) {
            return write(
                .seat, seatStream(own.exam, own.student),
                [Register.extraTime: json(own.granted)])
        }
        if let own = event.read(ExamRoom.Extension.Modified.self, names) {
            return write(
                .seat, seatStream(own.exam, own.student), [Register.extraTime: json(own.to)])
        }
        if let own = event.read(ExamRoom.Extension.Revoked.self, names) {
            return write(.seat, seatStream(own.exam, own.student), [Register.extraTime: .null])
        }
        return nil
    }

    private func questionRecord(_ exam: ExamRoom.ExamID, _ question: ExamRoom.QuestionID) -> String
    {
        "\(stream(of: exam))#\(names.text(question))"
    }
}
