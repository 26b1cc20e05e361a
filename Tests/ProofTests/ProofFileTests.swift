import Proofs
import Testing

@Suite struct `A proof file` {
    private let log: NoteSigner
    private let lines: [[UInt8]]
    private let leaves: [TreeHash]

    init() throws {
        log = try NoteSigner(name: "school.example/journal", seed: [UInt8](repeating: 1, count: 32))
        lines = (1...20).map { Array(#"{"at":"2026-02-01T09:00:00Z","position":\#($0)}"#.utf8) }
        leaves = lines.map { TreeHash.leaf($0) }
    }

    private func head(_ size: Int) throws -> SignedCheckpoint {
        let root = TreeReference.root(leaves[..<size])
        return try SignedCheckpoint(
            Checkpoint(origin: log.name, size: size, root: root), signedBy: log)
    }

    private func inclusion(_ position: Int, of size: Int) throws -> InclusionProofFile {
        let hashes = TreeReference.path(position - 1, leaves[..<size])
        return InclusionProofFile(
            leaf: lines[position - 1], index: position - 1, hashes: hashes,
            checkpoint: try head(size))
    }

    private func consistency(_ from: Int, _ to: Int) throws -> ConsistencyProofFile {
        ConsistencyProofFile(
            hashes: TreeReference.subproof(from, leaves[..<to]), old: try head(from),
            new: try head(to))
    }

    @Test func `proves an event and says which`() throws {
        for position in 1...20 {
            let file = try inclusion(position, of: 20)
            #expect(try ProofFile(file.bytes) == .inclusion(file))
            #expect(
                try ProofFile(file.bytes).check(log: log.verifier)
                    == "The event at position \(position) is in the journal school.example/journal, "
                    + "as school.example/journal signed it at 20 events.")
        }
    }

    @Test func `proves a continuation and says which`() throws {
        for from in 1...20 {
            let file = try consistency(from, 20)
            #expect(try ProofFile(file.bytes) == .consistency(file))
            #expect(
                try ProofFile(file.bytes).check(log: log.verifier)
                    == "The journal school.example/journal of 20 events continues that of \(from) "
                    + "events unchanged, as school.example/journal signed both.")
        }
    }

