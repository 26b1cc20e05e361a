import Foundation
import TestSupport
import Testing

/// What a dishonest actor must not gain: the reason when they did.
struct ForbiddenGain: Sendable {
    let name: String
    let find: @Sendable (DishonestLife) throws -> String?

    init(_ name: String, _ find: @escaping @Sendable (DishonestLife) throws -> String?) {
        self.name = name
        self.find = find
    }
}

/// Looks through the lives of dishonest actors for what they must not gain.
struct DishonestSearch<Actor: DishonestActor> {
    let firstSeed: UInt64
    /// Seeds of an ordinary run; `SIJILL_DISHONEST_LIVES` asks for more (`make adversaries`).
    let lives: Int
    let steps: Int
    let gains: [ForbiddenGain]
    /// By whom the commands are that count as tried.
    let actors: Set<String>
    /// Events whose reach is told by a field of theirs, too.
    var fields: [String: String] = [:]
    /// How often the lives of an ordinary run must get there all together, or the law says little.
    let reach: [String: Int]

    private var seeds: Range<UInt64> {
        let asked = ProcessInfo.processInfo.environment["SIJILL_DISHONEST_LIVES"]
        return firstSeed..<firstSeed + UInt64(max(lives, asked.flatMap { Int($0) } ?? 0))
    }

    private func gain(in life: DishonestLife) throws -> String? {
        for gain in gains {
            if let found = try gain.find(life) { return "\(gain.name): \(found)" }
        }
        return nil
    }

    /// Records every gain, its life made small, and a reach that is too short.
    func expectNoGain(sourceLocation: SourceLocation = #_sourceLocation) throws {
        var reached: [String: Int] = [:]
        for seed in seeds {
            let life = try DishonestLife.lived(Actor.self, seed: seed, steps: steps)
            reached.merge(life.reach(of: actors, by: fields), uniquingKeysWith: +)
            guard try gain(in: life) != nil else { continue }
            let failure = Law.failure(seed: seed, life.commands) {
                try gain(in: .told($0, product: Actor.product))
            }
            Issue.record(
                Comment(rawValue: failure ?? "seed \(seed): only as it was lived"),
                sourceLocation: sourceLocation)
        }
        for (what, least) in reach {
            let times = reached[what, default: 0]
            #expect(times >= least, "\(what): \(times)", sourceLocation: sourceLocation)
        }
        if ProcessInfo.processInfo.environment["SIJILL_DISHONEST_LIVES"] != nil {
            let table = reached.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            print("\(Actor.self), \(seeds.count) lives:\n  \(table.joined(separator: "\n  "))")
        }
    }

    /// Whether the law finds the gain in some life of an ordinary run that is changed so that there is one.
    func finds(
        _ name: String, in change: (DishonestLife) throws -> DishonestLife
    ) throws -> Bool {
        guard let law = gains.first(where: { $0.name == name }) else { return false }
        for seed in firstSeed..<firstSeed + UInt64(lives) {
            let life = try DishonestLife.lived(Actor.self, seed: seed, steps: steps)
            if try law.find(change(life)) != nil { return true }
        }
        return false
    }
}
