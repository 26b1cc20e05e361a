import Commands
import EventLog
import Core
import Folding

/// Decides the commands of one batch, in the contract's order of checks.
struct BatchDecider {
    let session: Session
    let snapshot: JournalSnapshot
    private var recordedAt: Instant
    let writer: OutcomeWriter
    let pending: PendingBatch
    /// Where what decisions read of the journal leaves its failures.
    private let faults = TableSpace()

    private let lead: Lead
    /// At most this many timer events go into one commit.
    private let mostTimerEvents: Int
    /// Where checks are noted; nil unless the commands are explained.
    let log: DecisionLog?

    /// - Parameter records: false where what is decided is never committed: then no key is touched.
    init(
        _ session: Session, _ snapshot: JournalSnapshot, _ recordedAt: Instant, lead: Lead,
        mostTimerEvents: Int, records: Bool = true, log: DecisionLog? = nil
    ) {
        self.session = session
        self.snapshot = snapshot
        self.recordedAt = recordedAt
        self.lead = lead
        self.log = log
        self.mostTimerEvents = mostTimerEvents
        writer = OutcomeWriter(names: session.names)
        pending = PendingBatch(
            snapshot.head, term: session.journal.log.term, recordedAt: recordedAt, seals: records)
    }

    /// For a batch that nobody commits, and whose lines come one after the other.
    mutating func goOn(at instant: Instant) {
        recordedAt = instant
        pending.goOn(at: instant)
    }

    enum Decided {
        case outcome(Outcome)
        /// Timers fired, and more are due than go into one commit: the line is to be decided once more after it.
        /// What they recorded for it so far.
        case timersLeft([ListedEvent])
    }

    /// The outcome of one line; its events are in the pending batch. `earlier`: what its timers recorded in
    /// commits before.
    func decide(_ line: SubmittedLine, after earlier: [ListedEvent] = []) throws -> Decided {
        let command: CommandEnvelope
        do throws(CommandEnvelope.Malformed) {
            command = try line.command()
        } catch {
            noteForm(holds: false)
            return .outcome(malformed(error.id, error.reason, line, error.command))
        }
        let mark = session.names.fresh.count
        let request: Request
        do throws(CommandEnvelope.Malformed) {
            let found = try prepare(command)
            log?.note(
                "command", saw: [("command", command.command)], code: "unknown-command",
                holds: found != nil)
            guard let found else {
                return .outcome(
                    writer.rejected(
                        command.id, code: "unknown-command",
                        message: "There is no command \(command.command)" + nearest(command),
                        messageAr: messageAr("unknown-command", command.command)))
            }
            request = found
        } catch {
            session.names.rewind(to: mark)
            noteForm(holds: false)
            return .outcome(malformed(error.id, error.reason, line, command.command))
        }
        noteForm(holds: true)
        let known = try answerToKnownID(command)
        log?.note(
            "id",
            saw: [("id", command.id), ("known", known == nil ? "no" : "yes")],
            code: "id-reused", holds: known?.status != .rejected)
        if let known {
            session.names.rewind(to: mark)
            return .outcome(known)
        }
        if let at = command.at, let seconds = lead.seconds {
            log?.note(
                "lead",
                saw: [
                    ("at", "\(at)"), ("recordedAt", "\(recordedAt)"), ("seconds", "\(seconds)"),
                ], code: "clock-ahead", holds: lead.allows(at, recordedAt: recordedAt))
        }
        if let at = command.at, !lead.allows(at, recordedAt: recordedAt) {
            session.names.rewind(to: mark)
            return .outcome(
                writer.rejected(
                    command.id, code: "clock-ahead",
                    message: "The instant \(at) is more than \(lead.seconds ?? 0) "
                        + "seconds later than now, \(recordedAt).",
                    messageAr: messageAr("clock-ahead", command.command)))
        }
        return try decideNew(command, request, since: mark, line, earlier)
    }

    private func malformed(
        _ id: String?, _ reason: String, _ line: SubmittedLine, _ command: String? = nil
    ) -> Outcome {
        writer.rejected(
            id, code: "malformed", message: "line \(line.number): \(reason)",
            messageAr: command.flatMap { messageAr("malformed", $0) }, line: line.number)
    }

    private func noteForm(holds: Bool) {
        log?.note("form", saw: [], code: "malformed", holds: holds)
    }

    /// The command that was probably meant.
    private func nearest(_ command: CommandEnvelope) -> String {
        let names = session.runtimes.flatMap(\.commandNames) + CommandInfo.shared.map(\.name)
        let nearest = NearestName.of(command.command, in: names)
        return nearest.map { "; did you mean \($0)?" } ?? "."
    }

