import CLinux
import Glibc

/// Device and inode: what a file is, whatever path leads to it.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt

    /// Of the device, as `gnu_dev_major` has it.
    var major: UInt { (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF }
    /// Of the device, as `gnu_dev_minor` has it.
    var minor: UInt { device & 0xFF | (device >> 12) & 0xFFFF_FF00 }
}

/// The few system calls that the journal needs besides LMDB.
enum FileSystem {
    enum Entry {
        case nothing
        case file(bytes: Int)
        case directory
        case other
    }

    static func entry(at path: String) throws(JournalError) -> Entry {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return .nothing }
            throw .failed("looking at it", at: path, errno: errno)
        }
        switch information.st_mode & S_IFMT {
        case S_IFREG: return .file(bytes: information.st_size)
        case S_IFDIR: return .directory
        default: return .other
        }
    }

    /// Whether it is a symbolic link, whatever it leads to.
    static func isLink(_ path: String) throws(JournalError) -> Bool {
        var information = stat()
        guard unsafe lstat(path, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        return information.st_mode & S_IFMT == S_IFLNK
    }

    static func exists(_ path: String) throws(JournalError) -> Bool {
        if case .nothing = try entry(at: path) { return false }
        return true
    }

    static func identity(of path: String) throws(JournalError) -> FileIdentity {
        var information = stat()
        guard unsafe stat(path, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        return FileIdentity(device: information.st_dev, inode: information.st_ino)
    }

    static func identity(
        of descriptor: CInt, _ path: String
    ) throws(JournalError) -> FileIdentity {
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        return FileIdentity(device: information.st_dev, inode: information.st_ino)
    }

    /// Bytes that this user may still write there, or nil if the system does not say.
    static func freeBytes(at path: String) -> Int? {
        var information = statvfs()
        guard unsafe statvfs(path, &information) == 0 else { return nil }
        let (bytes, overflow) = information.f_bavail.multipliedReportingOverflow(
            by: information.f_frsize)
        return overflow || bytes > UInt(Int.max) ? .max : Int(bytes)
    }

    /// Refuses file systems that are shared between machines: LMDB's locks and its memory map do
    /// not hold there.
    static func refuseNetwork(_ path: String) throws(JournalError) {
        let type = try fileSystemType(of: path)
        guard let type, isNetwork(type) else { return }
        throw JournalError(
            .networkFileSystem, "\(path): on a network file system (\(type))",
            advice: "keep the journal on a local disk")
    }

    /// The type of the file system that a path lies on, as the table of mounts calls it; nil if it does not say.
    static func fileSystemType(of path: String) throws(JournalError) -> String? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        func text(_ path: String) -> String {
            String(decoding: ((try? read(path, atMost: 1 << 20)) ?? nil) ?? [], as: UTF8.self)
        }
        let mounts = text("/proc/self/mountinfo")
        // By the mount: on btrfs and overlays a file's device is not its mount's.
        let identity = try identity(of: descriptor, path)
        return mountType(openAs: text("/proc/self/fdinfo/\(descriptor)"), in: mounts)
            ?? mountType(identity, in: mounts)
    }

    /// The type of the file system that an open file is on (man proc: fdinfo), or nil if it is not listed.
    static func mountType(openAs information: String, in mounts: String) -> String? {
        let label = "mnt_id:"
        guard
            let line = information.split(separator: "\n").first(where: { $0.hasPrefix(label) }),
            let mount = line.dropFirst(label.count).split(whereSeparator: { " \t".contains($0) })
                .first
        else { return nil }
        return mountType(in: mounts) { $0[0] == mount }
    }

    /// The type of the file system on a file's device (man proc: mountinfo), or nil if it is not listed.
    static func mountType(_ file: FileIdentity, in mounts: String) -> String? {
        mountType(in: mounts) { $0[2] == "\(file.major):\(file.minor)" }
    }

    private static func mountType(
        in mounts: String, where isIt: ([Substring]) -> Bool
    ) -> String? {
        for line in mounts.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 3, isIt(fields), let dash = fields.firstIndex(of: "-"),
                dash + 1 < fields.count
            else { continue }
            return String(fields[dash + 1])
        }
        return nil
    }

    /// File systems that do not write where the old bytes lie: what is written over stays on the disk for a while.
    static func isCopying(_ type: String) -> Bool {
        ["btrfs", "zfs", "overlay", "bcachefs", "f2fs", "nilfs2"].contains(type)
    }

    static func isNetwork(_ type: String) -> Bool {
        let known = [
            "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "coda", "ceph", "lustre", "gfs2",
            "ocfs2", "9p", "ncpfs", "beegfs", "gpfs", "orangefs", "fuse.sshfs", "fuse.s3fs",
            "fuse.glusterfs", "fuse.rclone", "fuse.ceph", "fuse.davfs", "fuse.juicefs",
            "fuse.gcsfuse", "fuse.goofys", "fuse.grpcfuse", "virtiofs", "vboxsf", "fakeowner",
        ]
        return known.contains(type)
    }

    /// The whole of a small file; nil if there is none.
    static func read(_ path: String, atMost limit: Int) throws(JournalError) -> [UInt8]? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .failed("opening", at: path, errno: errno)
        }
        defer { close(descriptor) }
        return try read(descriptor, atMost: limit, path)
    }

    /// What is left to read of an open file, or one byte more than the limit.
    static func read(
        _ descriptor: CInt, atMost limit: Int, _ path: String
    ) throws(JournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        var filled = 0
        while filled <= limit {
            if filled == bytes.count {
                let more = min(max(filled, 1 << 12), limit + 1 - filled)
                bytes += [UInt8](repeating: 0, count: more)
            }
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return unsafe Glibc.read(descriptor, rest.baseAddress, rest.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .failed("reading", at: path, errno: errno) }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// In bytes; nil if it cannot be asked.
    static func length(of descriptor: CInt) -> Int? {
        var information = stat()
        return unsafe fstat(descriptor, &information) == 0 ? Int(information.st_size) : nil
    }

    /// Opens a file that is not there for writing, for its owner only. A file that is there is taken away before,
    /// anything else left alone: a link that somebody else puts there must not redirect us.
    static func createAnew(_ path: String) throws(JournalError) -> CInt {
        for _ in 0..<5 {
            let descriptor = unsafe Glibc.open(
                path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 { return descriptor }
            guard errno == EEXIST else { throw .failed("creating", at: path, errno: errno) }
            var information = stat()
            guard unsafe lstat(path, &information) == 0 else { continue }
            guard information.st_mode & S_IFMT == S_IFREG else {
                throw JournalError(
                    .permission, "\(path): something that is no file is in the way",
                    advice: "see who put it there, and take it away")
            }
            try remove(path)
        }
        throw JournalError(
            .busy, "\(path): another program makes it, too", advice: "try again later")
    }

    /// Writes a new file, in place of one that is there, and makes it durable. `pieceBytes`: written at a time, which is
    /// what Linux keeps together in memory, and looks through as a whole whenever it writes a part of it.
    static func write(
        _ bytes: [UInt8], to path: String, pieceBytes: Int = .max
    ) throws(JournalError) {
        let descriptor = try createAnew(path)
        defer { close(descriptor) }
        try write(bytes, to: descriptor, at: 0, path, pieceBytes: pieceBytes)
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
    }

    /// Writes into an open file.
    static func write(
        _ bytes: [UInt8], to descriptor: CInt, at offset: Int, _ path: String,
        pieceBytes: Int = .max
    ) throws(JournalError) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let rest = unsafe UnsafeRawBufferPointer(
                    rebasing: buffer[written...].prefix(pieceBytes))
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .failed("writing", at: path, errno: errno) }
            written += count
        }
    }

    /// Reads from an open file; fewer bytes only at its end.
    static func read(
        _ count: Int, from descriptor: CInt, at offset: Int, _ path: String
    ) throws(JournalError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .failed("reading", at: path, errno: errno) }
            if got == 0 { break }
            filled += got
        }
        return Array(bytes[..<filled])
    }

    /// Whether an open file still has a name.
    ///
    /// `fstat` would do, but whoever has seen a file's times makes Linux note the time of the next write to the
    /// nanosecond: a write of the inode with each flush (*multigrain timestamps*).
    static func hasName(_ descriptor: CInt) -> Bool {
        var information = statx()
        let code = unsafe statx(
            descriptor, "", CInt(STATX_EMPTY_PATH), UInt32(STATX_NLINK), &information)
        return code == 0 && information.stx_nlink > 0
    }

    static func size(of descriptor: CInt, _ path: String) throws(JournalError) -> Int {
        var information = stat()
        guard unsafe fstat(descriptor, &information) == 0 else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        return information.st_size
    }

    /// From the root on, without links.
    static func wholePath(of path: String) throws(JournalError) -> String {
        guard let found = unsafe realpath(path, nil) else {
            throw .failed("looking at it", at: path, errno: errno)
        }
        defer { unsafe free(found) }
        return unsafe String(cString: found)
    }

    /// The directory that a file lies in.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Appends zero bytes up to a length; never shortens, even while others write.
    static func lengthen(
        _ path: String, from length: Int, to wanted: Int
    ) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let code = posix_fallocate(descriptor, length, wanted - length)
        guard code == 0 else { throw .failed("lengthening", at: path, errno: code) }
    }

    static func rename(_ old: String, to new: String) throws(JournalError) {
        guard unsafe Glibc.rename(old, new) == 0 else {
            throw .failed("renaming", at: old, errno: errno)
        }
    }

    /// Gives a file a second name.
    static func link(_ path: String, to other: String) throws(JournalError) {
        guard unsafe Glibc.link(path, other) == 0 else {
            throw .failed("linking", at: path, errno: errno)
        }
    }

    /// Removes a file; it need not be there.
    static func remove(_ path: String) throws(JournalError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw .failed("removing", at: path, errno: errno)
        }
    }

    /// Makes names in a directory, or the contents of a file, durable.
    static func flush(_ path: String) throws(JournalError) {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
    }

    /// Makes what was written into an open file durable, its length included.
    static func flushData(_ descriptor: CInt, _ path: String) throws(JournalError) {
        guard fdatasync(descriptor) == 0 else { throw .failed("flushing", at: path, errno: errno) }
    }

    /// Makes a directory for its owner only; answers false if it is there already.
    static func makeDirectory(_ path: String) throws(JournalError) -> Bool {
        if unsafe mkdir(path, 0o700) == 0 { return true }
        guard errno == EEXIST else { throw .failed("making the directory", at: path, errno: errno) }
        return false
    }

    /// Makes a directory for its owner only, with a name that nobody has.
    static func makeDirectory(
        _ name: String, uniqueIn place: String
    ) throws(JournalError) -> String {
        let template = "\(place)/\(name).XXXXXX"
        var path = Array(template.utf8CString)
        let isMade = unsafe path.withUnsafeMutableBufferPointer {
            unsafe $0.baseAddress.flatMap { unsafe mkdtemp($0) } != nil
        }
        guard isMade else {
            throw .failed("making a directory of that name", at: template, errno: errno)
        }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes a directory in which there is nothing.
    static func removeDirectory(_ path: String) throws(JournalError) {
        guard unsafe rmdir(path) == 0 else { throw .failed("removing", at: path, errno: errno) }
    }

    /// Keeps others than its owner out of a directory.
    static func makePrivate(_ path: String) throws(JournalError) {
        guard unsafe chmod(path, 0o700) == 0 else {
            throw .failed("making it private", at: path, errno: errno)
        }
    }

    /// The names in a directory, sorted.
    static func names(in path: String) throws(JournalError) -> [String] {
        guard let directory = unsafe opendir(path) else {
            throw .failed("listing", at: path, errno: errno)
        }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}
