import Glibc

/// The addresses of this process, of which `ulimit -v` may leave few.
enum AddressSpace {
    /// Whether so many bytes could be mapped in one piece now.
    static func hasRoom(for bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let start = unsafe mmap(nil, bytes, PROT_NONE, flags, -1, 0),
            UInt(bitPattern: start) != .max
        else { return false }
        unsafe munmap(start, bytes)
        return true
    }
}

/// A file in the memory of this process.
enum MappedFile {
    /// Where a mapping of so many bytes begins that shows the file from its first byte on (man proc: maps); nil if the
    /// system does not say.
    static func address(of file: FileIdentity, at path: String, bytes: Int) -> UInt? {
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
