internal import ArgumentParser
internal import Engine

extension Replay {
    /// Makes a journal of what was exported.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Makes a new journal of what `replay export` printed.",
            discussion: """
                The journal must not be there yet. It has the same events, positions and tree hash as \
                the one that was exported.

                EXAMPLE
                  replay import --journal copy exams.jsonl
                  replay export --journal exams | replay import --journal another
                """)

        @Argument(
            help: "An exported file; - or nothing is standard input.",
            completion: .file(extensions: ["jsonl", "json"]))
        var file: String?

        @Flag(help: "Commands may happen however far ahead of the clock (see init).")
        var simulated = false

        @OptionGroup var common: CommonOptions

        func run() throws {
            let interruption = Interruption()
            let source = try InputSource(file)
            var reader = LineReader(source, interruption, keepsEmptyLines: true)
            let bar = ProgressBar()
            let report: ImportReport
            do {
                report = try EventEngine.importJournal(
                    at: common.directory, isSimulated: simulated,
                    options: EnvironmentVariables.options
                ) {
                    () throws(EngineError) -> [UInt8]? in
                    bar.update(reader.bytesRead, of: source.size, "importing, bytes read")
                    return try Self.line(of: &reader)
                }
            } catch {
                bar.clear()
                guard let signal = reader.signal else { throw error }
                throw Interrupted(
                    signal: signal,
                    message:
                        "interrupted while importing to \(common.directory); import again")
            }
            bar.clear()
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
                try output.line(
                    "imported \(Figures.counted(report.events, "event")) up to position \(report.position)"
                )
            }
        }

        /// The next line; an interruption must reach the engine as an error, not as the end.
        private static func line(of reader: inout LineReader) throws(EngineError) -> [UInt8]? {
            guard let line = try reader.next() else {
                guard reader.signal == nil else {
                    throw EngineError(.inputOutput, "interrupted")
                }
                return nil
            }
            guard let bytes = line.bytes else { throw line.tooLong }
            return bytes
        }
    }
}
