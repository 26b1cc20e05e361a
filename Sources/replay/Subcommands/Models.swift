internal import ArgumentParser
internal import Engine

extension Replay {
    /// Lists the read models.
    struct Models: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "models",
            abstract: "Lists the read models: what can be asked.",
            discussion: """
                With each: its key, the question it answers, how many keys it holds, and up to which \
                position it stands.

                EXAMPLE
                  replay models --journal exams
                """)

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let models = try common.openForReading().models()
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    for model in models { try output.document(Self.value(model).canonical) }
                    return
                }
                try output.lines(Self.table(models).lines(in: output.width, output.palette))
            }
        }

        private static func table(_ models: [ModelInfo]) -> TextTable {
            let columns = [
                TextTable.Column(title: "model"), TextTable.Column(title: "key"),
                TextTable.Column(title: "keys", isNumber: true),
                TextTable.Column(title: "position", isNumber: true),
                TextTable.Column(title: "question", canShrink: true),
            ]
            let rows = models.map { model in
                [
                    TextTable.Cell(model.name, .heading),
                    TextTable.Cell(model.key ?? "–", model.key == nil ? .faint : .plain),
                    TextTable.Cell(model.keys.map { Figures.grouped($0) } ?? "–"),
                    TextTable.Cell(Figures.grouped(model.position.number)),
                    TextTable.Cell(model.question),
                ]
            }
            return TextTable(columns, rows: rows)
        }

        private static func value(_ model: ModelInfo) -> Document.Value {
            .object([
                ("arguments", .array(model.arguments.map { .string($0) })),
                ("key", model.key.map { .string($0) } ?? .null),
                ("keys", model.keys.map { .number(String($0)) } ?? .null),
                ("name", .string(model.name)),
                ("position", .number("\(model.position)")),
                ("question", .string(model.question)),
            ])
        }
    }
}
