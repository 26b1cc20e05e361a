import Core
import Testing

/// Fills a payload with random values: a coder like any other, it walks the one list of fields.
struct Generator: Coder {
    var random: TextRandom
    let names: Names

    init(seed: UInt64, names: Names = Names()) {
        random = TextRandom(seed: seed)
        self.names = names
    }

    /// A random payload, such as an old journal might hold.
    mutating func record<R: Record>(_ type: R.Type) -> R {
        var record = R()
        record.fields(&self)
        return record
    }

    mutating func field<V: FieldValue>(_ name: String, _ value: inout V) {
        value = make(V.self)
    }

    mutating func optional<V: FieldValue>(_ name: String, _ value: inout V?) {
        value = random.below(3) == 0 ? nil : make(V.self)
    }

    mutating func personal<V: FieldValue>(_ name: String, _ value: inout V?) {
        value = random.below(4) == 0 ? nil : make(V.self)
        // A personal field that reads null is one that is not given.
        if let kept = value as? KeptJSON, kept.value == .null { value = nil }
    }

    mutating func optionalPersonal<V: FieldValue>(_ name: String, _ value: inout V??) {
        guard random.below(3) > 0 else { return value = nil }
        var given: V?
        personal(name, &given)
        value = .some(given)
    }

    /// The stream tells it, and there is none here.
    mutating func own<T: Thing>(_ name: String, _ value: inout Identifier<T>) {}

    /// A value of the type; a kind of value that is new to this list stops the test that meets it.
    private mutating func make<V: FieldValue>(_ type: V.Type) -> V {
        let value: Any? =
            switch type {
            case let type as any Generated.Type: type.generated(by: &self)
            case let type as any Record.Type: record(type)
            case let type as any Choice.Type: choice(type)
            default: nil
            }
        guard let value = value as? V else {
            Issue.record("\(V.self) has no generator: add it in Generator.swift")
            return V.empty
        }
        return value
    }

    private mutating func choice<C: Choice>(_ type: C.Type) -> C {
        C.allCases[random.below(C.allCases.count)]
    }
}

/// A value that a generator can make up.
protocol Generated {
    static func generated(by generator: inout Generator) -> Self
}

extension Bool: Generated {
    static func generated(by generator: inout Generator) -> Bool { generator.random.below(2) == 0 }
}

extension Int: Generated {
    static func generated(by generator: inout Generator) -> Int {
        Int(generator.random.next() >> 11) >> generator.random.below(53)
    }
}

extension String: Generated {
    static func generated(by generator: inout Generator) -> String { generator.random.text() }
}

extension FilledText: Generated {
    static func generated(by generator: inout Generator) -> FilledText {
        FilledText(generator.random.text() + ".")
    }
}

extension Instant: Generated {
    /// In the years that texts reach: JSON says no others.
    static func generated(by generator: inout Generator) -> Instant {
        let last: Int64 = 7_258_118_399_999
        return Instant(milliseconds: Int64(generator.random.next() % UInt64(last + 1)))
    }
}

extension LocalDate: Generated {
    static func generated(by generator: inout Generator) -> LocalDate {
        LocalDate(days: Int32(generator.random.below(84_000)))
    }
}

extension Position: Generated {
    static func generated(by generator: inout Generator) -> Position {
        Position(UInt64(Int.generated(by: &generator)))
    }
}

extension Percent: Generated {
    static func generated(by generator: inout Generator) -> Percent {
        Percent(hundredths: Int64(generator.random.below(10_001)))
    }
}

extension SignedInt: Generated {
    static func generated(by generator: inout Generator) -> SignedInt {
        let size = Int.generated(by: &generator)
        return SignedInt(generator.random.below(2) == 0 ? size : -size)
    }
}

extension JSON: Generated {
    static func generated(by generator: inout Generator) -> JSON { generator.random.document() }
}

extension KeptJSON: Generated {
    static func generated(by generator: inout Generator) -> KeptJSON {
        KeptJSON(generator.random.document())
    }
}

extension Identifier: Generated {
    static func generated(by generator: inout Generator) -> Identifier {
        let form = Array("ABCXYZabcxyz0189._:-")
        let text = (0...generator.random.below(12)).map { _ in
            form[generator.random.below(form.count)]
        }
        return Identifier(generator.names.intern(String(text)))
    }
}

extension InternedText: Generated {
    static func generated(by generator: inout Generator) -> InternedText {
        InternedText(generator.names.intern(generator.random.text()))
    }
}

extension Shared: Generated {
    static func generated(by generator: inout Generator) -> Shared {
        Shared(generator.record(Value.self), in: generator.names)
    }
}

extension Array: Generated where Element: FieldValue {
    static func generated(by generator: inout Generator) -> [Element] {
        (0..<generator.random.below(5)).map { _ in
            var element = Element.empty
            generator.field("", &element)
            return element
        }
    }
}

extension Optional: Generated where Wrapped: FieldValue {
    static func generated(by generator: inout Generator) -> Wrapped? {
        var value: Wrapped?
        generator.optional("", &value)
        return value
    }
}

extension Packed: Generated {
    static func generated(by generator: inout Generator) -> Packed {
        var value = Value.empty
        generator.field("", &value)
        return Packed(value)
    }
}
