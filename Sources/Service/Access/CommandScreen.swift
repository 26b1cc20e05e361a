import Core
import Engine
import Hummingbird

/// What the service itself asks of a command before the engine sees it: whose name it bears, which product, and when.
struct CommandScreen {
    private let identity: Identity
    private let now: Instant

    init(_ identity: Identity, now: Instant) {
        self.identity = identity
        self.now = now
    }

    /// The command as the engine is to see it.
    ///
    /// - Parameter key: stands for the `id` of a command that has none.
    func admit(_ line: [UInt8], idempotencyKey key: String?) throws -> [UInt8] {
        // What is no object the engine refuses as malformed, and says why.
        guard case .object(let members)? = try? JSON(parsing: line) else { return line }
        var added: [(String, JSON)] = []
        if let key {
            if let id = members.value(of: "id") {
                guard id.string == key else {
                    throw Problem(
                        .unprocessableContent, "id-reused",
                        "Idempotency-Key and the command's \"id\" differ: leave one out")
                }
            } else {
                added.append(("id", .string(key)))
            }
        }
        if let command = members.value(of: "command")?.string {
            try checkProduct(command, members.value(of: "data"))
            try checkCarried(by: command, members.value(of: "data"))
        }
        if let by = members.value(of: "by") {
            if let by = by.string { try checkSender(by) }
        } else if let actor = identity.actor {
            added.append(("by", .string(actor.description)))
        }
        if let at = members.value(of: "at")?.string { try checkInstant(at) }
        if added.isEmpty { return line }
        return JSON.object(of: members.map { ($0.name, $0.value) } + added).canonical
    }

    /// Commands that a command carries are bound as those that come by themselves are.
    private func checkCarried(by command: String, _ data: JSON?) throws {
        guard command == "examroom.device.merge" else { return }
        for carried in data?["commands"]?.array ?? [] {
            if let by = carried["by"]?.string { try checkSender(by) }
            if let at = carried["at"]?.string { try checkInstant(at) }
        }
    }

    private func checkProduct(_ command: String, _ data: JSON?) throws {
        let isShared = ["clock.advance", "account.erase"].contains(command)
        guard
            isShared
                ? identity.products == nil || identity.roles.contains(.service)
                : identity.knows(command)
        else { throw Problem.forbidden("\(command) is not for \(identity.name)") }
        // A person is of a product; where it names none the engine refuses it as malformed.
        if command == "account.erase", let person = data?["subject"]?.string,
            !identity.knows(person)
        {
            throw Problem.forbidden("\(command) of \(person) is not for \(identity.name)")
        }
    }

    private func checkSender(_ by: String) throws {
        if by == identity.actor?.description { return }
        let kind = Actor.Kind(rawValue: String(by.prefix { $0 != ":" }))
        if identity.roles.contains(.service), let kind, identity.behalf.contains(kind) { return }
        throw Problem.forbidden(
            "\"by\" is \(by), and the access token is not theirs: leave it out, or send your own")
    }

    private func checkInstant(_ text: String) throws {
        guard case .instant(let at)? = Moment(text) else { return }
        let seconds = (Double(at.milliseconds) - Double(now.milliseconds)) / 1_000
        if let ahead = identity.ahead, seconds > Double(ahead) {
            throw Problem(
                .unprocessableContent, "clock-skew",
                "\"at\" is more than \(ahead) s ahead of the service's clock: set the device's clock"
            )
        }
        if let behind = identity.behind, -seconds > Double(behind) {
            throw Problem(
                .unprocessableContent, "clock-skew",
                "\"at\" is more than \(behind) s behind the service's clock: too late for this identity"
            )
        }
    }

    /// The outcome of a line that the service refuses, in the contract's form.
    ///
    /// - Parameter number: which line of its request it is, where nothing else says so.
    static func outcome(
        of problem: Problem, for line: [UInt8], number: Int? = nil
    ) -> [UInt8] {
        let id = (try? JSON(parsing: line))?["id"] ?? .null
        var members: [(String, JSON)] = [
            ("code", .string(problem.code)), ("id", id), ("message", .string(problem.detail)),
            ("status", .string("rejected")),
        ]
        if let number { members.append(("line", .integer(Int64(number)))) }
        return JSON.object(of: members).canonical
    }
}
