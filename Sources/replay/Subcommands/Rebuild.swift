internal import ArgumentParser
internal import Engine

extension Replay {
    /// Makes read models again from the first event.
    struct Rebuild: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rebuild",
            abstract: "Makes the read models again from the first event.",
            discussion: """
                Prints a digest of each read model and of all. Where models are named, only their products are folded. With --check nothing is replaced: what is \
                stored is compared with a fresh rebuild, and a difference gives exit code 1. \
                With --against the digests that another build printed are compared with a fresh rebuild, \
                likewise. The hashes of the tree that the journal keeps are left alone, unless --tree asks for them.

                EXAMPLE
                  replay rebuild --journal exams --check
                  replay rebuild --journal exams examroom.leaderboard
                  replay rebuild --journal exams --against digests.json
                """)

        @Argument(
            help: "The read models; none means all.", completion: .custom(Completion.models))
        var models: [String] = []

        @Flag(help: "Compare with what is stored, and replace nothing.")
        var check = false

        @Flag(help: "Make the hashes of the tree anew as well, if verify says so.")
        var tree = false

        @Option(
            help: ArgumentHelp(
                "What replay rebuild --json printed, of another build: replace nothing, and compare.",
                valueName: "digests"),
            completion: .file(extensions: ["json"]))
        var against: String?

        @OptionGroup var room: MemoryOptions

        mutating func validate() throws {
            guard against == nil || !check else {
                throw ValidationError(
                    "--check compares with what is stored, and --against with a file")
            }
            guard !check && against == nil || !tree else {
                throw ValidationError("--check and --against replace nothing; --tree does")
            }
        }

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let isCheck = check || against != nil
            let former = try against.map { file throws(EngineError) in try FormerDigests(file) }
            let engine =
                try isCheck
                ? common.openForReading { room.apply(to: &$0) } : openForWriting()
            let bar = ProgressBar()
            let report = try engine.rebuild(models, isCheck: isCheck) { bar.update($0) }
            if tree { try engine.rebuildTree() }
            bar.clear()
            if !report.foldedProducts.isEmpty { sayFold(report) }
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else { return try output.document(report.document.bytes) }
                try output.lines(table(report, former).lines(in: output.width, output.palette))
                try output.line("")
                try output.line(
                    "all of them up to position \(report.position)  \(Printable.line(report.digest))"
                )
            }
            if let former {
                let differing = try former.differences(from: report)
                guard !differing.isEmpty else { return }
                throw EngineError(
                    .checkFailed,
                    "this build says otherwise than \(former.file): \(Self.some(of: differing)); run replay diff --exported"
                )
            }
            guard !report.differences.isEmpty else { return }
            throw EngineError(
                .checkFailed,
                "the stored read models are not what the events say: \(Self.some(of: report.differences)); run replay rebuild"
            )
        }

        private func openForWriting() throws(EngineError) -> EventEngine {
            try common.openForWriting { room.apply(to: &$0) }
        }

        private func sayFold(_ report: RebuildReport) {
            let rate = UInt64(Double(report.events) / max(0.000_001, report.foldSeconds))
            Notes.say(
                "folded \(Figures.counted(report.events, "event")) in \(Figures.seconds(report.foldSeconds)) s (\(Figures.grouped(rate)) events/s)"
            )
        }

        private static func some(of differences: [String]) -> String {
            let more = differences.count - 1
            return (differences.first ?? "")
                + (more > 0 ? " (and \(Figures.counted(more, "more difference")))" : "")
        }

        private func table(_ report: RebuildReport, _ former: FormerDigests?) -> TextTable {
            var columns = [
                TextTable.Column(title: "model"), TextTable.Column(title: "keys", isNumber: true),
                TextTable.Column(title: "digest", canShrink: true),
            ]
            let isCompared = check || former != nil
            if isCompared {
                columns.append(TextTable.Column(title: former == nil ? "stored" : "before"))
            }
            let rows = report.entries.map { entry in
                var row = [
                    TextTable.Cell(entry.model, .heading),
                    TextTable.Cell(Figures.grouped(entry.keys)),
                    TextTable.Cell(entry.digest, .faint),
                ]
                guard isCompared else { return row }
                switch former.map({ $0.digests[entry.model] }) ?? entry.stored {
                case entry.digest: row.append(TextTable.Cell("the same", .good))
                case nil: row.append(TextTable.Cell("nothing", .notice))
                default: row.append(TextTable.Cell("differs", .bad))
                }
                return row
            }
            return TextTable(columns, rows: rows)
        }
    }
}

/// The digests that another build printed.
private struct FormerDigests {
    let file: String
    let digests: [String: String]
    private let position: String

    init(_ file: String) throws(EngineError) {
        var reader = LineReader(try InputSource(file), nil)
        guard let line = try reader.next()?.bytes,
            let report = Document.Value(json: String(decoding: line, as: UTF8.self)),
            case .number(let position) = report["position"],
            case .array(let entries) = report["models"]
        else {
            throw EngineError(
                .badInput, "\(file) has no digests; give what replay rebuild --json printed")
        }
        var digests: [String: String] = [:]
        for entry in entries {
            if let model = entry["model"].string { digests[model] = entry["digest"].string }
        }
        self.file = file
        self.digests = digests
        self.position = position
    }

    /// The models of both that have other digests.
    func differences(from report: RebuildReport) throws(EngineError) -> [String] {
        guard position == "\(report.position)" else {
            throw EngineError(
                .wrongUse,
                "\(file) has the digests of position \(position), and the journal stands at \(report.position); ask the other build again"
            )
        }
        return report.entries.filter { entry in
            digests[entry.model].map { $0 != entry.digest } ?? false
        }.map(\.model)
    }
}
