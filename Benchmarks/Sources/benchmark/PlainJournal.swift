import EventLog
import Core

/// The plain workload: events of 200 bytes over 10,000 streams, a tenth of which hold about 100.
enum PlainJournal {
    /// One text, so that the payload as JSON is 200 bytes long.
    struct Noted: Payload {
        static let type = "benchmark.plain.noted"
        static let streams = ["plain"]
        static let sentence = "Something was noted."
        private(set) var text = ""

        init() {}

        init(text: String) {
            self.text = text
        }

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("text", &text)
        }
    }

    static let streams = 10_000
    /// `{"text":"…"}`
    private static let textBytes = 200 - 11

    /// Half of a text is words that recur, half is digits that do not.
    private static func text(_ chance: inout SplitMix64) -> String {
        let words = [
            "answer", "question", "student", "course", "lesson", "page", "chapter", "teacher",
            "morning", "evening", "result", "record", "garden", "window", "letter", "number",
        ]
        var text = ""
        while text.utf8.count < textBytes / 2 {
            text += words[Int(chance.next() % UInt64(words.count))] + " "
        }
        while text.utf8.count < textBytes { text += String(chance.next(), radix: 16) }
        return String(text.prefix(textBytes))
    }

    static func make(at path: String, events: Int) throws {
        try Journal.create(at: path)
        let journal = try Journal(at: path)
        var chance = SplitMix64(seed: 5)
        var lengths = Array(repeating: 0, count: streams)
        var known: [Int: UInt32] = [:]
        var symbols: UInt32 = 0
        var now: Int64 = 1_767_600_000_000
        var count = 0
        while count < events {
            var batch = Batch(
                recordedAt: Instant(milliseconds: now), firstNewSymbol: symbols + 1)
            if count == 0 {
                batch.newTypes = [
                    TypeRecord(number: 1, name: Noted.type, version: 1, schema: Noted.schema)
                ]
            }
            for _ in 0..<min(1000, events - count) {
                // Half of the events go to a tenth of the streams, as long as those are not full.
                var stream = Int(chance.next() % UInt64(streams))
                if chance.next() % 2 == 0 { stream /= 10 }
                if lengths[stream] >= 100, stream < streams / 10 {
                    stream = streams / 10 + stream * 9
                }
                lengths[stream] += 1
                if known[stream] == nil {
                    symbols += 1
                    known[stream] = symbols
                    batch.newSymbols.append(Array("plain/\(stream)".utf8))
                }
                now += 5
                var writer = BinaryWriter(reservingCapacity: 200)
                Noted(text: text(&chance)).write(to: &writer)
                batch.add(
                    EventRecord(
                        type: 1, stream: Symbol(number: known[stream] ?? 0),
                        at: Instant(milliseconds: now), actor: .none),
                    payload: writer.bytes)
            }
            count += batch.events.count
            _ = try journal.append(batch)
        }
    }
}
