import Commands
import Core
import Engine
import Folding
import Projections
import Runtime
import Synchronization
import TestSupport
import Testing

/// A product whose one handler takes its own call stack.
private enum Probe: ProductNamespace {
    static let product = "probe"

    enum Thing: Core.Thing { static let noun = "thing" }
    typealias ThingID = Identifier<Thing>

    struct Touched: Payload {
        static let type = "probe.thing.touched"
        static let streams = ["thing"]
        static let sentence = "A thing was touched."
        var thing = ThingID.none

        mutating func fields<C: Coder>(_ coder: inout C) { coder.field("thing", &thing) }
    }

    struct Row: Record {
        var count = 0

        mutating func fields<C: Coder>(_ coder: inout C) { coder.field("count", &count) }
    }

    final class State: FoldedState {
        static let product = Probe.product
        static let foldVersion = 1
        static let routes = {
            var routes = Routes<State>()
            routes.on(Touched.self) { state, event, _ in
                state.things.update(event.thing) { row in
                    row.count += 1
                    CallStack.record()
                }
            }
            return routes
        }()

        let space: TableSpace
        let names: Names
        let timers: Timers
        let things: Table<ThingID, Row>

        init(space: TableSpace, names: Names) {
            (self.space, self.names) = (space, names)
            timers = Timers(in: space, names: names)
            things = Table("things", in: space)
        }

        func hidesPersonal(of subject: Symbol) -> Bool { false }
    }
}

extension Probe: Rules {
    static let commands: [CommandType<Probe>] = [.init(Touch.self)]

    enum Rejection: String, RejectionCode {
        case forbidden
        case notFound = "not-found"
        case alreadyExists = "already-exists"
        case clockBehind = "clock-behind"
        var message: String { rawValue }
    }

    struct Touch: ProductCommand {
        typealias Product = Probe
        static let type = "probe.thing.touch"
        var thing = ThingID.none

        mutating func fields<C: Coder>(_ coder: inout C) { coder.field("thing", &thing) }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            context.record(Touched(thing: thing), on: thing)
        }
    }

    static func erase(_ person: Symbol, in context: Context) throws(Rejection) { throw .forbidden }
}

extension Product {
    fileprivate static let probe = Product(
        Probe.self, payloads: [PayloadType(Probe.Touched.self)], models: [], firstTable: 9000)
}

/// The calls of the package that were open when a row changed.
private struct CallStack {
    struct Call: Equatable {
        let module: String
        let symbol: String
    }

    /// From the outermost call in, without the functions that the compiler makes.
    let calls: [Call]

    /// The one that was recorded last.
    private static let recorded = Mutex<Backtrace?>(nil)

    static func record() {
        let stack = try? Backtrace.capture(limit: 256)
        recorded.withLock { $0 = stack }
    }

    /// Of the stack that was recorded last: what stands between `submit` and the row.
    static func last() throws -> CallStack {
        let stack = try #require(recorded.withLock { $0 })
        let frames = try #require(stack.symbolicated(options: [])).frames
        let calls = frames.reversed().compactMap { frame in
            frame.isSwiftThunk ? nil : frame.symbol.flatMap { Call($0.rawName) }
        }
        let first = try #require(calls.firstIndex { $0.module == "Engine" })
        return CallStack(calls: Array(calls[first...]))
    }

    /// Modules of the machinery in the order in which calls enter them. The product's own rooms are one here, the
    /// test's.
    var entered: [String] {
        var entered: [String] = []
        for call in calls where call.module != "EngineTests" && call.module != entered.last {
            entered.append(call.module)
        }
        return entered
    }

    var listing: String { calls.map { "\($0.module): \($0.symbol)" }.joined(separator: "\n") }
}

extension CallStack.Call {
    private static let modules = [
        "Core", "Folding", "Commands", "EventLog", "Engine", "EngineTests",
    ]

    /// Nil for what is not the package's.
    init?(_ mangled: String) {
        guard let match = mangled.prefixMatch(of: /\$s(\d+)/), let length = Int(match.output.1)
        else { return nil }
        module = String(mangled[match.range.upperBound...].prefix(length))
        let isOfThisTest = mangled.contains("CallStack")
        guard Self.modules.contains(module), !isOfThisTest else { return nil }
        symbol = mangled
    }
}

@Suite struct `The calls from submit to a changed row` {
    /// In a process of its own: who takes a call stack reads what is mapped, and other tests unmap journals meanwhile.
    @Test func `are 18 at most, and enter no module twice`() async {
        await #expect(processExitsWith: .success) {
            let place = try TemporaryJournal()
            let engine = try EventEngine(at: place.path, options: .init(products: [.probe]))
            let line = Array(
                #"{"id":"c-1","by":"system","command":"probe.thing.touch","data":{"thing":"T-1"}}"#
                    .utf8)
            let outcomes = try engine.submit([line])
            #expect(outcomes.map(\.status) == [.accepted])
            let stack = try CallStack.last()
            #expect(stack.calls.count <= 18, "\(stack.calls.count) calls:\n\(stack.listing)")
            #expect(stack.calls.contains { $0.module == "Folding" }, "\(stack.listing)")
            let entered = stack.entered.dropLast(stack.entered.last == "Folding" ? 1 : 0)
            #expect(Set(entered).count == entered.count, "entered twice: \(stack.entered)")
        }
    }
}
