import Core
import Engine
import TestSupport
import Testing

/// A document that was made once says the same until an event comes to a place that it hangs on: the law by which a
/// service keeps answers (docs/service.md).
@Suite struct `An answer that is kept` {
    struct Lived: Sendable, CustomTestStringConvertible {
        let product: String
        let seed: UInt64
        let commands: @Sendable () -> [TestCommand]

        var testDescription: String { "\(product) \(seed)" }

        static let all: [Lived] = (1...3).flatMap { seed in
            [
                Lived(product: "examroom", seed: seed) { ExamRoomHistory.commands(seed: seed) },
                Lived(product: "learnable", seed: seed) { LearnableHistory.commands(seed: seed) },
                Lived(product: "quranflow", seed: seed) { QuranFlowHistory.commands(seed: seed) },
                Lived(product: "tafawoq", seed: seed) { TafawoqHistory.commands(seed: seed) },
            ]
        }
    }

    @Test(arguments: Lived.all)
    func `stays right until an event comes to one of its places`(life: Lived) async throws {
        let told = try await Self.follow(life) { $0 }
        #expect(told.wrong == [])
        // The law is empty where nothing is kept, and where nothing is struck.
        #expect(told.kept > 50)
        #expect(told.struck > 10)
    }

    /// Of the test: places that are left out are missed.
    @Test(arguments: ["s", "t", "y"])
    func `would be wrong if one kind of place did not strike it`(kind: String) async throws {
        var wrong = 0
        for life in Lived.all where wrong == 0 {
            wrong += try await Self.follow(life) { $0.filter { !$0.hasPrefix(kind) } }.wrong.count
        }
        #expect(wrong > 0)
    }

    private struct Asked: Hashable {
        let model: String
        let key: String?
    }

    private struct Told {
        var kept = 0
        var struck = 0
        var wrong: [String] = []
    }

    private static func follow(
        _ life: Lived, striking: (Set<String>) -> Set<String>
    ) async throws -> Told {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        var told = Told()
        var held: [Asked: (document: Document, places: Set<String>)] = [:]
        var position = Position.zero
        let commands = life.commands()
        for start in stride(from: 0, to: commands.count, by: 12) {
            _ = try engine.run(Array(commands[start..<min(start + 12, commands.count)]))
            if let news = try engine.places(after: position, atMost: .max) {
                position = news.through
                let places = striking(news.places)
                for (asked, answer) in held where !answer.places.isDisjoint(with: places) {
                    held[asked] = nil
                    told.struck += 1
                }
            } else {
                // Somebody was erased: their values stand anywhere.
                position = try engine.head()
                told.struck += held.count
                held = [:]
            }
            for (asked, answer) in held {
                told.kept += 1
                let now = try await engine.show(asked.model, key: asked.key, ShowRequest())
                if now != answer.document {
                    told.wrong.append("\(asked.model) \(asked.key ?? "") at \(position)")
                }
            }
            if !told.wrong.isEmpty { break }
            for model in try await engine.models() where model.name.hasPrefix(life.product) {
                for key in model.key == nil
                    ? [nil] : try engine.keys(of: model.name).map(Optional.init)
                {
                    let asked = Asked(model: model.name, key: key)
                    if held[asked] != nil { continue }
                    let made = try? await engine.groundedShow(
                        model.name, key: key, ShowRequest())
                    if let made, case .places(let places) = made.grounds {
                        held[asked] = (made.document, places)
                    }
                }
            }
        }
        return told
    }
}
