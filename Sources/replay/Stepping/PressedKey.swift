/// A key that somebody pressed.
enum PressedKey: Hashable {
    case character(Character)
    case enter, backspace, escape
    case left, right, up, down, home, end, pageUp, pageDown
}

/// Makes keys of the bytes that a terminal sends. A key may come in pieces.
struct KeyReader {
    private var pending: [UInt8] = []

    /// Whether what came so far may be the beginning of a key.
    var isWaiting: Bool { !pending.isEmpty }

    /// The keys that are whole.
    mutating func keys(in bytes: [UInt8]) -> [PressedKey] {
        pending += bytes
        return take(isAll: false)
    }

    /// The keys of what came so far, when nothing follows: an escape alone is the key of that name.
    mutating func rest() -> [PressedKey] { take(isAll: true) }

    private mutating func take(isAll: Bool) -> [PressedKey] {
        var keys: [PressedKey] = []
        var rest = pending[...]
        while let first = rest.first {
            let count = first == Self.escape ? Self.sequenceLength(rest) : Self.textLength(first)
            guard let count, count <= rest.count else {
                guard isAll else { break }
                // What is no whole key is left out, but for the escape.
                if first == Self.escape { keys.append(.escape) }
                rest = rest.dropFirst()
                continue
            }
            if let key = Self.key(rest.prefix(count)) { keys.append(key) }
            rest = rest.dropFirst(count)
        }
        pending = Array(rest)
        return keys
    }

    private static let escape: UInt8 = 0x1B

    /// How many bytes the escape sequence at the start has; nil while its end is not there.
    private static func sequenceLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard let second = bytes.dropFirst().first else { return nil }
        switch second {
        case UInt8(ascii: "O"): return 3
        case UInt8(ascii: "["):
            let end = bytes.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
            return end.map { $0 - bytes.startIndex + 1 }
        default: return 1
        }
    }

    /// Of a character in UTF-8, by its first byte.
    private static func textLength(_ first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static let named: [String: PressedKey] = [
        "\u{1B}": .escape, "\r": .enter, "\n": .enter, "\u{7F}": .backspace, "\u{8}": .backspace,
        "\u{1B}[A": .up, "\u{1B}[B": .down, "\u{1B}[C": .right, "\u{1B}[D": .left,
        "\u{1B}OA": .up, "\u{1B}OB": .down, "\u{1B}OC": .right, "\u{1B}OD": .left,
        "\u{1B}[H": .home, "\u{1B}[F": .end, "\u{1B}OH": .home, "\u{1B}OF": .end,
        "\u{1B}[1~": .home, "\u{1B}[4~": .end, "\u{1B}[7~": .home, "\u{1B}[8~": .end,
        "\u{1B}[5~": .pageUp, "\u{1B}[6~": .pageDown,
    ]

    /// Nil for a key that has no name here, and for what is no UTF-8.
    private static func key(_ bytes: ArraySlice<UInt8>) -> PressedKey? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        if let key = named[text] { return key }
        guard bytes.first != escape, let character = text.first, text.count == 1 else { return nil }
        return .character(character)
    }
}
