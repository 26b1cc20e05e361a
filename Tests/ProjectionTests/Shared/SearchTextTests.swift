import Core
import Engine
import Projections
import TestSupport
import Testing

@Suite struct `A text that is looked for` {
    private static let alphabet: [Character] = ["a", "A", "b", "Z", "é", "É", "[", "{", "\u{301}"]

    @Test(arguments: UInt64(0)..<50)
    func `is found where its bytes stand, A-Z taken as a-z`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func text(below limit: UInt64) -> String {
            let count = random.next() % limit
            return String(
                (0..<count).map { _ in
                    Self.alphabet[Int(random.next() % UInt64(Self.alphabet.count))]
                })
        }
        for _ in 0..<200 {
            let (wanted, text) = (text(below: 4), text(below: 12))
            let bytes = Array(text.asciiLowercased.utf8)
            let own = Array(wanted.asciiLowercased.utf8)
            let expected =
                own.count <= bytes.count
                && (0...bytes.count - own.count).contains {
                    Array(bytes[$0...].prefix(own.count)) == own
                }
            #expect(
                SearchText(wanted).isPart(of: text) == expected,
                "\(wanted.debugDescription) in \(text.debugDescription)")
        }
    }

    @Test(arguments: [
        ("47", 1), ("rue", 1), ("fractions", 1), ("durationMinutes", 0), ("48", 0),
    ])
    func `is found in every value of an event, in numbers and truth values, too`(
        text: String, total: Int
    ) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let line = #"""
            {"id":"c","command":"examroom.exam.create","at":"2026-02-02T08:00:00Z","by":"system","data":{"exam":"EX-1","title":"Fractions","durationMinutes":47,"shuffleQuestions":true}}
            """#
        let outcome = try engine.submit([Array(line.utf8)], clock: Scenario.clock)
        try #require(outcome.map(\.status) == [.accepted], "\(outcome[0].document.text)")
        var request = ShowRequest()
        request.arguments = ["text": text]
        #expect(try engine.show("audit.log", request).value["total"].integer == total)
    }
}