    /// What a shared code says in Arabic, where the product of the command speaks it.
    func messageAr(_ code: String, _ command: String) -> String? {
        let product = command.prefix { $0 != "." }
        return session.runtimes.first { $0.product == product }?.messageAr(ofShared: code)
    }

    // MARK: Finding the decision

    /// What a command asks for.
    private enum Request {
        case clockAdvance
        case decision(any PreparedCommand)
        /// `account.erase` of a product that there is not.
        case nobody(String)
    }

    /// Nil for an unknown command.
    private func prepare(_ command: CommandEnvelope) throws(CommandEnvelope.Malformed) -> Request? {
        switch command.command {
        case "clock.advance":
            guard command.data.members?.isEmpty == true else {
                throw CommandEnvelope.Malformed(id: command.id, reason: "data: expected no fields")
            }
            return .clockAdvance
        case "account.erase": return try prepareErasure(command)
        default:
            guard let runtime = session.runtimes.first(where: { $0.knows(command.command) }) else {
                return nil
            }
            var input = JSONInput(names: session.names, path: "data")
            guard let prepared = runtime.prepare(command.command, command.data, &input) else {
                throw CommandEnvelope.Malformed(
                    id: command.id, reason: input.problem ?? "data: not of the right form")
            }
            return .decision(prepared)
        }
    }

    private func prepareErasure(
        _ command: CommandEnvelope
    ) throws(CommandEnvelope.Malformed) -> Request {
        let members = command.data.members ?? []
        guard members.count == 1, let subject = command.data["subject"]?.string,
            case let parts = subject.split(separator: "/", omittingEmptySubsequences: false),
            parts.count == 2, parts.allSatisfy({ IdentifierForm.accepts(String($0)) })
        else {
            throw CommandEnvelope.Malformed(
                id: command.id, reason: "data: expected one field \"subject\", PRODUCT/ID")
        }
        guard let runtime = session.runtime(of: String(parts[0])) else { return .nobody(subject) }
        return .decision(runtime.prepareErasure(of: session.names.intern(String(parts[1]))))
    }

    // MARK: Deciding

    private func decideNew(
        _ command: CommandEnvelope, _ first: Request, since start: Int, _ line: SubmittedLine,
        _ earlier: [ListedEvent]
    ) throws -> Decided {
        let at = command.at ?? recordedAt
        // A refused advance is a command like any other: what is due before it fires.
        let isAdvance = command.command == "clock.advance" && command.mayAdvanceClock
        let firstEvent = pending.batch.events.count
        var mark = start
        var request = first
        var events = earlier
        if mayFireTimers(by: at), let timer = nextTimer()?.timer,
            timer.isDue(before: at, inclusive: isAdvance)
        {
            // Timers record events with symbols of their own: what reading the command interned is
            // given back first, and interned again after them.
            session.names.rewind(to: mark)
            let (fired, isDone) = try fireTimers(before: at, inclusive: isAdvance)
            events += fired
            if !isDone { return .timersLeft(events) }
            mark = session.names.fresh.count
            request = try prepare(command) ?? request
        }
        log?.timerEvents = events.count
        pending.advance(at, inclusive: isAdvance)
        guard let actor = Actor(command.by, names: session.names) else {
            return .outcome(
                malformed(command.id, "\"by\" has the wrong form", line, command.command))
        }
        let device = command.device.map { session.names.intern($0) } ?? .none
        let accepted = AcceptedCommands(session, snapshot, pending)
        var input = DecisionInput(
            at: at, actor: actor, device: device, command: CommandName(command.id),
            place: pending.place, idempotency: accepted,
            vocabulary: session.types.registry.payload, history: history())
        input.log = log
        input.isToldAgain = session.journal.isDraft
        var runtime: (any ProductRuntime)?
        let decision: Decision
        switch request {
        case .clockAdvance:
            decision =
                refusal(of: command, by: actor, unlessOf: CommandInfo.clockAdvancers)
                ?? .accepted([], merged: [])
        case .decision(let prepared):
            runtime = prepared.runtime
            decision = prepared.decide(input)
            if let fault = accepted.fault ?? faults.fault { throw fault }
        case .nobody(let subject):
            decision =
                refusal(of: command, by: actor, unlessOf: CommandInfo.erasers)
                ?? noAccount(subject)
        }
        switch decision {
        case .accepted(let decided, let merged):
            let isBehind = try isBehindClock(decided)
            log?.note("clock", saw: [("at", "\(at)")], code: "clock-behind", holds: !isBehind)
            if isBehind {
                revert(runtime, to: mark)
                return .outcome(
                    writer.rejected(
                        command.id, code: "clock-behind",
                        message:
                            "The instant is earlier than the last event of a stream it writes.",
                        messageAr: messageAr("clock-behind", command.command), events: events))
            }
            let size = tooLarge(decided)
            log?.note(
                "size", saw: size.map { [("bytes", "\($0)")] } ?? [], code: "too-large",
                holds: size == nil)
            if let size {
                revert(runtime, to: mark)
                return .outcome(
                    writer.rejected(
                        command.id, code: "too-large",
                        message: "An event of it would take \(size) bytes; at most "
                            + "\(Limits.leafBytes) can be recorded.",
                        messageAr: messageAr("too-large", command.command), events: events))
            }
            let entry = pending.open(command, device: device)
            let own = (batch: pending.batch.events.count, outcome: events.count)
            for event in decided { events.append(try add(event, command: entry)) }
            runtime?.space.keepChanges()
            for inner in merged {
                pending.remember(
                    inner, first: own.batch + inner.events.lowerBound,
                    events: Array(events[inner.events.shifted(by: own.outcome)]))
            }
            pending.remember(command, entry, first: firstEvent, events: events)
            return .outcome(writer.accepted(command.id, events))
        case .rejected(let code, let message, let messageAr, let trace):
            runtime?.undo()
            let decided = trace(input)
            // R5: not when it is earlier than the last event of the stream that it would go to. Nor one that
            // could not be proved: who is refused decides how long their texts are.
            if try decided.isEmpty || isBehindClock(decided) || tooLarge(decided) != nil {
                revert(runtime, to: mark)
            } else {
                let own = pending.batch.events.count
                let entry = pending.open(command, device: device)
                for event in decided { events.append(try add(event, command: entry)) }
                runtime?.space.keepChanges()
                pending.refuse(entry, first: own)
            }
            return .outcome(
                writer.rejected(
                    command.id, code: code, message: message, messageAr: messageAr,
                    events: events))
        }
    }

