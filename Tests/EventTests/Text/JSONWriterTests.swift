import Synchronization
import Testing

@testable import Core

@Suite struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `puts commas where they belong`() {
        let written = text { writer in
            writer.beginObject()
            writer.key("a")
            writer.beginArray()
            writer.integer(1)
            writer.beginObject()
            writer.endObject()
            writer.beginArray()
            writer.endArray()
            writer.null()
            writer.endArray()
            writer.key("b")
            writer.bool(true)
            writer.key("c")
            writer.beginObject()
            writer.key("x")
            writer.bool(false)
            writer.endObject()
            writer.endObject()
        }
        #expect(written == #"{"a":[1,{},[],null],"b":true,"c":{"x":false}}"#)
    }

    @Test func `sorts members that were written in another order, at every depth`() {
        let written = text { writer in
            writer.beginObject()
            writer.key("b")
            writer.beginObject()
            writer.key("z")
            writer.string("},\"")
            writer.key("y")
            writer.beginArray()
            writer.integer(1)
            writer.integer(2)
            writer.endArray()
            writer.key("x")
            writer.null()
            writer.endObject()
            writer.key("aa")
            writer.integer(2)
            writer.key("a")
            writer.integer(1)
            writer.endObject()
        }
        #expect(written == #"{"a":1,"aa":2,"b":{"x":null,"y":[1,2],"z":"},\""}}"#)
    }

    @Test(arguments: UInt64(0)..<300)
    func `keys come out by code point, whatever they hold`(seed: UInt64) throws {
        var random = TextRandom(seed: seed)
        var keys: [String] = []
        // A few, and many.
        for _ in 0..<random.below(seed.isMultiple(of: 2) ? 12 : 80) {
            let key = random.text()
            if !keys.contains(where: { $0.isExactly(key) }) { keys.append(key) }
        }
        var writer = JSONWriter()
        writer.beginObject()
        for (number, key) in keys.enumerated() {
            writer.key(key)
            writer.integer(number)
        }
        writer.endObject()
        // The standard library's own order of scalars is the judge.
        let sorted = keys.enumerated().sorted { left, right in
            left.element.unicodeScalars.lexicographicallyPrecedes(right.element.unicodeScalars)
        }
        var expected = JSONWriter()
        expected.beginArray()
        for (_, key) in sorted { expected.string(key) }
        expected.endArray()
        let read = try JSON(parsing: writer.bytes)
        #expect(read.members?.map(\.value) == sorted.map { .integer(Int64($0.offset)) })
        #expect(writer.bytes == read.canonical, "seed \(seed)")
        #expect(try JSON(parsing: expected.bytes) == .array(sorted.map { .string($0.element) }))
    }

    /// Writes an object of objects, arrays and texts, its keys in order or not; `behind` comes behind each element of an
    /// array.
    private func write(
        _ random: inout TextRandom, isSorted: Bool, depth: Int, to writer: inout JSONWriter,
        behind: (inout JSONWriter) -> Void
    ) {
        writer.beginObject()
        var keys = (0..<random.below(6)).map { "k\($0)" }
        if !isSorted { keys.reverse() }
        for key in keys {
            writer.key(key)
            switch random.below(depth == 0 ? 2 : 4) {
            case 0: writer.string(random.text())
            case 1: writer.integer(random.below(1000))
            case 2:
                write(
                    &random, isSorted: isSorted, depth: depth - 1, to: &writer, behind: behind)
            default:
                writer.beginArray()
                for _ in 0..<random.below(5) {
                    // What is in an element is put in order before the element is drained.
                    write(
                        &random, isSorted: isSorted || random.below(2) == 0, depth: depth - 1,
                        to: &writer, behind: behind)
                    behind(&writer)
                }
                writer.endArray()
            }
        }
        writer.endObject()
    }

    @Test(arguments: UInt64(0)..<300)
    func `a document in pieces is the whole one, or says that it is not`(seed: UInt64) {
        let isSorted = seed.isMultiple(of: 3)
        var random = TextRandom(seed: seed)
        var whole = JSONWriter()
        write(&random, isSorted: isSorted, depth: 4, to: &whole) { _ in }
        let pieces = Mutex<[[UInt8]]>([])
        random = TextRandom(seed: seed)
        var writer = JSONWriter()
        writer.sink = JSONWriter.Sink(pieceBytes: 1 + Int(seed % 50)) { piece in
            pieces.withLock { $0.append(piece.indices.map { piece[$0] }) }
        }
        write(&random, isSorted: isSorted, depth: 4, to: &writer) { $0.drain() }
        writer.finish()
        #expect(!isSorted || !writer.isSpoiled)
        #expect(writer.isSpoiled || Array(pieces.withLock { $0 }.joined()) == whole.bytes)
    }

    @Test func `an object that comes in another order behind a piece is told`() {
        var writer = JSONWriter()
        writer.sink = JSONWriter.Sink(pieceBytes: 1) { _ in }
        writer.beginObject()
        writer.key("b")
        writer.beginArray()
        writer.integer(1)
        writer.drain()
        writer.endArray()
        writer.key("a")
        writer.null()
        writer.endObject()
        #expect(writer.isSpoiled)
    }

    @Test func `escapes what JSON requires and nothing else`() {
        #expect(
            text { $0.string("a\"b\\c/\u{8}\t\n\u{C}\r\u{0}\u{1F}\u{7F}é\u{2028}😀") }
                == #""a\"b\\c/\b\t\n\f\r\u0000\u001f\#u{7F}é\#u{2028}😀""#)
        // At every place within a word of eight bytes and around it.
        for place in 0..<20 {
            let before = String(repeating: "x", count: place)
            #expect(
                text { $0.string(before + "\"" + "yyyyyyyyyy") } == "\"\(before)\\\"yyyyyyyyyy\"")
            #expect(
                text { $0.string(before + "\u{80}\u{9F}\u{FF}") }
                    == "\"\(before)\u{80}\u{9F}\u{FF}\"")
        }
    }

    @Test func `every byte is told apart by the scan of eight bytes`() {
        for byte in UInt8.min...UInt8.max {
            let expected = byte < 0x20 || byte == 0x22 || byte == 0x5C
            for place in 0..<8 {
                let clean: UInt64 = 0x6161_6161_6161_6161
                let shift = UInt64(place * 8)
                let word = clean & ~(0xFF << shift) | UInt64(byte) << shift
                #expect(
                    JSONEscapes.needsEscape(anywhereIn: word) == expected, "\(byte) at \(place)")
            }
        }
    }

    @Test func `hundredths print with at most two decimals and no trailing zeros`() {
        let cases: [(Int64, String)] = [
            (6667, "66.67"), (5000, "50"), (-50, "-0.5"), (0, "0"), (5, "0.05"), (-5, "-0.05"),
            (110, "1.1"), (.max, "92233720368547758.07"), (.min, "-92233720368547758.08"),
        ]
        for (value, expected) in cases { #expect(text { $0.hundredths(value) } == expected) }
    }

    @Test func `integers print at their ends`() {
        #expect(text { $0.integer(Int64.min) } == "-9223372036854775808")
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
        #expect(text { $0.integer(UInt8(200)) } == "200")
        #expect(text { $0.integer(Int16(-1)) } == "-1")
        #expect(text { $0.integer(0) } == "0")
    }

    @Test func `a document's numbers print whole when they are and else rounded`() throws {
        let cases = [
            ("5.0", "5"), ("5e0", "5"), ("-0", "0"), ("-0.0", "0"), ("1.005", "1.01"),
            ("1e3", "1000"),
            ("-1.005", "-1.01"), ("0.001", "0"), ("-0.001", "0"), ("99.995", "100"),
            ("66.670", "66.67"),
            ("1234567890123456789.5", "1234567890123456789.5"), ("1e-400", "0"), ("0.5e1", "5"),
            ("1844674407370955161.5", "1844674407370955161.5"),
            ("100000000000000000000", "100000000000000000000"),
        ]
        for (written, expected) in cases {
            #expect(try JSON(parsing: written).description == expected, "\(written)")
        }
    }

    @Test func `instants and dates print as the contract says`() throws {
        let instant = try #require(Instant(rfc3339: "2026-02-01T12:00:00+03:00"))
        #expect(text { $0.instant(instant) } == "\"2026-02-01T09:00:00Z\"")
        #expect(text { $0.date(instant.utcDate) } == "\"2026-02-01\"")
        let late = Instant(milliseconds: 253_402_300_800_007)
        #expect(text { $0.instant(late) } == "\"+10000-01-01T00:00:00.007Z\"")
    }

    @Test func `local times print to the minute, offsets with their sign`() throws {
        let date = try #require(Instant(rfc3339: "2026-02-01T12:00:00Z")).utcDate
        #expect(text { $0.localTime(date, minuteOfDay: 0) } == "\"2026-02-01T00:00\"")
        #expect(text { $0.localTime(date, minuteOfDay: 1_439) } == "\"2026-02-01T23:59\"")
        for (seconds, written) in [
            (0, "+00:00"), (10_800, "+03:00"), (-12_600, "-03:30"), (20_700, "+05:45"),
            (-1_800, "-00:30"), (50_400, "+14:00"),
        ] {
            #expect(text { $0.zoneOffset(seconds: seconds) } == "\"\(written)\"")
        }
    }

    @Test(arguments: UInt64(0)..<1000)
    func `what is written reads back as what it was`(seed: UInt64) throws {
        var random = TextRandom(seed: seed)
        let document = random.document()
        let bytes = document.canonical
        let read = try JSON(parsing: bytes)
        #expect(read == document, "seed \(seed)")
        #expect(read.hashValue == document.hashValue)
        #expect(read.canonical == bytes, "seed \(seed)")
    }

    @Test func `a writer that was emptied starts anew`() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.removeAll()
        writer.stringBytes(Array("é".utf8))
        writer.newline()
        writer.integer(1)
        #expect(writer.bytes == Array("\"é\"\n1".utf8))
    }
}
