package import Core

/// An event as JSON (contract, replay.md, An event as JSON).
package enum EventDocument: Sendable {
    package enum Form: Sendable {
        case plain
        /// With the sentence of its type.
        case summarized
        /// A line of an export: with what is sealed.
        case line
        /// What the tree holds of it (docs/audit.md, The leaf): a line without clear text.
        case leaf
        /// As `audit.log` and `audit.subject` list it: what surrounds it, with the sentence of its type.
        case entry
        /// As `audit.rejections` lists it: an entry with what it says.
        case refusal

        fileprivate var isWhole: Bool { self != .entry && self != .refusal }
    }

    package static func write(
        _ event: EventEnvelope, _ form: Form = .plain, to output: inout JSONOutput
    ) {
        let metadata = event.metadata
        output.json.openObject()
        output.json.key(literal: "at")
        output.json.instant(metadata.at)
        output.json.key(literal: "by")
        output.text(of: metadata.actor)
        if form.isWhole {
            output.json.key(literal: "cause")
            if metadata.cause == .zero {
                output.json.null()
            } else {
                output.json.integer(metadata.cause.number)
            }
        }
        output.json.key(literal: "command")
        metadata.writeCommand(to: &output.json)
        if form != .entry {
            output.json.key(literal: "data")
            if !event.writeData(to: &output, hidesPersonal: form == .leaf) { output.json.null() }
        }
        output.json.key(literal: "device")
        output.text(of: metadata.device)
        output.json.key(literal: "position")
        output.json.integer(metadata.position.number)
        output.json.key(literal: "recordedAt")
        output.json.instant(event.recordedAt)
        if form.isWhole {
            output.json.key(literal: "revision")
            output.json.integer(event.revision)
        }
        if form == .line || form == .leaf { writeSealed(event, to: &output) }
        output.json.key(literal: "stream")
        output.text(of: metadata.stream)
        if form == .summarized || !form.isWhole {
            output.json.key(literal: "summary")
            output.json.string(event.type.sentence)
        }
        if form.isWhole {
            output.json.key(literal: "tags")
            output.json.openArray()
            for tag in output.names.sorted(event.tags) {
                output.names.writeText(tag, to: &output.json)
            }
            output.json.closeArray()
        }
        output.json.key(literal: "type")
        output.json.string(event.type.name)
        if form.isWhole {
            output.json.key(literal: "version")
            output.json.integer(Int(event.version))
        }
        output.json.closeObject()
    }

    /// The box with the personal fields, their names in the order that they have in it, whose key opens it,
    /// and the term; one sealed before format 4 has none, and no nonce in its box.
    private static func writeSealed(_ event: EventEnvelope, to output: inout JSONOutput) {
        guard let sealed = event.sealed else { return }
        output.json.key(literal: "sealed")
        output.json.openObject()
        output.json.key(literal: "box")
        output.json.base64(event.place.shown(sealed.box))
        output.json.key(literal: "fields")
        output.json.openArray()
        for field in event.type.personalFields { output.json.string(field) }
        output.json.closeArray()
        output.json.key(literal: "person")
        output.names.writeText(
            event.metadata.subject, of: event.type.product, to: &output.json)
        if !event.place.isFormer {
            output.json.key(literal: "term")
            output.json.integer(Int(event.place.term))
        }
        output.json.closeObject()
    }
}
