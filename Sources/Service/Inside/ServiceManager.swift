import Foundation
import Glibc

/// Tells systemd how the service is (sd_notify(3)): nothing where nobody asked.
package enum ServiceManager {
    /// `READY=1`, `STOPPING=1`, `WATCHDOG=1`.
    package static func notify(_ state: String) {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else {
            return
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var name = Array(path.utf8)
        let most = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < most else { return }
        // An address that begins with @ lies in no directory.
        if name[0] == UInt8(ascii: "@") { name[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let socket = Glibc.socket(
            AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { _ = Glibc.close(socket) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
        let bytes = Array(state.utf8)
        _ = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(socket, bytes, bytes.count, 0, address, length)
            }
        }
    }

    /// How often the watchdog wants to hear of the service: half of what it waits for.
    package static var watchdogInterval: Duration? {
        guard
            let text = ProcessInfo.processInfo.environment["WATCHDOG_USEC"],
            let microseconds = Int64(text), microseconds > 0
        else { return nil }
        return .microseconds(microseconds / 2)
    }
}
