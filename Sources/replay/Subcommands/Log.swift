import ReplicatedLog
internal import ArgumentParser
internal import Engine

extension Replay {
    /// A journal whose frames go to a log that other machines have, too.
    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log",
            abstract: "A replicated log behind the journal, in PostgreSQL or NATS.",
            discussion: """
                EXAMPLE
                  replay log status --journal exams
                """,
            subcommands: [Create.self, Join.self, Follow.self, TakeOver.self, Status.self])

        struct Create: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "create",
                abstract: "Makes a log for an empty journal.",
                discussion: """
                    From then on a commit is answered when the log has it, and the journal after it. How many \
                    servers have it then is PostgreSQL's affair, synchronous_standby_names, or that of the stream \
                    in NATS, its replicas.

                    EXAMPLE
                      replay log create postgres:///log --node a --journal exams
                      replay log create nats://n1,n2,n3/EXAMS --node a --journal exams
                    """)

            @Argument(help: ArgumentHelp("The log: postgres://… or nats://…", valueName: "address"))
            var address: String

            @Option(help: "What this node is called.")
            var node: String

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                try LogNode.create(common.directory, address: address, node: node)
            }
        }

        struct Join: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "join",
                abstract: "Makes a journal that follows a log.",
                discussion: """
                    EXAMPLE
                      replay log join postgres:///log --node b --journal copy
                    """)

            @Argument(help: ArgumentHelp("The log: postgres://… or nats://…", valueName: "address"))
            var address: String

            @Option(help: "What this node is called.")
            var node: String

            @Option(help: "Which journal, where the log has several: its 32 hexadecimal digits.")
            var identity: String?

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                try LogNode.join(
                    common.directory, address: address, node: node, identity: identity)
            }
        }

        struct Follow: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "follow",
                abstract: "Takes in what others append, until it is stopped.",
                discussion: """
                    Only what the log says is durable. A frame that does not continue the journal ends it.

                    EXAMPLE
                      replay log follow --journal copy
                    """)

            @Flag(help: "End where the log ends.")
            var once = false

            @Option(help: "Milliseconds between two looks.")
            var interval = 50

            @OptionGroup var common: CommonOptions

            mutating func validate() throws {
                guard (1...3_600_000).contains(interval) else {
                    throw ValidationError("--interval: expected milliseconds from 1 to 3,600,000")
                }
            }

            func run() throws {
                let interruption = Interruption()
                let follower = try LogFollower(common.directory, EnvironmentVariables.options)
                var isAway = false
                while true {
                    do throws(EngineError) {
                        let count = try follower.follow()
                        isAway = false
                        if count > 0 { continue }
                        if once { return }
                    } catch {
                        // What is damaged stays so; a server comes back.
                        guard !once, error.kind == .inputOutput else { throw error }
                        if !isAway { Notes.say("replay: \(Words.of(error)); trying again") }
                        isAway = true
                    }
                    if interruption?.signal(within: isAway ? 1000 : interval) != nil { return }
                }
            }
        }

        struct TakeOver: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "take-over",
                abstract: "Makes this journal the one that appends.",
                discussion: """
                    Whoever appended before does so no more. Takes in all that the log has first. The persons' keys never \
                    go through the log: bring a copy of them, as `replay backup --keys` writes it.

                    EXAMPLE
                      replay log take-over --journal copy
                    """)

            @Option(
                help: ArgumentHelp("The directory with the persons' keys.", valueName: "dir"),
                completion: .directory)
            var keys: String?

            @Option(help: "How many keys may be missing for good: says that you know.")
            var losing = 0

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                let term = try LogFollower(common.directory, EnvironmentVariables.options).takeOver(
                    keys: keys, losing: losing)
                try common.printing { output throws(EngineError) in
                    try output.document(
                        Document.Value.object([("term", .number("\(term)"))]).canonical)
                }
            }
        }

        struct Status: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "status",
                abstract: "Says where the log stands, and this journal.",
                discussion: """
                    EXAMPLE
                      replay log status --journal exams
                    """)

            @OptionGroup var common: CommonOptions

            func run() throws(EngineError) {
                let (log, frames, node) = try LogFollower(
                    common.directory, EnvironmentVariables.options
                ).standing()
                try common.printing { output throws(EngineError) in
                    try output.document(
                        Document.Value.object([
                            ("appends", .string(log.node)),
                            ("confirmed", .number("\(log.confirmed)")),
                            ("frames", .number("\(log.frames)")),
                            ("here", .number("\(frames)")), ("node", .string(node)),
                            ("position", .number("\(log.position)")),
                            ("term", .number("\(log.term)")),
                        ]).canonical)
                }
            }
        }
    }
}
