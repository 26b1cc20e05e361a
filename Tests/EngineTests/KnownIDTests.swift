import Engine
import EventLog
import Foundation
import Products
import Testing

/// What an id that came before is answered (docs/contract/README.md, `id`).
@Suite struct `An id` {
    private let place: DiskPlace

    init() throws { place = try DiskPlace() }

    private static let at = "2026-02-01T08:00:00Z"

    /// From a device that nobody used before, unless it is said.
    private static func exam(_ id: String, _ exam: String, characters: Int = 1) -> [UInt8] {
        // Four bytes a character.
        let text = String(repeating: "🎓", count: characters)
        let command = line(
            id, "examroom.exam.create", at,
            #"{"exam":"\#(exam)","title":"T","durationMinutes":60,"description":"\#(text)"}"#)
        return Array(#"{"device":"D-\#(id)","#.utf8) + command.dropFirst()
    }

    private func codes(_ outcomes: [Outcome]) -> [String] {
        outcomes.map { $0.code ?? $0.status.rawValue }
    }

    @Test func `of a command that was too large is free`() throws {
        let engine = try place.open()
        let (large, small) = (
            Self.exam("x", "EX-1", characters: 16_500), Self.exam("x", "EX-1")
        )
        #expect(try codes(engine.submit([large])) == ["too-large"])
        #expect(try codes(engine.submit([large])) == ["too-large"])
        #expect(
            try codes(engine.submit([large, small, small])) == [
                "too-large", "accepted", "duplicate",
            ])
        #expect(try engine.show("journal.summary").text.contains(#""events":1,"#))
    }

    @Test func `of a command that was too large leaves no device behind`() throws {
        let engine = try place.open()
        let large = Self.exam("large", "EX-1", characters: 16_500)
        let outcomes = try engine.submit([
            large, Self.exam("a", "EX-2"), Self.exam("b", "EX-3"), large,
        ])
        #expect(codes(outcomes) == ["too-large", "accepted", "accepted", "too-large"])
        var lines: [String] = []
        try engine.export {
            lines += String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        }
        #expect(lines.filter { $0.contains("D-large") } == [])
        #expect(lines.filter { $0.contains(#""device":"D-a""#) }.count == 2)
        var rest = lines[...]
        let path = place.folder + "/imported"
        _ = try EventEngine.importJournal(at: path) { rest.popFirst().map { Array($0.utf8) } }
        #expect(try EventEngine(at: path).rebuild().digest == engine.rebuild().digest)
    }

    @Test func `of who is erased says nothing, in the same batch as later`() throws {
        let lines = [
            School.registration("S-1", "Zaynab"), School.erasure("S-1"),
            School.registration("S-1", "Zaynab"), School.registration("S-1", "Other"),
        ]
        let together = try place.open().submit(lines).map(\.document.text)
        let other = try DiskPlace()
        let apart = try lines.map { try other.open().submit([$0])[0].document.text }
        #expect(together == apart)
        #expect(together[2].contains(#""status":"duplicate""#) && !together[2].contains("Zaynab"))
        #expect(together[3].contains(#""status":"duplicate""#))
    }

    /// The same command from a device.
    private static func sent(_ line: [UInt8], from device: String) -> [UInt8] {
        Array(#"{"device":"\#(device)","#.utf8) + line.dropFirst()
    }

    @Test(arguments: [true, false])
    func `of who was accepted before says nothing in the batch of the erasure, nor behind it`(
        isOneBatch: Bool
    ) throws {
        let engine = try place.open()
        _ = try engine.submit([School.registration("S-1", "Zaynab")])
        let lines = [
            School.erasure("S-1"), School.registration("S-1", "Zaynab"),
            School.registration("S-1", "Other"), line("r-S-1", "clock.advance", Self.at),
            Self.sent(School.registration("S-1", "Zaynab"), from: "D-9"),
        ]
        let outcomes =
            try isOneBatch ? engine.submit(lines) : lines.map { try engine.submit([$0])[0] }
        #expect(
            codes(outcomes) == [
                "accepted", "duplicate", "duplicate", "duplicate", "duplicate",
            ])
        for outcome in outcomes.dropFirst() {
            #expect(outcome.document.text.contains(#""name":null"#), "\(outcome.document.text)")
        }
    }

    @Test func `of who is there is taken, from another device too`() throws {
        let engine = try place.open()
        let registration = School.registration("S-1", "Zaynab")
        let outcomes = try engine.submit([
            registration, registration, Self.sent(registration, from: "D-9"),
        ])
        #expect(codes(outcomes) == ["accepted", "duplicate", "id-reused"])
        let later = try engine.submit([Self.sent(registration, from: "D-9"), registration])
        #expect(codes(later) == ["id-reused", "duplicate"])
    }

    @Test func `is answered by a dry run without what somebody else has erased meanwhile`() throws {
        let register = Room.register("S-1", at: Self.at)
        _ = try place.open().submit([register], clock: fixedClock)
        let rehearsal = try Rehearsal(on: place.open(), explains: false)
        func told() throws -> String {
            let outcomes = try rehearsal.submit([register], firstLine: 1, clock: nil)
            #expect(codes(outcomes) == ["duplicate"])
            return outcomes.map { $0.document.text }.joined()
        }
        #expect(try told().contains(#""name":"S-1""#))
        _ = try place.open().submit(
            [line("e", "account.erase", Self.at, #"{"subject":"examroom/S-1"}"#)],
            clock: fixedClock)
        let later = try told()
        #expect(later.contains(#""name":null"#) && !later.contains(#""name":"S-1""#))
    }
}
