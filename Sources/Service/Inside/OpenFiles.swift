import Glibc
import Logging

/// How many files this process may have open: each connection is one.
enum OpenFiles {
    /// What journals, logs and the program itself have open at most, roughly.
    private static let others = 256

    /// As many as the system lets the process have by itself (getrlimit(2)); says so where they do not suffice.
    static func raise(for connections: Int, _ logger: Logger) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return
        }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 {
            limit = raised
        }
        guard limit.rlim_cur < UInt(connections + others) else { return }
        logger.warning(
            "fewer files may be open than limits.connections wants: commands fail before new connections wait",
            metadata: [
                "files": "\(limit.rlim_cur)", "connections": "\(connections)",
                "setting": "LimitNOFILE (systemd), ulimit -Hn",
            ])
    }
}
