import CZstd
import Synchronization

/// zstd, its context kept between frames.
@safe
final class Compressor {
    /// Of rows, which are written in great numbers and made again at will.
    static let fast: CInt = 1
    /// Of frames, while somebody waits.
    static let quick: CInt = 3
    /// Of what is sealed: some 4 % smaller for a tenth of the sealing time.
    static let thorough: CInt = 6

    private let context: OpaquePointer
    private let level: CInt

    init(level: CInt = Compressor.quick) throws(JournalError) {
        self.level = level
        guard let context = unsafe ZSTD_createCCtx() else {
            throw JournalError(
                .inputOutput, "no memory for zstd", advice: "give the process more memory")
        }
        unsafe self.context = context
    }

    deinit { _ = unsafe ZSTD_freeCCtx(context) }

    /// Appends the compressed bytes to `output` if they are fewer than `bytes`; else answers false
    /// and leaves `output` unchanged.
    func compress(
        _ bytes: [UInt8], with dictionary: CompressionDictionary? = nil,
        appendingTo output: inout [UInt8]
    ) -> Bool {
        let start = output.count
        let bound = bytes.count - 1
        guard bytes.count >= 64 else { return false }  // never smaller, so not worth the time
        output.append(contentsOf: repeatElement(0, count: bound))
        let written = unsafe output.withUnsafeMutableBytes { output in
            unsafe bytes.withUnsafeBytes { input in
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: output[start...])
                guard let dictionary else {
                    return unsafe ZSTD_compressCCtx(
                        context, target.baseAddress, target.count, input.baseAddress, input.count,
                        level)
                }
                return unsafe ZSTD_compress_usingCDict(
                    context, target.baseAddress, target.count, input.baseAddress, input.count,
                    dictionary.forCompression)
            }
        }
        guard ZSTD_isError(written) == 0 else {  // most often: it would not be smaller
            output.removeSubrange(start...)
            return false
        }
        output.removeSubrange((start + written)...)
        return true
    }
}

/// Inflates frames, its context kept between them, and for the next one when it is gone.
@safe
final class Decompressor {
    private let kept: Context
    private var context: OpaquePointer { unsafe kept.pointer }

    /// A context is some 100 KB that the system would have to clear for each.
    @safe
    private final class Context: Sendable {
        /// Used by one decompressor at a time.
        nonisolated(unsafe) let pointer: OpaquePointer

        init() throws(JournalError) {
            guard let pointer = unsafe ZSTD_createDCtx() else {
                throw JournalError(
                    .inputOutput, "no memory for zstd", advice: "give the process more memory")
            }
            unsafe self.pointer = pointer
        }

        deinit { _ = unsafe ZSTD_freeDCtx(pointer) }
    }

    private static let spare = Mutex<[Context]>([])
    private static let mostSpare = 8

    init() throws(JournalError) {
        if let spare = Self.spare.withLock({ $0.popLast() }) {
            kept = spare
        } else {
            kept = try Context()
        }
    }

    deinit {
        let kept = kept
        Self.spare.withLock { if $0.count < Self.mostSpare { $0.append(kept) } }
    }

    /// Inflates to exactly the `range` of `output`.
    func inflate(
        _ bytes: Span<UInt8>, with dictionary: CompressionDictionary? = nil, to range: Range<Int>,
        of output: inout [UInt8]
    ) throws(Malformed) {
        guard range.lowerBound >= 0, range.upperBound <= output.count else {
            throw Malformed("a body beyond its buffer")
        }
        let written = unsafe output.withUnsafeMutableBytes { output in
            unsafe bytes.withUnsafeBytes { input in
                let target = unsafe UnsafeMutableRawBufferPointer(rebasing: output[range])
                guard let dictionary else {
                    return unsafe ZSTD_decompressDCtx(
                        context, target.baseAddress, range.count, input.baseAddress, input.count)
                }
                return unsafe ZSTD_decompress_usingDDict(
                    context, target.baseAddress, range.count, input.baseAddress, input.count,
                    dictionary.forInflation)
            }
        }
        guard ZSTD_isError(written) == 0, written == range.count else {
            throw Malformed("a body that cannot be inflated")
        }
    }
}
