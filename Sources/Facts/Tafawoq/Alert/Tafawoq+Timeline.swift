package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The instants later than `end` less the seconds, and not later than `end` (R46).
    package struct Window {
        let end: Instant
        let seconds: Int

        var start: Instant { end - Int64(seconds) }

        package func contains(_ instant: Instant) -> Bool { start < instant && instant <= end }
    }

    /// An entry that happened at an instant.
    package protocol Dated: Record {
        var at: Instant { get }
    }

    /// A list in the order of recording that is asked for a window of instants (R46).
    ///
    /// Entries may be recorded after later ones. So each item knows the latest instant up to it: a search
    /// from the end stops where everything before lies before the window, and costs what the window
    /// holds.
    package struct Timeline<Entry: Dated> {
        /// An entry, with the latest instant of all entries up to it.
        package struct Item: Record {
            var entry = Entry()
            var latest = Instant.epoch

            package init() {}
        }

        private let items: ChunkedList<Ordinal, Item>
        private let step = 128

        init(_ name: String, in space: TableSpace) {
            items = ChunkedList(name, in: space, chunk: step)
        }

        /// Adds the entry that is number `count`, counted from 0.
        func append(_ entry: Entry, at count: Int) {
            let former = count > 0 ? items.elements(of: .only, in: count - 1..<count).first : nil
            var item = Item()
            item.entry = entry
            item.latest = max(entry.at, former?.latest ?? entry.at)
            items.append(item, to: .only, at: count)
        }

        /// The first `count` entries, oldest first.
        package func entries(count: Int) -> [Entry] {
            items.elements(of: .only, count: count).map(\.entry)
        }

        /// Those of the first `count` entries that lie in the window, last recorded first.
        package func entries(in window: Window, count: Int) -> [Entry] {
            var found: [Entry] = []
            var end = count
            while end > 0 {
                let start = (end - 1) / step * step
                for item in items.elements(of: .only, in: start..<end).reversed() {
                    guard window.start < item.latest else { return found }
                    if window.contains(item.entry.at) { found.append(item.entry) }
                }
                end = start
            }
            return found
        }
    }
}
