import Testing

@testable import Core

@Suite struct JSONParserTests {
    private func reason(_ text: String) -> String? { failure(Array(text.utf8))?.reason }

    private func failure(_ bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSON(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    private func number(_ text: String) throws -> JSONNumber {
        try #require(try JSON(parsing: text).number)
    }

    @Test func `reads every kind of value`() throws {
        let text = #" { "b" : [ 1 , -2.50 , true , false , null ] , "a" : "x\u0041\n\/" } "#
        let document = try JSON(parsing: text)
        let list: [JSON] = [.integer(1), .hundredths(-250), .bool(true), .bool(false), .null]
        #expect(document["b"] == .array(list))
        #expect(document["a"] == .string("xA\n/"))
        #expect(document["c"] == nil)
        #expect(document.members?.map(\.name) == ["a", "b"])
    }

    @Test(arguments: [
        "", " ", "nul", "truE", "tru", "[", "[1", "[1,", "[1,]", "[,1]", "{", "{\"a\"", "{\"a\":",
        "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{a:1}", "{1:1}", "{\"a\" 1}", "[1 2]", "1 2", "[]]",
        "01", "-01", "00", "-", "+1", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "NaN", "Infinity",
        "'a'", "\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"a\nb\"", "\"\t\"",
        "// c\n1", "/**/1", "\u{FEFF}1", "\u{A0}1",
    ])
    func `refuses what RFC 8259 does not know`(text: String) {
        #expect(reason(text) != nil, "\(text)")
    }

    @Test func `says what is wrong and where`() {
        let cases: [([UInt8], Int, String)] = [
            (Array(#"[1,"\ud800"]"#.utf8), 4, "lone surrogate"),
            (Array("[1,02]".utf8), 3, "leading zero"),
            (Array("[] x".utf8), 3, "something follows the document"),
            ([0x22, 0x61, 0xC0, 0x80, 0x22], 2, "invalid UTF-8"),
        ]
        for (bytes, offset, reason) in cases {
            #expect(failure(bytes) == JSONError(offset: offset, reason: reason))
        }
        #expect(reason("[1") == "the document ends too early")
        #expect(reason("[\"\u{1}\"]") == "control character in a string")
    }

    @Test func `a slice counts its offsets from its own start`() {
        let bytes = Array("xxx[02]".utf8)
        #expect(throws: JSONError(offset: 1, reason: "leading zero")) {
            try JSON(parsing: bytes[3...])
        }
    }

    @Test func `refuses a key that occurs twice, sorted or not, escaped or not`() {
        #expect(reason(#"{"x":1,"x":2}"#) == #"duplicate key "x""#)
        #expect(reason(#"{"x":1,"a":2,"x":3}"#) == #"duplicate key "x""#)
        #expect(reason(#"{"x":1,"\u0078":2}"#) == #"duplicate key "x""#)
        #expect(reason(#"[{"x":1},{"x":1}]"#) == nil)
    }

    @Test func `keys that only normal forms equate are two keys`() throws {
        let document = try JSON(parsing: #"{"\u00e9":1,"e\u0301":2,"K":3,"\u212a":4}"#)
        #expect(document["\u{E9}"] == .integer(1))
        #expect(document["e\u{301}"] == .integer(2))
        #expect(document["K"] == .integer(3))
        #expect(document["\u{212A}"] == .integer(4))
        #expect(JSON.string("\u{E9}") != JSON.string("e\u{301}"))
    }

    @Test func `nesting of 64 is read and of 65 is not`() {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(reason(deep) == nil)
        #expect(reason("[" + deep + "]") == "nested deeper than 64")
        #expect(reason(String(repeating: "{\"a\":", count: 65)) == "nested deeper than 64")
        #expect(failure([UInt8](repeating: 0x5B, count: 20_000_000))?.offset == 64)
    }

    @Test func `surrogate pairs make one scalar and halves of them none`() throws {
        #expect(try JSON(parsing: #""\ud83d\ude00""#) == .string("\u{1F600}"))
        #expect(try JSON(parsing: #""\uDBFF\uDFFF""#) == .string("\u{10FFFF}"))
        for lone in [#""\ud83d""#, #""\ude00""#, #""\ud83d\ud83d""#, #""\ud83dx""#, #""\ud83d\n""#]
        {
            #expect(reason(lone) == "lone surrogate")
        }
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xFF],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3],
            [0xE2, 0x82], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func `refuses invalid UTF-8 in texts, with escapes and without`(bytes: [UInt8]) {
        #expect(failure([0x22] + bytes + [0x22])?.reason == "invalid UTF-8")
        #expect(failure(Array("\"\\n".utf8) + bytes + [0x22])?.reason == "invalid UTF-8")
        #expect(
            failure(Array("\"ok".utf8) + bytes + Array("\\n\"".utf8))?.reason == "invalid UTF-8")
        #expect(failure(bytes) != nil)
    }

    @Test func `a number is whole only when written without fraction and exponent`() throws {
        #expect(try number("5").wholeNumber == 5)
        #expect(try number("-0").wholeNumber == 0)
        #expect(try number("5.0").wholeNumber == nil)
        #expect(try number("5e0").wholeNumber == nil)
        #expect(try number("1000").wholeNumber == 1000)
        #expect(try number("9223372036854775807").wholeNumber == .max)
        #expect(try number("-9223372036854775808").wholeNumber == .min)
        #expect(try number("9223372036854775808").wholeNumber == nil)
        #expect(try number("1000000000000000000000").wholeNumber == nil)
        #expect(try number("5") != number("5.0"))
        #expect(try number("5.0") == number("50e-1"))
        #expect(try number("-0") == number("0"))
    }

    @Test func `hundredths are rounded half away from zero`() throws {
        let cases: [(String, Int64?)] = [
            ("66.665", 6667), ("66.6649999999", 6666), ("-66.665", -6667), ("0.005", 1),
            ("0.00499", 0), ("-0.005", -1), ("5", 500), ("5e2", 50_000), ("1e-30", 0),
            ("92233720368547758.07", .max), ("92233720368547758.08", nil), ("1e300", nil),
            ("-92233720368547758.08", .min), ("-92233720368547758.1", nil), ("0e9999999999", 0),
            ("0.9999999999999999999", 100), ("1e17", nil), ("9e16", 9_000_000_000_000_000_000),
            ("1.844674407370955161e19", nil), ("0.00000000000000000005", 0),
        ]
        for (text, expected) in cases {
            #expect(try number(text).hundredths == expected, "\(text)")
        }
    }

    @Test func `refuses numbers that it cannot hold exactly`() throws {
        for text in [
            "1e401", "1e-401", "1e99999999999999999999", "1e-99999999999999999999",
            "1.00000000000000000000000001", "123456789012345678901", "18446744073709551616",
        ] {
            #expect(reason(text) == "number out of range", "\(text)")
        }
        for text in [
            "1e400", "1e-400", "0.10000000000000000000000000000", "18446744073709551615",
            "5e-324", "1.7976931348623157e308", "0.30000000000000004", "-0.0", "1E+2",
        ] {
            #expect(reason(text) == nil, "\(text)")
        }
    }

    @Test(arguments: UInt64(0)..<300)
    func `every beginning of a document is refused`(seed: UInt64) {
        var random = TextRandom(seed: seed)
        let whole = JSON.array([random.document(), random.document()]).canonical
        for count in 0..<min(whole.count, 400) {
            #expect(failure(Array(whole[..<count])) != nil, "seed \(seed), cut \(count)")
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func `no bytes make it trap`(seed: UInt64) {
        var random = TextRandom(seed: seed)
        let likely =
            Array(#"{}[]",:\u0123456789abcdefDd8eE+-.tfnrul "#.utf8) + [0, 0x80, 0xC3, 0xED]
        for _ in 0..<200 {
            let noise = (0..<random.below(40)).map { _ in likely[random.below(likely.count)] }
            check(noise)
            var damaged = random.document().canonical
            for _ in 0...random.below(3) where !damaged.isEmpty {
                damaged[random.below(damaged.count)] = likely[random.below(likely.count)]
            }
            check(damaged)
        }
    }

    /// What is read must also print and be read again to the same bytes.
    private func check(_ bytes: [UInt8]) {
        guard let document = try? JSON(parsing: bytes) else { return }
        let canonical = document.canonical
        #expect((try? JSON(parsing: canonical))?.canonical == canonical)
    }
}
