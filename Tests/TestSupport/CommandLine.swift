package import Core

/// One command as a test makes it: a line for `submit`.
package struct TestCommand: Sendable, Hashable, CustomStringConvertible {
    package var id: String
    package var command: String
    package var at: Instant?
    package var by: String
    package var device: String?
    package var data: JSON

    package init(
        _ id: String, _ command: String, at: Instant?, by: String, device: String? = nil,
        _ data: [(String, JSON)] = []
    ) {
        self.id = id
        self.command = command
        self.at = at
        self.by = by
        self.device = device
        self.data = .object(of: data)
    }

    package var json: JSON {
        var members: [(String, JSON)] = [
            ("id", .string(id)), ("command", .string(command)), ("by", .string(by)),
            ("data", data),
        ]
        if let at { members.append(("at", .string("\(at)"))) }
        if let device { members.append(("device", .string(device))) }
        return .object(of: members)
    }

    /// As a batch carries it.
    package var inner: JSON {
        .object(of: [
            ("id", .string(id)), ("command", .string(command)),
            ("at", .string("\(at ?? .epoch)")), ("by", .string(by)), ("data", data),
        ])
    }

    package var line: [UInt8] { json.canonical }
    package var description: String { json.description }
}

extension Instant {
    /// For tests that write their instants out; the epoch when the text is none.
    package init(_ text: String) {
        self = Instant(rfc3339: text) ?? .epoch
    }
}
