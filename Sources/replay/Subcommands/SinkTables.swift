internal import ArgumentParser
internal import Engine
internal import Sink

extension Replay {
    /// Read models as tables of a database.
    struct SinkTables: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sink",
            abstract: "Keeps read models as tables of PostgreSQL or SQLite.",
            discussion: """
                EXAMPLE
                  replay sink run sqlite:exams.db --journal exams
                """,
            subcommands: [Run.self, Status.self, Check.self, Columns.self, Forget.self])
    }
}

/// Which tables.
struct SinkTarget: ParsableArguments {
    @Argument(
        help: ArgumentHelp("The database: postgres://… or sqlite:FILE.", valueName: "database"))
    var database: String

    @Option(help: "The schema of a PostgreSQL database.")
    var schema = "sijill"

    @Flag(help: "Personal values in clear, not null.")
    var personal = false

    var options: Sink.Options {
        var options = Sink.Options(target: database)
        options.schema = schema
        options.takesPersonal = personal
        return options
    }

    func open(
        _ common: CommonOptions, _ options: Sink.Options
    ) throws(EngineError) -> Sink {
        var reading = EnvironmentVariables.readingOptions
        reading.hidesPersonal = !personal
        return Sink(try EventEngine(at: common.directory, options: reading), options)
    }
}

extension Replay.SinkTables {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run",
            abstract: "Brings the tables to where the journal is.",
            discussion: """
                A table for each read model, one row for each document, under a view of the model's name; all \
                models, or those that are named, and from then on those that the tables have. Rows and \
                position are one transaction: whatever is killed, each change is there once. Another sink that \
                begins ends this one (75). With --follow it goes on until it is stopped.

                EXAMPLE
                  replay sink run sqlite:exams.db --journal exams
                  replay sink run postgres:///exams examroom.exam examroom.result --follow --journal exams
                """)

        @OptionGroup var target: SinkTarget

        @Argument(
            help: "Read models to keep besides those that the tables have.",
            completion: .custom(Completion.models))
        var models: [String] = []

        @Flag(help: "Go on as others append, and come back when the database does.")
        var follow = false

        @Option(help: "Milliseconds between two steps.")
        var interval = 1000

        @Option(
            help: ArgumentHelp(
                "A file that says how far it is, as Prometheus' text collector reads it.",
                valueName: "file"),
            completion: .file())
        var metrics: String?

        @OptionGroup var common: CommonOptions

        mutating func validate() throws {
            guard (1...3_600_000).contains(interval) else {
                throw ValidationError("--interval: expected milliseconds from 1 to 3,600,000")
            }
        }

        func run() throws {
            let interruption = Interruption()
            var options = target.options
            options.models = models
            options.follows = follow
            options.intervalMilliseconds = interval
            let sink = try target.open(common, options)
            let output = Output(isJSON: common.json, isColoured: !common.noColor)
            var stopped: Int32?
            var progress = SinkProgress(metrics: metrics)
            try sink.run { milliseconds in
                stopped = stopped ?? interruption?.signal(within: milliseconds)
                return stopped == nil && !output.noticesClosing()
            } tell: { note in
                progress.tell(note, output)
            }
            if let stopped, !follow {
                throw Interrupted(
                    signal: stopped, message: "stopped; the tables are as the last step left them")
            }
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Says where the tables stand, and how far behind the journal.",
            discussion: """
                EXAMPLE
                  replay sink status sqlite:exams.db --journal exams
                """)

        @OptionGroup var target: SinkTarget
        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            let status = try target.open(common, target.options).status()
            try common.printing { output throws(EngineError) in
                guard output.isLaidOut else {
                    try output.document(status.value.canonical)
                    return
                }
                try output.line(
                    "position \(Figures.grouped(status.position)), "
                        + "\(Figures.counted(status.lag, "event")) behind")
                try output.lines(status.table.lines(in: output.width, output.palette))
            }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Compares every row with what this build says at the tables' position.",
            discussion: """
                A line for each model; exit code 1 if anything differs. Asked of another build, it says what a \
                run of that would change.

                EXAMPLE
                  replay sink check sqlite:exams.db --journal exams
                """)

        @OptionGroup var target: SinkTarget
        @OptionGroup var common: CommonOptions

        func run() throws {
            let models = try target.open(common, target.options).check()
            try common.printing { output throws(EngineError) in
                for model in models {
                    guard output.isLaidOut else {
                        try output.document(model.value.canonical)
                        continue
                    }
                    try output.line(
                        "\(model.model)  \(Figures.counted(model.rows, "row")), "
                            + "\(Figures.grouped(model.differing.count)) differ"
                            + model.differing.prefix(10).map { "\n  \(Printable.line($0))" }
                            .joined())
                }
            }
            if models.contains(where: { !$0.differing.isEmpty }) {
                throw ArgumentParser.ExitCode(ExitCode.differs)
            }
        }
    }

    struct Columns: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "columns",
            abstract: "Gives a model's table typed columns, and no others than these.",
            discussion: """
                Each is NAME=$.PATH:KIND; the kinds are \
                \(TypedColumn.Kind.allCases.map(\.rawValue).joined(separator: ", ")). The database makes its values \
                of the document; one of another kind is NULL. No columns: takes away those that are there. A sink that \
                runs ends (75): start it again.

                EXAMPLE
                  replay sink columns sqlite:exams.db examroom.exam 'title=$.details.title:text' --journal exams
                """)

        @OptionGroup var target: SinkTarget

        @Argument(help: "The read model.", completion: .custom(Completion.models))
        var model: String

        @Argument(help: ArgumentHelp("The columns.", valueName: "column"))
        var columns: [String] = []

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            var typed: [TypedColumn] = []
            for column in columns { typed.append(try TypedColumn(column)) }
            try target.open(common, target.options).setColumns(typed, of: model)
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Drops a model's view and tables.",
            discussion: """
                A sink that runs ends (75): start it again.

                EXAMPLE
                  replay sink forget sqlite:exams.db examroom.exam --journal exams
                """)

        @OptionGroup var target: SinkTarget

        @Argument(help: "The read model.", completion: .custom(Completion.models))
        var model: String

        @OptionGroup var common: CommonOptions

        func run() throws(EngineError) {
            try target.open(common, target.options).forget(model)
        }
    }
}
