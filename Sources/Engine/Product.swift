public import Commands
public import Core
import Folding
public import Projections

/// A product without its types: what the engine needs to run it.
public struct Product: Sendable {
    /// Its name in wire names, such as `learnable`.
    public let name: String
    let payloads: [PayloadType]
    let models: [ModelDescription]
    /// Where its tables begin in the stored views; fixed for ever.
    let firstTable: UInt16
    let makeDesk: @Sendable (TableSpace, Names) -> any Desk
    let renewal: @Sendable (String) -> [JSON.Member]?
    /// What the page calls an argument of a read model that is none.
    let wrongArgument: EngineError.Kind

    /// A product of the engine.
    ///
    /// - Parameters:
    ///   - payloads: every event type that it ever had; journals hold them.
    ///   - models: its read models.
    ///   - firstTable: where its tables begin in the stored views, at least 1,000 from any other product; fixed
    ///     for ever.
    ///   - refusesArguments: an argument that a read model cannot take is bad input, not wrong use.
    ///   - prepare: what a state is given besides its events, such as whoever quotes the journal.
    public init<P: Rules>(
        _ rules: P.Type, payloads: [PayloadType], models: [ReadModel<P.State>], firstTable: UInt16,
        refusesArguments: Bool = false,
        prepare: @escaping @Sendable (P.State) -> Void = { _ in }
    ) {
        name = P.product
        self.payloads = payloads
        self.models = models.map {
            ModelDescription(
                name: $0.name, product: P.product, question: $0.question, key: $0.key,
                arguments: $0.arguments, digestsWholeLists: $0.digestsWholeLists,
                basis: $0.basis)
        }
        self.firstTable = firstTable
        wrongArgument = refusesArguments ? .badInput : .wrongUse
        renewal = { P.renewal(of: $0) }
        makeDesk = { ProductDesk<P>(models: models, prepare: prepare, space: $0, names: $1) }
    }
}

/// One product at work on one instance of its folded state.
protocol Desk: AnyObject {
    var product: String { get }
    var space: TableSpace { get }
    var folded: any FoldedState { get }
    var timers: Timers { get }
    /// What the stored state hangs on: another fold or another schema is another state.
    var fingerprint: [UInt8] { get }
    func has(_ model: String) -> Bool

    /// Folds events of a type; nil for types that the state does not look at.
    func folder(of type: String) -> Folder?
    func undo()
    func hidesPersonal(of subject: Symbol) -> Bool

    func knows(_ command: String) -> Bool
    /// In Arabic, where the product speaks it.
    func messageAr(ofShared code: String) -> String?
    /// Reads a command's data; nil with the reason in the input.
    func prepare(_ command: String, _ data: JSON, _ input: inout JSONInput) -> Decider?
    func eraser(of person: Symbol) -> Decider
    func fire(_ timer: DueTimer, _ place: Place) -> [DecidedEvent]

    func keys(of model: String) -> [String]
    /// The arguments under which a key's documents are gone through.
    func samples(of model: String, key: String) -> [[String: String]]
    func view(
        _ model: String, _ request: ViewRequest, _ output: inout JSONOutput
    ) throws(WrongArgument) -> Bool
}

/// Folds one event: where it stands, the version of its payload, the payload.
struct Folder {
    let fold: Fold
}

typealias Fold = (EventMetadata, UInt16, inout BinaryReader) -> Bool

/// Where and when something is decided, and by whom.
struct Place {
    let at: Instant
    let actor: Actor
    let device: Symbol
    let command: CommandName
    let cause: Position
    /// The position that the first recorded event will have.
    let next: Position
    let ledger: any CommandLedger
    /// What came before, with the facts that the decision itself recorded so far.
    let history: ([DecidedEvent]) -> any History
}

/// A decision that is ready to be taken.
struct Decider {
    let decide: (Place) -> Ruling
}

/// What was decided.
enum Ruling {
    case accepted([DecidedEvent], merged: [MergedCommand])
    /// The facts are the recorded refusal, if the page wants one; they are not folded yet.
    case rejected(
        code: String, message: String, messageAr: String? = nil, trace: (Place) -> [DecidedEvent])
}

