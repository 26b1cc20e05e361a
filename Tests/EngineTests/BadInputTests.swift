import Engine
import Core
import Foundation
import TestSupport
import Testing

@Suite struct `A line that is no command` {
    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var code = "malformed"
        /// What the message must say.
        var says = ""
        var id: String?

        var testDescription: String { name }

        init(
            _ name: String, _ text: String, code: String = "malformed", says: String = "",
            id: String? = nil
        ) {
            self.init(name, bytes: Array(text.utf8), code: code, says: says, id: id)
        }

        init(
            _ name: String, bytes: [UInt8], code: String = "malformed", says: String = "",
            id: String? = nil
        ) {
            self.name = name
            self.bytes = bytes
            self.code = code
            self.says = says
            self.id = id
        }
    }

    private static func register(_ data: String) -> String {
        #"{"id":"x","command":"examroom.account.register","at":"2026-02-02T09:00:00Z","#
            + #""by":"system","data":\#(data)}"#
    }

    private static func create(_ duration: String) -> String {
        #"{"id":"x","command":"examroom.exam.create","at":"2026-02-02T09:00:00Z","by":"system","#
            + #""data":{"exam":"EX-9","title":"T","durationMinutes":\#(duration)}}"#
    }

    private static func advance(
        id: String = "\"x\"", at: String = "\"2026-02-02T09:00:00Z\"", by: String = "\"system\"",
        more: String = ""
    ) -> String {
        #"{"id":\#(id),"command":"clock.advance","at":\#(at),"by":\#(by)\#(more)}"#
    }

    static let all: [Bad] =
        [
            Bad("nothing but a word", "hello", says: "JSON"),
            Bad("half an object", #"{"id":"x","command""#, says: "JSON"),
            Bad("a text after the object", advance() + " x", says: "JSON"),
            Bad("two objects", advance() + advance(), says: "JSON"),
            Bad("an array", "[]", says: "object"),
            Bad("a null", "null", says: "object"),
            Bad("a number", "17", says: "object"),
            Bad("blanks", "   ", says: "JSON"),
            Bad("an empty object", "{}", says: "id"),
            Bad("a byte order mark", "\u{FEFF}" + advance(), says: "JSON"),
            Bad(
                "a byte that is no UTF-8",
                bytes: Array(advance(id: "\"x").utf8.prefix(8)) + [0xFF]
                    + Array(advance(id: "\"").utf8.dropFirst(7)), says: "JSON"),
            Bad("an overlong form", bytes: [0x22, 0xC0, 0xAF, 0x22], says: "JSON"),
            Bad("a surrogate in UTF-8", bytes: [0x22, 0xED, 0xA0, 0x80, 0x22], says: "JSON"),
            Bad("half a surrogate pair", #""\ud800""#, says: "JSON"),
            Bad("a control character", "\"a\u{1}\"", says: "JSON"),
            Bad("a zero byte", bytes: [0], says: "JSON"),
            Bad("100,000 brackets", String(repeating: "[", count: 100_000), says: "JSON"),
            Bad("100,000 objects", String(repeating: #"{"a":"#, count: 100_000), says: "JSON"),
            Bad(
                "deep data",
                register(
                    String(repeating: #"{"a":"#, count: 5_000) + "1"
                        + String(repeating: "}", count: 5_000)), says: "JSON"),
            Bad("a key twice", advance(more: #","id":"y""#), says: "JSON"),
            Bad("a key twice, once escaped", advance(more: #","\u0069d":"y""#), says: "JSON"),
            Bad(
                "a key twice in the data", register(#"{"account":"S-1","account":"S-2"}"#),
                says: "JSON"),
            Bad("a number with a leading zero", create("05"), says: "JSON"),
            Bad("NaN", create("NaN"), says: "JSON"),
            Bad("a trailing comma", advance(more: ","), says: "JSON"),
            Bad("5.0 for a whole number", create("5.0"), says: "durationMinutes", id: "x"),
            Bad("5e0 for a whole number", create("5e0"), says: "durationMinutes", id: "x"),
            Bad("a fraction", create("5.5"), says: "durationMinutes", id: "x"),
            Bad("2 to the 63rd", create("9223372036854775808"), says: "durationMinutes", id: "x"),
            Bad("1e400", create("1e400"), id: "x"),
            Bad(
                "a number of a thousand digits", create(String(repeating: "9", count: 1000)),
                says: "JSON"),
            Bad("a text for a number", create(#""5""#), says: "durationMinutes", id: "x"),
            Bad("a boolean for a number", create("true"), says: "durationMinutes", id: "x"),
            Bad("a null for a number", create("null"), says: "durationMinutes", id: "x"),
            Bad("an unknown field", advance(more: #","why":1"#), says: "why", id: "x"),
            Bad("an unknown field in the data", register(#"{"acount":"S-1"}"#), id: "x"),
            Bad("data of a command without any", advance(more: #","data":{"a":1}"#), id: "x"),
            Bad("data that are no object", advance(more: #","data":[]"#), says: "data", id: "x"),
            Bad("no data where some are needed", register("{}"), id: "x"),
            Bad("an id that is a number", advance(id: "17"), says: "id"),
            Bad("an empty id", advance(id: #""""#), says: "id", id: ""),
            Bad(
                "an id of 129 characters", advance(id: "\"\(String(repeating: "x", count: 129))\""),
                says: "id", id: String(repeating: "x", count: 129)),
            Bad("no id", #"{"command":"clock.advance","by":"system"}"#, says: "id"),
            Bad("no command", #"{"id":"x","by":"system"}"#, says: "command", id: "x"),
            Bad("nobody", #"{"id":"x","command":"clock.advance"}"#, says: "by", id: "x"),
            Bad("an unknown kind of actor", advance(by: #""teacher:T-1""#), says: "by", id: "x"),
            Bad("an actor without an id", advance(by: #""student:""#), says: "by", id: "x"),
            Bad(
                "an instant without an offset", advance(at: #""2026-02-02T09:00:00""#), says: "at",
                id: "x"),
            Bad("30 February", advance(at: #""2026-02-30T09:00:00Z""#), says: "at", id: "x"),
            Bad("the year 1969", advance(at: #""1969-12-31T23:59:59Z""#), says: "at", id: "x"),
            Bad("the year 2200", advance(at: #""2200-01-01T00:00:00Z""#), says: "at", id: "x"),
            Bad("an instant that is a number", advance(at: "1"), says: "at", id: "x"),
            Bad(
                "a device with a blank", advance(more: #","device":"D 1""#), says: "device", id: "x"
            ),
            Bad(
                "an id in the data of 65 characters",
                register(
                    #"{"account":"\#(String(repeating: "S", count: 65))","role":"student","name":"N",\#(Room.credential)}"#
                ),
                says: "account", id: "x"),
            Bad(
                "an id in the data with a slash",
                register(#"{"account":"S/1","role":"student","name":"N",\#(Room.credential)}"#),
                says: "account", id: "x"),
            Bad(
                "an unknown command", advance().replacing("clock.advance", with: "clock.stop"),
                code: "unknown-command", id: "x"),
            Bad(
                "a command without a name", advance().replacing("clock.advance", with: ""),
                code: "unknown-command", id: "x"),
            Bad(
                "a command of another case",
                advance().replacing("clock.advance", with: "Clock.Advance"),
                code: "unknown-command", id: "x"),
        ]

    @Test(arguments: all)
    func `is answered once, with its line, and the rest goes on`(bad: Bad) throws {
        let journal = try TemporaryJournal()
        let day = "2026-02-02T09:00:00Z"
        let lines = [Room.register("S-1", at: day), bad.bytes, Room.register("S-2", at: day)]
        let outcomes = try journal.open().submit(lines, firstLine: 41, clock: fixedClock)
        #expect(outcomes.map(\.status) == [.accepted, .rejected, .accepted])
        let answer = outcomes[1]
        #expect(answer.code == bad.code, "\(answer.document.text)")
        #expect(answer.id == bad.id)
        #expect(answer.json["events"] == .array([]))
        #expect(!answer.document.text.contains("\n"))
        if bad.code == "malformed" {
            #expect(answer.json["line"] == .integer(42))
            let message = try #require(answer.message)
            #expect(message.hasPrefix("line 42: "), "\(message)")
            #expect(bad.says.isEmpty || message.contains(bad.says), "\(message)")
        }
        let engine = try journal.open()
        #expect(try engine.allEvents().count == 2)
        #expect(try engine.verify().isWhole)
    }

    @Test func `of random bytes never ends the process`() throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        var random = SplitMix64(seed: 3)
        let whole = Room.register("S-1", at: "2026-02-02T09:00:00Z")
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0...random.next() % 3 {
                let place = Int(random.next() % UInt64(bytes.count))
                switch random.next() % 3 {
                case 0: bytes[place] = UInt8(random.next() % 256)
                case 1: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[..<place], at: place)
                }
            }
            _ = try engine.submit(one: bytes, isDryRun: true)
        }
        #expect(try engine.allEvents().isEmpty)
    }
}
