package import EventLog

/// A log of frames that several nodes have: one of them appends, the others read, and any may take over (ADR 0064, 0065).
///
/// The log knows a **term**, a node that has it, and how many frames there are. Who appends has the term: an object of another
/// one is refused (`readOnly`) whatever it writes, from the moment the log has taken a higher term, and however long it was
/// paused. No call waits for ever: where the log does not answer, it throws `inputOutput` after some seconds, and the same call
/// again is harmless. Calls may come from any thread.
package protocol SharedFrameLog: FrameLog, AnyObject {
    /// One journal's frames; nothing is asked of the log yet.
    ///
    /// - Parameters:
    ///   - settings: the address, the node on whose behalf this is, and the term in which it appends; 0 for one that follows.
    ///   - identity: the journal's.
    init(_ settings: LogSettings, of identity: String)

    /// The journal's.
    var identity: String { get }

    // MARK: Setting up

    /// Makes room for an empty journal's frames: term 1 is the node's. False, and nothing changed, if the log has the journal.
    ///
    /// Throws `invalid` for an address that is none, and for nothing else.
    static func create(
        at address: String, node: String, journal identity: String, lead: Lead
    ) throws(JournalError) -> Bool

    /// The journals that the log has. Throws `invalid` for an address that is none, and for nothing else.
    ///
    /// - Parameters:
    ///   - node: who asks.
    ///   - identity: a journal that alone is looked for; nil for all.
    static func journals(
        at address: String, node: String, identity: String?
    ) throws(JournalError) -> [LoggedJournal]

    // MARK: Appending

    /// Appends each frame if the log's term is this one's, its last frame is number `frame.number - 1`, and that one's checksum
    /// is `frame.previous`; all three in one step, so that no other append or take-over comes between.
    ///
    /// Returns when the log promises the frames durable. An answer that was lost is settled within: the frame is there, or it is
    /// not and is tried again for some seconds. Throws `readOnly` where a condition does not hold; after any other error
    /// the frame may be there all the same, and ``FrameLog/isAhead`` says so.
    func append(_ frames: [LoggedFrame]) throws(JournalError)

    /// Says how far frames are known to be durable, which followers take in; may be lost, and comes with the next append then.
    func didCommit(_ head: Head)

    // MARK: Reading

    /// Frames behind a number in order, confirmed or not, for who has the term: throws `readOnly` for everybody else. What is
    /// returned is durable. Some of them, and nothing only if there are none; an append that failed before, and was delayed on
    /// its way, appends nothing from then on.
    func frames(after number: UInt64) throws(JournalError) -> [LoggedFrame]

    /// Frames behind a number through another as they are stored, in order, for anybody: some of them, and nothing only if there
    /// are none. Those past ``LogStanding/confirmed`` may vanish again. What is lost is left out: the caller checks numbers and
    /// checksums.
    func frames(after number: UInt64, through last: UInt64) throws(JournalError) -> [LoggedFrame]

    /// Where the log stands; throws `readOnly` if it has no such journal.
    func standing() throws(JournalError) -> LogStanding

    // MARK: Taking over

    /// Throws `readOnly` if another node has taken over.
    func checkHold() throws(JournalError)

    /// Takes the next term for this node if the log has still the term and the number of frames of `standing`, in one step: the
    /// new term, or nil if it went on. Whoever had the term before appends nothing from then on, and all frames that are there
    /// then count as confirmed.
    ///
    /// The object keeps its own term: to append, open the log with the new one.
    func takeOver(from standing: LogStanding) throws(JournalError) -> UInt32?

    /// Puts frames in place of what the log has under their numbers, in order, if it stands as `standing` says: else throws
    /// `readOnly`. Afterwards the term is the next one, and nobody's, all frames are confirmed, and the log ends where the
    /// longer of it and the journal ends. After any other error some of them may be there; the same is planned anew then.
    func putBack(
        _ frames: [LoggedFrame], _ standing: LogStanding, _ head: Head
    ) throws(JournalError)

    // MARK: Members

    /// Makes a node one of the cluster's, or renews what is said of it.
    ///
    /// - Parameter capabilities: the event types that its program can read: `examroom.exam.created 1`.
    func register(_ member: ClusterMember, _ capabilities: [String]) throws(JournalError)

    /// Says how a node is, and that it was heard of now, by the log's clock; false, and nothing changed, if it is none of the
    /// cluster any more.
    func report(_ member: ClusterMember) throws(JournalError) -> Bool

    /// All nodes, by the bytes of their names, each as it last reported; none where no node was ever part of a cluster.
    func members() throws(JournalError) -> [ClusterMember]

    /// A node whose program cannot read an event type, as ``register(_:_:)`` has it; nil if all can.
    func nodeLacking(_ capability: String) throws(JournalError) -> String?

    /// Takes a node out of the cluster: nobody waits for it any more. False if it was none of it.
    func remove(_ name: String) throws(JournalError) -> Bool
}

/// Where a log stands.
package struct LogStanding: Sendable {
    package let term: UInt32
    /// Who appends; empty for nobody.
    package let node: String
    package let frames: UInt64
    /// Frames up to here are known to be durable.
    package let confirmed: UInt64
    package let position: UInt64
    package let chain: String
}

/// A journal whose frames a log has.
package struct LoggedJournal: Hashable, Sendable {
    package let identity: String
    package let lead: Lead
}

// MARK: Kinds of logs

/// Opens logs by the scheme of their addresses: the only place that knows which kinds there are.
package enum SharedFrameLogs {
    /// The kind of log that an address names; throws `invalid` for one that is not known.
    package static func kind(
        of address: String
    ) throws(JournalError) -> any SharedFrameLog.Type {
        switch scheme(of: address) {
        // libpq takes `key=value` pairs, too.
        case nil, "postgres", "postgresql": return PostgresFrameLog.self
        case "nats": return JetStreamFrameLog.self
        case .some(let scheme):
            throw JournalError(
                .invalid, "the address of a log does not begin with \"\(scheme):\"",
                advice: "name a PostgreSQL database, postgres://…, or a stream of NATS, nats://…")
        }
    }

    /// One journal's frames; nothing is asked of the log yet.
    package static func open(
        _ settings: LogSettings, of identity: String
    ) throws(JournalError) -> any SharedFrameLog {
        try kind(of: settings.address).init(settings, of: identity)
    }

    /// What is before the first colon, if a URI's scheme may be written so (RFC 3986, 3.1). The rest may hold a password.
    private static func scheme(of address: String) -> String? {
        guard let end = address.firstIndex(of: ":") else { return nil }
        let scheme = address[..<end]
        guard let first = scheme.utf8.first, isLetter(first),
            scheme.utf8.allSatisfy({ byte in
                isLetter(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
            })
        else { return nil }
        return String(scheme)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }
}
