import ArgumentParser
import Core
import Engine
import ReplicatedLog
import Service

/// What is done with a cluster from outside (docs/cluster.md).
struct ClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Several nodes with one journal.",
        subcommands: [Status.self, Join.self, Leave.self, Heal.self])

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the nodes, who decides, and how far each one is.",
            discussion: """
                As the log has it, whether or not this node runs.

                  sijilld cluster status --config /etc/sijill/exams.json
                """)

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            let view = try ClusterView(configuration.journal)
            let nodes = view.members.map { member in
                let members: [(String, JSON)] = [
                    ("address", .string(member.address)),
                    ("decides", .bool(member.name == view.standing.node)),
                    ("erased", .integer(Int64(member.erased))),
                    ("frames", .integer(Int64(member.frames))),
                    ("mayDecide", .bool(member.decides)),
                    ("missingKeys", .integer(Int64(member.missing))),
                    ("name", .string(member.name)),
                    ("silentMilliseconds", .integer(Int64(member.silentMilliseconds))),
                    ("stopped", .bool(member.broken > 0)),
                ]
                return JSON.object(of: members)
            }
            let document = JSON.object(of: [
                ("confirmed", .integer(Int64(view.standing.confirmed))),
                ("decider", .string(view.standing.node)),
                ("frames", .integer(Int64(view.standing.frames))),
                ("node", .string(view.node)), ("nodes", .array(nodes)),
                ("term", .integer(Int64(view.standing.term))),
            ])
            print(String(decoding: document.canonical, as: UTF8.self))
        }
    }

    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make this node's journal, which follows the log.",
            discussion: """
                The directory that the settings name must not be there. Started, the node takes in what the log has, and asks \
                the others for the persons' keys.

                  sijilld cluster join postgres:///log --node b --config /etc/sijill/exams.json
                """)

        @Argument(help: ArgumentHelp("The log: postgres://… or nats://…", valueName: "address"))
        var address: String

        @Option(help: "What this node is called: the name in its certificate.")
        var node: String

        @Option(help: "Which journal, where the log has several: its 32 hexadecimal digits.")
        var identity: String?

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            try LogNode.join(
                configuration.journal, address: address, node: node, identity: identity)
        }
    }

    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a node that is stopped out of the cluster.",
            discussion: """
                The others wait for its keys and erasures no more. Erase its disk, or start it again: then it is a node again.

                  sijilld cluster leave --node c --config /etc/sijill/exams.json
                """)

        @Option(help: "Which node; this one if it is left out.")
        var node: String?

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            let view = try ClusterView(configuration.journal)
            try view.remove(node ?? view.node)
        }
    }

    struct Heal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put back what the log has lost, from this node's journal.",
            discussion: """
                Says what it would do, and does it when somebody answers yes. Nodes that had stopped go on by themselves.

                  sijilld cluster heal --config /etc/sijill/exams.json
                """)

        @Flag(help: "Do it without asking.")
        var yes = false

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            let healing = try LogHealing(configuration.journal)
            let plan = try healing.plan()
            print(
                "The log has \(plan.standing.frames) frames, the journal of \(plan.node) has \(plan.frames)."
            )
            guard plan.isNeeded else {
                print("Nothing is to be put back.")
                return
            }
            if !plan.lost.isEmpty { print("Lost, to be put back: \(Self.list(plan.lost)).") }
            if !plan.changed.isEmpty {
                print("Not as they were, to be replaced: \(Self.list(plan.changed)).")
            }
            if let objection = plan.objection { throw EngineError(.checkFailed, objection) }
            print("Then term \(plan.standing.term + 1) begins, and a node takes over.")
            if !yes {
                print("Do it? Type yes:")
                guard readLine() == "yes" else {
                    throw EngineError(.checkFailed, "nothing was done")
                }
            }
            try healing.carryOut(plan)
            print("Done.")
        }

        private static func list(_ numbers: [UInt64]) -> String {
            guard let first = numbers.first, let last = numbers.last else { return "none" }
            if numbers.count == 1 { return "frame \(first)" }
            return "\(numbers.count) frames from \(first) to \(last)"
        }
    }
}
