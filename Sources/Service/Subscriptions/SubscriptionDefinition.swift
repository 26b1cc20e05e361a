import Core
import Engine

/// What a subscription is about, as its operator puts it.
struct SubscriptionDefinition: Sendable, Hashable {
    /// What the events of a partition have in common: events with the same key are in the same one.
    enum Key: Sendable, Hashable {
        case stream
        /// `PRODUCT/ID` of the person that an event is about; the stream where it is about nobody.
        case subject
        /// The first tag of a kind; the stream where an event has none.
        case tag(String)

        init?(_ text: String) {
            if text == "stream" {
                self = .stream
            } else if text == "subject" {
                self = .subject
            } else if text.hasPrefix("tag:"), text.count > 4, !text.dropFirst(4).contains(":") {
                self = .tag(String(text.dropFirst(4)))
            } else {
                return nil
            }
        }

        var text: String {
            switch self {
            case .stream: "stream"
            case .subject: "subject"
            case .tag(let kind): "tag:" + kind
            }
        }
    }

    var stream: String?
    var type: String?
    var tag: String?
    var by: String?
    var partitions = 1
    var key = Key.stream
    /// The first position that counts.
    var from: UInt64 = 1
    var leaseSeconds = 30

    var filter: EventFilter {
        var filter = EventFilter()
        filter.stream = stream
        filter.type = type
        filter.tag = tag
        filter.by = by
        return filter
    }

    /// The partition of an event: the first eight bytes of its key's SHA-256, as a whole number, modulo the partitions.
    /// Anybody can work it out, today and in ten years.
    func partition(of event: Event) -> Int {
        let text = keyText(of: event) ?? event.stream
        let number = SHA256Digest.of(text).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(partitions))
    }

    private func keyText(of event: Event) -> String? {
        if key == .stream { return nil }
        let tags = (event.value["tags"].items ?? []).compactMap(\.string)
        switch key {
        case .stream: return nil
        case .tag(let kind): return tags.first { $0.hasPrefix(kind + ":") }
        case .subject:
            let parts = tags.compactMap { tag -> (kind: String, id: Substring)? in
                let part = tag.split(separator: ":", maxSplits: 1)
                return part.count == 2 ? (String(part[0]), part[1]) : nil
            }
            guard let product = event.type.split(separator: ".").first else { return nil }
            return Person.subject(ofTagged: parts).map { "\(product)/\($0)" }
        }
    }

    /// Whether checkpoints of one mean the same for the other.
    func agrees(with other: SubscriptionDefinition) -> Bool {
        var same = other
        same.leaseSeconds = leaseSeconds
        return self == same
    }

    /// Whether all its events are of products that somebody has to do with.
    func isWithin(_ products: Set<String>?) -> Bool {
        guard let products else { return true }
        let named = [type?.split(separator: ".").first, stream?.split(separator: "/").first]
        return named.contains { $0.map { products.contains(String($0)) } ?? false }
    }

    // MARK: JSON

    init(_ json: JSON) throws { try self.init(body: try BodyObject(json, "a subscription")) }

    init(body: BodyObject) throws {
        var body = body
        if let filter = body.take("filter"), !filter.isNull {
            var filter = try BodyObject(filter, "\"filter\"")
            stream = try filter.text("stream")
            type = try filter.text("type")
            tag = try filter.text("tag")
            by = try filter.text("by")
            try filter.end()
        }
        partitions = try body.number("partitions", in: 1...64) ?? partitions
        if let text = try body.text("partitionBy") {
            guard let key = Key(text) else {
                throw Problem.badRequest("\"partitionBy\" is stream, subject or tag:KIND: \(text)")
            }
            self.key = key
        }
        from = UInt64(try body.number("from", in: 1...Int(Int64.max)) ?? 1)
        leaseSeconds = try body.number("leaseSeconds", in: 1...3_600) ?? leaseSeconds
        try body.end()
    }

    var json: JSON {
        let wishes = [("stream", stream), ("type", type), ("tag", tag), ("by", by)].compactMap {
            name, value in value.map { (name, JSON.string($0)) }
        }
        return .object(of: [
            ("filter", .object(of: wishes)), ("partitions", .integer(Int64(partitions))),
            ("partitionBy", .string(key.text)), ("from", .integer(Int64(from))),
            ("leaseSeconds", .integer(Int64(leaseSeconds))),
        ])
    }
}

/// The object in a request's body, whose members are taken one by one: one that is left over was misspelt.
struct BodyObject {
    private let what: String
    private var members: [String: JSON]

    init(_ json: JSON, _ what: String) throws {
        guard let members = json.members else {
            throw Problem.badRequest("\(what) is a JSON object")
        }
        self.what = what
        self.members = Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first }
    }

    mutating func take(_ name: String) -> JSON? { members.removeValue(forKey: name) }

    mutating func text(_ name: String, atMost most: Int = 1_024) throws -> String? {
        guard let value = take(name), !value.isNull else { return nil }
        guard let text = value.string, !text.isEmpty, text.utf8.count <= most else {
            throw Problem.badRequest("\"\(name)\" is a text of 1 to \(most) bytes")
        }
        return text
    }

    mutating func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = take(name), !value.isNull else { return nil }
        guard let number = value.wholeNumber, let whole = Int(exactly: number),
            range.contains(whole)
        else {
            throw Problem.badRequest(
                "\"\(name)\" is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    mutating func position(_ name: String) throws -> UInt64 {
        guard let number = try number(name, in: 1...Int(Int64.max)) else {
            throw Problem.badRequest("\"\(name)\" is missing")
        }
        return UInt64(number)
    }

    func end() throws {
        guard let name = members.keys.sorted().first else { return }
        throw Problem.badRequest("\(what) has no member \"\(name)\"")
    }
}