/// A read model as `replay models` lists it.
struct ModelDescription: Sendable {
    let name: String
    /// Empty for the shared ones.
    let product: String
    let question: String
    let key: String?
    let arguments: [String]
    var digestsWholeLists = true
    let basis: Basis?
}

final class ProductDesk<P: Rules>: Desk {
    private let state: P.State
    private let readModels: [String: ReadModel<P.State>]
    private let commands: [String: CommandType<P>]

    init(
        models: [ReadModel<P.State>], prepare: (P.State) -> Void, space: TableSpace, names: Names
    ) {
        state = P.State(space: space, names: names)
        prepare(state)
        readModels = Dictionary(uniqueKeysWithValues: models.map { ($0.name, $0) })
        commands = Dictionary(uniqueKeysWithValues: P.commands.map { ($0.name, $0) })
    }

    var product: String { P.product }
    var space: TableSpace { state.space }
    var folded: any FoldedState { state }
    var timers: Timers { state.timers }

    private(set) lazy var fingerprint: [UInt8] = {
        var parts = ["\(P.product) fold \(P.State.foldVersion)"]
        parts += state.space.tables.map { "\($0.name):\($0.schema)" }
        parts += P.State.routes.schemas.sorted { $0.key.precedes($1.key) }.map {
            "\($0.key):\($0.value)"
        }
        return SHA256Digest.of(parts.joined(separator: "\n"))
    }()

    func folder(of type: String) -> Folder? {
        guard let handler = P.State.routes.handler(of: type) else { return nil }
        let state = state
        return Folder { handler(state, $0, $1, &$2) }
    }

    func undo() {
        state.space.undoChanges()
        state.didUndo()
    }

    func hidesPersonal(of subject: Symbol) -> Bool {
        state.hidesPersonal(of: subject)
    }

    // MARK: Deciding

    func knows(_ command: String) -> Bool { commands[command] != nil }

    func messageAr(ofShared code: String) -> String? { P.messageAr(ofShared: code) }

    func prepare(_ command: String, _ data: JSON, _ input: inout JSONInput) -> Decider? {
        guard let prepared = commands[command]?.read(data, &input) else { return nil }
        return decider(prepared.decide, trace: prepared.trace)
    }

    func eraser(of person: Symbol) -> Decider {
        decider(
            { context throws(P.Rejection) in try P.erase(person, in: context) }, trace: { _, _ in })
    }

    private func decider(
        _ decide: @escaping (DecisionContext<P>) throws(P.Rejection) -> Void,
        trace: @escaping (P.Rejection, DecisionContext<P>) -> Void
    ) -> Decider {
        Decider { [self] place in
            let context = context(place)
            do throws(P.Rejection) {
                try decide(context)
                context.finish()
                return .accepted(context.recorded, merged: context.merged)
            } catch {
                return .rejected(
                    code: error.rawValue, message: context.message(of: error),
                    messageAr: context.messageAr(of: error)
                ) { place in
                    let context = self.context(place)
                    trace(error, context)
                    return context.recorded
                }
            }
        }
    }

    func fire(_ timer: DueTimer, _ place: Place) -> [DecidedEvent] {
        let context = context(place)
        P.fire(timer, in: context)
        context.finish()
        return context.recorded
    }

    private func context(_ place: Place) -> DecisionContext<P> {
        DecisionContext(
            state: state, at: place.at, actor: place.actor, device: place.device,
            command: place.command, cause: place.cause, next: place.next, ledger: place.ledger,
            history: place.history)
    }

    // MARK: Answering

    func has(_ model: String) -> Bool { readModels[model] != nil }

    func keys(of model: String) -> [String] { readModels[model]?.keys(state) ?? [] }

    func samples(of model: String, key: String) -> [[String: String]] {
        readModels[model]?.samples(state, key) ?? [[:]]
    }

    func view(
        _ model: String, _ request: ViewRequest, _ output: inout JSONOutput
    ) throws(WrongArgument) -> Bool {
        guard let model = readModels[model] else { return false }
        return try model.view(state, request, &output)
    }
}
