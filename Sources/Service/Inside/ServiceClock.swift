import Core
import Foundation

/// The wall's clock for spans, finer than an instant.
enum WallTime {
    static var nanoseconds: UInt64 { UInt64(max(0, Date().timeIntervalSince1970 * 1e6)) * 1_000 }
}

extension Instant {
    /// By the service's clock: for what a client may send and for the log, never for what an event says.
    static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
