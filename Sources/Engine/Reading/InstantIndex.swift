import Core
import EventLog
import Synchronization

/// When events happened, by stretches of positions, learnt as they are read: who looks for an instant passes over stretches
/// that lie before or behind it. Events may be recorded later than others that happened after them, so only a
/// stretch that was read whole says anything.
final class InstantIndex: Sendable {
    /// How many events a stretch has.
    static let stretch: UInt64 = 4_096

    private let known = Mutex<[UInt64: ClosedRange<Instant>]>([:])

    /// Ranges of positions in which an event between the instants may be, in order.
    func candidates(
        _ positions: ClosedRange<UInt64>, from: Instant?, to: Instant?
    ) -> [ClosedRange<UInt64>] {
        let stretches =
            Self.number(of: positions.lowerBound)...Self.number(of: positions.upperBound)
        var found: [ClosedRange<UInt64>] = []
        known.withLock { known in
            for number in stretches {
                if let instants = known[number] {
                    if let from, instants.upperBound < from { continue }
                    if let to, instants.lowerBound > to { continue }
                }
                let low = max(positions.lowerBound, number * Self.stretch + 1)
                let high = min(positions.upperBound, (number + 1) * Self.stretch)
                if let last = found.last, last.upperBound + 1 == low {
                    found[found.count - 1] = last.lowerBound...high
                } else {
                    found.append(low...high)
                }
            }
        }
        return found
    }

    private static func number(of position: UInt64) -> UInt64 { (position - 1) / stretch }

    /// Takes note of events that are read one behind another.
    struct Learner {
        private let index: InstantIndex
        private var number: UInt64?
        private var count: UInt64 = 0
        private var instants = Instant.epoch...Instant.epoch

        init(_ index: InstantIndex) { self.index = index }

        mutating func note(_ position: Position, _ at: Instant) {
            let place = InstantIndex.number(of: position.number)
            if number == place {
                count += 1
                instants = min(instants.lowerBound, at)...max(instants.upperBound, at)
            } else {
                (number, count, instants) = (place, 1, at...at)
            }
            guard count == InstantIndex.stretch else { return }
            let learnt = instants
            index.known.withLock { $0[place] = learnt }
        }
    }
}
