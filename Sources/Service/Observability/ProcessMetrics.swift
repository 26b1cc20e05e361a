import Foundation
import Glibc
import Metrics

/// What the system knows of the process, by the names of Prometheus' own clients.
enum ProcessMetrics {
    /// Reads it anew; what cannot be read keeps its former value.
    static func observe(_ registry: PrometheusRegistry, journal directory: String) {
        func set(_ label: String, _ value: Double) {
            Meter(label: label, factory: registry).set(value)
        }
        if let stat = text("/proc/self/stat"), let start = stat.lastIndex(of: ")") {
            // proc_pid_stat(5), from the third field on.
            let fields = stat[start...].split(separator: " ").dropFirst()
            let number = { (place: Int) in
                fields.count > place ? Double(fields[fields.startIndex + place]) ?? 0 : 0
            }
            let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
            set("process_cpu_seconds", (number(11) + number(12)) / ticks)
            set("process_resident_memory_bytes", number(21) * Double(getpagesize()))
        }
        if let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            set("process_open_fds", Double(files.count))
        }
        var disk = statvfs()
        if unsafe statvfs(directory, &disk) == 0 {
            set("sijill_disk_free_bytes", Double(disk.f_bavail) * Double(disk.f_frsize))
        }
    }

    private static func text(_ path: String) -> String? {
        (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) }
    }
}
