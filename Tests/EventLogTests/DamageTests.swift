import CLMDB
import Core
import Testing

@testable import EventLog

@Suite struct `Damage to any record` {
    /// Everything that a snapshot can be asked, by question; an error is an answer, too.
    private func answers(_ journal: Journal, _ model: Model) -> [String: AnyHashable] {
        var answers: [String: AnyHashable] = [:]
        func ask(_ question: String, _ body: () throws -> AnyHashable?) {
            do {
                answers[question] = try body() ?? AnyHashable("absent")
            } catch let error as JournalError {
                answers[question] = error.isDamage ? "damaged" : "\(error)"
            } catch {
                answers[question] = "\(error)"
            }
        }
        // Opened anew: nothing is remembered from before the damage.
        guard let fresh = try? Journal(at: journal.path, sealing: .off),
            let snapshot = try? fresh.snapshot()
        else { return ["head": "damaged"] }
        answers["head"] = AnyHashable(snapshot.head)
        for reversed in [false, true] {
            ask("events \(reversed)") {
                var found: [PlainEvent] = []
                try snapshot.forEachEvent(reversed: reversed) { record, body in
                    found.append(PlainEvent(record, body))
                    return true
                }
                return AnyHashable(found)
            }
            ask("frames \(reversed)") {
                var found: [FrameRecord] = []
                try snapshot.forEachFrame(reversed: reversed) { frame in
                    found.append(frame)
                    return true
                }
                return AnyHashable(found)
            }
        }
        for position in 1...max(1, model.events.count) {
            ask("event \(position)") {
                try snapshot.event(at: Position(UInt64(position))).map {
                    AnyHashable(PlainEvent($0.record, $0.body))
                }
            }
        }
        for (index, bytes) in model.symbols.enumerated() {
            ask("symbol \(index + 1)") {
                try snapshot.symbol(Symbol(number: UInt32(index + 1))).map { AnyHashable($0) }
            }
            ask("number \(index + 1)") {
                try snapshot.number(of: bytes).map { AnyHashable($0) }
            }
            for kind in [PostingKind.stream, .tag] {
                ask("\(kind) \(index + 1)") {
                    let found = try snapshot.positions(of: kind, UInt32(index + 1))
                    return found.isEmpty ? nil : AnyHashable(found)
                }
            }
            ask("end of stream \(index + 1)") {
                try snapshot.stream(Symbol(number: UInt32(index + 1))).map { AnyHashable($0) }
            }
        }
        for type in model.types {
            ask("type \(type.number)") { try snapshot.type(type.number).map { AnyHashable($0) } }
            ask("events of type \(type.number)") {
                let found = try snapshot.positions(of: .type, UInt32(type.number))
                return found.isEmpty ? nil : AnyHashable(found)
            }
        }
        for id in model.commands.keys {
            ask("command \(id)") { try snapshot.command(id).map { AnyHashable($0) } }
        }
        return answers
    }

    /// Blocks, segments old and merged, and frames that are not sealed.
    private func sample(_ scratch: borrowing Scratch) throws -> (Journal, Model) {
        // Nothing keeps pages that were freed: a damaged page is one that is in use.
        var journal = try makeJournal(scratch, .often(2), logging: .off)
        var model = Model()
        var random = SplitMix64(seed: 12)
        for round in 0..<9 {
            if round == 6 {
                journal = try Journal(
                    at: scratch.journal, access: .readWrite, sealing: .off,
                    mapBytes: LMDBEnvironment.leastMapBytes, logging: .off)
            }
            let batch = model.randomBatch(&random, atMost: 3)
            model.append(batch)
            _ = try journal.append(batch)
        }
        return (journal, model)
    }

