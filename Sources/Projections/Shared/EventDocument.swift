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
        output.json.openObject()
        output.json.key(Key.at)
        output.json.instant(circumstances.at)
        output.json.key(Key.by)
        output.text(of: circumstances.actor)
        output.json.key(Key.cause)
        if circumstances.cause == .zero {
            output.json.null()
        } else {
            output.json.integer(circumstances.cause.number)
        }
        output.json.key(Key.command)
        circumstances.writeCommand(to: &output.json)
        output.json.key(Key.data)
        if !event.writeData(to: &output, hidesPersonal: form == .leaf) { output.json.null() }
        output.json.key(Key.device)
        output.text(of: circumstances.device)
        output.json.key(Key.position)
        output.json.integer(circumstances.position.number)
        output.json.key(Key.recordedAt)
        output.json.instant(event.recordedAt)
        output.json.key(Key.revision)
        output.json.integer(event.revision)
        if form == .line || form == .leaf { writeSealed(event, to: &output) }
        output.json.key(Key.stream)
        output.text(of: circumstances.stream)
        if form == .summarized {
            output.json.key(Key.summary)
            output.json.string(event.type.sentence)
        }
        output.json.key(Key.tags)
        output.json.openArray()
        for tag in output.names.sorted(event.tags) { output.names.writeText(tag, to: &output.json) }
        output.json.closeArray()
        output.json.key(Key.type)
        output.json.string(event.type.name)
        output.json.key(Key.version)
        output.json.integer(Int(event.version))
        output.json.closeObject()
    }

    /// In the order in which they are written.
    private enum Key {
        static let at = WrittenKey("at")
        static let by = WrittenKey("by")
        static let cause = WrittenKey("cause")
        static let command = WrittenKey("command")
        static let data = WrittenKey("data")
        static let device = WrittenKey("device")
        static let position = WrittenKey("position")
        static let recordedAt = WrittenKey("recordedAt")
        static let revision = WrittenKey("revision")
        static let sealed = WrittenKey("sealed")
        static let stream = WrittenKey("stream")
        static let summary = WrittenKey("summary")
        static let tags = WrittenKey("tags")
        static let type = WrittenKey("type")
        static let version = WrittenKey("version")
        // Of `sealed`
        static let box = WrittenKey("box")
        static let fields = WrittenKey("fields")
        static let person = WrittenKey("person")
    }

    /// The box with the personal fields, their names in the order that they have in it, and whose key
    /// opens it.
    private static func writeSealed(_ event: PastEvent, to output: inout JSONOutput) {
        guard let sealed = event.sealed else { return }
        output.json.key(Key.sealed)
        output.json.openObject()
        output.json.key(Key.box)
        output.json.base64(sealed.box)
        output.json.key(Key.fields)
        output.json.openArray()
        for field in event.type.personalFields { output.json.string(field) }
        output.json.closeArray()
        output.json.key(Key.person)
        let person = output.names.text(event.circumstances.subject)
        output.json.string("\(event.type.product)/\(person)")
        output.json.closeObject()
    }
}
