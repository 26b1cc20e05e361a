/// Writes bytes of one form as JSON, without the value between (`JSONForm`): the same bytes as the value
/// would write. One flat list of steps, so that nothing on the way counts references.
package final class JSONTranscriber: Sendable {
    private struct Step {
        enum Kind {
            case bool, integer, position, percent, instant, date, text, symbol
            case choice, optional, array, record, decoded
        }

        let kind: Kind
        /// Of a choice in `texts`, of an optional's or array's element in `steps`, of a record in
        /// `records`, of a decoded value in `decoders`.
        var index = 0
        var count = 0
    }

    private struct Field {
        let presence: JSONForm.Field.Presence
        let step: Int
        /// `"name":` in `texts`.
        let key: Int
    }

    private struct Fields {
        let first: Int
        let count: Int
        /// Whether they are written in the order in which they are stored.
        let isSorted: Bool
    }

    private let steps: [Step]
    private let records: [Fields]
    private let fields: [Field]
    /// Of each field, in the order of `fields`: which of its record's is written there.
    private let order: [Int]
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
        records = builder.records
        fields = builder.fields
        order = builder.order
        decoders = builder.decoders
        texts = builder.texts
        arena = builder.arena
    }

    /// Writes what the reader holds; false, and nothing is written, when it holds another form.
    package func write(_ reader: inout BinaryReader, to output: inout JSONOutput) -> Bool {
        let mark = output.json.mark
        write(root, &reader, &output)
        if reader.isComplete { return true }
        output.json.rewind(to: mark)
        output.places.removeAll(keepingCapacity: true)
        return false
    }

    // MARK: Writing

    private func write(
        _ index: Int, _ reader: inout BinaryReader, _ output: inout JSONOutput
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
            let arena = arena
            output.json.canonical(arena.span.extracting(texts[step.index + place]))
        case .optional:
            switch reader.byte() {
            case 0: output.json.null()
            case 1: write(step.index, &reader, &output)
            default: reader.fail()
            }
        case .array:
            let count = reader.count()
            output.json.openArray()
            for _ in 0..<count where !reader.failed { write(step.index, &reader, &output) }
            output.json.closeArray()
        case .record: write(records[step.index], &reader, &output)
        case .decoded: decoders[step.index].write(&reader, &output)
        }
    }

    private func write(
        _ record: Fields, _ reader: inout BinaryReader, _ output: inout JSONOutput
    ) {
        output.json.openObject()
        if record.isSorted {
            for index in record.first..<record.first + record.count where !reader.failed {
                write(fields[index], &reader, &output)
            }
        } else {
            // Where each field stands, then each in its turn.
            let base = output.places.count
            for index in record.first..<record.first + record.count where !reader.failed {
                output.places.append(reader.offset)
                skip(fields[index], &reader)
            }
            if !reader.failed {
                let end = reader.offset
                for index in record.first..<record.first + record.count {
                    let field = order[index]
                    reader.move(to: output.places[base + field])
                    write(fields[record.first + field], &reader, &output)
                }
                reader.move(to: end)
            }
            output.places.removeSubrange(base...)
        }
        output.json.closeObject()
    }

    private func write(
        _ field: Field, _ reader: inout BinaryReader, _ output: inout JSONOutput
    ) {
        switch field.presence {
        case .always:
            writeKey(field, &output)
            write(field.step, &reader, &output)
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1:
                writeKey(field, &output)
                write(field.step, &reader, &output)
            default: reader.fail()
            }
        case .personal:
            writeKey(field, &output)
            output.json.null()
        case .optionalPersonal:
            guard Bool.read(from: &reader) else { return }
            writeKey(field, &output)
            output.json.null()
        case .untold: skip(field.step, &reader)
        }
    }

    @inline(__always)
    private func writeKey(_ field: Field, _ output: inout JSONOutput) {
        let arena = arena
        output.json.key(written: arena.span.extracting(texts[field.key]))
    }

    // MARK: Skipping

    private func skip(_ field: Field, _ reader: inout BinaryReader) {
        switch field.presence {
        case .always, .untold: skip(field.step, &reader)
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1: skip(field.step, &reader)
            default: reader.fail()
            }
        case .personal: break
        case .optionalPersonal: _ = reader.byte()
        }
    }

    private func skip(_ index: Int, _ reader: inout BinaryReader) {
        let step = steps[index]
        switch step.kind {
        case .integer, .position, .percent, .instant, .date, .symbol: _ = reader.varint()
        case .bool, .choice: _ = reader.byte()
        case .text: _ = reader.countedBytes()
        case .optional:
            switch reader.byte() {
            case 0: break
            case 1: skip(step.index, &reader)
            default: reader.fail()
            }
        case .array:
            for _ in 0..<reader.count() where !reader.failed { skip(step.index, &reader) }
        case .record:
            let record = records[step.index]
            for index in record.first..<record.first + record.count where !reader.failed {
                skip(fields[index], &reader)
            }
        case .decoded: decoders[step.index].skip(&reader)
        }
    }

    // MARK: Building

    private struct Builder {
        var steps: [Step] = []
        var records: [Fields] = []
        var fields: [Field] = []
        var order: [Int] = []
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
                case .record(let list): Step(kind: .record, index: add(record: list))
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

        private mutating func add(record list: [JSONForm.Field]) -> Int {
            let forms = list.map { add($0.form) }
            let first = fields.count
            for (field, step) in zip(list, forms) {
                add(text: field.name, after: ":")
                fields.append(
                    Field(presence: field.presence, step: step, key: texts.count - 1))
            }
            let sorted = list.indices.sorted { list[$0].name.precedes(list[$1].name) }
            order += sorted
            records.append(
                Fields(
                    first: first, count: list.count, isSorted: sorted == Array(list.indices)))
            return records.count - 1
        }
    }
}
