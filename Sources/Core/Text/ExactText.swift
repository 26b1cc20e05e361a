/// A text that equals another only byte for byte: Swift's own equality follows Unicode's canonical
/// equivalence, under which two different ids could become one.
public struct ExactText: Hashable, Sendable {
    /// The text; equal only to the same Unicode scalars.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public static func == (left: ExactText, right: ExactText) -> Bool {
        unsafe left.text.utf8Span.span.bytes.isSame(as: right.text.utf8Span.span.bytes)
    }

    public func hash(into hasher: inout Hasher) {
        let bytes = unsafe text.utf8Span.span.bytes
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    /// A hash that is cheap (ADR 0076).
    public func _rawHashValue(seed: Int) -> Int {
        unsafe KeyHash.of(text.utf8Span.span.bytes, seed: seed)
    }
}

/// Bytes as a key of a dictionary: an array as a key is hashed byte by byte.
package struct ExactBytes: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func == (left: ExactBytes, right: ExactBytes) -> Bool {
        unsafe left.bytes.span.bytes.isSame(as: right.bytes.span.bytes)
    }

    package func hash(into hasher: inout Hasher) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }

    package func _rawHashValue(seed: Int) -> Int {
        unsafe KeyHash.of(bytes.span.bytes, seed: seed)
    }
}

extension RawSpan {
    /// Whether both hold the same bytes, compared eight at a time.
    func isSame(as other: RawSpan) -> Bool {
        let count = byteCount
        guard count == other.byteCount else { return false }
        var offset = 0
        while offset + 8 <= count {
            let left = unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let right = unsafe other.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            guard left == right else { return false }
            offset += 8
        }
        while offset < count {
            let left = unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            let right = unsafe other.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            guard left == right else { return false }
            offset += 1
        }
        return true
    }
}
