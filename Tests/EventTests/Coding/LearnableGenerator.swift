import Core
import LearnableEvents
import Testing

/// Values of Learnable that are of a form of their own.

extension Formed: Generated {
    static func generated(by generator: inout Generator) -> Formed {
        let scalars = Array(generator.random.text().unicodeScalars.prefix(150))
        var text = "x"
        text.unicodeScalars.append(contentsOf: scalars)
        return Formed(text)
    }
}

extension Learnable.Zone: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Zone {
        let zones = ["UTC", "Asia/Riyadh", "America/Santiago"]
        return .init(
            InternedText(generator.names.intern(zones[generator.random.below(zones.count)])))
    }
}

extension Learnable.TopicNumber: Generated {
    static func generated(by generator: inout Generator) -> Learnable.TopicNumber {
        .init(chapter: 1 + generator.random.below(99), number: 1 + generator.random.below(99))
    }
}

extension Learnable.Blocks: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Blocks {
        .init((0...generator.random.below(4)).map { _ in .generated(by: &generator) })
    }
}

extension Learnable.Block: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Block {
        let texts = [
            #"{"kind":"text","text":"A"}"#, #"{"kind":"code","text":"let a = 1"}"#,
            #"{"kind":"code","language":"swift","text":"let a = 1"}"#,
            #"{"kind":"math","text":"a"}"#, #"{"kind":"quote","text":"Ä"}"#,
        ]
        return generator.one(of: texts)
    }
}

extension Learnable.Form: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Form {
        let texts = [
            #"{"format":"multiple-choice","text":"?","options":["a","b"],"correct":1,"explanation":"b"}"#,
            #"{"format":"free-text","text":"?","answer":"a","explanation":"b"}"#,
        ]
        return generator.one(of: texts)
    }
}

extension Learnable.Variant: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Variant {
        let texts = [
            #"{"level":1,"format":"multiple-choice","text":"?","options":["a","b","c"],"correct":2,"explanation":"b"}"#,
            #"{"level":4,"format":"free-text","text":"?","answer":"a","explanation":"b"}"#,
        ]
        return generator.one(of: texts)
    }
}

extension Learnable.Voice: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Voice {
        generator.one(of: [#"{"url":"u","seconds":1}"#, #"{"url":"https://a","seconds":600}"#])
    }
}

extension Learnable.Money: Generated {
    static func generated(by generator: inout Generator) -> Learnable.Money {
        generator.one(of: [#"{"amount":0,"currency":"USD"}"#, #"{"amount":499,"currency":"SAR"}"#])
    }
}

extension Generator {
    /// What one of the JSON texts says.
    fileprivate mutating func one<V: FieldValue>(of texts: [String]) -> V {
        var input = JSONInput(names: names, path: "")
        let text = texts[random.below(texts.count)]
        guard let json = try? JSON(parsing: text), let value = V.read(json, from: &input) else {
            Issue.record("\(text) is no \(V.self)")
            return V.empty
        }
        return value
    }
}
