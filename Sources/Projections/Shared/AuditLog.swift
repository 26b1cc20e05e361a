import Core

extension SharedReadModel {
    /// Who did what, when, on which device: the journal's events, newest first, 50 a page.
    static let auditLog = SharedReadModel(
        name: "audit.log", question: "Who did what, when, on which device?", key: nil,
        arguments: ["by", "from", "page", "product", "stream", "subject", "text", "to", "type"],
        basis: .nothing
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        let filter = try AuditFilter(request, output.names)
        let found = filter.found(in: request.view.history)
        output.object { output in
            found.writeNewest("entries", page, request.view.history, to: &output) {
                EventDocument.write($1, .entry, to: &$0)
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }

    /// Refusals that were recorded because an auditor should see them, newest first, 50 a page.
    static let auditRejections = SharedReadModel(
        name: "audit.rejections", question: "Which refused tries were recorded?", key: nil,
        arguments: ["page"], basis: .nothing
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        let history = request.view.history
        let refusals = request.types.filter { $0.significance == .refusal }
        let found = FoundEvents(
            in: refusals.map { .type($0.name) }, of: history
        ) { $0.type.significance == .refusal }
        output.object { output in
            found.writeNewest("entries", page, history, to: &output) { output, event in
                EventDocument.write(event, .refusal, to: &output)
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }
}

/// Which entries of the audit log are wanted.
private struct AuditFilter {
    private let type: String?
    private let from: Instant?
    private let to: Instant?
    private let by: String?
    private let actor: Symbol?
    private let product: String?
    private let streamName: String?
    private let stream: Symbol?
    private let person: Person?
    private let match: PersonMatch?
    private let text: PayloadSearch?

    init(_ asked: SharedRequest, _ names: Names) throws(WrongArgument) {
        let request = asked.view
        func symbol(_ name: String?) -> Symbol? {
            name.map { names.known($0) ?? Symbol(number: .max) }
        }
        type = request.arguments["type"]
        from = try request.instant("from")
        to = try request.instant("to")
        by = request.arguments["by"]
        if let by, !Actor.accepts(by) {
            throw WrongArgument(
                "by", "expected student:ID, coach:ID, admin:ID, service:ID or system")
        }
        actor = symbol(by)
        product = try asked.product()
        streamName = request.arguments["stream"]
        stream = symbol(streamName)
        text = request.arguments["text"].map { PayloadSearch($0, names) }
        if let subject = request.arguments["subject"] {
            guard let person = Person(subject) else {
                throw WrongArgument("subject", "expected PRODUCT/ID")
            }
            self.person = person
            match = PersonMatch(person, names)
        } else {
            (person, match) = (nil, nil)
        }
    }

    /// The lists that hold all that are wanted, the shorter kinds first; nil where none does.
    private var lists: [EventList]? {
        if let streamName { return [.stream(streamName)] }
        if let person { return person.labels.map { .tag($0) } }
        if let by { return [.actor(by)] }
        if let type { return [.type(type)] }
        if let product { return [.type("\(product).*")] }
        return nil
    }

    private var takesAll: Bool { lists == nil && from == nil && to == nil && text == nil }

    func found(in history: any History) -> FoundEvents {
        if takesAll, let last = history.wholeThrough { return FoundEvents(through: last) }
        return FoundEvents(in: lists, of: history, where: accepts)
    }

    private func accepts(_ event: EventEnvelope) -> Bool {
        let metadata = event.metadata
        if let from, metadata.at < from { return false }
        if let to, metadata.at > to { return false }
        if let actor, metadata.actor != actor { return false }
        if let product, !event.type.product.isExactly(product) { return false }
        if let stream, metadata.stream != stream { return false }
        if let type, !event.type.isNamed(by: type) { return false }
        if let match, !match.owns(event) { return false }
        return text?.finds(event) ?? true
    }
}

extension PayloadType {
    /// Whether the pattern means it: a wire name, or a prefix and `*`.
    fileprivate func isNamed(by pattern: String) -> Bool {
        pattern.hasSuffix("*") ? name.hasPrefix(pattern.dropLast()) : name.isExactly(pattern)
    }
}
