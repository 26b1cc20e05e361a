import Core
import Engine
import TestSupport
import Testing

/// A random history of any product, whose documents are to follow from their bases.
enum BasisLife: Sendable, CustomTestStringConvertible {
    case examroom(Life)
    case learnable(UInt64)
    case quranflow(UInt64)
    case tafawoq(UInt64)

    static let products = ["examroom", "learnable", "quranflow", "tafawoq"]

    static let all: [BasisLife] = {
        let rooms =
            (UInt64(1900)..<1904).map { Life.alone($0) } + [.meeting(1920), .meeting(1921)]
            + (UInt64(1940)..<1942).map { Life.scattered($0) }
        return rooms.map { .examroom($0) } + LearnedLife.seeds.map { .learnable($0) }
            + (UInt64(3200)..<3208).map { .quranflow($0) } + PreparedLife.seeds.map { .tafawoq($0) }
    }()

    var product: String {
        switch self {
        case .examroom: "examroom"
        case .learnable: "learnable"
        case .quranflow: "quranflow"
        case .tafawoq: "tafawoq"
        }
    }

    /// At how many places of the life documents are compared; ExamRoom's lives are the shortest.
    var moments: Int { product == "examroom" ? 4 : 3 }

    var testDescription: String {
        switch self {
        case .examroom(let life): "examroom \(life)"
        case .learnable(let seed), .quranflow(let seed), .tafawoq(let seed): "\(product) \(seed)"
        }
    }

    /// Records what `body` finds wrong, of a history made as small as it can be.
    func expect(_ body: (EventEngine, [PastFact]) throws -> String?) {
        switch self {
        case .examroom(let life): life.expect { try body($0.engine, $0.events) }
        case .learnable(let seed): LearnedLife.expect(seed) { try body($0.engine, $0.events) }
        case .quranflow(let seed):
            let failure = Law.failure(seed: seed, QuranFlowHistory.commands(seed: seed)) {
                let journal = try TemporaryJournal.after($0)
                let engine = try journal.open()
                return try body(engine, engine.allEvents())
            }
            if let failure { Issue.record(Comment(rawValue: failure)) }
        case .tafawoq(let seed): PreparedLife.expect(seed) { try body($0.engine, $0.events) }
        }
    }
}
