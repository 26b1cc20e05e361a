internal import ArgumentParser
internal import Glibc

/// The command line of Sijill: a thin skin over `Engine`, as `replay.md` of the contract lays down.
@main
struct Replay: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Records what happened, and answers from it.",
        discussion: """
            A journal holds events that are never changed; every answer is computed from them alone. \
            Results go to standard output, everything else to standard error.

            EXAMPLE
              replay init --journal exams
              replay submit --journal exams commands.jsonl
              replay show journal.summary --journal exams

            Exit codes: 0 done; 1 the check failed; 64 wrong use; 65 bad input data; 66 no journal \
            there; 73 cannot create; 74 input/output error; 75 busy, try again; 77 the actor may not \
            see it.
            """,
        version: "replay 0.1.0",
        subcommands: [
            Initialize.self, Submit.self, Events.self, OneEvent.self, Show.self, Models.self,
            Commands.self,
            Diff.self, Why.self, Step.self, Bisect.self, WhatIf.self, Explain.self,
            Rebuild.self, Verify.self, Statistics.self, Report.self, Export.self, Import.self,
            Key.self,
            Checkpoint.self, Cosign.self, Prove.self, CheckProof.self, Backup.self, Restore.self,
            Erase.self, Serve.self, SinkTables.self, Log.self,
        ])

    /// Replaces the parser's own `main`, so that an error is one line and has the contract's code.
    static func main() {
        StandardStreams.secure()
        do {
            try Arguments.check()
            var command = try parseAsRoot()
            try command.run()
        } catch {
            Failure.exit(for: error)
        }
    }
}
