package import Core
import Proofs

/// A message as a stream keeps it.
package struct StoredMessage: Sendable {
    package let sequence: UInt64
    package let subject: String
    package let headers: [String: String]
    package let data: [UInt8]
    /// By the clock of the server that stored it.
    package let time: Instant
}

/// What a stream does, by its requests (`$JS.API`); whoever leads it answers.
extension NATSConnection {
    /// Appends a message if the condition in its headers holds, and returns its sequence; else throws an error that
    /// ``NATSError/isWrongSequence``. On return it is stored by a majority of the stream's replicas.
    package func publish(
        _ subject: String, headers: [(name: String, value: String)], _ data: [UInt8] = []
    ) throws(NATSError) -> UInt64 {
        let answer = try Self.json(request(subject, headers: headers, data))
        guard let sequence = answer["seq"]?.wholeNumber, sequence > 0 else {
            throw NATSError(.lost, "NATS: an answer without a sequence")
        }
        return UInt64(sequence)
    }

    /// The last message of a stream whose subject is like this one; nil if there is none.
    package func lastMessage(
        in stream: String, _ subject: String
    ) throws(NATSError) -> StoredMessage? {
        try message(in: stream, .object([.init(name: "last_by_subj", value: .string(subject))]))
    }

    /// The first message from a sequence on whose subject is like this one; nil if there is none.
    package func nextMessage(
        in stream: String, from sequence: UInt64, _ subject: String
    ) throws(NATSError) -> StoredMessage? {
        try message(
            in: stream,
            .object([
                .init(name: "next_by_subj", value: .string(subject)),
                .init(name: "seq", value: .number(JSONNumber(sequence))),
            ]))
    }

    private func message(in stream: String, _ what: JSON) throws(NATSError) -> StoredMessage? {
        do throws(NATSError) {
            let answer = try call("STREAM.MSG.GET.\(stream)", what)
            guard let message = answer["message"].flatMap({ StoredMessage($0) }) else {
                throw NATSError(.lost, "NATS: an answer without a message")
            }
            return message
        } catch {
            if error.kind == .refused(NATSError.noMessage) { return nil }
            throw error
        }
    }

    /// Asks something of JetStream, and returns its answer.
    package func call(_ name: String, _ what: JSON? = nil) throws(NATSError) -> JSON {
        try Self.json(request("$JS.API.\(name)", what?.canonical ?? []))
    }

    private static func json(_ bytes: [UInt8]) throws(NATSError) -> JSON {
        guard let answer = try? JSON(parsing: bytes) else {
            throw NATSError(.lost, "NATS: an answer that is no JSON")
        }
        guard let error = answer["error"], !error.isNull else { return answer }
        let text = error["description"]?.string ?? "refused"
        // 503: it may go well later, and what became of it is not known.
        if error["code"]?.wholeNumber == 503 { throw NATSError(.lost, "NATS: \(text)") }
        throw NATSError(.refused(Int(error["err_code"]?.wholeNumber ?? 0)), "NATS: \(text)")
    }
}

extension StoredMessage {
    /// From the answer to `STREAM.MSG.GET`.
    init?(_ json: JSON) {
        guard let sequence = json["seq"]?.wholeNumber, sequence > 0,
            let subject = json["subject"]?.string,
            let data = Base64.bytes(json["data"]?.string ?? ""),
            let head = Base64.bytes(json["hdrs"]?.string ?? ""),
            let time = json["time"]?.string.flatMap({ Instant(rfc3339: $0) })
        else { return nil }
        self.sequence = UInt64(sequence)
        self.subject = subject
        self.data = data
        self.time = time
        headers = Self.headers(head)
    }

    /// `NATS/1.0`, then lines as HTTP has them; of two with one name the first counts.
    private static func headers(_ bytes: [UInt8]) -> [String: String] {
        var headers: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let name = String(line[..<colon])
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            if headers[name] == nil { headers[name] = String(value) }
        }
        return headers
    }
}
