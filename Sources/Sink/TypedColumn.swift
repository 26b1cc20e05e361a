public import Engine

/// A value of a model's documents as a column of its own, which the database makes of the document.
public struct TypedColumn: Hashable, Sendable {
    /// What the values of a column are; one of another kind is NULL there.
    public enum Kind: String, CaseIterable, Sendable {
        /// A text as it stands, anything else as JSON.
        case text
        /// A whole number.
        case integer
        /// Any number, exactly.
        case numeric
        /// True or false.
        case boolean
        /// An RFC 3339 instant.
        case instant
        /// A date, YYYY-MM-DD.
        case date
        /// Anything, as JSON.
        case json
    }

    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    /// The column's name.
    public let name: String
    /// Where its values stand in a document: `$.title`, `$.rounds[0].points`.
    public let path: String
    /// What its values are.
    public let kind: Kind
    let steps: [Step]

    /// Reads `NAME=$.PATH:KIND`, such as `title=$.title:text`.
    public init(_ text: String) throws(EngineError) {
        let wrong = EngineError(
            .wrongUse,
            "\"\(text)\" is no column; write NAME=$.PATH:KIND, such as title=$.title:text; kinds: "
                + Kind.allCases.map(\.rawValue).joined(separator: ", "))
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let colon = parts[1].lastIndex(of: ":"),
            let kind = Kind(rawValue: String(parts[1][parts[1].index(after: colon)...])),
            let column = TypedColumn(
                name: parts[0], path: String(parts[1][..<colon]), kind: kind)
        else { throw wrong }
        self = column
    }

    init?(name: String, path: String, kind: Kind) {
        guard Self.isName(name), !Self.taken.contains(name), let steps = Self.steps(of: path)
        else { return nil }
        self.name = name
        self.path = path
        self.kind = kind
        self.steps = steps
    }

    /// The columns that every table has.
    private static let taken = ["key", "document", "digest", "position", "changed_at"]

    private static func isName(_ text: String) -> Bool {
        let isWord = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isWord && text.utf8.count <= 63 && text.first?.isLetter == true
    }

    /// Names and indexes alone: more than one value has no place in a column.
    private static func steps(of path: String) -> [Step]? {
        guard path.hasPrefix("$"), path.count > 1 else { return nil }
        var steps: [Step] = []
        var rest = path.dropFirst()
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
                let name = rest.prefix {
                    $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
                }
                guard !name.isEmpty else { return nil }
                steps.append(.name(String(name)))
                rest = rest.dropFirst(name.count)
            } else if first == "[" {
                let digits = rest.prefix { $0 != "]" }
                guard let index = Int(digits), index >= 0, rest.count > digits.count else {
                    return nil
                }
                steps.append(.index(index))
                rest = rest.dropFirst(digits.count + 1)
            } else {
                return nil
            }
        }
        return steps
    }

    // MARK: As SQL

    /// The column as a table's definition has it.
    func definition(_ dialect: Dialect) -> String {
        switch dialect {
        case .postgres(let schema):
            "\(Dialect.quoted(name)) \(postgresType) generated always as (\(postgres(schema))) stored"
        case .sqlite:
            // SQLite adds no stored column to a table that is there.
            "\(Dialect.quoted(name)) \(sqliteType) generated always as (\(sqlite)) virtual"
        }
    }

    private var postgresType: String {
        switch kind {
        case .text: "text"
        case .integer: "bigint"
        case .numeric: "numeric"
        case .boolean: "boolean"
        case .instant: "timestamptz"
        case .date: "date"
        case .json: "jsonb"
        }
    }

    private func postgres(_ schema: String) -> String {
        let path = Dialect.literal(
            "{"
                + steps.map { step in
                    switch step {
                    case .name(let name): "\"\(name)\""
                    case .index(let index): "\(index)"
                    }
                }.joined(separator: ",") + "}")
        let value = "(document #> \(path))"
        let text = "(document #>> \(path))"
        func fits(_ form: String, _ cast: String) -> String {
            "case when \(text) ~ '\(form)' then \(cast) end"
        }
        return switch kind {
        case .text: text
        case .integer:
            // A text of digits is no number. One test within the other: what `and` looks at first is not said.
            "case when jsonb_typeof(\(value)) = 'number' then "
                + fits("^-?[0-9]{1,18}$", "\(text)::bigint") + " end"
        case .numeric: "case when jsonb_typeof(\(value)) = 'number' then \(text)::numeric end"
        case .boolean: "case when jsonb_typeof(\(value)) = 'boolean' then \(text)::boolean end"
        case .instant:
            fits(
                #"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$"#,
                "\(Dialect.quoted(schema)).instant(\(text))")
        case .date:
            fits(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"#, "\(Dialect.quoted(schema)).day(\(text))")
        case .json: value
        }
    }

    private var sqliteType: String {
        switch kind {
        case .text, .instant, .date, .json: "text"
        case .integer, .boolean: "integer"
        case .numeric: "numeric"
        }
    }

    private var sqlite: String {
        let path = Dialect.literal(
            "$"
                + steps.map { step in
                    switch step {
                    case .name(let name): ".\"\(name)\""
                    case .index(let index): "[\(index)]"
                    }
                }.joined())
        let value = "json_extract(document, \(path))"
        let type = "json_type(document, \(path))"
        let date = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
        // A day that no calendar has, SQLite counts on from: it gives another one back.
        let isDay = "date(\(value), '+0 days') = substr(\(value), 1, 10)"
        return switch kind {
        // `json_extract` says 1 and 0 of true and false.
        case .text:
            "case \(type) when 'text' then \(value) when 'null' then null else document -> \(path) end"
        case .integer:
            "case when \(type) = 'integer' and typeof(\(value)) = 'integer' then \(value) end"
        case .numeric: "case when \(type) in ('integer', 'real') then \(value) end"
        case .boolean: "case when \(type) in ('true', 'false') then \(value) end"
        case .instant:
            "case when \(type) = 'text' and \(value) glob '\(date)T[0-9]*Z' "
                + "and \(value) not glob '*[^-0-9T:.Z]*' and \(isDay) then \(value) end"
        case .date:
            "case when \(type) = 'text' and \(value) glob '\(date)' and \(isDay) then \(value) end"
        case .json: "document -> \(path)"
        }
    }
}
