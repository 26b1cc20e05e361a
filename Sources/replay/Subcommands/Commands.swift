internal import ArgumentParser
internal import Engine
import Products

extension Replay {
    /// Lists the commands.
    struct Commands: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "commands",
            abstract: "Lists the commands: what can be submitted.",
            discussion: """
                With each: who may send it, the fields of its data (? may be left out), and a line of the right form. \
                The pages of the contract say what it does and when it is refused.

                EXAMPLE
                  replay commands examroom.attempt
                  replay commands --json | jq -r .command
                """)

        @Argument(
            help: "Only those that begin so: examroom.exam.",
            completion: .custom(Completion.commands))
        var prefix: String?

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let commands = try [Product].all.commands(beginningWith: prefix ?? "")
            try common.printing { output throws(EngineError) in
                for command in commands {
                    if output.isLaidOut {
                        try output.lines(Self.lines(command, output.palette))
                    } else {
                        try output.document(Self.value(command).canonical)
                    }
                }
            }
        }

        private static func lines(_ command: CommandInfo, _ palette: Palette) -> [String] {
            let fields = command.fields.map { "\($0.name)\($0.isOptional ? "?" : "") \($0.form)" }
            return [
                palette.paint(command.name, .heading) + "  "
                    + palette.paint(command.senders.joined(separator: ", "), .faint),
                "  " + (fields.isEmpty ? "no fields" : fields.joined(separator: ", ")),
                "  " + palette.paint(command.example.text, .faint), "",
            ]
        }

        private static func value(_ command: CommandInfo) -> Document.Value {
            .object([
                ("command", .string(command.name)),
                ("example", command.example.value),
                (
                    "fields",
                    .array(
                        command.fields.map { field in
                            .object([
                                ("form", .string(field.form)), ("name", .string(field.name)),
                                ("optional", .bool(field.isOptional)),
                            ])
                        })
                ),
                ("senders", .array(command.senders.map { .string($0) })),
            ])
        }
    }
}
