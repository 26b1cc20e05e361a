import Engine
import Foundation
import Testing

@testable import EventLog

/// Where a receipt of an erasure finds a key that is left (docs/audit.md).
@Suite struct `A receipt` {
    private let place: DiskPlace
    private var folder: String { place.folder }
    /// Of before the erasures.
    private let keys: Data
    private let export: String

    init() throws {
        place = try DiskPlace()
        let engine = try place.open()
        _ = try engine.submit([
            Room.register("S-1", at: "2026-02-01T08:00:00Z"),
            Room.register("S-2", at: "2026-02-01T08:00:00Z"),
        ])
        keys = try Data(contentsOf: URL(fileURLWithPath: place.journal + "/keys"))
        var text = ""
        try engine.export { text += String(decoding: $0, as: UTF8.self) }
        export = text
        _ = try engine.submit([
            line(
                "erase", "account.erase", "2026-02-02T08:00:00Z",
                #"{"subject":"examroom/S-1"}"#)
        ])
        try FileManager.default.createDirectory(
            atPath: folder + "/copies/below", withIntermediateDirectories: true)
    }

    private func found() throws -> [[String]] {
        let receipts = try place.open(isReadOnly: true).erasureReceipts(
            of: nil, backups: [folder + "/copies"])
        #expect(receipts.map(\.person) == ["examroom/S-1"])
        return receipts.map { $0.backups[0].keyFiles }
    }

    private func write(_ bytes: Data, _ name: String) throws {
        try bytes.write(to: URL(fileURLWithPath: folder + "/copies/" + name))
    }

    @Test func `finds a copy of keys below the directory, without its first bytes, at any offset`()
        throws
    {
        try write(Data("nothing".utf8), "README")
        #expect(try found() == [[]])
        try write(Data(repeating: 7, count: 1_048_500) + keys.dropFirst(96), "below/old")
        try write(keys, "keys")
        #expect(try found() == [["below/old", "keys"]])
    }

    @Test func `finds the key's line in a plain export, and none in a sealed one`() throws {
        var sealed = ""
        try place.open().export(isSealed: true) { sealed += String(decoding: $0, as: UTF8.self) }
        try write(Data(sealed.utf8), "sealed.jsonl")
        #expect(try found() == [[]])
        try write(Data((String(repeating: "x", count: 1_048_576 - 200) + export).utf8), "plain")
        let spaced = export.replacingOccurrences(of: "\":", with: "\": ")
            .replacingOccurrences(of: ",\"", with: ", \"")
        try write(Data(spaced.utf8), "spaced")
        #expect(try found() == [["plain", "spaced"]])
    }

    @Test func `finds no key of whom it does not ask for, nor a slot that was written over`() throws
    {
        // What is left of S-1 beside the key of S-2.
        try write(Data(contentsOf: URL(fileURLWithPath: place.journal + "/keys")), "keys")
        #expect(try found() == [[]])
        let receipt = try place.open(isReadOnly: true).erasureReceipts(of: nil, backups: [])
        #expect(receipt.map(\.isKeyDestroyed) == [true])
    }

    /// The locks that this process has on the journal's lock file, as the system says. It says them a page at a time,
    /// and a lock that somebody drops between two pages hides another: it is asked again until it names both.
    private func locks() throws -> Set<String> {
        let file = try FileManager.default.attributesOfItem(
            atPath: place.journal + "/journal.mdb-lock")
        let number = try #require(file[.systemFileNumber] as? Int)
        var found: Set<String> = []
        for _ in 0..<100 where found.count < 2 {
            // Foundation takes the first page for all of it.
            let table = try FileSystem.read("/proc/locks", atMost: 1 << 20) ?? []
            let lines = String(decoding: table, as: UTF8.self).split(separator: "\n")
            found.formUnion(
                lines.filter { $0.contains(" \(getpid()) ") && $0.contains(":\(number) ") }
                    .map { String($0.drop { $0 != " " }) })
        }
        return found
    }

    @Test func `leaves the locks of whoever has the journal open as they are`() throws {
        let engine = try place.open()
        _ = try engine.show("journal.summary")
        let before = try locks()
        #expect(before.count == 2)
        _ = try engine.erasureReceipts(of: nil, backups: [])
        #expect(try locks() == before)
    }

    @Test func `names the files in the journal's own directory`() throws {
        try keys.write(to: URL(fileURLWithPath: place.journal + "/keys.bak"))
        let receipt = try place.open(isReadOnly: true).erasureReceipts(
            of: "examroom/S-1", backups: [])
        #expect(receipt.map(\.isKeyDestroyed) == [false])
        #expect(receipt.map(\.keyFiles) == [["keys.bak"]])
        #expect(receipt[0].document.text.contains(#""keyFiles":["keys.bak"]"#))
    }
}
