import Core
import Engine
import Products
import TestSupport
import Testing

/// A small random life of one product.
private struct SmallLife {
    let product: String
    let seed: UInt64

    static let all = ["examroom", "learnable", "quranflow", "tafawoq"].flatMap { product in
        [UInt64(7001), 7002].map { SmallLife(product: product, seed: $0) }
    }

    var commands: [TestCommand] {
        switch product {
        case "examroom": ExamRoomHistory.commands(seed: seed, count: 70)
        case "learnable": LearnableHistory.commands(seed: seed, count: 70)
        case "quranflow": QuranFlowHistory.commands(seed: seed, count: 70)
        default: TafawoqHistory.commands(seed: seed, count: 90)
        }
    }
}

/// One document at every position of a small journal: what the answers are held to.
private struct EveryPosition {
    let question: DocumentQuestion
    /// Each at its own present.
    let documents: [Document]
    /// All at the present of the question.
    let atOnePresent: [Document]

    init(_ engine: EventEngine, _ question: DocumentQuestion, last: Int) throws {
        self.question = question
        func document(_ position: Int, _ now: Instant?) throws -> Document {
            var request = ShowRequest()
            request.asOf = .position(Position(UInt64(position)))
            request.now = now
            request.arguments = question.arguments
            return try engine.show(question.model, key: question.key, request)
        }
        documents = try (0...last).map { try document($0, nil) }
        atOnePresent = try (0...last).map { try document($0, question.now) }
    }

    /// The positions at which something is not what it was at the one before, ascending.
    static func changes<V: Equatable>(_ values: [V]) -> [Int] {
        values.indices.dropFirst().filter { values[$0] != values[$0 - 1] }
    }
}

/// Questions about a life, and the first answer that is not what every position says.
private struct Inquiry {
    let engine: EventEngine
    let last: Int
    let now: Instant
    var random: SplitMix64
    /// How many of what was compared, so that a law over nothing is noticed.
    var found: [String: Int] = [:]

    init(_ commands: [TestCommand], seed: UInt64) throws {
        let journal = try TemporaryJournal()
        engine = try journal.open()
        try engine.run(commands)
        let events = try engine.allEvents()
        last = events.count
        now = events.last?.at ?? .epoch
        random = SplitMix64(seed: seed)
    }

    private mutating func one<E>(of choices: [E]) -> E? {
        choices.isEmpty ? nil : choices[Int(random.next() % UInt64(choices.count))]
    }

    private mutating func position() -> Int { Int(random.next() % UInt64(last + 1)) }

    private mutating func someQuestion(_ models: [ModelInfo]) throws -> DocumentQuestion? {
        guard let model = one(of: models) else { return nil }
        guard model.key != nil else { return DocumentQuestion(model.name, now: now) }
        guard let key = one(of: try engine.keys(of: model.name)),
            let sample = one(of: try engine.samples(of: model.name, key: key))
        else { return nil }
        return DocumentQuestion(model.name, key: key, arguments: sample, now: now)
    }

    /// What is wrong with the answers to some questions of the product; nil where nothing is.
    mutating func failure(of product: String, questions: Int) throws -> String? {
        let models = try engine.models().filter { $0.name.hasPrefix("\(product).") }
        for _ in 0..<questions {
            guard let question = try someQuestion(models) else { continue }
            let positions = try EveryPosition(engine, question, last: last)
            let wrong =
                try wrongDifference(positions) ?? wrongCauses(positions) ?? wrongSteps(positions)
                ?? wrongTurns(positions)
            if let wrong { return "\(question): \(wrong)" }
        }
        return try wrongOfAnyKey(models)
    }

    // MARK: diff

    private mutating func wrongDifference(_ positions: EveryPosition) throws -> String? {
        var question = positions.question
        question.now = nil
        for _ in 0..<8 {
            let (first, second) = (position(), position())
            let compared = try engine.diff(
                question, from: .position(Position(UInt64(first))),
                to: .position(Position(UInt64(second))))
            let (old, new) = (positions.documents[first], positions.documents[second])
            guard compared.old == old, compared.new == new else {
                return "diff \(first) \(second) has other documents than show"
            }
            let patched = try JSONPatch.apply(
                JSON(parsing: compared.difference.patch.bytes), to: JSON(parsing: old.bytes))
            guard try patched == JSON(parsing: new.bytes) else {
                return "diff \(first) \(second) does not lead from the one to the other"
            }
            guard compared.difference.isEmpty == (old == new) else {
                return "diff \(first) \(second) is wrong about whether they differ"
            }
            found["differences", default: 0] += old == new ? 0 : 1
        }
        return nil
    }

