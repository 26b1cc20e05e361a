internal import ArgumentParser
internal import Engine
internal import Glibc

extension Replay {
    /// A signed head of the journal's tree.
    struct Checkpoint: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Signs how the journal stands, and prints that.",
            discussion: """
                A signed note with the number of events and the root of the tree over them (C2SP \
                tlog-checkpoint). It is kept with the journal, and verify compares the journal with it \
                ever after. Give it to others: a copy that you cannot change is what proves something.

                EXAMPLE
                  replay key new school.key --name school.example/journal
                  replay checkpoint --key school.key --journal exams > today.checkpoint
                """)

        @Option(
            help: ArgumentHelp("The signing key, as replay key new made it.", valueName: "file"),
            completion: .file())
        var key: String

        @Option(help: "The name of the log, where it is not that of its key.")
        var origin: String?

        @Flag(help: "Sign what every read model says, too, by its digest.")
        var attest = false

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let text = try KeyFiles.privateKey(key)
            let engine = try common.openForWriting()
            let bar = ProgressBar()
            let checkpoint = try engine.checkpoint(key: text, origin: origin, attesting: attest) {
                bar.update($0)
            }
            bar.clear()
            try common.printing { output throws(EngineError) in try output.write(checkpoint) }
        }
    }

    /// A witness's signature under a checkpoint.
    struct Cosign: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a witness's signature to a checkpoint, and prints it.",
            discussion: """
                A witness vouches that a journal only grew since the checkpoint it signed before: give the \
                consistency proof from that one (replay prove --from SIZE). No journal is needed.

                EXAMPLE
                  replay cosign today.checkpoint --key witness.key --log-key school.key.vkey \\
                    --proof yesterday-to-today.consistency-proof > today.cosigned
                """)

        @Argument(help: "The checkpoint.", completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp("The witness's key.", valueName: "file"), completion: .file())
        var key: String

        @Option(
            help: ArgumentHelp(
                "The proof that it continues the one signed before (none for the first).",
                valueName: "file"),
            completion: .file())
        var proof: String?

        @OptionGroup var trust: TrustOptions
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let proof = try proof.map { path throws(EngineError) in try KeyFiles.contents(path) }
            let cosigned = try Engine.cosign(
                try KeyFiles.contents(file), key: try KeyFiles.privateKey(key), proof: proof,
                at: Int64(time(nil)), try trust.trust())
            try common.printing { output throws(EngineError) in try output.write(cosigned) }
        }
    }
}
