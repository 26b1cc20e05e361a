internal import Engine
internal import Glibc
internal import Sink

/// What a sink did, as a line on standard error, and as numbers in a file.
struct SinkProgress {
    private let metrics: String?
    private var steps: UInt64 = 0
    private var rows: UInt64 = 0

    init(metrics: String?) {
        self.metrics = metrics
    }

    mutating func tell(_ note: Sink.Note, _ output: Output) {
        switch note {
        case .reached(let position, let written, let isErasure):
            steps += 1
            rows += UInt64(written)
            let document = Document.Value.object([
                ("erasure", .bool(isErasure)), ("position", .number("\(position)")),
                ("rows", .number("\(written)")),
            ])
            // Who reads it may be gone; the tables are written all the same.
            if output.isLaidOut {
                try? output.line(
                    "position \(Figures.grouped(position.number)): \(Figures.counted(written, "row"))"
                )
            } else {
                try? output.document(document.canonical)
            }
            try? output.flush()
            write(position.number)
        case .switched(let models):
            Notes.say("replay: another version is read of \(models.joined(separator: ", "))")
        case .waiting(let reason): Notes.say("replay: \(reason); trying again")
        }
    }

    /// Replaces the file, so that nobody reads half of it.
    private func write(_ position: UInt64) {
        guard let metrics else { return }
        let text = """
            # HELP sijill_sink_position The last event that the tables take in.
            # TYPE sijill_sink_position gauge
            sijill_sink_position \(position)
            # HELP sijill_sink_steps_total Steps since it began.
            # TYPE sijill_sink_steps_total counter
            sijill_sink_steps_total \(steps)
            # HELP sijill_sink_rows_total Rows written or removed since it began.
            # TYPE sijill_sink_rows_total counter
            sijill_sink_rows_total \(rows)

            """
        let draft = metrics + ".new"
        guard let file = unsafe fopen(draft, "w") else {
            Notes.say("replay: \(metrics): cannot be written; see its directory")
            return
        }
        _ = unsafe fputs(text, file)
        _ = unsafe fclose(file)
        _ = unsafe rename(draft, metrics)
    }
}

extension SinkStatus {
    var value: Document.Value {
        .object([
            ("fence", .number("\(fence)")), ("head", .number("\(head)")),
            ("journal", .string(journal)), ("lag", .number("\(lag)")),
            (
                "models",
                .array(
                    models.map { model in
                        .object([
                            ("columns", .array(model.columns.map { .string($0) })),
                            ("model", .string(model.name)), ("rows", .number("\(model.rows)")),
                            ("state", .string(model.state)), ("table", .string(model.table)),
                        ])
                    })
            ), ("personal", .bool(isPersonal)), ("position", .number("\(position)")),
        ])
    }

    var table: TextTable {
        TextTable(
            [
                TextTable.Column(title: "model"), TextTable.Column(title: "state"),
                TextTable.Column(title: "rows", isNumber: true),
                TextTable.Column(title: "columns", canShrink: true),
            ],
            rows: models.map { model in
                [
                    TextTable.Cell(model.name, .heading), TextTable.Cell(model.state),
                    TextTable.Cell(Figures.grouped(model.rows)),
                    TextTable.Cell(model.columns.joined(separator: ", ")),
                ]
            })
    }
}

extension SinkComparison {
    var value: Document.Value {
        .object([
            ("differing", .array(differing.map { .string($0) })), ("model", .string(model)),
            ("rows", .number("\(rows)")),
        ])
    }
}
