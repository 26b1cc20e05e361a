internal import ArgumentParser
internal import Engine
internal import Glibc

extension Replay {
    /// A signed head of the journal's tree.
    struct Checkpoint: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "checkpoint",
            abstract: "Signs how the journal stands, and prints that.",
            discussion: """
                A signed note with the number of events and the root of the tree over them (C2SP \
                tlog-checkpoint). It is kept with the journal, and verify compares the journal with it \
                ever after. Give it to others: a copy that you cannot change is what proves something.

                What the key signed last is kept beside it, in FILE.state: a journal that does not continue \
                that is not signed.

                EXAMPLE
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

        @OptionGroup var room: MemoryOptions
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let text = try GivenFile.privateKey(key)
            let engine = try common.openForWriting { room.apply(to: &$0) }
            let bar = ProgressBar()
            let checkpoint = try engine.checkpoint(
                key: text, origin: origin, attesting: attest, keyFile: key
            ) { bar.update($0) }
            bar.clear()
            try common.printing { output throws(EngineError) in try output.write(checkpoint) }
        }
    }

    /// A witness's signature under a checkpoint.
    struct Cosign: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cosign",
            abstract: "Adds a witness's signature to a checkpoint, and prints it.",
            discussion: """
                A witness vouches that a journal only grew since the checkpoint it signed before: give the \
                consistency proof from there (replay prove --from SIZE). No journal is needed. What the witness \
                signed last of each journal is kept beside its key, in FILE.state; --after stands in for that.

                EXAMPLE
                  replay cosign today.checkpoint --key witness.key --log-key school.key.vkey \\
                    --proof from-10.consistency-proof > today.cosigned
                """)

        @Argument(help: "The checkpoint.", completion: .file())
        var file: String

        @Option(
            help: ArgumentHelp("The witness's key.", valueName: "file"), completion: .file())
        var key: String

        @Option(
            help: ArgumentHelp(
                "What this witness cosigned last, where FILE.state does not say.",
                valueName: "file"),
            completion: .file())
        var after: String?

        @Option(
            help: ArgumentHelp("The proof that the journal continues that.", valueName: "file"),
            completion: .file())
        var proof: String?

        @OptionGroup var trust: TrustOptions
        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            if after != nil, proof == nil { throw ValidationError("--after needs --proof") }
        }

        func run() throws(EngineError) {
            var earlier: (cosigned: [UInt8], proof: [UInt8])?
            if let after, let proof {
                earlier = (try GivenFile.contents(after), try GivenFile.contents(proof))
            }
            var way: [UInt8]?
            if after == nil, let proof { way = try GivenFile.contents(proof) }
            let cosigned = try EventEngine.cosign(
                try GivenFile.contents(file), key: try GivenFile.privateKey(key), after: earlier,
                proof: way, keyFile: key, at: Int64(time(nil)), try trust.trust())
            try common.printing { output throws(EngineError) in try output.write(cosigned) }
        }
    }
}
