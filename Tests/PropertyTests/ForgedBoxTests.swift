import Core
import EventLog
import TestSupport
import Testing

@testable import Engine

@Suite struct `A box that somebody put into the journal itself` {
    /// A journal whose last event is an answer that was recorded once before: frame, chain and checksums are right, and the box
    /// was sealed at another place.
    private func forged() throws -> (
        journal: TemporaryJournal, position: Position, attempt: String
    ) {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        for step in try Scenario(file: "Examples/examroom/01-exam-day.jsonl").steps {
            guard case .submit(let command, _) = step.kind else { continue }
            _ = try engine.submit([command.canonical], clock: Scenario.clock)
        }
        let log = engine.journal
        let snapshot = try log.snapshot()
        let type = try #require(
            try snapshot.types().firstIndex { $0.name == "examroom.answer.saved" })
        var found: (record: EventRecord, payload: [UInt8])?
        try snapshot.forEachEvent { event, body in
            if Int(event.type) == type + 1, event.flags & PersonalPart.flag != 0 {
                found = (event, Array(body[event.payload]))
            }
            return true
        }
        var (record, payload) = try #require(found)
        record.command = nil
        record.cause = .zero
        var batch = Batch(
            recordedAt: record.recordedAt, firstNewSymbol: snapshot.head.symbolCount + 1)
        batch.expectedHead = snapshot.head.position
        batch.term = snapshot.head.term
        batch.add(record, payload: payload)
        let stream = String(decoding: try snapshot.symbol(record.stream) ?? [], as: UTF8.self)
        let attempt = try #require(stream.split(separator: "/").last)
        return (journal, try log.append(batch), String(attempt))
    }

    @Test func `is found by verify, which says where`() throws {
        let (journal, position, _) = try forged()
        #expect(try journal.open().journal.verify().isWhole)
        let report = try journal.open().verify()
        #expect(!report.isWhole)
        #expect(
            report.findings.contains {
                $0.contains("a sealed part does not open")
                    && $0.contains("position \(position.number)")
            }, "\(report.findings)")
    }

    @Test func `lets no document tell anything of it`() throws {
        let (journal, _, attempt) = try forged()
        let error = #expect(throws: EngineError.self) {
            try journal.open().show("examroom.attempt", key: attempt)
        }
        #expect(error?.message.contains("does not open") == true)
    }
}
