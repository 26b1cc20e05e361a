package import Commands
package import Core
package import Engine

/// A product that a test tells commands and asks for documents: `RulesInMemory`, or an `EngineOnDisk`.
///
/// What sets a product's stage is written once, for both: `ProductUnderTest+Tafawoq.swift` and its like.
package protocol ProductUnderTest: AnyObject {
    associatedtype Product: Rules

    /// Nothing has happened yet.
    init(empty: Void) throws
    /// How many commands were told; their ids follow from it.
    var told: Int { get set }
    func submit(_ line: [UInt8]) throws -> Outcome
    func show(_ model: String, key: String?, _ request: ShowRequest) throws -> Document
}

/// A command that the stage needed was refused.
package struct Refused: Error, CustomStringConvertible {
    package let description: String
}

extension ProductUnderTest {
    // MARK: Telling

    /// The outcome of a command as JSON. `data` may leave out its braces, the command and the instant what
    /// `name` and `instant` add.
    package func outcome(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> JSON {
        told += 1
        let device = device.map { #""device":"\#($0)","# } ?? ""
        let data = data.hasPrefix("{") ? data : "{\(data)}"
        let line =
            #"{"id":"c-\#(told)","command":"\#(Self.name(command))","at":"\#(Self.instant(at))","#
            + #""by":"\#(by)",\#(device)"data":\#(data)}"#
        return try submit(Array(line.utf8)).json
    }

    /// What came of a command, to be compared.
    package func decide(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> Answer {
        Answer(try outcome(by, command, at, data, device: device))
    }

    /// What came of a command, to be compared without what its events say.
    package func brief(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> Brief {
        Brief(try outcome(by, command, at, data, device: device))
    }

    /// `accepted`, `duplicate` or the code of the refusal.
    @discardableResult
    package func tell(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> String {
        let outcome = try outcome(by, command, at, data, device: device)
        return outcome.word("code") ?? outcome.word("status") ?? ""
    }

    /// The types of the events that a command, and the timers before it, recorded, without the product.
    package func events(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> [String] {
        try outcome(by, command, at, data, device: device).types
    }

    package func accept(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws {
        let outcome = try outcome(by, command, at, data, device: device)
        if outcome.word("status") != "accepted" {
            throw Refused(description: "\(command): \(outcome)")
        }
    }

    /// Goes on where a stage was set as it should be.
    func mustAccept(_ answer: String) throws {
        if answer != "accepted" { throw Refused(description: answer) }
    }

    /// Time passes; what the timers recorded.
    @discardableResult
    package func advance(_ at: String) throws -> [String] {
        try events("system", "clock.advance", at, "")
    }

    /// The types of what is shared have no product before them.
    private static func name(_ command: String) -> String {
        ["account.erase", "clock.advance"].contains(command)
            ? command : "\(Product.product).\(command)"
    }

    /// A whole instant; a date, for nine o'clock; `8 09:00:30`, of February 2026; or `09:00`, of the product's
    /// first day of it.
    package static func instant(_ text: String) -> Instant {
        if text.contains("T") { return Instant(text) }
        if text.contains("-") { return Instant(text + "T09:00:00Z") }
        let parts = text.split(separator: " ")
        let day = parts.count == 2 ? Int(parts[0]) ?? 1 : Product.product == "examroom" ? 2 : 1
        let time = parts.last ?? ""
        return Instant(
            "2026-02-\(day < 10 ? "0" : "")\(day)T\(time)\(time.count == 5 ? ":00" : "")Z")
    }

    // MARK: Asking

    /// A document of the product's, or a shared one; `null` for a key that the events know nothing of.
    package func show(
        _ model: String, _ key: String? = nil, now: String? = nil, asOf: String? = nil,
        _ arguments: [String: String] = [:]
    ) throws -> JSON {
        var request = ShowRequest()
        request.now = now.map { Self.instant($0) }
        request.asOf = asOf.map { .instant(Self.instant($0)) }
        request.arguments = arguments
        let isShared = model.hasPrefix("timers.") || model.hasPrefix("audit.")
        let name = isShared ? model : "\(Product.product).\(model)"
        return try JSON(parsing: show(name, key: key, request).bytes)
    }

    /// The pending timers: `NAME DUE`.
    package func timers() throws -> [String] {
        (try show("timers.pending")["timers"]?.array ?? []).map {
            "\($0.word("timer") ?? "") \($0.word("due") ?? "")"
        }
    }
}
