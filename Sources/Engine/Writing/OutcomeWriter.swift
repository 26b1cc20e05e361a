import Core

/// Writes outcomes, one JSON object each (contract, Commands in, outcomes out).
struct OutcomeWriter {
    let names: Names

    /// An event as outcomes list it.
    func event(_ event: EventEnvelope) -> [UInt8] {
        var output = JSONOutput(names: names)
        output.object { output in
            output.member("position", event.metadata.position)
            output.member("stream", InternedText(event.metadata.stream))
            output.member("revision", event.revision)
            output.member("type", event.type.name)
            output.member("at", event.metadata.at)
            output.json.key("data")
            if !event.writeData(to: &output) { output.json.null() }
        }
        return output.json.bytes
    }

    func accepted(_ id: String, _ events: [[UInt8]], isDuplicate: Bool = false) -> Outcome {
        let status: Outcome.Status = isDuplicate ? .duplicate : .accepted
        return outcome(status, code: nil) { output in
            output.member("id", id)
            write(events, to: &output)
        }
    }

    /// A rejection by a rule lists the timers' events and then the recorded refusal.
    func rejected(
        _ id: String?, code: String, message: String, messageAr: String? = nil,
        events: [[UInt8]] = [], line: Int? = nil
    ) -> Outcome {
        outcome(.rejected, code: code) { output in
            output.member("id", id)
            output.member("code", code)
            output.member("message", message)
            if let messageAr { output.member("messageAr", messageAr) }
            if let line { output.member("line", line) }
            write(events, to: &output)
        }
    }

    private func outcome(
        _ status: Outcome.Status, code: String?, _ body: (inout JSONOutput) -> Void
    ) -> Outcome {
        let document = Document(names: names) { output in
            output.object { output in
                output.member("status", status.rawValue)
                body(&output)
            }
        }
        return Outcome(status: status, code: code, document: document)
    }

    private func write(_ events: [[UInt8]], to output: inout JSONOutput) {
        output.json.key("events")
        output.json.beginArray()
        for event in events { output.json.canonical(event[...]) }
        output.json.endArray()
    }
}
