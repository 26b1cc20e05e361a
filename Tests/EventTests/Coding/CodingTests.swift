import Products
public import Core
public import Testing

@testable import Engine

/// Every event type that the program knows.
let everyPayload: [PayloadType] =
    [PayloadType(AccountErased.self)] + [Product].all.flatMap(\.payloads)

extension PayloadType: CustomTestStringConvertible {
    public var testDescription: String { "\(name) version \(version)" }
}

extension PayloadType {
    /// The payload's own fields: `?` for one that may be left out, `!` for a personal one.
    var marks: [String: String] {
        var marks: [String: String] = [:]
        var depth = 0
        var name = ""
        for character in schema {
            switch character {
            case "{", "(", "[":
                depth += 1
                name = ""
            case "}", ")", "]": depth -= 1
            case ",": name = ""
            case ":" where depth == 1:
                let bare = name.filter { !"?!".contains($0) }
                marks[bare] = String(name.dropFirst(bare.count))
            default: name.append(character)
            }
        }
        return marks
    }
}

/// A payload in its binary form, with the names that it refers to.
struct Sample {
    let type: PayloadType
    let names: Names
    let bytes: [UInt8]

    init(_ type: PayloadType, names: Names, bytes: [UInt8]) {
        self.type = type
        self.names = names
        self.bytes = bytes
    }

    /// A generated one.
    init(_ type: PayloadType, seed: UInt64) {
        var generator = Generator(seed: seed)
        let bytes = type.payload.generated(by: &generator)
        self.init(type, names: generator.names, bytes: bytes)
    }

    /// Decoded and encoded again; nil when the bytes are no such payload.
    var reencoded: [UInt8]? { type.payload.reencoded(bytes, of: type.version, names) }

    /// The payload as canonical JSON; nil when the bytes are no such payload.
    func json(hidesPersonal: Bool = false) -> [UInt8]? {
        var output = JSONOutput(names: names)
        var reader = BinaryReader(stored: bytes, names)
        if hidesPersonal { reader = reader.hidingPersonal }
        return type.writeJSON(type.version, nil, &reader, &output) ? output.json.bytes : nil
    }

    /// The binary form of a payload given as JSON, as an import reads it: an event of before may hold what a
    /// command would refuse now.
    func read(_ json: [UInt8]) throws -> (bytes: [UInt8]?, problem: String?) {
        var input = JSONInput(names: names, path: "data")
        input.isRecorded = true
        let parts = type.readJSON(try JSON(parsing: json), &input)
        return (parts.map { PersonalPart.join($0.payload, sealed: $0.personal) }, input.problem)
    }
}

extension Payload {
    static func generated(by generator: inout Generator) -> [UInt8] {
        let fact = generator.record(Self.self)
        return fact.encoded(generator.names)
    }

    static func reencoded(_ bytes: [UInt8], of version: UInt16, _ names: Names) -> [UInt8]? {
        var reader = BinaryReader(stored: bytes, names)
        return decode(version: version, from: &reader)?.encoded(names)
    }

    /// As it is stored, but for the sealing.
    func encoded(_ names: Names) -> [UInt8] {
        var writer = BinaryWriter()
        write(to: &writer)
        return PersonalPart.join(writer.bytes, sealed: PersonalPart.of(self, names))
    }
}

/// Takes a part that was not sealed for one that was.
private final class OpenBox: PersonalOpener {
    func open(_ bytes: [UInt8], _ sealed: Range<Int>, at place: SealingContext) -> [UInt8]? {
        sealed.isEmpty ? nil : Array(bytes[sealed])
    }
}

extension BinaryReader {
    init(stored bytes: [UInt8], _ names: Names) {
        self.init(
            bytes, stored: 0..<bytes.count, flags: PersonalPart.flag,
            at: SealingContext(position: Position(1), recordedAt: .epoch),
            opener: PartOpener(keys: OpenBox(), names: names))
    }
}

@Suite struct `A payload of every type` {
    private static let seeds = UInt64(1)...40

    @Test(arguments: everyPayload)
    func `is decoded as it was encoded`(type: PayloadType) {
        for seed in Self.seeds {
            let sample = Sample(type, seed: seed)
            #expect(sample.reencoded == sample.bytes, "seed \(seed)")
        }
    }

