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
    /// Its commands as `replay commands` lists them.
    let describeCommands: @Sendable () -> [CommandInfo]
    let makeRuntime: @Sendable (TableSpace, Names) -> any ProductRuntime
    let renewal: @Sendable (String) -> [JSON.Member]?

    /// A product of the engine.
    ///
    /// - Parameters:
    ///   - payloads: every event type that it ever had; journals hold them.
    ///   - models: its read models.
    ///   - firstTable: where its tables begin in the stored views, at least 1,000 from any other product; fixed
    ///     for ever.
    ///   - audience: who may see what; `system` alone where it does not say.
    ///   - prepare: what a state is given besides its events, such as a quoter of the journal.
    public init<P: Rules>(
        _ rules: P.Type, payloads: [PayloadType], models: [ReadModel<P.State>],
        audience: AudienceTable<P.State> = AudienceTable(models: [], events: []),
        firstTable: UInt16,
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
        renewal = { P.renewal(of: $0) }
        describeCommands = { CommandInfo.all(of: P.self) }
        makeRuntime = {
            TypedRuntime<P>(
                payloads: payloads, models: models, audience: audience, prepare: prepare, space: $0,
                names: $1)
        }
    }
}

/// One product with one instance of its folded state, without its types.
protocol ProductRuntime: AnyObject {
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
    var commandNames: [String] { get }
    /// In Arabic, where the product speaks it.
    func messageAr(ofShared code: String) -> String?
    /// Reads a command's data; nil with the reason in the input.
    func prepare(
        _ command: String, _ data: JSON, _ input: inout JSONInput
    ) -> (any PreparedCommand)?
    func prepareErasure(of person: Symbol) -> any PreparedCommand
    func fire(_ timer: DueTimer, _ input: DecisionInput) -> [EventEnvelope]

    func keys(of model: String) -> [String]
    /// The arguments under which a key's documents are gone through.
    func samples(of model: String, key: String) -> [[String: String]]
    func view(
        _ model: String, _ request: ViewRequest, _ output: inout JSONOutput
    ) throws(WrongArgument) -> Bool

    /// Which members of a read model's document stay hidden; nil where the viewer may not ask it.
    func hidden(
        ofModel name: String, key: String?, _ arguments: [String: String], from viewer: Viewer
    ) -> [String]?
    /// Which members of an event's data stay hidden; nil where the viewer may not see it.
    func hidden(ofEvent type: String, _ ids: NamedIDs, from viewer: Viewer) -> [String]?
}

/// Folds one event: where it stands, the version of its payload, the payload.
struct Folder {
    let fold: Fold
    /// Whether it looks into the personal part of the payload.
    let opensPersonal: Bool
}

typealias Fold = (EventMetadata, UInt16, inout BinaryReader) -> Bool

/// A command whose data has the right form: it can be decided.
protocol PreparedCommand {
    var runtime: any ProductRuntime { get }
    func decide(_ input: DecisionInput) -> Decision
}

/// What was decided.
enum Decision {
    case accepted([EventEnvelope], merged: [MergedCommand])
    /// `trace` gives the recorded refusal, if the page wants one; it folds nothing before it is called.
    case rejected(
        code: String, message: String, messageAr: String? = nil,
        trace: (DecisionInput) -> [EventEnvelope])
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

    /// Its documents need no state of any product.
    var asksHistoryAlone: Bool { product.isEmpty && basis?.queries.isEmpty == true }
}

/// One product with one instance of its folded state.
final class TypedRuntime<P: Rules>: ProductRuntime {
    private let state: P.State
    private let readModels: [String: ReadModel<P.State>]
    private let commands: [String: CommandType<P>]
    private let audience: AudienceTable<P.State>
    private let payloads: [PayloadType]

    init(
        payloads: [PayloadType], models: [ReadModel<P.State>], audience: AudienceTable<P.State>,
        prepare: (P.State) -> Void, space: TableSpace, names: Names
    ) {
        self.audience = audience
        self.payloads = payloads
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
        let schemas = Dictionary(payloads.map { ($0.name, $0.schema) }) { first, _ in first }
        parts += P.State.routes.payloads.sorted { $0.key.precedes($1.key) }.map {
            "\($0.key):\($0.value.version)\(schemas[$0.key] ?? $0.value.schema)"
        }
        return SHA256Digest.of(parts.joined(separator: "\n"))
    }()

    func folder(of type: String) -> Folder? {
        guard let handler = P.State.routes.handler(of: type) else { return nil }
        let state = state
        return Folder(
            fold: { handler.fold(state, $0, $1, &$2) }, opensPersonal: handler.opensPersonal)
    }

    func undo() {
        state.space.undoChanges()
        state.didUndo()
    }

    func hidesPersonal(of subject: Symbol) -> Bool {
        state.hidesPersonal(of: subject)
    }

    // MARK: BatchDecider

    func knows(_ command: String) -> Bool { commands[command] != nil }

    var commandNames: [String] { P.commands.map(\.name) }

    func messageAr(ofShared code: String) -> String? { P.messageAr(ofShared: code) }

    func prepare(
        _ command: String, _ data: JSON, _ input: inout JSONInput
    ) -> (any PreparedCommand)? {
        guard let command = commands[command]?.read(data, &input) else { return nil }
        return Prepared(product: self, step: .command(command))
    }

    func prepareErasure(of person: Symbol) -> any PreparedCommand {
        Prepared(product: self, step: .erasure(person))
    }

    private struct Prepared: PreparedCommand {
        enum Step {
            case command(any ProductCommand<P>)
            case erasure(Symbol)
        }

        let product: TypedRuntime
        let step: Step

        var runtime: any ProductRuntime { product }

        func decide(_ input: DecisionInput) -> Decision {
            let context = product.context(input)
            do throws(P.Rejection) {
                switch step {
                case .command(let command):
                    try command.authorize(in: context)
                    try command.decide(in: context)
                case .erasure(let person): try P.erase(person, in: context)
                }
                context.finish()
                return .accepted(context.recorded, merged: context.merged)
            } catch {
                context.noteRefusal(error)
                return .rejected(
                    code: error.rawValue, message: context.message(of: error),
                    messageAr: context.messageAr(of: error)
                ) { trace(of: error, $0) }
            }
        }

        private func trace(of rejection: P.Rejection, _ input: DecisionInput) -> [EventEnvelope] {
            var input = input
            input.log = nil  // it is decided already
            let context = product.context(input)
            switch step {
            case .command(let command): command.trace(of: rejection, in: context)
            case .erasure: P.traceErasure(refused: rejection, in: context)
            }
            return context.recorded
        }
    }

    func fire(_ timer: DueTimer, _ input: DecisionInput) -> [EventEnvelope] {
        let context = context(input)
        P.fire(timer, in: context)
        context.finish()
        return context.recorded
    }

    private func context(_ input: DecisionInput) -> DecisionContext<P> {
        DecisionContext(state: state, input)
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

    func hidden(
        ofModel name: String, key: String?, _ arguments: [String: String], from viewer: Viewer
    ) -> [String]? {
        audience.hidden(ofModel: name, key: key, arguments, from: viewer, state)
    }

    func hidden(ofEvent type: String, _ ids: NamedIDs, from viewer: Viewer) -> [String]? {
        audience.hidden(ofEvent: type, ids, from: viewer, state)
    }
}