    // MARK: why

    private mutating func wrongCauses(_ positions: EveryPosition) throws -> String? {
        let end = max(1, position())
        let expected = EveryPosition.changes(Array(positions.atOnePresent.prefix(end + 1)))
        let why = try engine.why(
            positions.question, asOf: Position(UInt64(end)), limit: .max)
        let causes = why.causes.map { Int($0.event.position.number) }
        guard why.isExact, causes == expected.reversed() else {
            return "why --as-of \(end) lists \(causes), every position says \(expected.reversed())"
        }
        for cause in why.causes {
            let place = Int(cause.event.position.number)
            let difference = try DocumentDifference(
                from: positions.atOnePresent[place - 1], to: positions.atOnePresent[place])
            guard cause.changes == difference.changes else {
                return "why says otherwise than diff what \(place) changed"
            }
        }
        found["causes", default: 0] += causes.count
        let documents = try positions.atOnePresent.map { try JSON(parsing: $0.bytes) }
        for _ in 0..<4 {
            guard let path = somePath(in: documents)?.path else { continue }
            let query = try JSONPath(path)
            let values = documents.map { query.nodes(in: $0).map(\.value) }
            let expected = EveryPosition.changes(values)
            let limit = 1 + position()
            let why = try engine.why(positions.question, path: path, limit: limit)
            let causes = why.causes.map { Int($0.event.position.number) }
            guard causes == expected.reversed().prefix(limit).map(\.self) else {
                return "why \(path) lists \(causes), every position says \(expected.reversed())"
            }
            found["causes of values", default: 0] += causes.count
        }
        return nil
    }

    // MARK: step

    /// The steps are what `why` lists of the whole document, whichever way somebody goes, and however little is kept.
    private mutating func wrongSteps(_ positions: EveryPosition) throws -> String? {
        let documents = positions.atOnePresent
        let expected = EveryPosition.changes(documents)
        let causes = try engine.why(positions.question, limit: .max).causes
        for keptBytes in [1, 2000, 1 << 20] {
            let from = position()
            var steps = try engine.steps(
                positions.question, from: .position(Position(UInt64(from))), keptBytes: keptBytes)
            let places = steps.places.map { Int($0.position.number) }
            guard steps.isExact, places == expected,
                places == causes.map({ Int($0.event.position.number) }).reversed()
            else { return "step goes through \(places), every position says \(expected)" }
            guard
                steps.index(of: .position(Position(UInt64(from))))
                    == expected.firstIndex(where: { $0 >= from }) ?? expected.count
            else { return "step from \(from) begins elsewhere" }
            // Forward, back, and anywhere.
            let anywhere = (0..<6).compactMap { _ in one(of: Array(places.indices)) }
            for index in Array(places.indices) + places.indices.reversed() + anywhere {
                let step = try steps.step(at: index)
                guard step.old == documents[places[index] - 1], step.new == documents[places[index]]
                else { return "step has another document at \(places[index])" }
                guard step.cause == causes[causes.count - 1 - index],
                    step.cause.event.at == steps.places[index].at,
                    step.cause.event.type == steps.places[index].type
                else { return "step says otherwise than why what \(places[index]) did" }
                found["steps", default: 0] += 1
            }
        }
        return nil
    }

    /// A place in one of the documents, and what stands there.
    private mutating func somePath(in documents: [JSON]) -> (path: String, value: JSON)? {
        guard let document = one(of: documents), let all = try? JSONPath("$..*"),
            let node = one(of: all.nodes(in: document))
        else { return nil }
        return (node.location.pathText, node.value)
    }

    // MARK: bisect

