import Testing

@testable import Core

@Suite("Keys of dictionaries")
struct KeyHashTests {
    /// Texts of every length up to some words, many of which differ in one byte.
    private func texts(_ seed: UInt64) -> [String] {
        var random = TextRandom(seed: seed)
        return (0..<2_000).flatMap { index -> [String] in
            let length = index % 70
            var bytes = (0..<length).map { _ in UInt8(ascii: "a") + UInt8(random.below(3)) }
            let text = String(decoding: bytes, as: UTF8.self)
            guard length > 0 else { return [text] }
            bytes[random.below(length)] ^= 4
            return [text, String(decoding: bytes, as: UTF8.self)]
        }
    }

    @Test(
        "find what was put in under an equal key, and nothing else",
        arguments: [1, 2, 3] as [UInt64])
    func foundAsInAList(seed: UInt64) {
        var ofTexts: [ExactText: Int] = [:]
        var ofBytes: [ExactBytes: Int] = [:]
        var model: [String: Int] = [:]
        let all = texts(seed)
        for (index, text) in all.enumerated() where index % 3 > 0 {
            ofTexts[ExactText(text)] = index
            ofBytes[ExactBytes(Array(text.utf8))] = index
            model[text] = index
        }
        for text in all {
            #expect(ofTexts[ExactText(text)] == model[text])
            #expect(ofBytes[ExactBytes(Array(text.utf8))] == model[text])
        }
        #expect(ofTexts.count == model.count && ofBytes.count == model.count)
    }

    @Test("texts that are equal to a reader and not to the byte are two keys")
    func scalarsCount() {
        let keys: Set = [ExactText("\u{E9}"), ExactText("e\u{301}")]
        #expect(keys.count == 2)
    }

    @Test("symbols and ids of all kinds are found by their numbers")
    func numbersAreFound() {
        let numbers = (0..<5_000).map { UInt32($0) &* 48_271 }
        var symbols: [Symbol: UInt32] = [:]
        var words: [InternedText: UInt32] = [:]
        for number in numbers {
            symbols[Symbol(number: number)] = number
            words[InternedText(Symbol(number: number))] = number
        }
        #expect(numbers.allSatisfy { symbols[Symbol(number: $0)] == $0 })
        #expect(numbers.allSatisfy { words[InternedText(Symbol(number: $0))] == $0 })
        #expect(symbols[Symbol(number: 1)] == nil && words.count == numbers.count)
    }

    /// Of 4,096 keys over as many buckets some 63 % of the buckets are met, whatever the keys are; half of that would be a
    /// table that degenerates.
    @Test(
        "neighbours are spread over a table, whichever of their bits it looks at",
        arguments: [0, 20, 40])
    func neighboursAreSpread(shift: Int) {
        let buckets = 4_096
        func met(_ hash: (UInt32) -> Int) -> Int {
            Set(
                (0..<UInt32(buckets)).map {
                    UInt(bitPattern: hash($0)) >> UInt(shift) & UInt(buckets - 1)
                }
            ).count
        }
        #expect(met { Symbol(number: $0)._rawHashValue(seed: 7) } > buckets / 2)
        #expect(met { Symbol(number: $0 << 12)._rawHashValue(seed: 7) } > buckets / 2)
        #expect(
            met { ExactText("quranflow/recording/R-\($0)")._rawHashValue(seed: 7) } > buckets / 2)
        #expect(met { ExactText("\($0)-Q")._rawHashValue(seed: 7) } > buckets / 2)
    }
}
