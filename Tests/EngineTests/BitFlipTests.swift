import Products
import Engine
import Core
import Foundation
import TestSupport
import Testing

@testable import EventLog

/// Where the records of a journal lie in its file.
private struct RecordMap {
    struct Record {
        let database: String
        let key: Range<Int>
        let value: Range<Int>
        /// The positions of a frame's events; of the one to come if it has none.
        var positions: ClosedRange<UInt64>?
    }

    private(set) var records: [Record] = []

    /// The journal is open while this is made, closed afterwards.
    init(_ path: String) throws {
        let journal = try Journal(at: path, access: .readOnly)
        let environment = journal.environment
        let transaction = try ReadTransaction(environment)
        let used = environment.usedBytes()
        for database in journal.databases.all {
            var cursor = try Cursor(transaction.access, database)
            var isThere = try cursor.first()
            while isThere {
                let (key, value) = unsafe (cursor.key, cursor.stored)
                let address = UInt(bitPattern: value.baseAddress)
                let start = try #require(
                    environment.mappedRange(learningFrom: address, usedBytes: used)
                ).lowerBound
                func place(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
                    let offset = Int(UInt(bitPattern: bytes.baseAddress) - start)
                    return offset..<offset + bytes.count
                }
                unsafe records.append(
                    Record(database: database.name, key: place(key), value: place(value)))
                isThere = try cursor.next()
            }
        }
        var frames: [ClosedRange<UInt64>] = []
        try journal.snapshot().forEachStored { frame in
            let first = frame.first.number
            frames.append(first...first + UInt64(max(1, frame.eventCount)) - 1)
            return true
        }
        let places = records.indices.filter { records[$0].database == "frames" }
        try #require(places.count == frames.count)
        for (index, positions) in zip(places, frames) { records[index].positions = positions }
    }
}

/// A journal to be damaged, and everything that it answers while it is whole.
private struct Specimen {
    let place: TemporaryJournal
    let file: URL
    let bytes: [UInt8]
    let views: Data
    let map: RecordMap
    let truth: [String: String]
    let keys: [(model: String, key: String?)]

    init() throws {
        place = try TemporaryJournal()
        file = URL(filePath: place.path + "/journal.mdb")
        let day = "2026-02-02T09:00:00Z"
        var keys: [(model: String, key: String?)] = []
        do {
            // Some of it ends in sealed blocks, the rest stays in frames.
            var options = EventEngine.Options()
            options.sealing = Sealing(segmentEvents: 12, blockEvents: 6, isInBackground: false)
            let engine = try EventEngine(at: place.path, options: options)
            let people = ["Amal", "Badr"].map { Room.register($0, at: day) }
            var lines = [Room.register("A-1", "admin", at: day)] + people
            lines += Room.exam("EX-1", maxAttempts: 3, at: day)
            for (index, student) in ["Amal", "Badr", "Amal"].enumerated() {
                let attempt = "AT-\(index)"
                lines += [
                    Room.start(attempt, "EX-1", student, at: day),
                    Room.answer(attempt, "Q-1", "a", student, at: day),
                    Room.answer(attempt, "Q-2", index == 1 ? "a" : "b", student, at: day),
                    Room.submit(attempt, student, at: day),
                ]
            }
            // A text too wild to be compressed: so frames of both codecs are there.
            lines.append(Room.start("AT-open-7f3k9q0x2m", "EX-1", "Badr", at: day))
            lines.append(line("advance", "clock.advance", "2026-02-02T09:30:00Z"))
            var rest = lines[...]
            for size in [5, 1, 4, 1, 1, 7, 1, 1, 99] where !rest.isEmpty {
                _ = try engine.submit(Array(rest.prefix(size)), clock: fixedClock)
                rest = rest.dropFirst(size)
            }
            for model in try engine.models() {
                for key in try Documents.keys(of: model, engine) { keys.append((model.name, key)) }
            }
            _ = try engine.show("journal.summary")  // so that the views are stored
        }
        self.keys = keys
        truth = try Self.answers(of: place.path, keys)
        #expect(!truth.values.contains("refused"))
        map = try RecordMap(place.path)
        bytes = Array(try Data(contentsOf: file))
        views = try Data(contentsOf: URL(filePath: place.path + "/views.mdb"))
    }

