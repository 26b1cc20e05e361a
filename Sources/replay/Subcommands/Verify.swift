internal import ArgumentParser
internal import Engine

extension Replay {
    /// Checks the whole journal.
    struct Verify: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks the whole journal.",
            discussion: """
                Every record, positions and revisions without gaps, every index against the log, then \
                the stored read models against a fresh rebuild. Damage gives exit code 1 and is named.

                EXAMPLE
                  replay verify --journal exams
                """)

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let engine = try common.openForReading()
            let bar = ProgressBar()
            let report = try engine.verify { bar.update($0) }
            bar.clear()
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
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
            if let digest = report.digest {
                lines.append("read models  \(palette.paint(Printable.line(digest), .faint))")
            }
            return lines + report.findings.map { "  \(Printable.line($0))" }
        }

        private func damage(_ report: VerificationReport) -> EngineError {
            let finding = report.findings.first.map { ": \($0)" } ?? ""
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
