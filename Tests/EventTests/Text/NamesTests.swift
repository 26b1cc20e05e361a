import Testing

@testable import Core

@Suite struct `Symbols of a session` {
    /// The table of a journal.
    private final class Stored: SymbolSource {
        var all: [[UInt8]] = []
        private var numbers: [[UInt8]: Int] = [:]

        func bytes(of symbol: Symbol) -> [UInt8]? {
            all.indices.contains(Int(symbol.number) - 1) ? all[Int(symbol.number) - 1] : nil
        }

        var lookUps = 0

        func symbol(of bytes: [UInt8]) -> Symbol? {
            lookUps += 1
            return numbers[bytes].map { Symbol(number: UInt32($0)) }
        }

        func add(_ fresh: [[UInt8]]) {
            for bytes in fresh {
                all.append(bytes)
                numbers[bytes] = all.count
            }
        }
    }

    /// Few enough that most come again, and so many that slots meet.
    private static func text(_ random: inout TextRandom) -> String {
        random.below(4) == 0 ? random.text() : "text \(random.below(600))"
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `are those of a list that only grows, whatever is interned, given back and stored`(
        seed: UInt64
    ) {
        var random = TextRandom(seed: seed)
        let stored = Stored()
        let names = Names(source: stored)
        var model: [[UInt8]] = []  // of all symbols, from 1
        func number(_ bytes: [UInt8]) -> Symbol? {
            model.firstIndex(of: bytes).map { Symbol(number: UInt32($0) + 1) }
        }
        for _ in 0..<6_000 {
            let text = Self.text(&random)
            let bytes = Array(text.utf8)
            switch random.below(12) {
            case 0..<6:
                if number(bytes) == nil { model.append(bytes) }
                #expect(names.intern(text) == number(bytes))
            case 6:
                if number(bytes) == nil { model.append(bytes) }
                #expect(names.intern(bytes: bytes) == number(bytes))
            case 7..<10:
                let near = Symbol(number: UInt32(random.below(model.count + 12)))
                let known =
                    random.below(2) == 0
                    ? names.known(text) : names.known(text, shortlyBefore: near)
                #expect(known == number(bytes))
                if let symbol = number(bytes) { #expect(names.text(symbol) == text) }
            case 10:
                let count = random.below(names.fresh.count + 1)
                names.rewind(to: count)
                model.removeLast(model.count - stored.all.count - count)
            default:
                guard random.below(4) == 0 else { continue }
                stored.add(names.fresh)
                names.didStore()
            }
            #expect(names.fresh == Array(model.dropFirst(stored.all.count)))
        }
        #expect(names.fault == nil && model.count > 500)
    }

    @Test func `that stand shortly before another are found without the index`() {
        let stored = Stored()
        stored.add((0..<20).map { Array("\($0)".utf8) })
        let names = Names(source: stored, stored: 20)
        let last = Symbol(number: 20)
        #expect(names.known("17", shortlyBefore: last) == Symbol(number: 18))
        #expect(stored.lookUps == 0)
        #expect(names.known("3", shortlyBefore: last) == Symbol(number: 4))
        #expect(names.known("none", shortlyBefore: Symbol(number: 1)) == nil)
        #expect(stored.lookUps == 2)
    }

    @Test func `stay the same when the session forgets what it can look up`() {
        let stored = Stored()
        let names = Names(source: stored)
        let kept = names.intern("the first, which is stored")
        stored.add(names.fresh)
        names.didStore()
        let first = names.intern("the first that is not")
        for number in 0..<1_100_000 { _ = names.intern("\(number)") }
        #expect(names.known("the first, which is stored") == kept)
        #expect(names.known("the first that is not") == first)
        #expect(names.text(first) == "the first that is not")
        #expect(names.intern("1099999").number == first.number + 1_100_000)
        #expect(names.fresh.count == 1_100_001)
    }
}
