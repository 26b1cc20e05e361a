public import Engine
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import ExamRoomProjections
import LearnableCommands
import LearnableEvents
import LearnableFacts
import LearnableProjections
import QuranFlowCommands
import QuranFlowEvents
import QuranFlowFacts
import QuranFlowProjections
import TafawoqCommands
import TafawoqEvents
import TafawoqFacts
import TafawoqProjections

extension [Product] {
    /// The four products of Sijill. A new one is one line here (docs/adding.md).
    public static let all: [Product] = [
        Product(
            ExamRoom.self, payloads: ExamRoom.payloads, models: ExamRoom.readModels,
            audience: ExamRoom.audience,
            firstTable: 1000
        ) { $0.quotes = ExamRoom.Quoter() },
        Product(
            QuranFlow.self, payloads: QuranFlow.payloads, models: QuranFlow.readModels,
            audience: QuranFlow.audience,
            firstTable: 2000),
        Product(
            Learnable.self, payloads: Learnable.payloads, models: Learnable.readModels,
            audience: Learnable.audience,
            firstTable: 3000),
        Product(
            Tafawoq.self, payloads: Tafawoq.payloads, models: Tafawoq.readModels,
            audience: Tafawoq.audience,
            firstTable: 4000),
    ]
}

extension EventEngine.Options {
    /// An engine for the four products.
    public init() { self.init(products: .all) }
}

extension EventEngine {
    /// Opens a journal of the four products.
    public convenience init(at directory: String) throws(EngineError) {
        try self.init(at: directory, options: Options())
    }

    /// Makes a journal of the four products out of an export.
    public static func importJournal(
        at directory: String, isSimulated: Bool = false,
        nextLine: () throws(EngineError) -> [UInt8]?
    ) throws(EngineError) -> ImportReport {
        try importJournal(
            at: directory, isSimulated: isSimulated, options: Options(), nextLine: nextLine)
    }

    /// Makes a journal of the four products out of a backup.
    public static func restore(
        _ directory: String, to path: String, keys: String? = nil, erasures: [String] = [],
        _ trust: Trust = Trust(), progress: (Progress) -> Void = { _ in }
    ) throws(EngineError) -> BackupReport {
        try restore(
            directory, to: path, keys: keys, erasures: erasures, trust, options: Options(),
            progress: progress)
    }
}
