import Core

/// The outcome of one command (contract, Commands in, outcomes out).
///
/// What its document says is parsed when it is asked for; a service that only passes the text on pays nothing for it.
public struct Outcome: Sendable {
    /// What came of it, in a word.
    public enum Status: String, Sendable {
        /// Its events are recorded.
        case accepted
        /// A rule refuses it.
        case rejected
        /// It was accepted before; these are the events that were recorded then.
        case duplicate
    }

    /// What came of it, in a word.
    public let status: Status
    /// The stable code of a rejection.
    public let code: String?
    /// All of it as JSON.
    public let document: Document
    /// By which checks, and how many of the events, the first ones, are those of timers; nil unless that was asked for.
    var explained: (checks: [OutcomeCheck], timerEvents: Int)?

    init(status: Status, code: String?, document: Document) {
        self.status = status
        self.code = code
        self.document = document
    }

    /// The command's id; nil if the line did not tell it.
    public var id: String? { document.value["id"].string }

    /// Why it was rejected, as a sentence; nil if it was not.
    public var message: String? { document.value["message"].string }

    /// Why it was rejected, in Arabic, where the product says so.
    public var messageAr: String? { document.value["messageAr"].string }

    /// The events that it led to, those of timers that fired before it first.
    ///
    /// They say where, when, of what stream and type, and their data; ``EventEngine/event(at:withProof:)`` has the rest.
    public var recorded: [Event] {
        (document.value["events"].items ?? []).compactMap { value in
            Event(Document(bytes: value.canonical), value)
        }
    }

    /// Of the last event that it led to; nil if there is none.
    public var position: Position? { document.position }
}
