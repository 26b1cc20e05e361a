import Core
package import EventLog
import NATS

/// Journals in streams: each has one of its own, and a bucket for what its nodes say of themselves.
extension JetStreamFrameLog {
    private static let setUpMilliseconds = 10_000

    package static func create(
        at address: String, node: String, journal identity: String, lead: Lead
    ) throws(JournalError) -> Bool {
        try asking(address, node) { address, stream throws(NATSError) in
            try stream.make(replicas: address.replicas)
            let first = LogEnd(
                sequence: 0, journal: identity, lead: lead, term: 1, node: node, frames: 0,
                position: 0, chain: "\(Checksum.zero)", repairs: 0)
            do throws(NATSError) {
                _ = try stream.publish(.takeOver, first)
                return true
            } catch {
                guard error.isWrongSequence else { throw error }
                guard let end = try stream.end(), end.journal != identity else { return false }
                throw NATSError(.address, "the stream \(stream.name) has another journal")
            }
        }
    }

    package static func journals(
        at address: String, node: String, identity: String?
    ) throws(JournalError) -> [LoggedJournal] {
        try asking(address, node) { _, stream throws(NATSError) in
            guard let end = try stream.end(), identity == nil || identity == end.journal else {
                return []
            }
            return [LoggedJournal(identity: end.journal, lead: end.lead)]
        }
    }

    private static func asking<R>(
        _ address: String, _ node: String,
        _ body: (NATSAddress, LogStream) throws(NATSError) -> R
    ) throws(JournalError) -> R {
        let place: NATSAddress
        do throws(NATSError) {
            place = try NATSAddress(address)
        } catch {
            throw journalError(error)
        }
        do throws(NATSError) {
            var turn = 0
            let connection = try LogStream.connect(
                place, node: node, milliseconds: setUpMilliseconds, &turn)
            return try body(place, LogStream(place.stream, connection))
        } catch {
            // The address is one: it is the stream there that cannot be taken.
            if error.kind == .address {
                throw JournalError(.inputOutput, error.message, advice: "see docs/log.md")
            }
            throw journalError(error)
        }
    }
}

extension LogStream {
    /// The bucket of the nodes.
    var bucket: String { name + "_nodes" }

    /// Makes the stream and the bucket. A stream that is there already is taken if it keeps what it is given.
    func make(replicas: Int) throws(NATSError) {
        try make(
            name,
            [
                ("subjects", .array([.string("sijill.\(name).>")])), ("deny_delete", .bool(true)),
                ("deny_purge", .bool(true)), ("allow_direct", .bool(true)),
                ("num_replicas", .integer(Int64(replicas))),
            ])
        let config = try connection.call("STREAM.INFO.\(name)")["config"] ?? .null
        if let problem = Self.problem(of: config, subject: "sijill.\(name).>") {
            throw NATSError(
                .address, "the stream \(name) is there already, and \(problem)")
        }
        try make(
            "KV_" + bucket,
            [
                ("subjects", .array([.string("$KV.\(bucket).>")])),
                ("max_msgs_per_subject", .integer(1)), ("deny_delete", .bool(true)),
                ("allow_rollup_hdrs", .bool(true)), ("allow_direct", .bool(true)),
                ("num_replicas", .integer(Int64(replicas))),
            ])
    }

    private func make(_ name: String, _ more: [(String, JSON)]) throws(NATSError) {
        let config = JSON.object(
            of: more + [
                ("name", .string(name)), ("storage", .string("file")),
                ("retention", .string("limits")), ("discard", .string("new")),
            ])
        do throws(NATSError) {
            _ = try connection.call("STREAM.CREATE.\(name)", config)
        } catch {
            guard error.kind == .refused(NATSError.streamNameInUse) else { throw error }
        }
    }

    /// What makes a stream unfit for a log; nil if nothing does.
    private static func problem(of config: JSON, subject: String) -> String? {
        func isUnlimited(_ name: String) -> Bool { (config[name]?.wholeNumber ?? 0) <= 0 }
        let limits = ["max_age", "max_msgs", "max_bytes", "max_msgs_per_subject"]
        if config["subjects"]?.array?.compactMap(\.string) != [subject] {
            return "its subjects are not \(subject)"
        }
        if config["retention"]?.string != "limits" || !limits.allSatisfy(isUnlimited) {
            return "it does not keep every message"
        }
        if config["deny_delete"]?.bool != true || config["deny_purge"]?.bool != true {
            return "its messages may be deleted: it wants deny_delete and deny_purge"
        }
        return config["storage"]?.string == "file" ? nil : "it is not on disk"
    }
}
