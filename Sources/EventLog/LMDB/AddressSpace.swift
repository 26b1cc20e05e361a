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
