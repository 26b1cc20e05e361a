import Glibc
import Synchronization

/// A file in the memory of this process, and which of its pages have been looked at whole: each is once. What LMDB writes over
/// them since is its own.
@safe
final class MappedFile: Sendable {
    /// A leaf, and the root of its tree.
    struct Reached: Equatable {
        let root: UInt64
        let leaf: UInt64
    }

    /// Where it begins; 0 where the system does not say.
    let start: UInt
    /// The leaf that was reached last in a write transaction: those around it have been looked at.
    let lastReached = Mutex<Reached?>(nil)
    /// A bit for each page; what is never set takes no memory.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>?
    private let count: Int
    /// How many pages the file had when that was asked last.
    private let filePages = Atomic<UInt64>(0)
    /// LMDB's own.
    private let descriptor: CInt

    /// LMDB's map of so many bytes.
    init(
        of file: FileIdentity, at path: String, open descriptor: CInt, bytes: Int, pageBytes: Int
    ) {
        self.descriptor = descriptor
        start = Self.address(of: file, at: path, bytes: bytes) ?? 0
        let pages = bytes / pageBytes
        let memory = unsafe calloc(pages / 64 + 1, 8)
        unsafe words = memory?.bindMemory(to: Atomic<UInt64>.self, capacity: pages / 64 + 1)
        count = unsafe memory == nil ? 0 : pages
    }

    deinit { unsafe free(words) }

    func contains(_ page: UInt64) -> Bool {
        guard let word = unsafe word(of: page) else { return false }
        return unsafe word.pointee.load(ordering: .relaxed) & 1 << (page % 64) != 0
    }

    func insert(_ page: UInt64) {
        guard let word = unsafe word(of: page) else { return }
        _ = unsafe word.pointee.bitwiseOr(1 << (page % 64), ordering: .relaxed)
    }

    private func word(of page: UInt64) -> UnsafeMutablePointer<Atomic<UInt64>>? {
        page < count ? unsafe words.map { unsafe $0 + Int(page / 64) } : nil
    }

    /// Whether the file has a page: LMDB does not write those that a transaction took at its end and gave back.
    func reaches(_ page: UInt64, _ pageBytes: Int) -> Bool {
        if page < filePages.load(ordering: .relaxed) { return true }
        guard let bytes = FileSystem.length(of: descriptor) else { return false }
        let pages = UInt64(bytes / pageBytes)
        filePages.store(pages, ordering: .relaxed)
        return page < pages
    }

    /// Where a mapping of so many bytes begins that shows the file from its first byte on (man proc: maps); nil if the
    /// system does not say.
    private static func address(of file: FileIdentity, at path: String, bytes: Int) -> UInt? {
        guard let maps = try? FileSystem.read("/proc/self/maps", atMost: 1 << 24) else {
            return nil
        }
        let inode = "\(file.inode)".utf8
        for line in maps.split(separator: UInt8(ascii: "\n")) {
            // START-END rights offset device inode path
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard words.count >= 5, words[4].elementsEqual(inode),
                words[1].first == UInt8(ascii: "r"),
                words[2].allSatisfy({ $0 == UInt8(ascii: "0") }),
                // Some file systems say another device here than where files are asked for theirs.
                numbers(words[3], ":") == [file.major, file.minor]
                    || words.last?.drop(while: { $0 == UInt8(ascii: " ") }).elementsEqual(path.utf8)
                        == true
            else { continue }
            let ends = numbers(words[0], "-")
            if ends.count == 2, ends[0] < ends[1], ends[1] - ends[0] >= UInt(bytes) {
                return ends[0]
            }
        }
        return nil
    }

    private static func numbers(_ word: ArraySlice<UInt8>, _ separator: Unicode.Scalar) -> [UInt] {
        word.split(separator: UInt8(ascii: separator)).compactMap {
            UInt(String(decoding: $0, as: UTF8.self), radix: 16)
        }
    }
}
