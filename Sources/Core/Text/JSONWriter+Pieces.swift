extension JSONWriter {
    /// Takes a document piece by piece.
    public struct Sink: Sendable {
        /// A piece has at least so many bytes.
        let pieceBytes: Int
        let take: @Sendable (Span<UInt8>) -> Void

        public init(pieceBytes: Int, _ take: @escaping @Sendable (Span<UInt8>) -> Void) {
            self.pieceBytes = pieceBytes
            self.take = take
        }
    }

    /// Gives the sink what was written, if that is enough for a piece and all is in order so far.
    public mutating func drain() {
        guard let sink, bytes.count - heldBytes >= sink.pieceBytes, open.allSatisfy(\.isSorted)
        else { return }
        sink.take(bytes.span.extracting(heldBytes...))
        var keys: [UInt8] = []
        var last: [Member] = []
        for index in open.indices {
            let end = index + 1 < open.count ? open[index + 1].firstMember : members.count
            let hasMembers = end > open[index].firstMember
            open[index].firstMember = last.count
            open[index].isDrained = true
            // The next key is compared with it.
            if hasMembers {
                let (member, start) = (members[end - 1], keys.count)
                keys += bytes[member.start...member.keyEnd]
                last.append(Member(start: start, keyEnd: keys.count - 1))
            }
        }
        bytes.removeAll(keepingCapacity: true)
        bytes += keys
        (heldBytes, members) = (keys.count, last)
    }

    /// Gives the sink the rest.
    public mutating func finish() {
        sink?.take(bytes.span.extracting(heldBytes...))
        bytes.removeLast(bytes.count - heldBytes)
    }
}
