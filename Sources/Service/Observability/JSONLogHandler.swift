import Core
import Foundation
package import Logging

/// One JSON object a line, to standard error: what journald and its like take.
///
/// No body, token or personal value is ever given to it: callers log routes, codes and ids of requests.
package struct JSONLogHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    private let label: String

    package init(label: String, level: Logger.Level) {
        self.label = label
        logLevel = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
        var members = all.map { key, value in (key, JSON.string("\(value)")) }
        members += [
            ("at", .string("\(Instant.now)")), ("label", .string(label)),
            ("level", .string(event.level.rawValue)),
            ("message", .string("\(event.message)")),
        ]
        FileHandle.standardError.write(
            Data(JSON.object(of: members).canonical + [UInt8(ascii: "\n")]))
    }
}
