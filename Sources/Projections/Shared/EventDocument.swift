package import Events

/// An event as JSON (contract, replay.md, An event as JSON).
package enum EventDocument {
    /// `withSummary` adds the sentence of its type.
    package static func write(
        _ event: PastEvent, withSummary: Bool = false, to output: inout JSONOutput
    ) {
        let circumstances = event.circumstances
        output.object { output in
            output.member("at", circumstances.at)
            output.member("by", Word(circumstances.actor))
            output.member("cause", circumstances.cause == .zero ? nil : circumstances.cause)
            output.member("command", event.command.isEmpty ? nil : event.command)
            output.json.key("data")
            if !event.writeData(to: &output) { output.json.null() }
            output.member("device", Word(circumstances.device))
            output.member("position", circumstances.position)
            output.member("recordedAt", event.recordedAt)
            output.member("revision", event.revision)
            output.member("stream", Word(circumstances.stream))
            if withSummary { output.member("summary", event.type.sentence) }
            let names = output.names
            let tags = event.tags.map { names.text($0) }.sorted { $0.precedes($1) }
            output.member("tags", tags)
            output.member("type", event.type.name)
            output.member("version", Int(event.version))
        }
    }
}
