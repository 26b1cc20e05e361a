internal import ArgumentParser
internal import Engine

extension Replay {
    /// Runs commands, one JSON object a line.
    struct Submit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "submit",
            abstract: "Runs commands, one JSON object a line.",
            discussion: """
                Prints one outcome a line in the same order, each only after its events are durable. A \
                line that is no command is answered with `malformed` or `unknown-command`, and the rest \
                goes on; the exit code is then 65. `replay commands` lists what there is. Commands that a rule rejects are answers, not failures. \
                With --explain each outcome stands behind the checks that led to it, as `replay explain` prints them.

                EXAMPLE
                  replay submit --journal exams commands.jsonl
                  tail -f inbox.jsonl | replay submit --journal exams | jq .status
                  replay submit --journal exams --dry-run commands.jsonl
                  replay submit --journal exams --explain commands.jsonl | jq .checks
                """)

        @Argument(
            help: "A file of commands; - or nothing is standard input.",
            completion: .file(extensions: ["jsonl", "json"]))
        var file: String?

        @Option(
            help: ArgumentHelp(
                "What recordedAt says, in place of the present.", valueName: "instant"))
        var clock: String?

        @Flag(help: "Decide and print, but record nothing.")
        var dryRun = false

        @Flag(help: "Say of each command by which checks it was accepted or refused.")
        var explain = false

        @OptionGroup var seen: ViewerOptions

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard !explain || seen.actor == nil else {
                throw ValidationError(
                    "--explain shows what the rules see, which --as ACTOR may not; leave one out")
            }
        }

        func run() throws {
            let viewer = try seen.viewer()
            let interruption = Interruption()  // before the engine, so that nothing is cut short
            let source = try InputSource(file)
            let engine = try common.openForWriting()
            var reader = LineReader(source, interruption)
            var submission = Submission(
                engine: engine, clock: clock, isDryRun: dryRun, explains: explain, viewer: viewer,
                output: Output(isJSON: common.json, isColoured: !common.noColor))
            while let batch = try reader.nextBatch() {
                try submission.submit(batch)
                submission.bar.update(reader.bytesRead, of: source.size, "submitting, bytes read")
            }
            submission.finish()
            if let signal = reader.signal {
                throw Interrupted(signal: signal, message: submission.interrupted)
            }
            try submission.complainOfNoCommands()
        }
    }
}
