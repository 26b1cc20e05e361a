package import Events

/// An event as JSON (contract, replay.md, An event as JSON).
package enum EventDocument {
    package enum Form {
        case plain
        /// With the sentence of its type.
        case summarized
        /// A line of an export: with what is sealed.
        case line
        /// What the tree holds of it (docs/audit.md, The leaf): a line without clear text.
        case leaf
    }

    package static func write(
        _ event: PastEvent, _ form: Form = .plain, to output: inout JSONOutput
    ) {
        let circumstances = event.circumstances
        output.object { output in
            output.member("at", circumstances.at)
            output.member("by", Word(circumstances.actor))
            output.member("cause", circumstances.cause == .zero ? nil : circumstances.cause)
            output.member("command", event.command.isEmpty ? nil : event.command)
            output.json.key("data")
            if !event.writeData(to: &output, hidesPersonal: form == .leaf) { output.json.null() }
            output.member("device", Word(circumstances.device))
            output.member("position", circumstances.position)
            output.member("recordedAt", event.recordedAt)
            output.member("revision", event.revision)
            if form == .line || form == .leaf { writeSealed(event, to: &output) }
            output.member("stream", Word(circumstances.stream))
            if form == .summarized { output.member("summary", event.type.sentence) }
            output.json.key("tags")
            output.json.beginArray()
            let names = output.names
            let isSorted = event.tags.count < 2
            let tags =
                isSorted
                ? event.tags
                : event.tags.sorted { names.text($0).precedes(names.text($1)) }
            for tag in tags { names.writeText(tag, to: &output.json) }
            output.json.endArray()
            output.member("type", event.type.name)
            output.member("version", Int(event.version))
        }
    }

    /// The box with the personal fields, their names in the order that they have in it, and whose key
    /// opens it.
    private static func writeSealed(_ event: PastEvent, to output: inout JSONOutput) {
        guard let sealed = event.sealed else { return }
        output.object("sealed") { output in
            output.json.key("box")
            output.json.base64(sealed.box)
            output.member("fields", event.type.personalFields)
            let person = output.names.text(event.circumstances.subject)
            output.member("person", "\(event.type.product)/\(person)")
        }
    }
}
