package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// R46: later than `end` less the seconds, and not later than `end`.
    package struct Window {
        let end: Instant
        let seconds: Int

        var start: Instant { end - Int64(seconds) }

        package func contains(_ instant: Instant) -> Bool { start < instant && instant <= end }
    }

    /// Something that has its instant.
    package protocol Dated: Record {
        var at: Instant { get }
    }

    /// What happened, in the order in which it was told, asked for a window of instants (R46).
    ///
    /// What is told late stands behind what is later. So each entry knows the latest instant up to it: a
    /// search from the end stops where all that came before lies before the window, and costs what the
    /// window holds.
    package struct Timeline<Entry: Dated> {
        package struct Place: Record {
            var entry = Entry()
            var latest = Instant.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("entry", &entry)
                coder.field("latest", &latest)
            }
        }

        private let chain: Chain<Ordinal, Place>
        private let step = 128

        init(_ name: String, in space: TableSpace) {
            chain = Chain(name, in: space, chunk: step)
        }

        /// Adds the entry that is number `count`, counted from 0.
        func append(_ entry: Entry, at count: Int) {
            let former = count > 0 ? chain.elements(of: .only, in: count - 1..<count).first : nil
            var place = Place()
            place.entry = entry
            place.latest = max(entry.at, former?.latest ?? entry.at)
            chain.append(place, to: .only, at: count)
        }

        /// The first `count` entries, oldest first.
        package func entries(count: Int) -> [Entry] {
            chain.elements(of: .only, count: count).map(\.entry)
        }

        /// Those of the first `count` entries that lie in the window, last told first.
        package func entries(in window: Window, count: Int) -> [Entry] {
            var found: [Entry] = []
            var end = count
            while end > 0 {
                let start = (end - 1) / step * step
                for place in chain.elements(of: .only, in: start..<end).reversed() {
                    guard window.start < place.latest else { return found }
                    if window.contains(place.entry.at) { found.append(place.entry) }
                }
                end = start
            }
            return found
        }
    }
}
