/// Writes bytes of one form as JSON, without the value between (`JSONForm`): the same bytes as the value
/// would write. One flat list of steps, so that nothing on the way counts references.
package final class JSONTranscriber: Sendable {
    private struct Step {
        enum Kind {
            case bool, integer, position, percent, instant, date, text, symbol
            case choice, optional, array, record, decoded
        }

        let kind: Kind
        /// Of a choice's first word in `texts`, of an optional's or array's element in `steps`, of a
        /// record's first field in `fields`, of a decoded value in `decoders`.
        var index = 0
        /// Of words, of fields.
        var count = 0
        /// Of a record: whether its fields are written in the order in which they are stored.
        var isSorted = true
    }

    private struct Field {
        let presence: JSONForm.Field.Presence
        let step: Int
        /// `"name":` in `arena`.
        let key: Range<Int>
        /// Which field of the record is written in this one's place.
        let sorted: Int
    }

    /// What the steps work on. Spans, so that nothing on the way counts references.
    private typealias Steps = Span<Step>
    private typealias Fields = Span<Field>

    private let steps: [Step]
    private let fields: [Field]
    private let decoders:
        [(
            skip: @Sendable (inout BinaryReader) -> Void,
            write: @Sendable (inout BinaryReader, inout JSONOutput) -> Void
        )]
    private let texts: [Range<Int>]
    private let arena: [UInt8]
    private let root: Int

    package init(_ form: JSONForm) {
        var builder = Builder()
        root = builder.add(form)
        steps = builder.steps
        fields = builder.fields
        decoders = builder.decoders
        texts = builder.texts
        arena = builder.arena
    }

    /// Writes what the reader holds; false, and nothing is written, when it holds another form.
    package func write(_ reader: inout BinaryReader, to output: inout JSONOutput) -> Bool {
        let mark = output.json.mark
        let (steps, fields, arena) = (steps, fields, arena)
        write(root, steps.span, fields.span, arena.span, &reader, &output)
        if reader.isComplete { return true }
        output.json.rewind(to: mark)
        output.places.removeAll(keepingCapacity: true)
        return false
    }

    // MARK: Writing

    private func write(
        _ index: Int, _ steps: Steps, _ fields: Fields, _ arena: Span<UInt8>,
        _ reader: inout BinaryReader, _ output: inout JSONOutput
    ) {
        let step = steps[index]
        switch step.kind {
        case .bool: output.json.bool(Bool.read(from: &reader))
        case .integer: output.json.integer(reader.zigzag())
        case .position: output.json.integer(reader.varint())
        case .percent: output.json.hundredths(reader.zigzag())
        case .instant: output.json.instant(Instant.read(from: &reader))
        case .date: output.json.date(LocalDate.read(from: &reader))
        case .text: reader.writeText(to: &output.json)
        case .symbol:
            output.text(of: Symbol(number: UInt32(truncatingIfNeeded: reader.varint())))
        case .choice:
            let place = Int(reader.byte())
            guard place < step.count else { return reader.fail() }
            output.json.canonical(arena.extracting(texts[step.index + place]))
        case .optional:
            switch reader.byte() {
            case 0: output.json.null()
            case 1: write(step.index, steps, fields, arena, &reader, &output)
            default: reader.fail()
            }
        case .array:
            let count = reader.count()
            output.json.openArray()
            for _ in 0..<count where !reader.failed {
                write(step.index, steps, fields, arena, &reader, &output)
            }
            output.json.closeArray()
        case .record: write(step, steps, fields, arena, &reader, &output)
        case .decoded: decoders[step.index].write(&reader, &output)
        }
    }

    private func write(
        _ record: Step, _ steps: Steps, _ fields: Fields, _ arena: Span<UInt8>,
        _ reader: inout BinaryReader, _ output: inout JSONOutput
    ) {
        output.json.openObject()
        if record.isSorted {
            for index in record.index..<record.index + record.count where !reader.failed {
                write(fields[index], steps, fields, arena, &reader, &output)
            }
        } else {
            // Where each field stands, then each in its turn.
            let base = output.places.count
            for index in record.index..<record.index + record.count where !reader.failed {
                output.places.append(reader.offset)
                skip(fields[index], steps, fields, &reader)
            }
            if !reader.failed {
                let end = reader.offset
                for index in record.index..<record.index + record.count {
                    let field = fields[index].sorted
                    reader.move(to: output.places[base + field])
                    write(
                        fields[record.index + field], steps, fields, arena, &reader, &output)
                }
                reader.move(to: end)
            }
            output.places.removeSubrange(base...)
        }
        output.json.closeObject()
    }

    private func write(
        _ field: Field, _ steps: Steps, _ fields: Fields, _ arena: Span<UInt8>,
        _ reader: inout BinaryReader, _ output: inout JSONOutput
    ) {
        switch field.presence {
        case .always:
            output.json.key(written: arena.extracting(field.key))
            write(field.step, steps, fields, arena, &reader, &output)
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1:
                output.json.key(written: arena.extracting(field.key))
                write(field.step, steps, fields, arena, &reader, &output)
            default: reader.fail()
            }
        case .personal:
            output.json.key(written: arena.extracting(field.key))
            output.json.null()
        case .optionalPersonal:
            guard Bool.read(from: &reader) else { return }
            output.json.key(written: arena.extracting(field.key))
            output.json.null()
        case .untold: skip(field.step, steps, fields, &reader)
        }
    }

    // MARK: Skipping

    private func skip(
        _ field: Field, _ steps: Steps, _ fields: Fields, _ reader: inout BinaryReader
    ) {
        switch field.presence {
        case .always, .untold: skip(field.step, steps, fields, &reader)
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1: skip(field.step, steps, fields, &reader)
            default: reader.fail()
            }
        case .personal: break
        case .optionalPersonal: _ = reader.byte()
        }
    }

    private func skip(
        _ index: Int, _ steps: Steps, _ fields: Fields, _ reader: inout BinaryReader
    ) {
        let step = steps[index]
        switch step.kind {
        case .integer, .position, .percent, .instant, .date, .symbol: _ = reader.varint()
        case .bool, .choice: _ = reader.byte()
        case .text: reader.skipCounted()
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1: skip(step.index, steps, fields, &reader)
            default: reader.fail()
            }
        case .array:
            for _ in 0..<reader.count() where !reader.failed {
                skip(step.index, steps, fields, &reader)
            }
        case .record:
            for index in step.index..<step.index + step.count where !reader.failed {
                skip(fields[index], steps, fields, &reader)
            }
        case .decoded: decoders[step.index].skip(&reader)
        }
    }

    // MARK: Building

    private struct Builder {
        var steps: [Step] = []
        var fields: [Field] = []
        var decoders:
            [(
                skip: @Sendable (inout BinaryReader) -> Void,
                write: @Sendable (inout BinaryReader, inout JSONOutput) -> Void
            )] = []
        var texts: [Range<Int>] = []
        var arena: [UInt8] = []

        mutating func add(_ form: JSONForm) -> Int {
            let step =
                switch form {
                case .bool: Step(kind: .bool)
                case .integer: Step(kind: .integer)
                case .position: Step(kind: .position)
                case .percent: Step(kind: .percent)
                case .instant: Step(kind: .instant)
                case .date: Step(kind: .date)
                case .text: Step(kind: .text)
                case .symbol: Step(kind: .symbol)
                case .choice(let words):
                    Step(kind: .choice, index: add(words: words), count: words.count)
                case .optional(let form): Step(kind: .optional, index: add(form))
                case .array(let form): Step(kind: .array, index: add(form))
                case .record(let list): add(record: list)
                case .decoded(let skip, let write): add(decoder: skip, write)
                }
            steps.append(step)
            return steps.count - 1
        }

        private mutating func add(
            decoder skip: @escaping @Sendable (inout BinaryReader) -> Void,
            _ write: @escaping @Sendable (inout BinaryReader, inout JSONOutput) -> Void
        ) -> Step {
            decoders.append((skip, write))
            return Step(kind: .decoded, index: decoders.count - 1)
        }

        private mutating func add(words: [String]) -> Int {
            for word in words { add(text: word, after: "") }
            return texts.count - words.count
        }

        private mutating func add(text: String, after: String) {
            var writer = JSONWriter()
            writer.string(text)
            let start = arena.count
            arena += writer.bytes
            arena += after.utf8
            texts.append(start..<arena.count)
        }

        private mutating func add(record list: [JSONForm.Field]) -> Step {
            let forms = list.map { add($0.form) }
            let sorted = list.indices.sorted { list[$0].name.precedes(list[$1].name) }
            let first = fields.count
            for (index, field) in list.enumerated() {
                add(text: field.name, after: ":")
                fields.append(
                    Field(
                        presence: field.presence, step: forms[index],
                        key: texts[texts.count - 1], sorted: sorted[index]))
            }
            return Step(
                kind: .record, index: first, count: list.count,
                isSorted: sorted == Array(list.indices))
        }
    }
}
