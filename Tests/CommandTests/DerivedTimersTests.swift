import Core
import TestSupport
import Testing

@testable import Folding

/// Beside timers that are set and cancelled at once, by the same rows.
@Suite struct `Timers that are worked out from rows` {
    private final class Rows {
        var due: [Symbol: Instant] = [:]
    }

    /// A space with its timers and what is derived in it.
    private struct Side {
        let space = TableSpace()
        let timers: Timers
        let derived: DerivedTimers

        init(_ names: Names, _ rows: Rows) {
            timers = Timers(in: space, names: names)
            derived = DerivedTimers("x", of: timers, in: space)
            derived.follow(stream: { names.text($0) }, due: { rows.due[$0] })
        }
    }

    private enum Anything: Thing {
        static let noun = "thing"
        static let isTagged = false
    }

    @Test(arguments: UInt64(1)...80)
    func `are those that were set at once, whatever passes and is refused`(seed: UInt64) {
        let names = Names()
        let things = (0..<5).map { names.intern("s-\($0)") }
        let rows = Rows()
        let (side, other) = (Side(names, rows), Side(names, rows))
        var chance = SplitMix64(seed: seed)
        func below(_ bound: UInt64) -> Int { Int(chance.next() % bound) }
        func change(at step: Int) {
            let thing = things[below(5)]
            let cause = Position(UInt64(step + 1))
            let due = below(4) == 0 ? nil : Instant(milliseconds: Int64(step + below(30) - 5))
            rows.due[thing] = due
            side.derived.mark(Identifier<Anything>(thing), cause: cause)
            let stream = names.text(thing)
            if let due {
                other.timers.set(.init("x", due: due, cause: cause), onNamed: stream)
            } else {
                other.timers.cancel("x", onNamed: stream)
            }
        }
        let isReplay = seed % 2 == 0
        for side in [side, other] { side.space.keepsChanges = !isReplay }
        for step in 0..<300 {
            if isReplay {
                if below(3) > 0 {
                    change(at: step)
                } else {
                    // A former system's commands may go back in time.
                    let instant = Instant(milliseconds: Int64(step - (below(8) == 0 ? 20 : 0)))
                    for side in [side, other] { side.timers.pass(instant) }
                }
            } else {
                // Asked before each command, which may be refused.
                let next = side.timers.next()
                #expect(next == other.timers.next())
                if below(4) == 0, let next {
                    for side in [side, other] { side.timers.spend(next) }
                }
                for side in [side, other] { side.space.keepChanges() }
                let former = rows.due
                for _ in 0..<below(4) { change(at: step) }
                if below(3) == 0 {
                    rows.due = former
                    for side in [side, other] { side.space.undoChanges() }
                } else {
                    for side in [side, other] { side.space.keepChanges() }
                }
            }
            if below(10) == 0 { #expect(side.timers.pending() == other.timers.pending()) }
        }
        #expect(side.timers.pending() == other.timers.pending())
    }
}
