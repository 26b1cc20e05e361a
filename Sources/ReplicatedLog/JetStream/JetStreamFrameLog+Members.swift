import Core
package import EventLog
import NATS

/// What the nodes say of themselves: keys of a bucket, each one's word replaced by its next one.
extension JetStreamFrameLog {
    /// How often in a row somebody else may change a node's key.
    private static let mostTries = 4

    package func register(
        _ member: ClusterMember, _ capabilities: [String]
    ) throws(JournalError) {
        try asking { stream, state throws(NATSError) in
            let text = capabilities.joined(separator: "\n")
            _ = try stream.put("capabilities", member.name, Array(text.utf8))
            state.report = try stream.put("node", member.name, member.json.canonical)
        }
    }

    package func report(_ member: ClusterMember) throws(JournalError) -> Bool {
        try asking { stream, state throws(NATSError) in
            for _ in 0..<Self.mostTries {
                if state.report == nil {
                    state.report = try stream.value("node", member.name)?.sequence
                }
                guard let former = state.report else { return false }
                state.report = nil
                do throws(NATSError) {
                    state.report = try stream.put(
                        "node", member.name, member.json.canonical, insteadOf: former)
                    return true
                } catch {
                    guard error.isWrongSequence else { throw error }
                }
            }
            throw NATSError(.lost, "NATS: another node bears the name \(member.name)")
        }
    }

    package func members() throws(JournalError) -> [ClusterMember] {
        try asking { stream, _ throws(NATSError) in
            let (names, now) = try stream.nodes()
            var members: [ClusterMember] = []
            for name in names {
                guard let message = try stream.value("node", name),
                    var member = ClusterMember(message.data)
                else { continue }
                let silence = now.milliseconds - message.time.milliseconds
                member.silentMilliseconds = Int(max(0, silence))
                members.append(member)
            }
            return members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
    }

    package func nodeLacking(_ capability: String) throws(JournalError) -> String? {
        try asking { stream, _ throws(NATSError) in
            for name in try stream.nodes().names.sorted() {
                guard let value = try stream.value("node", name),
                    let member = ClusterMember(value.data)
                else { continue }
                let text = try stream.value("capabilities", name)?.data ?? []
                let known = String(decoding: text, as: UTF8.self).split(separator: "\n")
                if !known.contains(Substring(capability)) { return member.name }
            }
            return nil
        }
    }

    package func remove(_ name: String) throws(JournalError) -> Bool {
        try asking { stream, _ throws(NATSError) in
            guard try stream.value("node", name) != nil else { return false }
            try stream.delete("node", name)
            return true
        }
    }
}

extension LogStream {
    /// A key has letters, digits, `-` and `_`; what else may be in a node's name is written as `=` and hexadecimal digits.
    private static func word(_ name: String) -> String {
        let bytes = name.utf8.flatMap { byte -> [UInt8] in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            return isPlain ? [byte] : Array("=\(Hex.text([byte]))".utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func subject(_ kind: String, _ name: String) -> String {
        "$KV.\(bucket).\(kind).\(Self.word(name))"
    }

    /// Replaces a value, if it is still what was stored with a sequence; the sequence of the new one.
    func put(
        _ kind: String, _ name: String, _ value: [UInt8], insteadOf former: UInt64? = nil
    ) throws(NATSError) -> UInt64 {
        let condition = former.map {
            (name: "Nats-Expected-Last-Subject-Sequence", value: "\($0)")
        }
        return try connection.publish(
            subject(kind, name), headers: condition.map { [$0] } ?? [], value)
    }

    func delete(_ kind: String, _ name: String) throws(NATSError) {
        _ = try connection.publish(
            subject(kind, name), headers: [(name: "KV-Operation", value: "DEL")])
    }

    /// Nil for what is not there, or was deleted.
    func value(_ kind: String, _ name: String) throws(NATSError) -> StoredMessage? {
        let last = try connection.lastMessage(in: "KV_" + bucket, subject(kind, name))
        return last.flatMap { $0.headers["KV-Operation"] == nil ? $0 : nil }
    }

    /// The nodes that were ever there, and the time by the clock of the server that leads the bucket.
    func nodes() throws(NATSError) -> (names: [String], now: Instant) {
        let prefix = "$KV.\(bucket).node."
        let filter = JSON.object([.init(name: "subjects_filter", value: .string(prefix + ">"))])
        let info = try connection.call("STREAM.INFO.KV_\(bucket)", filter)
        guard let now = info["ts"]?.string.flatMap({ Instant(rfc3339: $0) }) else {
            throw NATSError(.lost, "NATS: the server does not tell its time")
        }
        let subjects = info["state"]?["subjects"]?.members ?? []
        return (subjects.compactMap { Self.name($0.name.dropFirst(prefix.count)) }, now)
    }

    private static func name(_ word: Substring) -> String? {
        let parts = word.split(separator: "=", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            guard let byte = UInt8(part.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            bytes += part.dropFirst(2).utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ClusterMember {
    fileprivate init?(_ bytes: [UInt8]) {
        guard let json = try? JSON(parsing: bytes), let name = json["name"]?.string,
            let address = json["address"]?.string, let decides = json["decides"]?.bool
        else { return nil }
        self.init(name: name, address: address, decides: decides)
        frames = json["frames"]?.count ?? 0
        erased = json["erased"]?.count ?? 0
        missing = Int(json["missing"]?.wholeNumber ?? 0)
        broken = json["broken"]?.count ?? 0
        hasResigned = json["resigned"]?.bool ?? false
    }

    fileprivate var json: JSON {
        .object(of: [
            ("name", .string(name)), ("address", .string(address)), ("decides", .bool(decides)),
            ("frames", .count(frames)), ("erased", .count(erased)),
            ("missing", .integer(Int64(missing))), ("broken", .count(broken)),
            ("resigned", .bool(hasResigned)),
        ])
    }
}
