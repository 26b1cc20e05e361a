import Cryptography

/// SHA-256 (FIPS 180-4), the one hash of the house.
package enum SHA256Digest: Sendable {
    package static func of(_ bytes: [UInt8]) -> [UInt8] {
        Array(SHA256.digest(of: bytes.span))
    }

    package static func of(_ text: String) -> [UInt8] {
        of(Array(text.utf8))
    }

    /// Lower-case hexadecimal digits of the digest.
    package static func hex(of bytes: [UInt8]) -> String {
        Hex.text(of(bytes))
    }
}

/// Lower-case hexadecimal digits.
package enum Hex: Sendable {
    /// Two lower-case digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The same of bytes that are not in an array yet.
    package static func text(_ bytes: some Sequence<UInt8>) -> String { text(Array(bytes)) }

    /// Sixteen digits, the most significant first.
    package static func text(_ value: UInt64) -> String {
        text((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) })
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The bytes that lower-case digits stand for; nil when there is anything else, or an odd number of them.
    package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let utf8 = Array(text.utf8)
        guard utf8.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: utf8.count, by: 2) {
            guard let high = value(utf8[index]), let low = value(utf8[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

/// A SHA-256 that grows piece by piece.
package struct RunningHash: Sendable {
    private var hash = SHA256()

    package init() {}

    package mutating func add(_ bytes: [UInt8]) {
        add(bytes.span)
    }

    package mutating func add(_ bytes: Span<UInt8>) {
        hash.update(bytes)
    }

    /// Of all that was added so far.
    package var digest: [UInt8] { Array(hash.digest) }

    /// Of all that was added so far, in lower-case hex.
    package var hex: String { Hex.text(digest) }
}
