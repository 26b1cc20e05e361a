import Core

/// The form of a payload's bytes, read from the schema that the journal recorded with its type.
///
/// A copy of a history has other names and other times in the same places. The schema says where they
/// are, for every type alike; no payload's Swift type is needed.
indirect enum Form {
    /// One byte: a truth value, or the place in a list of choices.
    case byte
    /// A number that means the same in every copy.
    case number
    /// An id or a recurring text, by symbol.
    case symbol
    case instant
    case date
    case position
    /// A text, or JSON as text: may name things.
    case text
    case bytes
    case optional(Form)
    case list(Form)
    case record([Form])
    /// A record that the symbol table keeps.
    case shared(Form)

    init(schema: String) throws {
        var parser = Parser(rest: Substring(schema))
        self = try parser.form()
        guard parser.rest.isEmpty else { throw Workloads.Failure(what: "schema \(schema)") }
    }

    private struct Parser {
        var rest: Substring

        mutating func form() throws -> Form {
            var form = try plain()
            while takes("|null") { form = .optional(form) }
            return form
        }

        private mutating func takes(_ text: String) -> Bool {
            guard rest.hasPrefix(text) else { return false }
            rest.removeFirst(text.count)
            return true
        }

        private mutating func plain() throws -> Form {
            if takes("[") {
                let element = try form()
                guard takes("]") else { throw Workloads.Failure(what: "schema …\(rest)") }
                return .list(element)
            }
            if takes("{") { return try record() }
            if takes("(") {
                rest = rest.drop { $0 != ")" }.dropFirst()
                return .byte
            }
            let word = rest.prefix { $0.isLetter }
            rest.removeFirst(word.count)
            switch word {
            case "shared": return .shared(try plain())
            case "id":
                if takes("(") { rest = rest.drop { $0 != ")" }.dropFirst() }
                return .symbol
            case "word", "zone": return .symbol
            case "topic": return .record([.number, .number])
            case "blocks": return .list(try plain())
            case "bool": return .byte
            case "int", "signed", "percent": return .number
            case "instant": return .instant
            case "date": return .date
            case "position": return .position
            case "text", "json", "title", "body", "string": return .text
            case "bytes": return .bytes
            default: throw Workloads.Failure(what: "unknown form \(word) in a schema")
            }
        }

        private mutating func record() throws -> Form {
            var fields: [Form] = []
            while !takes("}") {
                _ = takes(",")
                let name = rest.prefix { $0 != ":" }
                rest.removeFirst(name.count + 1)
                let form = try form()
                // What is personal stands apart; what may be left out has a byte before it that says so.
                if name.hasSuffix("?!") {
                    fields.append(.byte)
                } else if !name.hasSuffix("!") {
                    fields.append(name.hasSuffix("?") ? .optional(form) : form)
                }
            }
            return .record(fields)
        }
    }

    /// Finds the places in a record whose content is another one in a copy.
    func findPatches(
        _ reader: inout BinaryReader, _ patches: inout [Patch],
        shared: (UInt32, Form) throws -> Void
    ) throws {
        let start = reader.offset
        func add(_ kind: Patch.Kind, _ value: Int64) {
            patches.append(
                Patch(kind: kind, value: value, offset: start, length: reader.offset - start))
        }
        switch self {
        case .byte: _ = reader.byte()
        case .number: _ = reader.varint()
        case .symbol: add(.symbol, Int64(reader.varint()))
        case .instant: add(.instant, reader.zigzag())
        case .date: add(.date, reader.zigzag())
        case .position: add(.position, Int64(reader.varint()))
        case .text:
            _ = reader.countedBytes()
            add(.text, 0)
        case .bytes: _ = reader.countedBytes()
        case .optional(let form):
            if reader.byte() == 1 { try form.findPatches(&reader, &patches, shared: shared) }
        case .list(let form):
            for _ in 0..<reader.count() where !reader.failed {
                try form.findPatches(&reader, &patches, shared: shared)
            }
        case .record(let fields):
            for field in fields { try field.findPatches(&reader, &patches, shared: shared) }
        case .shared(let form):
            let number = reader.varint()
            add(.symbol, Int64(number))
            if number > 0 { try shared(UInt32(number), form) }
        }
    }
}

/// A place in a payload whose content is another one in a copy.
struct Patch {
    enum Kind: UInt8 {
        case symbol, instant, date, position, text
    }

    let kind: Kind
    /// What stands there: a symbol's number, milliseconds, days, a position.
    let value: Int64
    /// Where it stands, from the payload's first byte.
    let offset: Int
    let length: Int
}
