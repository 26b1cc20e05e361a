package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom.State {
    /// R48: how many commands of this journal, with an event after `since` and none after `through`, no
    /// merge brought and another journal could merge.
    package func commands(after since: Position, through last: Position) -> Int {
        var count = 0
        for block in blocks(after: since, through: last) {
            count +=
                journal.blocks.read(Ordinal(block.number)) { $0.commands.count(in: block.places) }
                ?? 0
        }
        return count
    }

    /// R48: commands × `bytesPerCommand`, and the bytes of each distinct image that they attached.
    package func estimatedBytes(ofCommands commands: Int, after since: Position) -> Int {
        var images: [ExamRoom.ImageHash: Int] = [:]
        let count = journal.counts[.only]?.images ?? 0
        // From the last one back, a chunk at a time, to the first that is pending.
        var end = count
        while end > 0 {
            let start = max(0, end - 128)
            let part = journal.images.elements(of: .only, in: start..<end)
            for image in part.reversed() where image.position > since {
                if images[image.hash] == nil { images[image.hash] = image.bytes }
            }
            if let first = part.first, first.position <= since { break }
            end = start
        }
        return images.values.reduce(commands.multipliedClamping(policy.bytesPerCommand)) {
            $0.addingClamping($1)
        }
    }

    /// The positions of what `examroom.changes` lists after `since` and does not come from the device:
    /// how many there are, and those of a page.
    package func changes(
        after since: Position, through last: Position, notBy device: ExamRoom.DeviceID,
        page: (Int) -> Range<Int>
    ) -> (positions: [Position], total: Int) {
        let blocks = blocks(after: since, through: last)
        let counts = blocks.map { changes(in: $0, notBy: device) }
        let total = counts.reduce(0, +)
        let wanted = page(total)
        var positions: [Position] = []
        var before = 0
        for (block, count) in zip(blocks, counts) where count > 0 {
            if before < wanted.upperBound, before + count > wanted.lowerBound {
                let found = positionsOfChanges(in: block, notBy: device)
                let low = max(wanted.lowerBound - before, 0)
                // Stored rows that do not belong together may count otherwise than they list.
                positions += found.prefix(min(wanted.upperBound - before, count)).dropFirst(low)
            }
            before += count
        }
        return (positions, total)
    }

    /// The nouns of the streams that were written to here, not by a merge, after `since` and not after `through`.
    func nounsWritten(after since: Position, through last: Position) -> [String] {
        var nouns: [String] = []
        for part in blocks(after: since, through: last) {
            for entry in journal.blocks[Ordinal(part.number)]?.nouns ?? []
            where entry.changes.count(in: part.places) > 0
                && !nouns.contains(where: { $0.isExactly(entry.noun) })
            {
                nouns.append(entry.noun)
            }
        }
        return nouns
    }

    /// A block, or the part of it that is asked for.
    private struct Part {
        let number: Int
        let places: Range<Int>
    }

    private func blocks(after since: Position, through last: Position) -> [Part] {
        guard since < last else { return [] }
        let first = since + 1
        return (first.block...last.block).map { number in
            let low = number == first.block ? first.offsetInBlock : 0
            let high = number == last.block ? last.offsetInBlock + 1 : PositionSet.size
            return Part(number: number, places: low..<high)
        }
    }

    private func changes(in part: Part, notBy device: ExamRoom.DeviceID) -> Int {
        guard let block = journal.blocks[Ordinal(part.number)] else { return 0 }
        let all = block.changes.count(in: part.places)
        guard let own = block.writers.first(where: { $0.device == device }) else { return all }
        if all == block.changes.count(in: 0..<PositionSet.size) { return all - own.changes }
        return positionsOfChanges(in: part, notBy: device).count
    }

    private func positionsOfChanges(
        in part: Part, notBy device: ExamRoom.DeviceID
    ) -> [Position] {
        guard let block = journal.blocks[Ordinal(part.number)],
            let places = journal.writers[Ordinal(part.number)]?.places
        else { return [] }
        let start = UInt64(part.number * PositionSet.size)
        var positions: [Position] = []
        var index = block.changes.count(in: 0..<part.places.lowerBound)
        for place in part.places where block.changes.contains(place) {
            if index < places.count, case let writer = Int(places[index].number),
                writer < block.writers.count, block.writers[writer].device != device
            {
                positions.append(Position(start + UInt64(place)))
            }
            index += 1
        }
        return positions
    }
}