    /// Damaged bytes, too: what is packed fails where it is read, not where it is looked at.
    @Test(arguments: everyPayload)
    func `is gone past as far, and fails as it does, when it is read`(type: PayloadType) {
        func check<P: Payload>(_ type: P.Type) {
            var random = TextRandom(seed: 78)
            for seed in Self.seeds {
                var generator = Generator(seed: seed)
                var writer = BinaryWriter()
                generator.record(type).write(to: &writer)
                var bytes = writer.bytes
                if seed % 2 == 0, !bytes.isEmpty {
                    bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
                }
                var reader = BinaryReader(bytes)
                var skipper = reader
                _ = P.read(from: &reader)
                P.skip(from: &skipper)
                #expect(skipper.failed == reader.failed, "seed \(seed)")
                if !reader.failed { #expect(skipper.offset == reader.offset, "seed \(seed)") }
            }
        }
        check(type.payload)
    }

    @Test(arguments: everyPayload)
    func `is equal after encoding and decoding`(type: PayloadType) {
        func check<P: Payload>(_ type: P.Type) {
            for seed in Self.seeds {
                var generator = Generator(seed: seed)
                let fact = generator.record(type)
                let names = generator.names
                var reader = BinaryReader(stored: fact.encoded(names), names)
                let back = P.decode(version: P.version, from: &reader)
                // Free JSON is kept canonical, where `5.00` becomes `5`.
                if P.schema.contains("json") { continue }
                #expect(back == fact, "seed \(seed)")
            }
        }
        check(type.payload)
    }

    @Test(arguments: everyPayload)
    func `comes back from its JSON the same`(type: PayloadType) throws {
        for seed in Self.seeds {
            let sample = Sample(type, seed: seed)
            let json = try #require(sample.json())
            let (bytes, problem) = try sample.read(json)
            #expect(problem == nil, "seed \(seed): \(String(decoding: json, as: UTF8.self))")
            #expect(bytes == sample.bytes, "seed \(seed): \(String(decoding: json, as: UTF8.self))")
        }
    }

    @Test(arguments: everyPayload)
    func `takes no field too many and none too few`(type: PayloadType) throws {
        let sample = Sample(type, seed: 5)
        let json = try JSON(parsing: #require(sample.json()))
        let members = try #require(json.members)
        let more = members.map { ($0.name, $0.value) } + [("surely not a field", .null)]
        #expect(try sample.read(JSON.object(of: more).canonical).bytes == nil)
        for member in members {
            let fewer = members.filter { $0.name != member.name }.map { ($0.name, $0.value) }
            let isOptional = type.marks[member.name]?.contains("?") == true
            let read = try sample.read(JSON.object(of: fewer).canonical).bytes
            #expect((read == nil) == !isOptional, "without \(member.name)")
        }
    }

    @Test(arguments: everyPayload)
    func `hides what is personal and nothing else`(type: PayloadType) throws {
        let sample = Sample(type, seed: 9)
        let open = try JSON(parsing: #require(sample.json()))
        let hidden = try JSON(parsing: #require(sample.json(hidesPersonal: true)))
        for member in try #require(open.members) {
            let expected = type.marks[member.name]?.contains("!") == true ? JSON.null : member.value
            #expect(hidden[member.name] == expected, "\(member.name)")
        }
    }

    @Test(arguments: everyPayload)
    func `cut short is refused`(type: PayloadType) {
        for seed in Self.seeds.prefix(8) {
            let sample = Sample(type, seed: seed)
            for length in 0..<sample.bytes.count {
                let cut = Sample(
                    type, names: sample.names, bytes: Array(sample.bytes.prefix(length)))
                #expect(cut.json() == nil, "seed \(seed), \(length) of \(sample.bytes.count) bytes")
            }
            let longer = Sample(type, names: sample.names, bytes: sample.bytes + [0])
            #expect(longer.json() == nil)
        }
    }

    /// Whatever the bytes say: an answer or none, never a trap.
    @Test(arguments: everyPayload)
    func `made of random or damaged bytes never traps`(type: PayloadType) throws {
        var random = TextRandom(seed: 77)
        for seed in Self.seeds {
            let sample = Sample(type, seed: seed)
            var bytes = sample.bytes
            if random.below(2) == 0, !bytes.isEmpty {
                for _ in 0...random.below(3) {
                    bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8))
                }
            } else {
                bytes = (0..<random.below(80)).map { _ in UInt8(random.below(256)) }
            }
            let damaged = Sample(type, names: sample.names, bytes: bytes)
            _ = damaged.reencoded
            if let json = damaged.json() { #expect(throws: Never.self) { try JSON(parsing: json) } }
        }
    }

    @Test func `of another version is not guessed at`() {
        for type in everyPayload {
            let sample = Sample(type, seed: 3)
            for version in [0, type.version + 1, .max] {
                var output = JSONOutput(names: sample.names)
                var reader = BinaryReader(sample.bytes)
                #expect(!type.writeJSON(version, nil, &reader, &output), "\(type.name) \(version)")
            }
        }
    }

    @Test func `has a name of its own, a past tense and a sentence`() {
        #expect(Set(everyPayload.map(\.name)).count == everyPayload.count)
        for type in everyPayload {
            #expect(type.sentence.hasSuffix("."), "\(type.name)")
            #expect(type.version >= 1)
        }
    }
}

extension Payload {
    /// As its value writes it, nothing personal shown; nil when the bytes are no such payload.
    static func jsonOfValue(_ bytes: [UInt8], _ names: Names) -> [UInt8]? {
        var reader = BinaryReader(stored: bytes, names).hidingPersonal
        guard let fact = decode(version: version, from: &reader) else { return nil }
        var output = JSONOutput(names: names)
        fact.write(to: &output)
        return output.json.bytes
    }
}

@Suite struct `A payload's bytes` {
    /// Damaged ones, too: what is no payload gives no JSON, and leaves what was written before.
    @Test(arguments: everyPayload)
    func `become the JSON that their value writes`(type: PayloadType) {
        var random = TextRandom(seed: 5)
        for seed in UInt64(1)...60 {
            let sample = Sample(type, seed: seed)
            var bytes = sample.bytes
            if seed > 40 { bytes[random.below(bytes.count)] ^= UInt8(1 << random.below(8)) }
            let expected = type.payload.jsonOfValue(bytes, sample.names)
            var output = JSONOutput(names: sample.names)
            output.json.openArray()
            output.json.integer(1)
            var reader = BinaryReader(stored: bytes, sample.names).hidingPersonal
            let isWritten = type.writeJSON(type.version, nil, &reader, &output)
            output.json.closeArray()
            let written = Array("[1".utf8) + (expected.map { Array(",".utf8) + $0 } ?? [])
            #expect(isWritten == (expected != nil), "seed \(seed)")
            #expect(output.json.bytes == written + Array("]".utf8), "seed \(seed)")
        }
    }
}
