import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// A text in both languages.
    struct Bilingual {
        let english: String
        let arabic: String

        init(_ english: String, _ arabic: String) {
            self.english = english
            self.arabic = arabic
        }

        /// With `{name}` filled.
        func filling(_ name: String, with value: Bilingual) -> Bilingual {
            Bilingual(
                Self.filled(english, "{\(name)}", with: value.english),
                Self.filled(arabic, "{\(name)}", with: value.arabic))
        }

        /// Byte by byte: `String.replacing` compares characters, at ten times the cost.
        private static func filled(
            _ text: String, _ blank: String, with value: String
        ) -> String {
            var filled = ""
            var rest = text[...]
            while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
                filled += rest[..<start]
                rest = rest[start...]
                let isBlank = rest.utf8.starts(with: blank.utf8)
                filled += isBlank ? value[...] : "{"
                let count = isBlank ? blank.utf8.count : 1
                rest = rest[rest.utf8.index(start, offsetBy: count)...]
            }
            return filled + rest
        }

        /// With `{days}` or the like counted.
        func filling(_ counted: Counted, _ count: Int) -> Bilingual {
            filling(
                counted.rawValue, with: Bilingual(counted.english(count), counted.arabic(count)))
        }

        func filling(_ name: String, with value: String) -> Bilingual {
            filling(name, with: Bilingual(value, value))
        }
    }

    /// The tables of the page's Texts.
    enum Texts {}
}

extension JSONOutput {
    /// Writes `NAME` in English and `NAMEAr` in Arabic; null for none.
    mutating func both(_ name: String, _ text: Tafawoq.Bilingual?) {
        member(name, text?.english)
        member("\(name)Ar", text?.arabic)
    }

    /// Writes a member that is an object or null.
    mutating func objectOrNull(_ name: String, _ isThere: Bool, _ body: (inout JSONOutput) -> Void)
    {
        if isThere { object(name, body) } else { member(name, JSON.null) }
    }
}
