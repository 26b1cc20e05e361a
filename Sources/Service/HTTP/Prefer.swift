import Hummingbird

/// What `Prefer: wait=SECONDS` asks for (RFC 7240, 4.3).
enum Prefer {
    /// Nobody is kept waiting for longer.
    static let longestWait = 60

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
