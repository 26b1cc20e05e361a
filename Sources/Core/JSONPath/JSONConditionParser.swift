/// Conditions: what stands behind `?` in a path, or alone.
extension JSONPathParser {
    mutating func condition() throws(JSONError) -> JSONCondition {
        try list(of: "||", JSONCondition.any) { parser throws(JSONError) in
            try parser.list(of: "&&", JSONCondition.all) { parser throws(JSONError) in
                try parser.basic()
            }
        }
    }

    mutating func list(
        of sign: String, _ joined: ([JSONCondition]) -> JSONCondition,
        _ item: (inout JSONPathParser) throws(JSONError) -> JSONCondition
    ) throws(JSONError) -> JSONCondition {
        var items = [try item(&self)]
        while true {
            let mark = index
            skipSpace()
            guard take(sign) else {
                index = mark
                return items.count == 1 ? items[0] : joined(items)
            }
            skipSpace()
            items.append(try item(&self))
        }
    }

    mutating func basic() throws(JSONError) -> JSONCondition {
        if take("!") {
            skipSpace()
            return .not(take("(") ? try parenthesized() : try test())
        }
        if take("(") { return try parenthesized() }
        let start = index
        if try operand(isCompared: false) != nil {
            let mark = index
            skipSpace()
            if let sign = comparison() {
                index = start
                return try comparing(sign)
            }
            index = mark
        }
        index = start
        return try test()
    }

    mutating func parenthesized() throws(JSONError) -> JSONCondition {
        skipSpace()
        let inner = try nested { parser throws(JSONError) in try parser.condition() }
        skipSpace()
        try expect(")")
        return inner
    }

    mutating func comparing(
        _ sign: JSONCondition.Comparison
    ) throws(JSONError) -> JSONCondition {
        guard let left = try operand(isCompared: true) else { throw error("a value expected") }
        skipSpace()
        _ = take(sign.rawValue)
        skipSpace()
        guard let right = try operand(isCompared: true) else { throw error("a value expected") }
        return .compare(left, sign, right)
    }

    func comparison() -> JSONCondition.Comparison? {
        let signs: [JSONCondition.Comparison] = [
            .equal, .unequal, .atMost, .atLeast, .less, .greater,
        ]
        return signs.first { begins(with: $0.rawValue) }
    }

    /// Whether something stands at a path.
    mutating func test() throws(JSONError) -> JSONCondition {
        let start = index
        guard let query = try takeQuery() else {
            if let name = takeName(), next == "(" {
                index = start
                throw error("\(name)(…) says no true or false; compare it")
            }
            index = start
            throw error("a path, a comparison or a condition in parentheses expected")
        }
        return .exists(query)
    }

    mutating func takeQuery() throws(JSONError) -> JSONCondition.Query? {
        guard next == "$" || next == "@" else { return nil }
        let startsAtRoot = next == "$"
        index += 1
        return JSONCondition.Query(
            startsAtRoot: startsAtRoot, path: JSONPath(segments: try segments()))
    }

    /// Nil where none begins. What is compared names at most one value.
    mutating func operand(
        isCompared: Bool
    ) throws(JSONError) -> JSONCondition.Operand? {
        let start = index
        if let query = try takeQuery() {
            if isCompared, !query.path.isSingular {
                index = start
                throw error("what is compared names one value: names and indexes alone")
            }
            return .value(query)
        }
        if next == "'" || next == "\"" { return .literal(.string(try quotedText())) }
        if let number = try takeNumber() { return .literal(.number(number)) }
        guard let name = takeName() else { return nil }
        if next == "(" { return try function(name) }
        switch name {
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        case "null": return .literal(.null)
        default:
            index = start
            throw error("texts stand in quotes; a path begins with $ or @")
        }
    }

    mutating func function(_ name: String) throws(JSONError) -> JSONCondition.Operand {
        guard ["length", "count", "value"].contains(name) else {
            throw error("there is no function \(name); length, count and value are there")
        }
        try expect("(")
        skipSpace()
        let operand: JSONCondition.Operand
        if name == "length" {
            guard
                let value = try nested({ parser throws(JSONError) in
                    try parser.operand(isCompared: true)
                })
            else { throw error("a value expected") }
            operand = .length(value)
        } else {
            guard let query = try takeQuery() else { throw error("a path expected") }
            operand = name == "count" ? .count(query) : .only(query)
        }
        skipSpace()
        try expect(")")
        return operand
    }

    mutating func takeNumber() throws(JSONError) -> JSONNumber? {
        let start = index
        guard let first = next, first == "-" || "0"..."9" ~= first else { return nil }
        while let scalar = next, "+-.eE0123456789".unicodeScalars.contains(scalar) { index += 1 }
        let written = String(String.UnicodeScalarView(text[start..<index]))
        guard let parsed = try? JSON(parsing: written), let number = parsed.number else {
            index = start
            throw error("not a number of JSON")
        }
        return number
    }
}
