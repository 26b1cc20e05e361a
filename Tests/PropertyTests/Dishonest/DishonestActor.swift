import Core
import Engine
import TestSupport

/// Somebody who tries whatever they may send to get more than is due. They see what became of it, so that later
/// commands can use what was accepted. Whoever else is needed (a service that delivers, an admin who publishes)
/// acts honestly in between.
protocol DishonestActor {
    static var product: String { get }
    /// When their life begins.
    static var begin: Instant { get }

    init(script: Script)
    var script: Script { get set }
    /// What everybody else did before.
    mutating func stage()
    mutating func act()
    /// What became of a command.
    mutating func see(_ outcome: Outcome, of command: TestCommand)
}

extension DishonestActor {
    mutating func see(_ outcome: Outcome, of command: TestCommand) {}
}

/// Chance, a clock and the commands that are told.
struct Script {
    let product: String
    let seed: UInt64
    var now: Instant
    private var random: SplitMix64
    private var told: [TestCommand] = []
    private var last = 0

    init(product: String, seed: UInt64, begin: Instant) {
        self.product = product
        self.seed = seed
        now = begin
        random = SplitMix64(seed: seed)
    }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(max(1, bound))) }
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    /// Of a list that is not empty.
    mutating func one<E>(of elements: some RandomAccessCollection<E>) -> E {
        elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }
    mutating func pass(_ seconds: [Int64]) { now = now + one(of: seconds) }

    /// An id that was not there before.
    mutating func id(_ prefix: String) -> String {
        last += 1
        return "\(prefix)-\(last)"
    }

    mutating func command(
        _ command: String, by: String, device: String? = nil, at: Instant? = nil,
        _ data: [(String, JSON)]
    ) -> TestCommand {
        TestCommand(
            id("c"), "\(product).\(command)", at: at ?? now, by: by, device: device, data)
    }

    mutating func tell(_ command: TestCommand) { told.append(command) }

    mutating func tell(
        _ name: String, by: String, device: String? = nil, _ data: [(String, JSON)]
    ) {
        tell(command(name, by: by, device: device, data))
    }

    /// `data` is JSON without its braces.
    mutating func tell(
        _ name: String, by: String, device: String? = nil, _ data: String
    ) {
        let members = (try? JSON(parsing: Array("{\(data)}".utf8)))?.members ?? []
        tell(name, by: by, device: device, members.map { ($0.name, $0.value) })
    }

    /// What was told since the last time.
    mutating func take() -> [TestCommand] {
        defer { told = [] }
        return told
    }
}

/// What a dishonest actor has left behind.
struct DishonestLife {
    let journal: TemporaryJournal
    let engine: EventEngine
    let product: String
    private(set) var commands: [TestCommand] = []
    private(set) var accepted: [TestCommand] = []
    private(set) var events: [PastFact] = []

    private init(of product: String) throws {
        self.product = product
        journal = try TemporaryJournal()
        engine = try journal.open()
    }

    /// The life of a seed, each step in sight of what became of those before.
    static func lived<Actor: DishonestActor>(
        _: Actor.Type, seed: UInt64, steps: Int
    ) throws -> DishonestLife {
        var life = try DishonestLife(of: Actor.product)
        var actor = Actor(script: Script(product: Actor.product, seed: seed, begin: Actor.begin))
        actor.stage()
        try life.run(actor.script.take()) { actor.see($0, of: $1) }
        for _ in 0..<steps {
            actor.act()
            try life.run(actor.script.take()) { actor.see($0, of: $1) }
        }
        life.events = try life.engine.allEvents()
        return life
    }

    /// The same commands once more, or some of them.
    static func told(_ commands: [TestCommand], product: String) throws -> DishonestLife {
        var life = try DishonestLife(of: product)
        try life.run(commands) { _, _ in }
        life.events = try life.engine.allEvents()
        return life
    }

    private mutating func run(
        _ told: [TestCommand], _ see: (Outcome, TestCommand) -> Void
    ) throws {
        guard !told.isEmpty else { return }
        for (outcome, command) in zip(try engine.run(told), told) {
            if outcome.status == .accepted { accepted.append(command) }
            see(outcome, command)
        }
        commands += told
    }

    /// The same life with another story of how it came about: what laws must notice.
    func telling(_ change: (PastFact) -> [PastFact]) -> DishonestLife {
        var other = self
        other.events = events.flatMap(change)
        return other
    }

    /// What would have become of other commands, in the same order.
    func told(
        _ change: (TestCommand) -> [TestCommand], then more: [TestCommand] = []
    ) throws -> DishonestLife {
        try .told(commands.flatMap(change) + more, product: product)
    }

    func show(
        _ model: String, _ key: String? = nil, _ arguments: [String: String] = [:],
        now: Instant? = nil
    ) throws -> JSON {
        var request = ShowRequest()
        request.arguments = arguments
        request.now = now
        return try JSON(parsing: engine.show("\(product).\(model)", key: key, request).bytes)
    }

    /// How far it got: accepted commands of the actors, and events, both by type; of some types the events by a
    /// field, too.
    func reach(of actors: Set<String>, by fields: [String: String]) -> [String: Int] {
        var reached: [String: Int] = [:]
        for command in accepted where actors.contains(command.by) {
            reached["told \(command.command.dropFirst(product.count + 1))", default: 0] += 1
        }
        for event in events {
            let type = String(event.type.trimmingPrefix("\(product)."))
            reached[type, default: 0] += 1
            guard let field = fields[type], let value = event.data[field] else { continue }
            reached["\(type) \(value.string ?? "\(value)")", default: 0] += 1
        }
        return reached
    }
}

extension TestCommand {
    /// The same with other data.
    func with(_ data: [(String, JSON)]) -> TestCommand {
        var other = self
        other.data = .object(of: data)
        return other
    }

    /// The same with another value of a field that it has.
    func with(_ field: String, _ value: JSON) -> TestCommand {
        with((data.members ?? []).map { ($0.name, $0.name == field ? value : $0.value) })
    }
}

extension PastFact {
    /// The same as another type.
    func typed(_ type: String) -> PastFact { telling("type", type) }

    /// The same by somebody else.
    func by(_ actor: String) -> PastFact { telling("by", actor) }

    private func telling(_ member: String, _ value: String) -> PastFact {
        let others = (json.members ?? []).filter { $0.name != member }.map { ($0.name, $0.value) }
        return PastFact(.object(of: others + [(member, .string(value))]))
    }
}
