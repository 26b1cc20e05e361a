import Core
import Testing

@testable import EventLog

@Suite struct `The bytes on disk` {
    /// The example of docs/journal-format.md.
    private func example() -> Batch {
        var batch = Batch(recordedAt: instant(1_769_936_401_204), firstNewSymbol: 1)
        batch.clock = JournalClock(instant: instant(1_769_936_400_000), inclusive: true)
        batch.salt = SealingSalt(Array(0..<12)) ?? batch.salt
        batch.newSymbols = ["exam/1", "S-1", "exam"].map { [UInt8]($0.utf8) }
        batch.newSlots = [
            NamedSlot(
                number: 1, product: Symbol(number: 3), person: Symbol(number: 2),
                digest: Array(0..<16))
        ]
        batch.newTypes = [
            TypeRecord(number: 1, name: "exam.started", version: 1, schema: "s")
        ]
        batch.commands = [
            AcceptedCommand(
                id: [UInt8]("c-17".utf8), digest: [UInt8](0..<8), device: .none,
                events: 0..<1)
        ]
        batch.add(
            EventRecord(
                type: 1, stream: Symbol(number: 1), at: instant(1_769_936_400_000),
                actor: Symbol(number: 2), command: 0, subject: Symbol(number: 2),
                tags: [Symbol(number: 2)]),
            payload: [0xAB, 0xCD])
        return batch
    }

    /// Bytes in the page's way: 16 a line.
    private func lines(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let part = bytes[start..<min(start + 16, bytes.count)]
            return part.map { Hex.text([$0]) }.joined(separator: " ")
        }
    }

    @Test func `are those that the page shows`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        _ = try journal.append(example())
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let page = "/\(root)/docs/journal-format.md"
        let text = String(
            decoding: try #require(try FileSystem.read(page, atMost: 1 << 20)), as: UTF8.self)
        for record in try Surgery(journal: journal).records() {
            guard record.database.name != "meta" || record.key == HeadRecord.key else { continue }
            for line in lines(record.key) + lines(record.stored) {
                #expect(text.contains(line), "\(record.database.name): \(line)")
            }
        }
    }

    @Test func `of a frame are smaller when zstd makes them so`() throws {
        let scratch = try Scratch()
        let journal = try makeJournal(scratch)
        _ = try journal.append(example())
        var batch = Batch(recordedAt: instant(0), firstNewSymbol: 4)
        for _ in 0..<100 {
            batch.add(
                EventRecord(
                    type: 1, stream: Symbol(number: 1), at: instant(0), actor: Symbol(number: 2)),
                payload: [UInt8](repeating: 1, count: 20))
        }
        _ = try journal.append(batch)
        var sizes: [StoredSize] = []
        try journal.snapshot().forEachStored {
            sizes.append($0)
            return true
        }
        #expect(sizes[0].storedBytes > sizes[0].bodyBytes)
        #expect(sizes[1].storedBytes < sizes[1].bodyBytes / 4)
    }
}
