import Core

/// An event as outcomes list it.
struct ListedEvent {
    let position: Position
    let bytes: [UInt8]
}

/// Writes outcomes, one JSON object each (contract, Commands in, outcomes out). Members come in the order of their names: nothing
/// has to be moved.
struct OutcomeWriter {
    let names: Names

    func event(_ event: EventEnvelope) -> ListedEvent {
        var output = JSONOutput(names: names)
        output.object { output in
            output.member("at", event.metadata.at)
            output.json.key("data")
            if !event.writeData(to: &output) { output.json.null() }
            output.member("position", event.metadata.position)
            output.member("revision", event.revision)
            output.member("stream", InternedText(event.metadata.stream))
            output.member("type", event.type.name)
        }
        return ListedEvent(position: event.metadata.position, bytes: output.json.bytes)
    }

    func accepted(_ id: String, _ events: [ListedEvent], isDuplicate: Bool = false) -> Outcome {
        let status: Outcome.Status = isDuplicate ? .duplicate : .accepted
        return outcome(status, code: nil, events) { output in
            write(events, to: &output)
            output.member("id", id)
        }
    }

    /// A rejection by a rule lists the timers' events and then the recorded refusal.
    func rejected(
        _ id: String?, code: String, message: String, messageAr: String? = nil,
        events: [ListedEvent] = [], line: Int? = nil
    ) -> Outcome {
        outcome(.rejected, code: code, events) { output in
            output.member("code", code)
            write(events, to: &output)
            output.member("id", id)
            if let line { output.member("line", line) }
            output.member("message", message)
            if let messageAr { output.member("messageAr", messageAr) }
        }
    }

    private func outcome(
        _ status: Outcome.Status, code: String?, _ events: [ListedEvent],
        _ body: (inout JSONOutput) -> Void
    ) -> Outcome {
        var document = Document(names: names) { output in
            output.object { output in
                body(&output)
                output.member("status", status.rawValue)
            }
        }
        document.position = events.last?.position
        return Outcome(status: status, code: code, document: document)
    }

    private func write(_ events: [ListedEvent], to output: inout JSONOutput) {
        output.json.key("events")
        output.json.beginArray()
        for event in events { output.json.canonical(event.bytes[...]) }
        output.json.endArray()
    }
}
