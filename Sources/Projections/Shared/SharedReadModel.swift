package import Core
package import Folding

/// A read model of no product: a question to the journal and its indexes (shared page, Read models).
package struct SharedReadModel: Sendable {
    package let name: String
    package let question: String
    package let key: String?
    package let arguments: [String]
    /// `nothing` for what asks the history alone; nil for what asks for timers.
    package let basis: Basis?
    /// Writes the document; false when the events know nothing of the key.
    package let view: @Sendable (SharedRequest, inout JSONOutput) throws(WrongArgument) -> Bool

    package static let all = [
        auditLog, auditRejections, auditSubject, journalSummary, personTimeline, timersPending,
    ]
}

/// What a shared model is asked.
package struct SharedRequest {
    package let view: ViewRequest
    /// What waits, soonest first, product by product.
    package let timers: [(product: String, timer: DueTimer)]
    /// Every event type that the program knows.
    package let types: [PayloadType]
    /// The root of the tree over the first `size` events, in base 64; nil unless asked for.
    package let root: (Position) -> String?
    /// How many seconds ahead of the clock a command may say that it happens; nil without a bound.
    package let lead: Int?

    package init(
        view: ViewRequest, timers: [(product: String, timer: DueTimer)], types: [PayloadType],
        root: @escaping (Position) -> String?, lead: Int?
    ) {
        self.view = view
        self.timers = timers
        self.types = types
        self.root = root
        self.lead = lead
    }
}

extension SharedRequest {
    /// The argument `product`: one that has event types; nil when it is not given.
    func product() throws(WrongArgument) -> String? {
        guard let product = view.arguments["product"] else { return nil }
        let known = Set(types.map(\.product))
        guard known.contains(where: { $0.isExactly(product) }) else {
            let words = known.sorted { $0.precedes($1) }.joined(separator: ", ")
            throw WrongArgument("product", "expected one of \(words)")
        }
        return product
    }
}

extension SharedReadModel {
    /// The timers not yet fired, soonest first.
    static let timersPending = SharedReadModel(
        name: "timers.pending", question: "What will happen by itself?", key: nil,
        arguments: ["page", "product"], basis: nil
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        let names = output.names
        let product = try request.product()
        let timers = request.timers.filter { product == nil || $0.product == product }.sorted {
            $0.timer.precedes($1.timer, names)
        }
        output.object { output in
            output.array("timers", timers[page.range(of: timers.count)]) { output, entry in
                output.object { output in
                    output.member("due", entry.timer.due)
                    output.member("product", entry.product)
                    output.member("stream", entry.timer.stream.text(in: names))
                    output.member("timer", entry.timer.name)
                }
            }
            page.write(total: timers.count, to: &output)
        }
        return true
    }

    /// How much there is, of what, and since when.
    static let journalSummary = SharedReadModel(
        name: "journal.summary", question: "What does the journal hold?", key: nil, arguments: [],
        basis: .nothing
    ) { request, output in
        let tally = request.view.history.tally()
        var byType: [String: Int] = [:]
        var byProduct: [String: Int] = [:]
        for (type, events) in tally.types {
            byType[type.name, default: 0] += events
            byProduct[type.product, default: 0] += events
        }
        output.object { output in
            output.member("events", tally.events)
            output.member("streams", tally.streams)
            output.member("first", tally.first)
            output.member("last", tally.last)
            write("byType", byType, to: &output)
            write("byProduct", byProduct, to: &output)
            // A choice of events is no tree: only all up to a position have a root.
            output.member("treeSize", tally.events)
            output.member("lead", request.lead)
            output.member("rootHash", request.view.history.wholeThrough.flatMap(request.root))
        }
        return true
    }

    private static func write(_ name: String, _ counts: [String: Int], to output: inout JSONOutput)
    {
        output.object(name) { output in
            for (name, count) in counts.sorted(by: { $0.key.precedes($1.key) }) {
                output.member(name, count)
            }
        }
    }
}