    @Test func `proves nothing after any one bit is changed`() throws {
        for bytes in [try inclusion(7, of: 20).bytes, try consistency(7, 20).bytes] {
            for at in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[at] ^= 1 << bit
                    let result = try? ProofFile(changed).check(log: log.verifier)
                    #expect(result == nil, "byte \(at), bit \(bit): \(result ?? "")")
                }
            }
        }
    }

    @Test func `proves nothing when it is cut short`() throws {
        for bytes in [try inclusion(7, of: 20).bytes, try consistency(7, 20).bytes] {
            for count in bytes.indices {
                #expect((try? ProofFile(Array(bytes[..<count])).check(log: log.verifier)) == nil)
            }
        }
    }

    @Test func `takes the event from elsewhere if it does not hold it`() throws {
        let file = try inclusion(7, of: 20)
        let text = String(decoding: file.bytes, as: UTF8.self)
        let short = text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("extra ") }.joined(separator: "\n")
        #expect(throws: ProofError.self) { try ProofFile(Array(short.utf8)) }
        #expect(try ProofFile(Array(short.utf8), leaf: lines[6]) == .inclusion(file))
        let other = try ProofFile(file.bytes, leaf: lines[7])
        #expect(throws: ProofError.self) { try other.check(log: log.verifier) }
    }

    @Test func `of an event that says another position is refused`() throws {
        let proof = InclusionProofFile(
            leaf: lines[5], index: 0, hashes: [],
            checkpoint: try SignedCheckpoint(
                Checkpoint(origin: log.name, size: 1, root: leaves[5]), signedBy: log))
        #expect(throws: ProofError.self) { try proof.check(log: log.verifier) }
    }

    @Test func `never ends the program, whatever bytes it has`() throws {
        var dice = Dice(seed: 10)
        let key = Array(PublishedNote.archeKey.utf8)
        let samples = [
            try inclusion(7, of: 20).bytes, try consistency(7, 20).bytes,
            Array(PublishedNote.archeCheckpoint.utf8), key, lines[0],
        ]
        for round in 0..<3_000 {
            var bytes = samples[round % samples.count]
            for _ in 0...dice.below(4) {
                let at = dice.below(bytes.count)
                switch dice.below(4) {
                case 0: bytes[at] = UInt8(truncatingIfNeeded: dice.next())
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(UInt8(ascii: "\n"), at: at)
                default: bytes.removeSubrange(at..<min(bytes.count, at + dice.below(40)))
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let random = (0..<dice.below(60)).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
            for input in [bytes, random] {
                let text = String(decoding: input, as: UTF8.self)
                _ = try? ProofFile(input).check(log: log.verifier)
                _ = try? SignedCheckpoint(input).check(log: log.verifier)
                _ = try? NoteVerifier(text: text)
                _ = try? NoteSigner(text: text)
                _ = LeafLine.data(of: input)
                _ = LeafLine.position(of: input)
            }
        }
    }
}

@Suite struct `A leaf` {
    @Test(arguments: [
        (
            #"{"data":{"a":1,"name":"Sa,\"ra}"},"sealed":{"box":"QQ==","fields":["name"]}}"#,
            #"{"data":{"a":1,"name":null},"sealed":{"box":"QQ==","fields":["name"]}}"#
        ),
        (
            #"{"data":{"ip":[1,{"y":2}],"name":null},"sealed":{"fields":["name","ip"]},"z":1}"#,
            #"{"data":{"ip":null,"name":null},"sealed":{"fields":["name","ip"]},"z":1}"#
        ),
        (
            #"{"data":{"x":{"name":"y"}},"sealed":{"fields":["name"]}}"#,
            #"{"data":{"x":{"name":"y"}},"sealed":{"fields":["name"]}}"#
        ),
        (#"{"data":{"name":"x"},"position":42}"#, #"{"data":{"name":"x"},"position":42}"#),
        (#"{"data":{},"sealed":{"fields":[]}}"#, #"{"data":{},"sealed":{"fields":[]}}"#),
        ("{}", "{}"),
    ])
    func `is an event's line without what is personal`(line: String, leaf: String) {
        #expect(LeafLine.data(of: Array(line.utf8)) == Array(leaf.utf8))
    }

    @Test(arguments: [
        "", "{", "[]", "{\"a\":1", "{\"a\":1,}", "{\"a\" :1}", "{\"a\":1}\n", "{\"a\":}", "{\"a\"}",
        "{a:1}", "{\"a\":[}", "{\"a\":]}", "{\"a\":\"}", "{\"a\":\"\\\"}",
        #"{"data":{},"sealed":1}"#, #"{"data":{},"sealed":{}}"#, #"{"sealed":{"fields":["a"]}}"#,
        #"{"data":{},"sealed":{"fields":"a"}}"#, #"{"data":[],"sealed":{"fields":["a"]}}"#,
        #"{"data":{},"sealed":{"fields":["a" ]}}"#, #"{"data":{},"sealed":{"fields":["a"1]}}"#,
    ])
    func `is not made of what is no canonical object`(line: String) {
        #expect(LeafLine.data(of: Array(line.utf8)) == nil)
    }

    @Test func `knows its position`() {
        #expect(LeafLine.position(of: Array(#"{"data":{"position":7},"position":42}"#.utf8)) == 42)
        #expect(LeafLine.position(of: Array(#"{"data":{"position":7}}"#.utf8)) == nil)
        #expect(LeafLine.position(of: Array(#"{"position":"42"}"#.utf8)) == nil)
    }
}

@Suite struct `Base 64` {
    /// RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `is read and written`(plain: String, text: String) {
        #expect(Base64.text(Array(plain.utf8)) == text)
        #expect(Base64.bytes(text) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm-_", " ",
    ])
    func `has one form`(text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