    private mutating func someCondition(_ documents: [JSON]) -> String? {
        guard let (path, value) = somePath(in: documents) else { return nil }
        let simple: String
        switch value {
        case .array, .object: simple = "\(path)[0] || \(path).*"
        default:
            guard let sign = one(of: ["==", "!=", "<", ">="]) else { return nil }
            simple = "\(path) \(sign) \(value)"
        }
        guard random.next() % 3 == 0, let (other, _) = somePath(in: documents),
            let join = one(of: ["&&", "|| !", "&& !"])
        else { return random.next() % 4 == 0 ? "!(\(simple))" : simple }
        return "(\(simple)) \(join)\(other)"
    }

    private mutating func wrongTurns(_ positions: EveryPosition) throws -> String? {
        let documents = try positions.documents.map { try JSON(parsing: $0.bytes) }
        var question = positions.question
        question.now = nil
        for _ in 0..<6 {
            guard let text = someCondition(documents) else { continue }
            let condition = try JSONCondition(text)
            let holds = documents.map { condition.holds(for: $0) }
            let expected = (holds[0] ? [0] : []) + EveryPosition.changes(holds)
            let all = try engine.bisect(question, text, .all)
            guard all.map({ Int($0.position.number) }) == expected,
                all.allSatisfy({ $0.holds == holds[Int($0.position.number)] })
            else { return "bisect --all '\(text)': \(all.map(\.position)), not \(expected)" }
            let first = try engine.bisect(question, text).map { Int($0.position.number) }
            guard first == holds.firstIndex(of: true).map({ [$0] }) ?? [] else {
                return "bisect '\(text)': \(first)"
            }
            let last = try engine.bisect(question, text, .last).map { Int($0.position.number) }
            guard last == expected.last(where: { holds[$0] }).map({ [$0] }) ?? [] else {
                return "bisect --last '\(text)': \(last), of \(expected)"
            }
            found["turns", default: 0] += expected.count
        }
        return nil
    }

    /// A condition over all keys of a model: an invariant that breaks somewhere.
    private mutating func wrongOfAnyKey(_ models: [ModelInfo]) throws -> String? {
        var keyed: [ModelInfo] = []
        for model in models where model.key != nil {
            let keys = try engine.keys(of: model.name)
            let samples = try keys.allSatisfy {
                try engine.samples(of: model.name, key: $0) == [[:]]
            }
            if (2...3).contains(keys.count), samples { keyed.append(model) }
        }
        guard let model = one(of: keyed) else { return nil }
        let keys = try engine.keys(of: model.name)
        let documents = try keys.map { key in
            try EveryPosition(engine, DocumentQuestion(model.name, key: key, now: now), last: last)
                .documents.map { try JSON(parsing: $0.bytes) }
        }
        for _ in 0..<6 {
            guard let text = someCondition(documents.flatMap(\.self)) else { continue }
            let condition = try JSONCondition(text)
            let firsts = documents.map { $0.firstIndex { condition.holds(for: $0) } }
            let expected = firsts.compactMap(\.self).min()
            let turn = try engine.bisectAnyKey(of: model.name, text)
            guard (turn?.position.number).map({ Int($0) }) == expected else {
                return "bisect \(model.name) --any-key '\(text)': \(turn?.position.number ?? 0)"
            }
            guard turn?.key == firsts.firstIndex(of: expected).map({ keys[$0] }) || expected == nil
            else { return "bisect \(model.name) --any-key '\(text)': \(turn?.key ?? "")" }
            found["of any key", default: 0] += expected == nil ? 0 : 1
        }
        return nil
    }
}

@Suite struct `Questions about random lives` {
    @Test func `are answered as a look at every position answers them`() {
        var found: [String: Int] = [:]
        for life in SmallLife.all {
            let failure = Law.failure(seed: life.seed, life.commands) { commands in
                var inquiry = try Inquiry(commands, seed: life.seed)
                defer { found.merge(inquiry.found, uniquingKeysWith: +) }
                return try inquiry.failure(of: life.product, questions: 3)
            }
            if let failure { Issue.record("\(life.product), \(failure)") }
        }
        for what in [
            "differences", "causes", "causes of values", "steps", "turns", "of any key",
        ] {
            #expect(found[what, default: 0] > 5, "\(what): hardly any was met")
        }
    }
}
