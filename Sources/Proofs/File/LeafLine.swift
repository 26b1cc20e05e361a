/// What of an event the tree holds: its line of an export, without the newline and without the
/// member `personal`, which shows in clear what `sealed` holds and is gone after an erasure.
///
/// A line is canonical JSON: an object, keys sorted by code point, no white space, shortest
/// escapes. Taking out a member and a comma leaves it canonical.
package enum LeafLine {
    /// The member that is no part of a leaf.
    package static let leftOut = "personal"

    /// The leaf's data; nil if the line is not one JSON object without white space.
    package static func data(of line: [UInt8]) -> [UInt8]? {
        guard let members = members(of: line) else { return nil }
        guard let member = members.first(where: { $0.key.elementsEqual(leftOut.utf8) })
        else { return line }
        let end = member.range.upperBound
        var data = Array(line[..<member.range.lowerBound])
        if line[end] == UInt8(ascii: ",") {
            data += line[(end + 1)...]
        } else {
            // The last member: the comma before it goes too.
            if data.last == UInt8(ascii: ",") { data.removeLast() }
            data += line[end...]
        }
        return data
    }

    /// What the line says of its position; nil if it says nothing.
    package static func position(of line: [UInt8]) -> Int? {
        guard
            let member = members(of: line)?.first(where: { $0.key.elementsEqual("position".utf8) })
        else { return nil }
        return PlainText.number(String(decoding: member.value, as: UTF8.self))
    }

    private struct Member {
        let key: ArraySlice<UInt8>
        let value: ArraySlice<UInt8>
        /// Of key and value in the line.
        let range: Range<Int>
    }

    /// The members of the object; nil if brackets and strings do not pair, or if there is white
    /// space. Checks no more than it needs to find where members end.
    private static func members(of line: [UInt8]) -> [Member]? {
        guard line.count >= 2, line.first == UInt8(ascii: "{"), line.last == UInt8(ascii: "}")
        else { return nil }
        var members: [Member] = []
        var index = 1
        let end = line.count - 1
        while index < end {
            let start = index
            guard line[index] == UInt8(ascii: "\""), let keyEnd = endOfString(line, from: index),
                keyEnd < end, line[keyEnd] == UInt8(ascii: ":"),
                let valueEnd = endOfValue(line, from: keyEnd + 1, end: end)
            else { return nil }
            members.append(
                Member(
                    key: line[start + 1..<keyEnd - 1], value: line[keyEnd + 1..<valueEnd],
                    range: start..<valueEnd))
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
