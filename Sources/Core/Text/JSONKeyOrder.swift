/// The order of an object's members in canonical JSON: by code point of the key, which is the
/// order of its UTF-8 bytes.
enum JSONKeyOrder {
    /// Whether `left`'s key comes before `right`'s; both are written in `bytes`.
    static func precedes(
        _ left: JSONWriter.Member, _ right: JSONWriter.Member, in bytes: Span<UInt8>
    ) -> Bool {
        var leftIndex = left.start + 1
        var rightIndex = right.start + 1
        while leftIndex < left.keyEnd, rightIndex < right.keyEnd {
            let leftByte = bytes[leftIndex]
            let rightByte = bytes[rightIndex]
            // Equal bytes are equal escaped or not; only where the keys part does it matter that
            // an escape stands for another character than the backslash it begins with.
            if leftByte == rightByte, leftByte != UInt8(ascii: "\\") {
                leftIndex += 1
                rightIndex += 1
                continue
            }
            if leftByte != UInt8(ascii: "\\"), rightByte != UInt8(ascii: "\\") {
                return leftByte < rightByte
            }
            let leftScalar = JSONEscapes.unescaped(in: bytes, at: leftIndex)
            let rightScalar = JSONEscapes.unescaped(in: bytes, at: rightIndex)
            guard leftScalar.byte == rightScalar.byte else {
                return leftScalar.byte < rightScalar.byte
            }
            leftIndex = leftScalar.next
            rightIndex = rightScalar.next
        }
        assert(
            leftIndex < left.keyEnd || rightIndex < right.keyEnd, "a key was written twice")
        return leftIndex == left.keyEnd && rightIndex < right.keyEnd
    }

    /// The room that putting members in order takes, kept between objects.
    struct Room {
        private var order: [Part] = []
        private var sorted: [UInt8] = []

        private struct Part {
            let member: JSONWriter.Member
            let end: Int
        }

        /// Puts the members of one object, written to the end of `bytes` and parted by commas, into
        /// their order.
        mutating func rearrange(
            _ members: ArraySlice<JSONWriter.Member>, in bytes: inout [UInt8]
        ) {
            guard let first = members.first?.start else { return }
            order.removeAll(keepingCapacity: true)
            for index in members.indices {
                // Behind each member but the last there is a comma.
                let isLast = index + 1 == members.endIndex
                order.append(
                    Part(
                        member: members[index],
                        end: isLast ? bytes.count : members[index + 1].start - 1))
            }
            order.sort { precedes($0.member, $1.member, in: bytes.span) }
            sorted.removeAll(keepingCapacity: true)
            for part in order {
                if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
                sorted.append(bytes.span.extracting(part.member.start..<part.end))
            }
            bytes.removeLast(bytes.count - first)
            bytes.append(sorted.span)
        }
    }
}