    /// Puts the journal back, with one bit the other way round.
    func damage(_ offset: Int, bit: Int, keepsViews: Bool) throws {
        var changed = bytes
        changed[offset] ^= 1 << UInt8(bit)
        try waitUntilClosed(place.path)
        try Data(changed).write(to: file)
        let stored = URL(filePath: place.path + "/views.mdb")
        try? FileManager.default.removeItem(at: stored)
        try? FileManager.default.removeItem(at: URL(filePath: stored.path + "-lock"))
        if keepsViews { try views.write(to: stored) }
    }

    /// Every answer by its question; an error that says it is damaged is the answer `refused`.
    static func answers(
        of path: String, _ keys: [(model: String, key: String?)]
    ) throws -> [String: String] {
        var options = EventEngine.Options()
        options.isReadOnly = true
        let engine: EventEngine
        do {
            engine = try EventEngine(at: path, options: options)
        } catch {
            try expectOneLine(error)
            return [:]
        }
        var answers: [String: String] = [:]
        func ask(_ question: String, _ body: () throws -> String) throws {
            do {
                answers[question] = try body()
            } catch let error as EngineError {
                try expectOneLine(error)
                answers[question] = "refused"
            }
        }
        for (model, key) in keys {
            try ask("show \(model) \(key ?? "")") { try engine.show(model, key: key).text }
        }
        var past = ShowRequest()
        past.asOf = .position(Position(12))
        for model in [
            "examroom.students", "examroom.overview", "audit.log", "examroom.leaderboard",
        ] {
            let key = model == "examroom.leaderboard" ? "points" : nil
            try ask("show \(model) as of 12") { try engine.show(model, key: key, past).text }
        }
        for isReversed in [false, true] {
            try ask("events, reversed \(isReversed)") {
                var filter = EventFilter()
                filter.isReversed = isReversed
                var text = ""
                try engine.events(filter) { event in
                    text += event.text
                    return true
                }
                return text
            }
        }
        for (name, value) in [
            ("stream", "examroom/exam/EX-1"), ("tag", "exam:EX-1"), ("type", "examroom.*"),
        ] {
            try ask("events by \(name)") {
                var filter = EventFilter()
                if name == "stream" { filter.stream = value }
                if name == "tag" { filter.tag = value }
                if name == "type" { filter.type = value }
                var text = ""
                try engine.events(filter) { event in
                    text += event.text
                    return true
                }
                return text
            }
        }
        try ask("event 5") { try engine.event(at: Position(5))?.text ?? "null" }
        try ask("export") { String(decoding: try engine.exportedBytes(), as: UTF8.self) }
        try ask("export as CSV") {
            var bytes: [UInt8] = []
            try engine.exportAudit { bytes += $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
        return answers
    }

    private static func expectOneLine(_ error: EngineError) throws {
        #expect(error.kind == .badInput, "\(error.message)")
        #expect(!error.message.contains("\n"))
    }

    /// What verify says of the damaged journal: its findings, or why it cannot be opened at all.
    func verdict() -> (isReported: Bool, position: UInt64?, text: String) {
        do {
            let report = try place.open().verify()
            return (!report.isWhole, report.firstDamaged?.number, "\(report.findings)")
        } catch let error as EngineError {
            return (error.kind == .badInput, nil, error.message)
        } catch {
            return (false, nil, "\(error)")
        }
    }
}

@Suite struct `One bit that is flipped in the file` {
    /// Wrong answers, a line each.
    private func wrongAnswers(_ specimen: Specimen) throws -> [String] {
        let answers = try Specimen.answers(of: specimen.place.path, specimen.keys)
        return answers.filter { $0.value != specimen.truth[$0.key] && $0.value != "refused" }
            .map { "\($0.key): \($0.value.prefix(200))" }
    }

    @Test(arguments: UInt64(1)...4)
    func `in a frame is reported by verify with the position, and never served`(
        seed: UInt64
    ) throws {
        let specimen = try Specimen()
        let frames = specimen.map.records.filter { $0.database == "frames" }
        #expect(frames.count >= 4)
        var random = SplitMix64(seed: seed)
        for round in 0..<40 {
            let frame = frames[Int(random.next() % UInt64(frames.count))]
            let offset = frame.value.lowerBound + Int(random.next() % UInt64(frame.value.count))
            let bit = Int(random.next() % 8)
            let what =
                "frame \(frame.positions ?? 0...0), byte \(offset - frame.value.lowerBound), bit \(bit)"
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let verdict = specimen.verdict()
            #expect(verdict.isReported, "\(what)")
            #expect(verdict.position == frame.positions?.lowerBound, "\(what): \(verdict.text)")
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let wrong = try wrongAnswers(specimen)
            #expect(wrong.isEmpty, "\(what): \(wrong)")
        }
    }

    @Test(arguments: ["symbols", "types", "segments", "meta"])
    func `in a record that is derived is reported by verify, and never served`(
        database: String
    ) throws {
        let specimen = try Specimen()
        let records = specimen.map.records.filter { $0.database == database }
        #expect(!records.isEmpty)
        var random = SplitMix64(seed: UInt64(database.utf8.reduce(0) { $0 * 31 + Int($1) }))
        for round in 0..<20 {
            let record = records[Int(random.next() % UInt64(records.count))]
            let offset = record.value.lowerBound + Int(random.next() % UInt64(record.value.count))
            let bit = Int(random.next() % 8)
            let what =
                "\(database), record at \(record.value.lowerBound), byte \(offset - record.value.lowerBound), bit \(bit)"
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let verdict = specimen.verdict()
            #expect(verdict.isReported, "\(what)")
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let wrong = try wrongAnswers(specimen)
            #expect(wrong.isEmpty, "\(what): \(wrong)")
        }
    }

    @Test func `in a record's key is never believed, and reported by verify`() throws {
        let specimen = try Specimen()
        var random = SplitMix64(seed: 7)
        for round in 0..<60 {
            let records = specimen.map.records
            let record = records[Int(random.next() % UInt64(records.count))]
            let offset = record.key.lowerBound + Int(random.next() % UInt64(record.key.count))
            let bit = Int(random.next() % 8)
            let what =
                "\(record.database), key at \(record.key.lowerBound), byte \(offset - record.key.lowerBound), bit \(bit)"
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let verdict = specimen.verdict()
            #expect(
                verdict.isReported,
                "\(what)")
            try specimen.damage(offset, bit: bit, keepsViews: round.isMultiple(of: 2))
            let wrong = try wrongAnswers(specimen)
            #expect(wrong.isEmpty, "\(what): \(wrong)")
        }
    }

    /// Where the text stands in the file as it is, without a look at what lies where.
    @Test func `in a text of an event that can be read in the file is reported`() throws {
        let specimen = try Specimen()
        let text = Array("AT-open-7f3k9q0x2m".utf8)
        let places = specimen.bytes.indices.dropLast(text.count).filter {
            specimen.bytes[$0] == text[0]
                && specimen.bytes[$0..<$0 + text.count].elementsEqual(text)
        }
        #expect(!places.isEmpty)
        var reported = 0
        for place in places {
            try specimen.damage(place + 8, bit: 1, keepsViews: true)
            let isLive = specimen.map.records.contains {
                $0.value.contains(place + 8) || $0.key.contains(place + 8)
            }
            let verdict = specimen.verdict()
            #expect(verdict.isReported == isLive, "at \(place): \(verdict.text)")
            if verdict.isReported { reported += 1 }
        }
        #expect(reported > 0)
    }
}
