import TestSupport
import Testing

/// Which words the code declares, and how often each word stands in it at all.
private struct Vocabulary {
    /// What the compiler, a library or data ask for by name, and no line of ours does.
    static let exceptions = [
        "validate": "ArgumentParser calls it when options have been read",
        "decrement": "swift-metrics calls it",
        "makeCounter": "swift-metrics calls it",
        "makeRecorder": "swift-metrics calls it",
        "makeMeter": "swift-metrics calls it",
        "makeTimer": "swift-metrics calls it",
        "destroyCounter": "swift-metrics calls it",
        "destroyRecorder": "swift-metrics calls it",
        "destroyMeter": "swift-metrics calls it",
        "destroyTimer": "swift-metrics calls it",
        "InboundIn": "NIO asks for it, of a handler",
        "OutboundIn": "NIO asks for it, of a handler",
        "OutboundOut": "NIO asks for it, of a handler",
        "channelRead": "NIO calls it, of a handler",
        "errorCaught": "NIO calls it, of a handler",
        "channelInactive": "NIO calls it, of a handler",
        "userInboundEventTriggered": "NIO calls it, of a handler",
        "buildExpression": "the compiler calls it, of a result builder",
        "buildOptional": "the compiler calls it, of a result builder",
        "buildEither": "the compiler calls it, of a result builder",
        "buildArray": "the compiler calls it, of a result builder",
        "buildBlock": "the compiler calls it, of a result builder",
        "brand": "a class of the style sheet",
        "buttons": "a class of the style sheet",
        "rail": "a class of the style sheet",
        "spark": "a class of the style sheet",
    ]

    private static let keywords: Set<Substring> = [
        "func", "var", "let", "struct", "enum", "class", "typealias", "protocol", "associatedtype",
    ]

    private var occurrences: [Substring: Int] = [:]
    private var declarations: [Substring: Int] = [:]
    /// Where the first declaration of a name under `Sources` is.
    private var places: [Substring: String] = [:]

    init(_ files: [SourceFile]) {
        for file in files { add(file) }
    }

    private mutating func add(_ file: SourceFile) {
        let isSource = file.path.hasPrefix("Sources/")
        /// The enumerations around a line, the innermost last.
        var open: [(indent: Int, isOfTexts: Bool)] = []
        for (number, line) in file.code {
            let words = Self.words(line)
            guard !words.isEmpty else { continue }
            for word in words { occurrences[word, default: 0] += 1 }
            let indent = line.utf8.prefix { $0 == UInt8(ascii: " ") }.count
            while let last = open.last, indent <= last.indent { open.removeLast() }
            var declared = zip(words, words.dropFirst())
                .filter { Self.keywords.contains($0.0) }.map(\.1)
            if words.contains("enum"), let match = line.firstMatch(of: /\benum \w+(: String\b)?/) {
                open.append((indent, match.output.1 != nil))
            } else if let last = open.last, indent == last.indent + 4, !last.isOfTexts {
                declared += Self.cases(line)
            }
            for name in declared {
                declarations[name, default: 0] += 1
                if isSource, places[name] == nil { places[name] = "\(file.path):\(number)" }
            }
        }
    }

    /// What a line of an enumeration's body declares: `case found(Row), missing`. Texts are not asked for: a
    /// journal, a command or a policy names those cases.
    private static func cases(_ line: Substring) -> [Substring] {
        guard let match = line.firstMatch(of: /^ *(?:indirect )?case (.+)$/) else { return [] }
        let list = ContractPage.withoutParentheses(String(match.output.1))
        return list.split(separator: ",").compactMap { words(Substring($0)).first }
    }

    private static func words(_ line: Substring) -> [Substring] {
        line.utf8.split { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                false
            default: true
            }
        }.map { Substring($0) }
    }

    /// The names that only declarations have, such as a requirement with its witnesses that nothing calls.
    var dead: [String: String] {
        var dead: [String: String] = [:]
        for (name, place) in places where occurrences[name] == declarations[name] {
            dead[String(name)] = place
        }
        return dead
    }
}

@Suite struct `The names of the code` {
    /// Text decides, not the compiler: a dead name that something else has as well goes unnoticed. A mention in
    /// a comment is no use.
    @Test func `are all used: nothing is declared that nothing mentions`() throws {
        let files = try SourceFile.everywhere().filter {
            !$0.path.hasSuffix("/DeadCodeTests.swift")
        }
        #expect(files.count > 900)
        let dead = Vocabulary(files).dead
        for (name, place) in dead.sorted(by: { $0.value < $1.value }) {
            #expect(Vocabulary.exceptions[name] != nil, "\(place): \(name) is dead")
        }
        for (name, reason) in Vocabulary.exceptions where dead[name] == nil {
            Issue.record("\(name) is used or gone (\(reason)): take it off the list")
        }
    }

    @Test(arguments: [
        ("func lonely() {}", ["lonely"]),
        ("func used() { used() }", []),
        ("    /// lonely\n    let lonely = 1", ["lonely"]),
        ("enum Way: Int {\n    case on, off(Way)\n}", ["off", "on"]),
        ("enum Way: String, Choice {\n    case on\n}; Way()", []),
        ("protocol P { func asked() }\nstruct S: P { func asked() {} }", ["S", "asked"]),
        ("enum E {\n    var e: E {\n        switch self {\n        case low: e\n    }\n}", []),
    ])
    func `are found in texts`(text: String, dead: [String]) {
        let file = SourceFile(path: "Sources/Sample.swift", text: text)
        #expect(Vocabulary([file]).dead.keys.sorted() == dead)
    }
}
