internal import ArgumentParser
internal import Engine

extension Replay {
    /// An audit report as one HTML page.
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Writes an audit report as one HTML page.",
            discussion: """
                Who did what, what was refused, erased and administered in a period, and what vouches \
                for the journal: for people, in a browser or on paper. The page has no script and loads \
                nothing; personal fields are left out. The same journal and period give the same bytes.

                EXAMPLE
                  replay report --journal exams --output report.html
                  replay report --journal exams --from 2026-02-01T00:00:00Z \\
                    --to 2026-02-28T23:59:59.999Z > february.html
                """)

        @Option(
            help: ArgumentHelp(
                "Only what happened from this instant on.", valueName: "instant"))
        var from: String?

        @Option(
            help: ArgumentHelp("Only what happened up to this instant.", valueName: "instant"))
        var to: String?

        @Option(
            help: ArgumentHelp(
                "The file to write (default: standard output, if it is no terminal).",
                valueName: "file"),
            completion: .file(extensions: ["html"]))
        var output: String?

        @Flag(help: "Replace the file if it is there.")
        var force = false

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if common.json {
                throw ValidationError(
                    "A report is HTML; for JSON ask replay show audit.log, without --json here")
            }
            if force, output == nil { throw ValidationError("--force needs --output") }
        }

        func run() throws(EngineError) {
            let file = output.map { NewFile(path: $0, replaces: force) }
            if file == nil, Terminal.isOne(StandardStreams.output) {
                throw EngineError(
                    .wrongUse,
                    "a report is HTML, which a terminal does not show; name a file with --output")
            }
            try file?.check()
            let engine = try common.openForReading()
            let bar = ProgressBar()
            let page: [UInt8]
            do {
                page = try engine.auditReport(
                    from: instant(from, "--from"), to: instant(to, "--to")
                ) {
                    bar.update($0)
                }
            } catch {
                bar.clear()
                throw error
            }
            bar.clear()
            if let file {
                try file.write(page)
            } else {
                try common.printing { output throws(EngineError) in try output.write(page) }
            }
        }

        private func instant(_ text: String?, _ option: String) throws(EngineError) -> Instant? {
            try Moments.instant(text, option, example: ", such as 2026-02-01T00:00:00Z")
        }
    }
}
