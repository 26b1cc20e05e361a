internal import ArgumentParser
internal import Engine

extension Replay {
    /// Keys: the signing key of a log or a witness, the master key of a journal.
    struct Key: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "Makes a signing key, or changes the master key.",
            discussion: """
                EXAMPLE
                  replay key new school.key --name school.example/journal
                """,
            subcommands: [New.self, Rotate.self, Renew.self])

        struct New: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "new",
                abstract: "Makes a key that signs checkpoints.",
                discussion: """
                    The private key goes into FILE, which only its owner can read, the verifier key into \
                    FILE.vkey and to standard output: give that one to whoever is to check signatures.

                    EXAMPLE
                      replay key new school.key --name school.example/journal
                      replay key new witness.key --name witness.example/w1 --witness
                    """)

            @Argument(help: "The file to make.", completion: .file())
            var file: String

            @Option(help: "The name of the log or witness: like school.example/journal, for good.")
            var name: String

            @Flag(help: "A key that cosigns checkpoints of others.")
            var witness = false

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                let verifier = try KeyFiles.make(file, name: name, isWitness: witness)
                try common.printing { output throws(EngineError) in
                    guard common.json else { return try output.line(verifier) }
                    let document: Document.Value = ["verifier": .string(verifier)]
                    try output.document(document.canonical)
                }
            }
        }

        struct Rotate: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "rotate",
                abstract: "Puts a new master key in the place of the old one.",
                discussion: """
                    Every person's key is wrapped with the new master key, which takes the old one's place \
                    in its file ($SIJILL_MASTER_KEY_FILE, else master.key in the journal). Backups of keys \
                    made before need the old one. No event changes.

                    EXAMPLE
                      replay key rotate --journal exams
                    """)

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                let count = try common.openForWriting().rotateMasterKey()
                try common.printing { output throws(EngineError) in
                    guard common.json else {
                        return try output.line(
                            "\(Figures.counted(UInt64(count), "key")) wrapped anew")
                    }
                    let document: Document.Value = ["keys": .number("\(count)")]
                    try output.document(document.canonical)
                }
            }
        }

        struct Renew: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "renew",
                abstract: "Makes a new master key where the old one is lost for good.",
                discussion: """
                    Keys of persons that the old one wrapped are lost with it: what they sealed reads null from \
                    then on, and verify says so. Everything else stays, and the journal takes commands again. \
                    Refused while there is a file where the master key is looked for \
                    ($SIJILL_MASTER_KEY_FILE, else master.key in the journal). Without --losing it says how \
                    many keys it would cost.

                    EXAMPLE
                      replay key renew --journal exams --losing 3
                    """)

            @Option(help: "How many keys are lost by it: says that you know.")
            var losing: Int?

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                let count = try common.openForWriting().renewMasterKey(losing: losing)
                try common.printing { output throws(EngineError) in
                    guard common.json else {
                        return try output.line(
                            "a new master key; \(Figures.counted(UInt64(count), "key")) lost")
                    }
                    let document: Document.Value = ["lost": .number("\(count)")]
                    try output.document(document.canonical)
                }
            }
        }
    }
}
