import Products
#if DEBUG || FUZZING || TESTABLE
    import Core
    import Folding
    import Foundation
    import TestSupport

    @testable import Engine
    @testable import EventLog

    /// The files beside the journal's records, the rows of stored views, and what changes pages.
    extension Seeds {
        static func manifests(_ engine: EventEngine) throws -> [[UInt8]] {
            let path = try Scratch.empty("seed-backup") + "/backup"
            _ = try engine.backup(to: path)
            return [Array(try Data(contentsOf: URL(filePath: path + "/backup.json")))]
        }

        static func packed() throws -> [[UInt8]] {
            let text = [UInt8](try file("audit/sample/export.jsonl").prefix(900))
            return [[1] + text, [0] + (try PackedText.pack(text)) + (try PackedText.pack([1, 2]))]
        }

        static func erasures() throws -> [[UInt8]] {
            let engine = try Fixture.play(["quranflow/18-told-and-erased"], "erased")
            let path = engine.journal.path + "/" + ErasureList.name
            let whole = FileManager.default.contents(atPath: path).map { Array($0) } ?? []
            let line =
                #"{"erasedAt":"2026-02-03T08:00:00Z","key":"learnable/S-1/2","person":"learnable/S-1","#
                + #""position":7}"#
            return [whole, Array((line + "\n" + line + "\n").utf8)]
        }

        static func keys() throws -> [[UInt8]] {
            let journal = FileTargets.keysJournal
            let keys = PersonKeys(of: journal)
            try keys.prepareToWrite(slotCount: 0)
            let place = FileTargets.place
            for person in FileTargets.persons + [PersonKeys.Name(text: "tafawoq/S-9"), .journal] {
                _ = try keys.seal([1, 2, 3], of: person, FileTargets.type, at: place)
            }
            try keys.flush()
            keys.didCommit()
            try keys.destroy(
                [(person: PersonKeys.Name(text: "tafawoq/S-9"), erased: Position(1))],
                journal.snapshot())
            let file = try keys.copy() ?? []
            let size = FileTargets.slotBytes
            let slots = stride(from: 0, to: file.count, by: size).map {
                Array(file[$0..<$0 + size - 8])
            }
            let count = UInt8(slots.count - 1)
            return [
                [0, count] + slots.dropFirst().joined(), [1, count] + slots.joined(),
                [0x80, 1] + slots[1], [2 | 60 << 2, count] + slots.dropFirst().joined(),
                [0, 0] + slots.dropFirst().joined(), [1, count],
            ]
        }

        /// Of each table a row or two.
        static func rows() throws -> [[UInt8]] {
            _ = try Fixture.engine.rebuild()
            let views = try ViewStore(at: Fixture.log.path).snapshot()
            var found: [[UInt8]] = []
            var index = 0
            for product in [Product].all {
                let runtime = product.makeRuntime(TableSpace(), Names())
                defer { runtime.space.dissolve() }
                for table in runtime.space.tables {
                    var rows: [[UInt8]] = []
                    try views.scan(table: product.firstTable + table.number, from: []) { _, row in
                        if row.count < 400 { rows.append(row) }
                        return rows.count < 40
                    }
                    var start: [UInt8] = []
                    start.add(UInt16(index))
                    let longest = rows.max { $0.count < $1.count }
                    for row in Set([rows.first, longest].compactMap(\.self)) {
                        found.append(start + row)
                    }
                    index += 1
                }
            }
            return found
        }

        /// Changes of `journal.mdb`: of its meta pages, of page headers, of some places in between.
        static func pages() -> [[UInt8]] {
            var found: [[UInt8]] = [[]]
            for page in UInt32(0)..<16 {
                var seed: [UInt8] = []
                seed.add(page * 4096 + 10 + page % 3 * 2)
                found.append(seed + [1, 0x10, UInt8(page)])
            }
            return found
        }

        static func views() -> [[UInt8]] {
            JournalTargets.rows.enumerated().filter {
                $0.offset % 9 == 0 && $0.element.row.count < 900
            }
            .prefix(60).map { index, row in
                var seed: [UInt8] = []
                seed.add(UInt16(index))
                return seed + row.row
            }
        }
    }
#endif
