internal import ArgumentParser
internal import Engine

extension Replay {
    /// Makes read models again from the first event.
    struct Rebuild: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes the read models again from the first event.",
            discussion: """
                Prints a digest of each read model and of all. With --check nothing is replaced: what is \
                stored is compared with a fresh rebuild, and a difference gives exit code 1. \
                The hashes of the tree that the journal keeps are left alone, unless --tree asks for them.

                EXAMPLE
                  replay rebuild --journal exams --check
                  replay rebuild --journal exams examroom.leaderboard
                """)

        @Argument(
            help: "The read models; none means all.", completion: .custom(Completion.models))
        var models: [String] = []

        @Flag(help: "Compare with what is stored, and replace nothing.")
        var check = false

        @Flag(help: "Make the hashes of the tree anew as well, if verify says so.")
        var tree = false

        mutating func validate() throws {
            guard !check || !tree else {
                throw ValidationError("--check replaces nothing, and --tree does")
            }
        }

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let engine = try check ? common.openForReading() : common.openForWriting()
            let bar = ProgressBar()
            let report = try engine.rebuild(models, isCheck: check) { bar.update($0) }
            if tree { try engine.rebuildTree() }
            bar.clear()
            let rate = UInt64(Double(report.events) / max(0.000_001, report.foldSeconds))
            Notes.say(
                "folded \(Figures.counted(report.events, "event")) in \(Figures.seconds(report.foldSeconds)) s (\(Figures.grouped(rate)) events/s)"
            )
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
                try output.lines(table(report).lines(in: output.width, output.palette))
                try output.line("")
                try output.line(
                    "all of them up to position \(report.position)  \(Printable.line(report.digest))"
                )
            }
            guard let first = report.differences.first else { return }
            let more = report.differences.count - 1
            let others = more > 0 ? " (and \(Figures.counted(more, "more difference")))" : ""
            throw EngineError(
                .checkFailed,
                "the stored read models are not what the events say: \(first)\(others); run replay rebuild"
            )
        }

        private func table(_ report: RebuildReport) -> TextTable {
            var columns = [
                TextTable.Column(title: "model"), TextTable.Column(title: "keys", isNumber: true),
                TextTable.Column(title: "digest", canShrink: true),
            ]
            if check { columns.append(TextTable.Column(title: "stored")) }
            let rows = report.entries.map { entry in
                var row = [
                    TextTable.Cell(entry.model, .heading),
                    TextTable.Cell(Figures.grouped(entry.keys)),
                    TextTable.Cell(entry.digest, .faint),
                ]
                guard check else { return row }
                switch entry.stored {
                case entry.digest: row.append(TextTable.Cell("the same", .good))
                case nil: row.append(TextTable.Cell("nothing", .notice))
                default: row.append(TextTable.Cell("differs", .bad))
                }
                return row
            }
            return TextTable(columns, rows: rows)
        }
    }
}
