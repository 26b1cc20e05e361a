import Products
#if DEBUG || FUZZING || TESTABLE
    import Core
    import Foundation
    import TestSupport

    @testable import Engine
    @testable import EventLog

    /// Whole journals: commands that are decided, exports that become one, files of LMDB.
    enum JournalTargets {
        static let all = [
            FuzzTarget("submit", longest: 8192, tries: 100, submit),
            FuzzTarget("import", longest: 8192, tries: 50, importing),
            FuzzTarget("pages", longest: 512, tries: 50, pages),
            FuzzTarget("view", longest: 1024, tries: 50, view),
        ]

        /// Lines on a journal in which much has happened: each has an outcome, and nothing of it stays.
        @Sendable private static func submit(_ bytes: [UInt8]) throws {
            let lines = bytes.split(separator: 10).prefix(12).map { Array($0) }
            let engine = Fixture.engine
            let outcomes: [Outcome]
            do {
                outcomes = try engine.submit(lines, clock: Scenario.clock, isDryRun: true)
            } catch {
                throw Finding("an error in place of an outcome: \(error)")
            }
            try expect(outcomes.count == lines.count, "lines without an outcome")
            for outcome in outcomes {
                let json = try? JSON(parsing: outcome.document.bytes)
                try expect(
                    json?.canonical == outcome.document.bytes, "an outcome is no canonical JSON")
            }
        }

        private static func discard(_ path: String) {
            try? FileManager.default.removeItem(atPath: path)
        }

        private static func journal(_ lines: [[UInt8]], at path: String) throws -> EventEngine {
            discard(path)
            var rest = lines[...]
            _ = try EventEngine.importJournal(at: path) { rest.popFirst() }
            return try EventEngine(at: path)
        }

        private static func export(_ engine: EventEngine) throws -> [[UInt8]] {
            var bytes: [UInt8] = []
            try engine.export { bytes += $0 }
            return bytes.split(separator: 10).map { Array($0) }
        }

        /// What an import takes in is a whole journal, and its export is taken in again as it is.
        @Sendable private static func importing(_ bytes: [UInt8]) throws {
            let path = Scratch.path + "/imported"
            defer { discard(path) }
            let engine = try journal(bytes.split(separator: 10).map { Array($0) }, at: path)
            do {
                let lines = try export(engine)
                let report = try engine.verify()
                try expect(
                    report.isWhole,
                    "a journal that was imported is not whole: \(report.findings.prefix(2))")
                let other = Scratch.path + "/imported-again"
                defer { discard(other) }
                try expect(
                    try export(journal(lines, at: other)) == lines,
                    "what was imported is exported otherwise")
            } catch let finding as Finding {
                throw finding
            } catch {
                throw Finding("a journal that was imported cannot be read: \(error)")
            }
        }

        // MARK: Damaged files

        /// A journal of two examples, closed: its files by name.
        private static let files: [String: Data] = {
            let directory = Scratch.path + "/pages-fixture/journal"
            guard let engine = try? Fixture.play(Array(Fixture.examples.prefix(1)), "pages-fixture")
            else { return [:] }
            return withExtendedLifetime(engine) {
                let names = ["FORMAT", "journal.mdb", "keys", "master.key"]
                return Swift.Dictionary(
                    uniqueKeysWithValues: names.compactMap { name in
                        FileManager.default.contents(atPath: directory + "/" + name).map {
                            (name, $0)
                        }
                    })
            }
        }()

        /// Changes of `journal.mdb`, each an offset of four bytes, a length, and so many bytes.
        @Sendable private static func pages(_ bytes: [UInt8]) throws {
            let path = try Scratch.empty("pages")
            for (name, content) in files {
                var content = content
                if name == "journal.mdb" {
                    var parts = Parts(bytes)
                    while !parts.rest.isEmpty {
                        let offset = Int(parts.number(4)) % content.count
                        let change = parts.bytes(1 + Int(parts.byte() % 16))
                        for (index, byte) in change.enumerated()
                        where offset + index < content.count {
                            content[offset + index] = byte
                        }
                    }
                }
                try content.write(to: URL(filePath: path + "/" + name))
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: path + "/" + name)
            }
            let engine = try EventEngine(at: path)
            _ = try? engine.submit(
                [Array(#"{"id":"z","command":"clock.advance","by":"system"}"#.utf8)],
                clock: Scenario.clock, isDryRun: true)
            try? engine.events { _ in true }
            _ = try engine.verify()
        }

        // MARK: Damaged views

        private static let viewed: EventEngine = {
            do {
                let engine = try Fixture.play(Fixture.examples, "views-fixture")
                _ = try engine.rebuild()
                return engine
            } catch {
                fatalError("the journal to try views on cannot be made: \(error)")
            }
        }()

        /// The rows of its views.
        static let rows: [(table: UInt16, key: [UInt8], row: [UInt8])] = {
            var found: [(table: UInt16, key: [UInt8], row: [UInt8])] = []
            guard let views = try? ViewStore(at: viewed.journal.path).snapshot() else { return [] }
            for product in [Product].all {
                for number in product.firstTable..<product.firstTable + 200 {
                    try? views.scan(table: number, from: []) { key, row in
                        found.append((number, key, row))
                        return true
                    }
                }
            }
            return found
        }()

        /// One row of the views says something else; the first two bytes choose it.
        @Sendable private static func view(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let (table, key, row) = rows[Int(parts.number(2)) % rows.count]
            let journal = viewed.journal
            let store = try ViewStore(at: journal.path)
            try store.write { try $0.put(table: table, key: key, value: Array(parts.rest)) }
            defer { try? store.write { try $0.put(table: table, key: key, value: row) } }
            let product = [Product].all.last { $0.firstTable <= table }?.name
            let registry = viewed.registry
            let maker = StateMaker(
                journal, registry, EventEngine.Options().rebuildLimit, .none)
            let reader = Reader(
                store: try maker.store(isReadOnly: true), maker: maker, pasts: KeptPasts())
            for model in registry.models where model.product == product {
                let keys: [String?] =
                    model.key == nil ? [nil] : Array(try reader.keys(of: model.name).prefix(2))
                for key in keys {
                    for arguments in try reader.samples(of: model.name, key: key ?? "").prefix(2) {
                        var request = ShowRequest()
                        request.arguments = arguments
                        _ = try? reader.show(model.name, key, request)
                    }
                }
            }
        }
    }
#endif
