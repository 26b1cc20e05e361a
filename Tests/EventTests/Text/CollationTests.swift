import Core
import TestSupport
import Testing

@Suite struct `Names as people sort them` {
    /// 900 texts of 14 scripts, decomposed and composed, as another program sorts them: pyuca 1.2 with the same data
    /// (Scripts/collation.py samples).
    @Test func `stand in the order that another program gives them`() throws {
        let texts = try Tree.text("Tests/EventTests/Fixtures/collation.txt")
            .split(separator: "\n").map { line in
                var text = ""
                text.unicodeScalars.append(
                    contentsOf: line.split(separator: " ").compactMap {
                        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
                    })
                return text
            }
        #expect(texts.count == 900)
        let keys = texts.map { CollationKey($0) }
        let wrong = zip(keys, keys.dropFirst()).enumerated().filter { !($1.0 < $1.1) }
        #expect(wrong.map { "\(texts[$0.offset]) \(texts[$0.offset + 1])" } == [])
    }

    @Test func `put accents and case behind letters`() {
        let names = ["zebra", "Éclair", "eclair", "Zebra", "éclair", "Eclair", "apple", "Ökonomie"]
        #expect(
            names.sorted { CollationKey($0) < CollationKey($1) } == [
                "apple", "eclair", "Eclair", "éclair", "Éclair", "Ökonomie", "zebra", "Zebra",
            ])
    }

    @Test func `do not depend on how a text is composed`() {
        #expect(CollationKey("E\u{301}") == CollationKey("\u{C9}"))
        #expect(CollationKey("\u{AC01}") == CollationKey("\u{1100}\u{1161}\u{11A8}"))
        #expect(CollationKey("q\u{307}\u{323}") == CollationKey("q\u{323}\u{307}"))
    }

    @Test func `put what the table lacks last`() {
        #expect(CollationKey("zzz") < CollationKey("\u{4E00}"))
        #expect(CollationKey("\u{4E00}") < CollationKey("\u{3400}"))
        #expect(CollationKey("\u{3400}") < CollationKey("\u{E000}"))
        #expect(CollationKey("") < CollationKey(" "))
    }
}
