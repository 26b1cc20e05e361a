internal import ArgumentParser
internal import Engine

extension Replay {
    /// Checks the whole journal.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
            abstract: "Checks the whole journal.",
            discussion: """
                Every record, positions and revisions without gaps, every index against the log; the \
                tree over all events, made anew, against every checkpoint that is kept or given; then \
                the stored read models against a fresh rebuild. What does not hold gives exit code 1 \
                and is named.

                A write of the file's first pages that failed leaves one of them unused; the next commit \
                writes over it. With --repair that is done at once, while nobody has the journal open.

                EXAMPLE
                  replay verify --journal exams
                  replay verify --journal exams --checkpoint mine.checkpoint --log-key school.vkey
                """)

        @Option(
            help: ArgumentHelp(
                "A checkpoint that was kept elsewhere, to compare with, too.", valueName: "file"),
            completion: .file())
        var checkpoint: [String] = []

        @Flag(help: "Mend first what a failed write left on the first pages.")
        var repair = false

        @OptionGroup var room: MemoryOptions
        @OptionGroup var trust: TrustOptions
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            for file in checkpoint { try GivenFile.check(file, advice: "name a checkpoint") }
            if repair {
                let wasMended = try EventEngine.repair(at: common.directory)
                Notes.say(
                    "replay: the first pages of journal.mdb "
                        + (wasMended ? "were mended" : "needed no mending"))
            }
            var trust = try trust.trust()
            trust.checkpoints = checkpoint
            var options = EnvironmentVariables.readingOptions
            room.apply(to: &options)
            let bar = ProgressBar()
            let report = try EventEngine.verify(at: common.directory, options: options, trust) {
                bar.update($0)
            }
            bar.clear()
            for warning in report.warned {
                Notes.say("replay: \(Printable.line(Words.of(warning)))")
            }
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    return try output.document(report.document { Words.of($0) }.bytes)
                }
                try output.lines(summary(report, output.palette))
            }
            if !report.isWhole { throw damage(report) }
        }

        private func summary(_ report: VerificationReport, _ palette: Palette) -> [String] {
            let verdict =
                report.isWhole ? palette.paint("whole", .good) : palette.paint("damaged", .bad)
            let events = Figures.counted(report.events, "event")
            let streams = Figures.counted(report.streams, "stream")
            var lines = ["\(verdict)  \(events) in \(streams)"]
            if let tree = report.tree {
                let root = palette.paint(Printable.line(tree.root), .faint)
                let checked = Figures.counted(UInt64(tree.checkpoints), "checkpoint")
                let origins = tree.origins.map { Printable.line($0) }.joined(separator: ", ")
                lines.append(
                    "tree  \(root)  \(checked) compared"
                        + (origins.isEmpty ? "" : ", of \(origins)"))
            }
            if let digest = report.digest {
                lines.append("read models  \(palette.paint(Printable.line(digest), .faint))")
            }
            return lines + report.found.map { "  \(Printable.line(Words.of($0)))" }
        }

        private func damage(_ report: VerificationReport) -> EngineError {
            let finding = report.found.first.map { ": \(Words.of($0))" } ?? ""
            guard let position = report.firstDamaged else {
                return EngineError(
                    .checkFailed,
                    "\(common.directory) does not hold together\(finding); see its findings")
            }
            return EngineError(
                .checkFailed,
                "\(common.directory) is damaged, first at position \(position)\(finding); keep it aside and go back to a copy"
            )
        }
    }
}
