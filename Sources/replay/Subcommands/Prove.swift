internal import ArgumentParser
internal import Engine

extension Replay {
    /// Proofs that need no journal to be checked.
    struct Prove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prove",
            abstract: "Prints a proof that others check without the journal.",
            discussion: """
                Of one event: that it is in the journal as the newest checkpoint signed it (C2SP \
                tlog-proof, with the event; personal fields stay sealed). Or, with --from, that the \
                journal of the newest checkpoint continues that of the one with so many events. With \
                --json, the way from the event to the root of all events, unsigned.

                EXAMPLE
                  replay prove 42 --journal exams > 42.tlog-proof
                  replay prove --from 10 --journal exams > from-10.consistency-proof
                """)

        @Argument(help: "The event's position.")
        var position: UInt64?

        @Option(help: ArgumentHelp("The size of an earlier checkpoint.", valueName: "size"))
        var from: UInt64?

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (position == nil) != (from == nil) else {
                throw ValidationError("name a position, or --from and a size")
            }
            if from != nil, common.json { throw ValidationError("--json does not go with --from") }
        }

        func run() throws(EngineError) {
            let engine = try common.openForReading()
            try common.printing { output throws(EngineError) in
                if let from {
                    try output.write(try engine.proof(from: from))
                } else if let position {
                    guard common.json else {
                        return try output.write(try engine.proof(ofEventAt: Position(position)))
                    }
                    try output.document(try engine.path(ofEventAt: Position(position)).bytes)
                }
            }
        }
    }

    /// Checks a proof by itself.
    struct CheckProof: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-proof",
            abstract: "Checks a proof file, without a journal.",
            discussion: """
                Says in a sentence what is proved, within an object with --json; exit code 1 if the proof \
                does not hold, 65 if it is none.

                EXAMPLE
                  replay check-proof 42.tlog-proof --log-key school.key.vkey
                """)

        @Argument(help: "The proof.", completion: .file())
        var file: String

        @OptionGroup var trust: TrustOptions
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let sentence = try EventEngine.checkProof(
                try GivenFile.contents(file, atMost: 16 << 20), try trust.trust())
            try common.printing { output throws(EngineError) in
                guard common.json else { return try output.line(sentence) }
                let document: Document.Value = ["holds": true, "sentence": .string(sentence)]
                try output.document(document.canonical)
            }
        }
    }
}
