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
                english.replacing("{\(name)}", with: value.english),
                arabic.replacing("{\(name)}", with: value.arabic))
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
