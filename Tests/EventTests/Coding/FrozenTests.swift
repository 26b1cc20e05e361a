import Products
import Core
import Foundation
import TestSupport
import Testing

@testable import Engine

/// Payloads as they were once written: they decode for ever, to the same JSON.
///
/// One line each in Fixtures/frozen-payloads.jsonl. Lines are added (`SIJILL_FROZEN=write`), never
/// changed: a journal somewhere holds these bytes.
struct FrozenPayload: CustomTestStringConvertible {
    let type: String
    let version: UInt16
    let bytes: [UInt8]
    /// What the symbols 1, 2, 3 … stand for.
    let names: [[UInt8]]
    let json: [UInt8]

    init?(line: String) throws {
        let json = try JSON(parsing: Array(line.utf8))
        guard let type = json["type"]?.string, let version = json["version"]?.wholeNumber,
            let bytes = json["hex"]?.string.flatMap(Hex.bytes), let data = json["json"]?.string,
            let names = json["names"]?.array
        else { return nil }
        self.type = type
        self.version = UInt16(clamping: version)
        self.bytes = bytes
        self.names = names.compactMap { $0.string.flatMap(Hex.bytes) }
        self.json = Array(data.utf8)
    }

    static let file = "Tests/EventTests/Fixtures/frozen-payloads.jsonl"

    static func lines() throws -> [String] {
        try Tree.text(file).split(separator: "\n").map { String($0) }
    }

    static let all: [FrozenPayload] = ((try? lines()) ?? []).compactMap {
        try? FrozenPayload(line: $0)
    }

    /// A journal's names, as they were.
    var table: Names {
        let table = Names()
        for name in names { _ = table.intern(bytes: name) }
        return table
    }

    var testDescription: String { "\(type) version \(version)" }
}

@Suite struct `Frozen payloads` {
    @Test(arguments: FrozenPayload.all)
    func `decode for ever`(frozen: FrozenPayload) throws {
        let type = try #require(
            everyPayload.first { $0.name == frozen.type },
            "an event type never goes: journals hold it")
        let names = frozen.table
        var output = JSONOutput(names: names)
        var reader = BinaryReader(stored: frozen.bytes, names)
        try #require(
            type.writeJSON(frozen.version, nil, &reader, &output),
            "the fields have changed: keep the old list and write a new version")
        let text = String(decoding: output.json.bytes, as: UTF8.self)
        // Also of an older version: its JSON is its leaf in the tree.
        #expect(text == String(decoding: frozen.json, as: UTF8.self))
    }

    @Test func `can all be read from their file`() throws {
        let lines = try FrozenPayload.lines()
        #expect(FrozenPayload.all.count == lines.count)
        #expect(Set(lines).count == lines.count, "a line stands there twice")
    }

    @Test func `are there for every type in its present version`() throws {
        let kept = Set(FrozenPayload.all.map { "\($0.type) \($0.version)" })
        let missing = everyPayload.filter { !kept.contains("\($0.name) \($0.version)") }
        guard ProcessInfo.processInfo.environment["SIJILL_FROZEN"] == "write" else {
            #expect(
                missing.map(\.name) == [],
                "SIJILL_FROZEN=write swift test --filter Frozen adds what is missing")
            return
        }
        try write(missing)
    }

    @Test func `are there for every version that ever was`() {
        for type in everyPayload {
            let kept = Set(FrozenPayload.all.filter { $0.type == type.name }.map(\.version))
            let missing = Set(1..<type.version).subtracting(kept)
            #expect(missing == [], "\(type.name)")
        }
    }

    private func write(_ types: [PayloadType]) throws {
        var all = try FrozenPayload.lines()
        for type in types {
            for seed in [UInt64(1), 4] {
                // Where a type has few fields, both seeds may say the same.
                let line = line(Sample(type, seed: seed))
                if !all.contains(line) { all.append(line) }
            }
        }
        try Data(all.map { $0 + "\n" }.joined().utf8)
            .write(to: Tree.root.appending(path: FrozenPayload.file))
    }

    private func line(_ sample: Sample) -> String {
        let json = String(decoding: sample.json() ?? [], as: UTF8.self)
        return JSON.object(of: [
            ("type", .string(sample.type.name)),
            ("version", .integer(Int64(sample.type.version))),
            ("hex", .string(Hex.text(sample.bytes))),
            ("names", .array(sample.names.fresh.map { .string(Hex.text($0)) })),
            ("json", .string(json)),
        ]).description.unicodeScalars.map { escaped($0) }.joined()
    }

    /// What the file may hold, the same in every editor: printable ASCII.
    private func escaped(_ scalar: Unicode.Scalar) -> String {
        if (0x20..<0x7F).contains(scalar.value) { return String(scalar) }
        return String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
