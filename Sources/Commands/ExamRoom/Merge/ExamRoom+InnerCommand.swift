import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// One command of a batch: what a device accepted while it was away (R38).
    struct InnerCommand: Record {
        private(set) var id = ""
        private(set) var command = ""
        private(set) var at = Instant.epoch
        private(set) var by = ""
        private(set) var data: JSON = .object([])

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("id", &id)
            coder.text("command", &command)
            coder.field("at", &at)
            coder.field("by", &by)
            coder.field("data", &data)
        }

        var digest: [UInt8] { CommandDigest.of(command, at: at, by: by, data) }

        /// A command of a wrong form makes the whole merge malformed (R39).
        static func read(_ json: JSON, from input: inout JSONInput) -> InnerCommand? {
            let read = input.record(json) { nested in
                var command = InnerCommand()
                command.fields(&nested)
                return command
            }
            guard let command = read else { return nil }
            if !Bounds.commandID.contains(command.id.unicodeScalars.count) {
                input.fail("expected an \"id\" of 1 to 128 characters")
            } else if Actor(command.by, names: input.names) == nil {
                input.fail(
                    "\"by\": expected student:ID, coach:ID, admin:ID, service:ID or system")
            } else if command.data.members == nil {
                input.fail("\"data\": expected an object")
            } else if let type = command.mergeableType {
                input.nested("data") { _ = command.decision(type, &$0) }
            }
            return input.problem == nil ? command : nil
        }

        /// What decides it; nil for a command that is not merged.
        func decision(_ names: Names) -> (any Command)? {
            guard let type = mergeableType else { return nil }
            var input = JSONInput(names: names, path: "data")
            return decision(type, &input)
        }

        /// The nouns whose commands are not merged (R39).
        private static let notMergeable = ["device", "sync", "connection", "storage", "conflict"]

        private var mergeableType: (any Command.Type)? {
            let parts = command.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 3, !Self.notMergeable.contains(String(parts[1])) else {
                return nil
            }
            let found = ExamRoom.commands.first { $0.name.isExactly(command) }
            return found?.type as? any Command.Type
        }

        private func decision<C: Command>(
            _ type: C.Type, _ input: inout JSONInput
        ) -> (any Command)? {
            guard let decision = C.read(data, from: &input) else { return nil }
            if let problem = decision.problem(input.names) {
                input.fail(problem)
                return nil
            }
            return decision
        }
    }
}