    @Test func `in any byte of its value is found by verify and never served`() throws {
        let scratch = try Scratch()
        let (journal, model) = try sample(scratch)
        #expect(model.events.count > 3 && !model.commands.isEmpty)
        let surgery = Surgery(journal: journal)
        let truth = answers(journal, model)
        #expect(!truth.values.contains("damaged"))
        let damagedAnswer: AnyHashable = "damaged"
        for record in try surgery.records() {
            for index in record.stored.indices {
                var flipped = record
                flipped.stored[index] ^= 1 << UInt8(index % 8)
                try surgery.replace(record, with: flipped)
                let report = try journal.verify()
                #expect(!report.isWhole, "\(record.database.name) \(record.key) byte \(index)")
                for (question, answer) in answers(journal, model) {
                    #expect(
                        answer == truth[question] || answer == damagedAnswer,
                        "\(question), \(record.database.name) \(record.key) byte \(index)")
                }
                try surgery.replace(flipped, with: record)
            }
        }
        #expect(try journal.verify().isWhole)
        #expect(answers(journal, model) == truth)
    }

    @Test func `in any byte of its key is found by verify and never served`() throws {
        let scratch = try Scratch()
        let (journal, model) = try sample(scratch)
        let surgery = Surgery(journal: journal)
        let truth = answers(journal, model)
        let others: [AnyHashable] = ["damaged", "absent"]
        let records = try surgery.records()
        for record in records {
            for index in record.key.indices {
                var flipped = record
                flipped.key[index] ^= 1 << UInt8(index % 8)
                // LMDB could not hold two records under one key.
                let isTaken = records.contains {
                    $0.database == record.database && $0.key == flipped.key
                }
                if isTaken { continue }
                try surgery.replace(record, with: flipped)
                #expect(
                    try !journal.verify().isWhole,
                    "\(record.database.name) \(record.key) byte \(index)")
                for (question, answer) in answers(journal, model) {
                    #expect(
                        answer == truth[question] || others.contains(answer),
                        "\(question), \(record.database.name) \(record.key) byte \(index)")
                }
                try surgery.replace(flipped, with: record)
            }
        }
        #expect(try journal.verify().isWhole)
    }

    @Test func `its removal is found`() throws {
        let scratch = try Scratch()
        let (journal, _) = try sample(scratch)
        let surgery = Surgery(journal: journal)
        for record in try surgery.records() {
            try surgery.replace(record, with: nil)
            let report = try journal.verify()
            #expect(!report.isWhole, "\(record.database.name) \(record.key)")
            try surgery.replace(record, with: record)
        }
        #expect(try journal.verify().isWhole)
    }

    @Test func `a frame exchanged for a sound one of another journal is found`() throws {
        let scratch = try Scratch()
        let (journal, model) = try sample(scratch)
        let surgery = Surgery(journal: journal)
        let frames = try surgery.records().filter { $0.database.name == "frames" }
        let frame = try #require(frames.dropLast().last)
        var forged = frame
        forged.stored.removeLast(16)
        forged.stored[20] ^= 1  // recordedAt
        forged.stored.appendChecksum(
            Checksum.of(.frame, key: frame.key.span, content: forged.stored.span))
        try surgery.replace(frame, with: forged)
        let report = try journal.verify()
        #expect(report.findings.first?.database == "frames")
        #expect(report.firstDamaged != nil)
        #expect(kind { try journal.snapshot().forEachEvent { _, _ in true } } != nil)
        #expect(model.events.count > 3)
    }

    @Test func `the first damaged position is named`() throws {
        let scratch = try Scratch()
        let (journal, model) = try sample(scratch)
        let surgery = Surgery(journal: journal)
        let frames = try surgery.records().filter { $0.database.name == "frames" }
        for frame in frames {
            var flipped = frame
            flipped.stored[60] ^= 4
            try surgery.replace(frame, with: flipped)
            let first = try FrameKey(frame.key.span).first
            #expect(try journal.verify().firstDamaged == first)
            let fresh = try Journal(at: scratch.journal, sealing: .off)
            #expect(kind { _ = try fresh.snapshot().event(at: first) } == .damaged(first))
            try surgery.replace(flipped, with: frame)
        }
        #expect(!model.events.isEmpty)
    }

    /// LMDB itself trusts its pages; `PageCheck` looks at them first. Should this test end the
    /// process, LMDB was led astray.
    @Test(arguments: UInt64(0)..<8)
    func `anywhere in the file is an error or harmless, never the end of the process`(
        seed: UInt64
    ) throws {
        let scratch = try Scratch()
        let (journal, model) = try sample(scratch)
        let truth = answers(journal, model)
        let path = scratch.journal + "/journal.mdb"
        let whole = try #require(try FileSystem.read(path, atMost: 1 << 24))
        let copy = scratch.path + "/copy"
        _ = try FileSystem.makeDirectory(copy)
        let format = try #require(try FileSystem.read(scratch.journal + "/FORMAT", atMost: 99))
        try FileSystem.write(format, to: copy + "/FORMAT")
        var random = SplitMix64(seed: seed)
        var refused = 0
        for _ in 0..<40 {
            var bytes = whole
            let page = random.below(bytes.count / 4096) * 4096
            let offset = random.below(2) == 0 ? random.below(64) : random.below(4096)
            bytes[page + offset] ^= 1 << UInt8(random.below(8))
            try FileSystem.write(bytes, to: copy + "/journal.mdb")
            do {
                let damaged = try Journal(at: copy)
                guard try damaged.verify().isWhole else {
                    refused += 1
                    continue
                }
                #expect(answers(damaged, model) == truth, "byte \(page + offset)")
            } catch {
                #expect(error.isDamage || error.kind == .newerFormat, "\(error)")
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    /// Whoever can write the file can also make checksums right; then bytes must still be read
    /// with care.
    @Test(arguments: UInt64(0)..<20)
    func `under a right checksum gives an error or other events, never a trap`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        var model = Model()
        var body: [UInt8] = []
        var batch = model.randomBatch(&random)
        while batch.events.isEmpty {
            model.append(batch)
            batch = model.randomBatch(&random)
        }
        let revisions = [UInt32](repeating: 7, count: batch.events.count)
        let first = Position(UInt64(model.events.count + 1))
        FrameWriter.writeBody(of: batch, first: first, revisions: revisions, to: &body)
        let reader = FrameReader()
        var refused = 0
        for round in 0..<400 {
            var changed = body
            for _ in 0..<random.below(3) + (round == 0 ? 0 : 1) {
                switch random.below(4) {
                case 0: changed[random.below(changed.count)] = UInt8(random.below(256))
                case 1: changed[random.below(changed.count)] = 0xFF
                case 2: changed.insert(0x80, at: random.below(changed.count))
                default: changed.removeLast(min(changed.count - 1, random.below(5)))
                }
            }
            var header = FrameHeader()
            header.eventCount = UInt32(batch.events.count)
            if random.below(10) == 0 { header.eventCount = UInt32(random.below(1 << 20)) }
            header.first = first
            header.bodyBytes = UInt32(changed.count)
            var stored: [UInt8] = []
            header.write(to: &stored)
            stored += changed
            let key = FrameKey(first: first, ordinal: 0).bytes
            stored.appendChecksum(
                Checksum.of(.frame, key: key.span, content: stored.span))
            do {
                try reader.open(key: key.span, stored: stored.span)
                var record = EventRecord()
                for reversed in [false, true] {
                    _ = try reader.forEachEvent(
                        in: 0..<reader.eventCount, reversed: reversed, record: &record
                    ) { record, body in
                        _ = PlainEvent(record, body)
                        return true
                    }
                }
            } catch let error as JournalError {
                #expect(error.isDamage)
                refused += 1
            }
        }
        #expect(refused > 0)
    }

    @Test(arguments: UInt64(0)..<20)
    func `in an index page under a right hash gives an error, never a trap`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<300 {
            var bytes = [UInt8](repeating: 0xFF, count: 12)
            bytes += (0..<random.below(40)).map { _ in
                random.below(4) == 0 ? UInt8(random.below(256)) : UInt8(random.below(5))
            }
            let first = SegmentEntry(number: 0, value: UInt64(random.below(3)))
            let key = SegmentKey(.tag, 1, first)
            var entries: [SegmentEntry] = []
            _ = try? SegmentPage.read(key, bytes.span) { entry in
                entries.append(entry)
                return true
            }
            #expect(entries == entries.sorted())
        }
    }

    @Test(arguments: UInt64(0)..<20)
    func `in a block under right checksums gives an error or other events, never a trap`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let scratch = try Scratch()
        let journal = try makeJournal(scratch, .often(30))
        var model = Model()
        while model.events.count < 40 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let block = try #require(
            try Surgery(journal: journal).records().first {
                $0.database.name == "frames" && $0.stored[0] == BlockHeader.kind
            })
        let header = try BlockHeader(block.stored.span)
        let directoryEnd = BlockHeader.byteCount + Int(header.directoryBytes)
        let reader = BlockReader(journal.memory.frames.store)
        var refused = 0
        for _ in 0..<400 {
            var stored = block.stored
            stored.removeLast(Checksum.byteCount)
            for _ in 0..<random.below(3) + 1 {
                let isHeader = random.below(2) == 0
                let place =
                    isHeader ? 4 + random.below(directoryEnd - 4) : random.below(stored.count)
                stored[place] = random.below(2) == 0 ? 0xFF : UInt8(random.below(256))
            }
            var hashed: [UInt8] = []
            hashed.appendFixed(
                XXH64.hash(
                    stored.span.extracting(0..<directoryEnd - 8), seed: header.first.number))
            stored.replaceSubrange(directoryEnd - 8..<directoryEnd, with: hashed)
            stored.appendChecksum(
                Checksum.of(.frame, key: block.key.span, content: stored.span))
            do {
                try reader.open(key: block.key.span, stored: stored.span)
                var record = EventRecord()
                for reversed in [false, true] {
                    _ = try reader.forEachEvent(
                        in: 0..<reader.eventCount, reversed: reversed, record: &record
                    ) { record, body in
                        _ = PlainEvent(record, body)
                        return true
                    }
                }
            } catch let error as JournalError {
                #expect(error.isDamage)
                refused += 1
            }
        }
        #expect(refused > 0)
    }
}
