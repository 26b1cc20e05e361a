import Events

extension SharedReadModel {
    /// Who did what, when, on which device: the journal's events, newest first, 50 a page.
    static let auditLog = SharedReadModel(
        name: "audit.log", question: "Who did what, when, on which device?", key: nil,
        arguments: ["by", "from", "page", "product", "stream", "subject", "text", "to", "type"],
        basis: .nothing
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        let filter = try AuditFilter(request.view, output.names)
        var found: [PastEvent] = []
        request.view.history.forEach(types: filter.types) { event in
            if filter.accepts(event) { found.append(event) }
            return true
        }
        found.reverse()
        output.object { output in
            output.array("entries", found[page.range(of: found.count)]) { output, event in
                writeEntry(event, to: &output)
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }

    /// One person's events with a sentence each, newest first, 50 a page.
    static let personTimeline = SharedReadModel(
        name: "person.timeline", question: "What happened to this person?", key: "person",
        arguments: ["page"], basis: .nothing
    ) { request, output throws(WrongArgument) in
        let page = try Page(request.view)
        let parts = request.view.key.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let product = String(parts[0])
        var found: [PastEvent] = []
        let tags = ["account:\(parts[1])", "student:\(parts[1])"]
        request.view.history.forEach(tags: tags) { event in
            if event.type.product == product || event.type.product == "account" {
                found.append(event)
            }
            return true
        }
        guard !found.isEmpty else { return false }
        found.reverse()
        output.object { output in
            output.member("person", request.view.key)
            output.array("entries", found[page.range(of: found.count)]) { output, event in
                writeEntry(event, to: &output)
            }
            page.write(total: found.count, to: &output)
        }
        return true
    }

    private static func writeEntry(_ event: PastEvent, to output: inout JSONOutput) {
        output.object { output in
            output.member("at", event.circumstances.at)
            output.member("by", Word(event.circumstances.actor))
            output.member("command", event.command.isEmpty ? nil : event.command)
            output.member("device", Word(event.circumstances.device))
            output.member("position", event.circumstances.position)
            output.member("recordedAt", event.recordedAt)
            output.member("stream", Word(event.circumstances.stream))
            output.member("summary", event.type.sentence)
            output.member("type", event.type.name)
        }
    }
}

/// Which entries of the audit log are wanted.
private struct AuditFilter {
    let types: [String]
    private let from: Instant?
    private let to: Instant?
    private let by: Symbol?
    private let product: String?
    private let stream: Symbol?
    private let subject: (product: String, id: Symbol)?
    private let text: String?
    private let names: Names

    init(_ request: ViewRequest, _ names: Names) throws(WrongArgument) {
        func symbol(_ name: String) -> Symbol? {
            request.arguments[name].map { names.known($0) ?? Symbol(number: .max) }
        }
        self.names = names
        types = request.arguments["type"].map { [$0] } ?? []
        from = try request.instant("from")
        to = try request.instant("to")
        by = symbol("by")
        product = request.arguments["product"]
        stream = symbol("stream")
        text = request.arguments["text"].map { $0.asciiLowercased }
        if let person = request.arguments["subject"] {
            let parts = person.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw WrongArgument("subject", "expected PRODUCT/ID")
            }
            let id = names.known(String(parts[1])) ?? Symbol(number: .max)
            subject = (String(parts[0]), id)
        } else {
            subject = nil
        }
    }

    func accepts(_ event: PastEvent) -> Bool {
        let circumstances = event.circumstances
        if let from, circumstances.at < from { return false }
        if let to, circumstances.at > to { return false }
        if let by, circumstances.actor != by { return false }
        if let product, event.type.product != product { return false }
        if let stream, circumstances.stream != stream { return false }
        if let subject {
            guard circumstances.subject == subject.id,
                event.type.product == subject.product || event.type.product == "account"
            else { return false }
        }
        guard let text else { return true }
        return event.publicTexts(names).contains { $0.asciiLowercased.contains(text) }
    }
}

extension PastEvent {
    /// Every text in the payload that is not personal.
    fileprivate func publicTexts(_ names: Names) -> [String] {
        var output = JSONOutput(names: names)
        guard writeData(to: &output, hidesPersonal: true),
            let json = try? JSON(parsing: output.json.bytes)
        else { return [] }
        return json.texts
    }
}

extension JSON {
    /// Every string value inside, however deep.
    package var texts: [String] {
        switch self {
        case .null, .bool, .number: []
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        case .object(let members): members.flatMap(\.value.texts)
        }
    }
}

extension String {
    /// A-Z as a-z, everything else as it is: no locale has a say.
    package var asciiLowercased: String {
        let lowered = utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
        return String(decoding: lowered, as: UTF8.self)
    }
}
