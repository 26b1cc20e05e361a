import Core

/// The documents of consecutive steps: one of them whole, of the others what each has otherwise than the one before.
///
/// Two documents that follow one another mostly begin and end with the same bytes.
struct KeptDocuments {
    /// What stands between the bytes that both documents begin with and those that both end with.
    private struct Delta {
        let start: Int
        let old: [UInt8]
        let new: [UInt8]

        init(from old: [UInt8], to new: [UInt8]) {
            let most = min(old.count, new.count)
            let start = zip(old, new).prefix { $0 == $1 }.count
            let tail = zip(old.reversed(), new.reversed()).prefix(most - start)
                .prefix { $0 == $1 }.count
            self.start = start
            self.old = Array(old[start..<old.count - tail])
            self.new = Array(new[start..<new.count - tail])
        }

        var size: Int { old.count + new.count + MemoryLayout<Delta>.stride }
    }

    /// The number of the first document.
    private var first = 0
    /// Each leads from a document to the next.
    private var deltas: [Delta] = []
    /// The document that is whole.
    private var whole: (number: Int, bytes: [UInt8])
    /// About how many bytes are kept beside the document that is whole.
    private(set) var size = 0

    /// Begins with the document of number 0.
    init(_ document: Document) { whole = (0, document.bytes) }

    /// The last document; one that is appended stands behind it.
    private var last: Int { first + deltas.count }

    func contains(_ number: Int) -> Bool { (first...last).contains(number) }

    mutating func append(_ document: Document) {
        move(to: last)
        let delta = Delta(from: whole.bytes, to: document.bytes)
        deltas.append(delta)
        size += delta.size
        whole = (last, document.bytes)
    }

    /// Forgets the first documents until no more than so many bytes are kept, but not the last two. To be asked behind an
    /// append.
    mutating func forgetFirst(keeping most: Int) {
        var count = 0
        while size > most, count < deltas.count - 1 {
            size -= deltas[count].size
            count += 1
        }
        deltas.removeFirst(count)
        first += count
    }

    /// The document of a number; nil where it is not kept.
    mutating func document(_ number: Int) -> Document? {
        guard contains(number) else { return nil }
        move(to: number)
        return Document(bytes: whole.bytes)
    }

    private mutating func move(to number: Int) {
        while whole.number < number {
            let delta = deltas[whole.number - first]
            whole.bytes.replaceSubrange(
                delta.start..<delta.start + delta.old.count, with: delta.new)
            whole.number += 1
        }
        while whole.number > number {
            whole.number -= 1
            let delta = deltas[whole.number - first]
            whole.bytes.replaceSubrange(
                delta.start..<delta.start + delta.new.count, with: delta.old)
        }
    }
}
