import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// One line of the audit trail: who did what, when, on which device.
    struct AuditEntry {
        let position: Position
        /// When it happened, on whichever device.
        let at: Instant
        let recordedAt: Instant
        /// Null where no device is known.
        let device: String?
        let action: String
        var user: String
        var role: String
        var exam: String?
        var attempt: String?
        /// Of the session; null once erased.
        var ip: String?
        var details: JSON = .object([])

        /// With what the event's metadata say; its rule adds the rest.
        init(_ event: EventEnvelope, action: String, _ names: Names) {
            let metadata = event.metadata
            position = metadata.position
            at = metadata.moment
            recordedAt = metadata.at
            device = metadata.writer.isNone ? nil : names.text(metadata.writer)
            self.action = action
            let actor = names.text(metadata.actor)
            let parts = actor.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            // `system` is both user and role.
            role = String(parts.first ?? "")
            user = String(parts.last ?? "")
        }

        /// Whether the action, a name or any text inside the details contains the text.
        func contains(_ text: SearchText) -> Bool {
            let texts = [action, user, exam, attempt, device].compactMap(\.self) + details.texts
            return texts.contains { text.isPart(of: $0) }
        }

        func write(to output: inout JSONOutput) {
            output.member("action", action)
            output.member("at", at)
            output.member("attempt", attempt)
            output.member("details", details)
            output.member("device", device)
            output.member("entry", position)
            output.member("exam", exam)
            output.member("ip", ip)
            output.member("recordedAt", recordedAt)
            output.member("role", role)
            output.member("user", user)
        }
    }

    /// How the events of one type become entries.
    struct AuditRule: Sendable {
        let type: String
        let action: String
        /// Fills in what the payload says; false when it cannot be read.
        let describe: @Sendable (EventEnvelope, inout AuditEntry, inout AuditContext) -> Bool

        /// - Parameter isEntry: where not each event of the type makes one.
        init<P: Payload>(
            _ action: String, _ type: P.Type,
            if isEntry: @escaping @Sendable (P, EventMetadata, AuditContext) -> Bool = { _, _, _ in
                true
            },
            _ describe: @escaping @Sendable (P, inout AuditEntry, inout AuditContext) -> Void
        ) {
            self.type = P.type
            self.action = action
            self.describe = { past, entry, context in
                guard let event = past.read(P.self), isEntry(event, past.metadata, context) else {
                    return false
                }
                describe(event, &entry, &context)
                return true
            }
        }
    }

    /// What entries look up besides their event.
    struct AuditContext {
        let state: State
        private let history: any History
        /// The address of each session whose start was read; its end does not repeat it.
        private var addresses: [SessionID: String?] = [:]

        init(_ state: State, _ history: any History) {
            self.state = state
            self.history = history
        }

        var names: Names { state.names }

        func text<T>(_ id: Identifier<T>?) -> JSON {
            guard let id, !id.symbol.isNone else { return .null }
            return .string(names.text(id))
        }

        /// The role of an account; nil where there is no such account.
        func role(of account: AccountID) -> String? {
            state.accounts.read(account) { $0.role.rawValue }
        }

        /// Whether the event at a position deleted the account: the erasure after it is part of that (R6).
        func isDeleted(_ account: AccountID, at position: Position) -> Bool {
            var isDeleted = false
            history.forEach(at: [position]) { event in
                isDeleted = event.read(Account.Deleted.self)?.account == account
                return false
            }
            return isDeleted
        }

        mutating func note(_ event: Session.Started) {
            addresses[event.session] = .some(event.ip)
        }

        /// The address that a session began with, read from its start if need be.
        func address(of session: SessionID) -> String? {
            if let known = addresses[session] { return known }
            guard let start = state.sessions.read(session, { $0.position }) else { return nil }
            var address: String?
            history.forEach(at: [start]) { event in
                address = event.read(Session.Started.self)?.ip
                return false
            }
            return address
        }
    }
}

extension JSON {
    /// A text, or null.
    static func text(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    static func whole(_ number: Int?) -> JSON { number.map { .integer(Int64($0)) } ?? .null }
}
