@testable import Core

/// SplitMix64 (Steele, Lea, Flood 2014), and the random texts and documents made from it. Of its
/// own, so that these tests prove something even when the house's generator is at fault.
struct TextRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// A scalar that is likely to be awkward: controls, quotes, the ends of UTF-8 lengths,
    /// combining marks, look-alikes that normal forms equate.
    mutating func scalar() -> Unicode.Scalar {
        let awkward: [Unicode.Scalar] = [
            "\"", "\\", "/", "\u{0}", "\u{1F}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}",
            "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "\u{E9}", "e",
            "\u{301}", "\u{212A}", "K", "\u{645}", "\n", "\t", "\u{2028}",
        ]
        switch below(3) {
        case 0: return awkward[below(awkward.count)]
        case 1: return Unicode.Scalar(UInt8(0x20 + below(0x5F)))
        default:
            while true {
                if let scalar = Unicode.Scalar(UInt32(below(0x11_0000))) { return scalar }
            }
        }
    }

    mutating func text() -> String {
        var text = ""
        for _ in 0..<below(below(20) == 0 ? 60 : 12) { text.unicodeScalars.append(scalar()) }
        return text
    }

    mutating func whole() -> Int64 {
        // All lengths of numbers, not only long ones.
        Int64(truncatingIfNeeded: next()) >> Int64(below(64))
    }

    mutating func document(depth: Int = 0) -> JSON {
        switch below(depth > 4 ? 5 : 7) {
        case 0: return .null
        case 1: return .bool(below(2) == 0)
        case 2: return .integer(whole())
        case 3: return .hundredths(whole())
        case 4: return .string(text())
        case 5: return .array((0..<below(6)).map { _ in document(depth: depth + 1) })
        default:
            return .object(of: (0..<below(8)).map { _ in (text(), document(depth: depth + 1)) })
        }
    }
}
