import Products
#if DEBUG || FUZZING || TESTABLE
    import Core
    import Foundation
    import TestSupport

    @testable import Engine
    @testable import EventLog

    /// A journal that a few examples of each product were played into, sealed in short segments, so that it
    /// has everything that a journal can have.
    enum Fixture {
        /// What is played: much of each product, then more of the same persons.
        static let examples = [
            "examroom/12-a-device-alone", "learnable/optional-quiz", "quranflow/11-first-semester",
            "tafawoq/dashboard", "examroom/01-exam-day", "learnable/trial-and-subscription",
            "quranflow/01-placement-and-first-week", "tafawoq/premium",
        ]

        static func commands(of example: String) throws -> [[UInt8]] {
            try Scenario(file: "Examples/\(example).jsonl").steps
                .compactMap {
                    guard case .submit(let command, _) = $0.kind else { return nil }
                    return command.canonical
                }
        }

        /// The command under another id.
        static func renamed(_ line: [UInt8], _ prefix: String) throws -> [UInt8] {
            var members = try JSON(parsing: line).members ?? []
            for index in members.indices where members[index].name == "id" {
                members[index].value = .string(prefix + (members[index].value.string ?? ""))
            }
            return JSON.object(members).canonical
        }

        /// A journal of some examples, in a directory of that name.
        static func play(_ examples: [String], _ name: String) throws -> EventEngine {
            let path = try Scratch.empty(name) + "/journal"
            try EventEngine.create(at: path, isSimulated: true)
            var options = EventEngine.Options()
            options.sealing = Sealing(segmentEvents: 64, blockEvents: 32, isInBackground: false)
            let engine = try EventEngine(at: path, options: options)
            for (number, example) in examples.enumerated() {
                // Each by itself: a commit a command. Examples use the same ids.
                for line in try commands(of: example) {
                    _ = try engine.submit([renamed(line, "\(number)")], clock: Scenario.clock)
                }
            }
            return engine
        }

        static let engine: EventEngine = {
            do {
                return try play(examples, "fixture")
            } catch {
                fatalError("the journal to try things on cannot be made: \(error)")
            }
        }()

        static var log: Journal { engine.journal }
        static var store: DictionaryStore { log.memory.frames.store }

        /// All records of a database as they lie there.
        static func records(
            of database: Database, in journal: Journal
        ) throws -> [(key: [UInt8], stored: [UInt8])] {
            var found: [(key: [UInt8], stored: [UInt8])] = []
            let transaction = try ReadTransaction(journal.environment)
            var cursor = try Cursor(transaction.access, database)
            var isThere = try cursor.first()
            while isThere {
                found.append(unsafe (Array(cursor.key), Array(cursor.stored)))
                isThere = try cursor.next()
            }
            return found
        }

        /// A frame and a block, for readers that are to have read something before.
        static let commits: [(key: [UInt8], stored: [UInt8])] = {
            let all = (try? records(of: log.databases.frames, in: log)) ?? []
            return [
                all.first { $0.stored.first == BlockHeader.kind },
                all.last { $0.stored.first == FrameHeader.kind },
            ].compactMap(\.self)
        }()
    }
#endif
