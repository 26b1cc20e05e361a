internal import ArgumentParser
internal import Engine
internal import ReplicatedLog

extension Replay {
    /// A copy that grows with the journal.
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Writes what a backup does not hold yet, while others go on.",
            discussion: """
                The first run writes everything, each later one what was added since. A backup holds no \
                key and no clear text of personal fields: the persons' keys go apart, with --keys, into a \
                directory to be kept for a short time only. The master key is never copied: keep it \
                yourself.

                EXAMPLE
                  replay backup /mnt/backup/exams --keys /mnt/keys/exams --journal exams
                """)

        @Argument(help: "The directory of the backup.", completion: .directory)
        var directory: String

        @Option(
            help: ArgumentHelp(
                "The directory for the persons' keys; what it held is written over.",
                valueName: "dir"),
            completion: .directory)
        var keys: String?

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let engine = try common.openForWriting()
            let bar = ProgressBar()
            let report = try engine.backup(to: directory, keys: keys) { bar.update($0) }
            bar.clear()
            for warning in report.warnings { Notes.say("replay: \(Printable.line(warning))") }
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
                try output.line(
                    "\(Figures.counted(report.events, "event")) added, up to position \(report.position)"
                )
            }
        }
    }

    /// A journal made of a backup.
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore",
            abstract: "Makes a journal of a backup, and checks it before it says done.",
            discussion: """
                Nothing may be at --journal yet. Who was erased stays erased: the lists of erasures in the \
                backup, beside the keys and in --erasures are applied first, and recorded where the backup \
                is older. Without --keys personal fields read null, for good.

                EXAMPLE
                  replay restore /mnt/backup/exams --keys /mnt/keys/exams --journal restored
                  replay restore old-backup --erasures exams/erasures.jsonl --journal again
                """)

        @Argument(help: "The directory of the backup.", completion: .directory)
        var directory: String

        @Option(
            help: ArgumentHelp("The directory with the persons' keys.", valueName: "dir"),
            completion: .directory)
        var keys: String?

        @Option(
            help: ArgumentHelp(
                "A list of erasures: erasures.jsonl of the journal that is lost, or of a later backup.",
                valueName: "file"),
            completion: .file())
        var erasures: [String] = []

        @OptionGroup var trust: TrustOptions
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            for file in erasures { try GivenFile.check(file, advice: "name a list of erasures") }
            let bar = ProgressBar()
            let report = try EventEngine.restore(
                directory, to: common.directory, keys: keys, erasures: erasures, try trust.trust(),
                options: EnvironmentVariables.options
            ) { bar.update($0) }
            bar.clear()
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
                try output.line(
                    "restored \(Figures.counted(report.events, "event")) up to position \(report.position)"
                )
            }
        }
    }

    /// The receipt of an erasure.
    struct Erase: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "erase",
            abstract: "Attests an erasure, and says which backups could still be read.",
            discussion: """
                To erase a person, submit the command account.erase. The receipt says at which position, \
                that the key is destroyed, and in which files of the directories named, or below them, a \
                key to the person's fields still is; of a journal that several nodes have, which of them \
                have destroyed it, too. Exit code 1 if the person is not erased.

                EXAMPLE
                  replay erase examroom/S-1 --attest --backups /mnt/backup/exams /mnt/keys/exams \\
                    --journal exams
                """)

        @Argument(help: "The person: PRODUCT/ID (default: everyone who was erased).")
        var person: String?

        @Flag(help: "Print the receipt.")
        var attest = false

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "Directories of backups, of keys, or copies of the journal.", valueName: "dir"),
            completion: .directory)
        var backups: [String] = []

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard attest else {
                throw ValidationError(
                    "Say --attest; a person is erased by submitting the command account.erase")
            }
        }

        func run() throws(EngineError) {
            var receipts = try common.openForReading().erasureReceipts(
                of: person, backups: backups)
            if let view = try ClusterView(ofNode: common.directory) {
                for index in receipts.indices {
                    receipts[index].nodes = view.others.map {
                        ErasureReceipt.Node(
                            name: $0.name, isCarriedOut: $0.erased >= receipts[index].position)
                    }
                }
            }
            try common.printing { output throws(EngineError) in
                for receipt in receipts {
                    guard output.isLaidOut else {
                        try output.document(receipt.document.bytes)
                        continue
                    }
                    let destroyed =
                        receipt.isKeyDestroyed
                        ? "the key is destroyed"
                        : "A KEY IS LEFT in \(receipt.keyFiles.joined(separator: ", "))"
                    try output.line(
                        Printable.line(
                            "\(receipt.person) was erased at position \(receipt.position), "
                                + "\(receipt.erasedAt); \(destroyed)"))
                    for backup in receipt.backups {
                        let verdict =
                            backup.keyFiles.isEmpty
                            ? "cannot be read"
                            : "can still be read with \(backup.keyFiles.joined(separator: ", "))"
                        try output.line(Printable.line("  \(backup.directory): \(verdict)"))
                    }
                    for node in receipt.nodes {
                        let verdict =
                            node.isCarriedOut ? "destroyed there" : "NOT YET destroyed there"
                        try output.line(Printable.line("  node \(node.name): \(verdict)"))
                    }
                }
            }
        }
    }
}
