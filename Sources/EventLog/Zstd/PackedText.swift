import CZstd

/// Text packed for a file that other tools can read: zstd frames one after the other (RFC 8878), so that
/// `zstdcat` prints it.
package enum PackedText {
    /// No frame that `pack` makes holds more.
    package static let longest = 64 << 20

    /// One frame, which says how long its content is.
    package static func pack(_ bytes: [UInt8]) throws(JournalError) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
        let written = unsafe packed.withUnsafeMutableBytes { target in
            unsafe bytes.withUnsafeBytes { source in
                unsafe ZSTD_compress(
                    target.baseAddress, target.count, source.baseAddress, source.count, 6)
            }
        }
        guard ZSTD_isError(written) == 0 else { throw .invalid("packing failed") }
        return Array(packed[..<written])
    }

    /// Calls `body` with the content of each frame.
    package static func unpack(
        _ packed: [UInt8], _ body: ([UInt8]) throws -> Void
    ) throws {
        var start = 0
        while start < packed.count {
            let (length, size) = unsafe packed.withUnsafeBytes { source in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: source[start...])
                return unsafe (
                    ZSTD_findFrameCompressedSize(rest.baseAddress, rest.count),
                    ZSTD_getFrameContentSize(rest.baseAddress, rest.count)
                )
            }
            guard ZSTD_isError(length) == 0, length > 0, length <= packed.count - start,
                size <= UInt64(longest)
            else { throw JournalError.damaged("a packed file is cut short or changed") }
            var content = [UInt8](repeating: 0, count: Int(size))
            let written = unsafe content.withUnsafeMutableBytes { target in
                unsafe packed.withUnsafeBytes { source in
                    let frame = unsafe UnsafeRawBufferPointer(
                        rebasing: source[start..<start + length])
                    return unsafe ZSTD_decompress(
                        target.baseAddress, target.count, frame.baseAddress, frame.count)
                }
            }
            guard ZSTD_isError(written) == 0, written == content.count else {
                throw JournalError.damaged("a packed file is cut short or changed")
            }
            try body(content)
            start += length
        }
    }
}
