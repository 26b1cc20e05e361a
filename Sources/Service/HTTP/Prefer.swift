import Hummingbird

/// What `Prefer: wait=SECONDS` asks for (RFC 7240, 4.3).
enum Prefer {
    /// Nobody is kept waiting for longer.
    static let longestWait = 60

    /// How long who would rather come back than wait does wait, where they do not say.
    private static let patience = Duration.milliseconds(100)

    /// How long a client waits before it would rather be told to come back (`respond-async`, RFC 7240, 4.1); nil where it waits.
    static func patience(_ request: Request) -> Duration? {
        let isAsynchronous = request.headers[values: .prefer].contains { field in
            field.split(separator: ",").contains { $0.trimmed.lowercased() == "respond-async" }
        }
        return isAsynchronous ? wait(request) ?? patience : nil
    }

    /// How long an answer may be waited for; nil where nothing is said.
    static func wait(_ request: Request) -> Duration? {
        for field in request.headers[values: .prefer] {
            for preference in field.split(separator: ",") {
                let parts = preference.trimmed.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].trimmed.lowercased() == "wait",
                    let seconds = Int(parts[1].trimmed), seconds >= 0
                else { continue }
                return .seconds(min(seconds, longestWait))
            }
        }
        return nil
    }
}
