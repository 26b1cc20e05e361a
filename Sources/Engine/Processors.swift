import Glibc

/// The machine's, which long work is shared out to.
enum Processors: Sendable {
    /// From 1 to 8.
    static let count = min(8, max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
}
