import Products
import ReplicatedLog
internal import ArgumentParser
internal import Engine
internal import Glibc

/// What every sub-command takes.
struct CommonOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The directory of the journal (default: $SIJILL_JOURNAL, else ./journal).",
            valueName: "dir"),
        completion: .directory)
    var journal: String?

    @Flag(
        help: """
            Print JSON, one document a line, on a terminal too; in a pipe this is the default \
            (not of "step").
            """)
    var json = false

    @Flag(help: "Print without colour, as with $NO_COLOR.")
    var noColor = false

    mutating func validate() throws {
        if journal?.isEmpty == true {
            throw ValidationError("--journal names no directory")
        }
    }

    var directory: String {
        journal ?? EnvironmentVariables["SIJILL_JOURNAL"] ?? "./journal"
    }

    /// Opens the journal for a command that only asks.
    func openForReading(
        _ change: (inout EventEngine.Options) -> Void = { _ in }
    ) throws(EngineError) -> EventEngine {
        var options = EnvironmentVariables.readingOptions
        change(&options)
        return try EventEngine(at: directory, options: options)
    }

    /// Opens the journal for a command that records or stores.
    func openForWriting(
        _ change: (inout EventEngine.Options) -> Void = { _ in }
    ) throws(EngineError) -> EventEngine {
        var options = EnvironmentVariables.options
        change(&options)
        if let log = try LogNode.log(of: directory) { options.log = log }
        return try EventEngine(at: directory, options: options)
    }

    /// Runs `body` with standard output. A reader that goes away (`| head`) ends it quietly.
    func printing(_ body: (Output) throws(EngineError) -> Void) throws(EngineError) {
        let output = Output(isJSON: json, isColoured: !noColor)
        do {
            try body(output)
            try output.flush()
        } catch {
            if output.isClosed { return }
            try output.flush()  // what was said before the error is still true
            throw error
        }
    }
}

/// How much memory the fold of a whole journal may take.
struct MemoryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Beyond so much memory, in MiB, rows go to a file while events are still folded (default: 512).",
            valueName: "mebibytes"))
    var memory: Int?

    mutating func validate() throws {
        if let memory, !(1...1 << 20).contains(memory) {
            throw ValidationError("--memory \(memory): give a number of MiB from 1 to 1048576")
        }
    }

    func apply(to options: inout EventEngine.Options) {
        if let memory { options.rebuildMemory = memory << 20 }
    }
}

/// The environment's variables; an empty one counts as not set.
enum EnvironmentVariables {
    static subscript(name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// `SIJILL_SEGMENT_EVENTS` says after how many events the tail is sealed: tests seal often. One question at a time
    /// needs one reader, and what it asks alone.
    static var options: EventEngine.Options {
        var options = EventEngine.Options()
        options.readers = 1
        options.opensAskedProductsAlone = true
        if let directory = Self["TMPDIR"] { options.temporaryDirectory = directory }
        if let events = Self["SIJILL_SEGMENT_EVENTS"].flatMap({ Int($0) }), events > 0 {
            options.segmentEvents = events
        }
        return options
    }

    static var readingOptions: EventEngine.Options {
        var options = options
        options.isReadOnly = true
        return options
    }
}
