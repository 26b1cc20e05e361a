/// What of an event the tree holds: its line of an export, without the newline, with null for the
/// members of `data` that `sealed.fields` names. They show in clear what `sealed.box` holds, and are
/// null in every export once the person is erased.
///
/// A line is canonical JSON: an object, keys sorted by code point, no white space, shortest
/// escapes. Another value in a member's place leaves it canonical.
package enum LeafLine {
    /// The leaf's data; nil if the line is not one JSON object without white space.
    package static func data(of line: [UInt8]) -> [UInt8]? {
        let whole = line.indices
        guard let members = members(of: line, in: whole) else { return nil }
        guard let sealed = value("sealed", of: members, line) else { return line }
        guard let box = self.members(of: line, in: sealed),
            let list = value("fields", of: box, line), let hidden = texts(of: line, in: list),
            let data = value("data", of: members, line),
            let fields = self.members(of: line, in: data)
        else { return nil }
        var leaf: [UInt8] = []
        leaf.reserveCapacity(line.count)
        var start = 0
        for field in fields where hidden.contains(where: { line[$0] == line[field.key] }) {
            leaf += line[start..<field.value.lowerBound] + Array("null".utf8)
            start = field.value.upperBound
        }
        return leaf + line[start...]
    }

    /// What the line says of its position; nil if it says nothing.
    package static func position(of line: [UInt8]) -> Int? {
        guard let members = members(of: line, in: line.indices),
            let value = value("position", of: members, line)
        else { return nil }
        return PlainText.number(String(decoding: line[value], as: UTF8.self))
    }

    /// Where a member lies in the line; the key without its quotes.
    private struct Member {
        let key: Range<Int>
        let value: Range<Int>
    }

    private static func value(
        _ name: String, of members: [Member], _ line: [UInt8]
    ) -> Range<Int>? {
        members.first { line[$0.key].elementsEqual(name.utf8) }?.value
    }

    /// The elements of an array of plain texts, without their quotes.
    private static func texts(of line: [UInt8], in range: Range<Int>) -> [Range<Int>]? {
        guard range.count >= 2, line[range.lowerBound] == UInt8(ascii: "["),
            line[range.upperBound - 1] == UInt8(ascii: "]")
        else { return nil }
        var texts: [Range<Int>] = []
        var index = range.lowerBound + 1
        while index < range.upperBound - 1 {
            guard line[index] == UInt8(ascii: "\""), let end = endOfString(line, from: index),
                end < range.upperBound
            else { return nil }
            texts.append(index + 1..<end - 1)
            let isLast = end == range.upperBound - 1
            guard isLast || line[end] == UInt8(ascii: ",") else { return nil }
            index = end + 1
        }
        return texts
    }

    /// The members of the object in a range; nil if brackets and strings do not pair, or if there is
    /// white space. Checks no more than it needs to find where members end.
    private static func members(of line: [UInt8], in object: Range<Int>) -> [Member]? {
        guard object.count >= 2, line[object.lowerBound] == UInt8(ascii: "{"),
            line[object.upperBound - 1] == UInt8(ascii: "}")
        else { return nil }
        var members: [Member] = []
        var index = object.lowerBound + 1
        let end = object.upperBound - 1
        while index < end {
            let start = index
            guard line[index] == UInt8(ascii: "\""), let keyEnd = endOfString(line, from: index),
                keyEnd < end, line[keyEnd] == UInt8(ascii: ":"),
                let valueEnd = endOfValue(line, from: keyEnd + 1, end: end)
            else { return nil }
            members.append(Member(key: start + 1..<keyEnd - 1, value: keyEnd + 1..<valueEnd))
            index = valueEnd
            guard index < end else { break }
            // A comma must be followed by another member.
            index += 1
            guard index < end else { return nil }
        }
        return members
    }

    /// Behind the closing quote of the string that opens at `start`.
    private static func endOfString(_ line: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        while index < line.count {
            switch line[index] {
            case UInt8(ascii: "\\"): index += 2
            case UInt8(ascii: "\""): return index + 1
            default: index += 1
            }
        }
        return nil
    }

    /// Where the comma behind a member stands, or the object's closing bracket.
    private static func endOfValue(_ line: [UInt8], from start: Int, end: Int) -> Int? {
        var index = start
        var depth = 0
        while index < end {
            switch line[index] {
            case UInt8(ascii: "\""):
                guard let next = endOfString(line, from: index), next <= end else { return nil }
                index = next
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth >= 0 else { return nil }
            case UInt8(ascii: ",") where depth == 0: return index > start ? index : nil
            case 0...0x20: return nil
            default: break
            }
            index += 1
        }
        return depth == 0 && index > start ? index : nil
    }
}
