import Core
import Foundation

extension Instant {
    /// By the service's clock: for what a client may send and for the log, never for what an event says.
    static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