    private func revert(_ runtime: (any ProductRuntime)?, to mark: Int) {
        runtime?.undo()
        session.names.rewind(to: mark)
    }

    /// `clock-behind`: earlier than the last event of a stream that the command writes.
    private func isBehindClock(_ decided: [EventEnvelope]) throws -> Bool {
        for event in decided.lazy.map(\.metadata) {
            if let head = try pending.head(of: event.stream, snapshot), event.at < head.lastAt {
                return true
            }
        }
        return false
    }

    /// How long the longest leaf of these would be, where that is too long.
    private func tooLarge(_ decided: [EventEnvelope]) -> Int? {
        guard let size = LeafSize(names: session.names).largest(decided), size > Limits.leafBytes
        else { return nil }
        return size
    }

    func add(_ event: EventEnvelope, command: Int?) throws -> ListedEvent {
        writer.event(
            try pending.add(
                event, command: command, session, snapshot, hidesPersonal: session.hides(event)))
    }

    // MARK: Timers

    /// Fires what is due before the instant (or at it, if inclusive), for all products, in order of
    /// due time, then stream, then name (contract, Time); false if some are left for another commit.
    private func fireTimers(
        before instant: Instant, inclusive: Bool
    ) throws -> (events: [ListedEvent], isDone: Bool) {
        var events: [ListedEvent] = []
        while let (runtime, timer) = nextTimer(), timer.isDue(before: instant, inclusive: inclusive)
        {
            if events.count >= mostTimerEvents { return (events, false) }
            guard let actor = Actor("system", names: session.names) else { break }
            let input = DecisionInput(
                at: timer.due, actor: actor, device: .none, command: .none, cause: timer.cause,
                place: pending.place,
                idempotency: AcceptedCommands(session, snapshot, pending),
                vocabulary: session.types.registry.payload, history: history())
            // Before it fires: what it records may set it again, for the same instant, too.
            runtime.timers.spend(timer)
            let fired = runtime.fire(timer, input)
            if let fault = faults.fault { throw fault }
            for event in fired { events.append(try add(event, command: nil)) }
            runtime.space.keepChanges()
        }
        return (events, true)
    }

    private func mayFireTimers(by instant: Instant) -> Bool {
        session.runtimes.contains { $0.timers.mayBeDue(by: instant) }
    }

    private func nextTimer() -> (runtime: any ProductRuntime, timer: DueTimer)? {
        var soonest: (runtime: any ProductRuntime, timer: DueTimer)?
        for runtime in session.runtimes {
            guard let timer = runtime.timers.next() else { continue }
            if let best = soonest?.timer, !timer.precedes(best, session.names) { continue }
            soonest = (runtime, timer)
        }
        return soonest
    }

    /// The journal as it will be with what is pending, and with the events of the decision itself.
    private func history() -> ([EventEnvelope]) -> any History {
        { [session, snapshot, pending, faults] own in
            PendingHistory(session, snapshot, pending, own, faults: faults)
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}

extension DueTimer {
    fileprivate func isDue(before instant: Instant, inclusive: Bool) -> Bool {
        due < instant || inclusive && due == instant
    }
}
