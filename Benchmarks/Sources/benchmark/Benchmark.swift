import EventLog
import Glibc

/// Measures the engine, makes large journals, and is Sijill among its peers (Benchmarks/README.md).
@main
struct Benchmark {
    static func main() throws {
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            Measure.say(Options.usage)
            exit(64)
        }
        do {
            try run(options)
        } catch let failure as Workloads.Failure {
            Measure.say("benchmark: \(failure.what)")
            exit(1)
        } catch {
            Measure.say("benchmark: \(error)")
            exit(1)
        }
    }

    private static func run(_ options: Options) throws {
        switch options.task {
        case .measure: try measure(options)
        case .makeJournal(let path):
            try MixedJournal.make(at: path, options)
        case .playTerm(let path):
            let term = try MixedJournal.playTerm(at: path, events: options.events)
            let rate = Results.number(Double(term.commands) / term.seconds)
            Measure.say(
                "\(term.commands) commands, \(rate) a second, refused: \(term.refused.text)")
        case .playCohort(let path):
            var semester = try Semester(at: path, options)
            try semester.run()
        case .playPool(let path): try PoolPlay.run(path, options)
        case .makePlain(let path): try PlainJournal.make(at: path, events: options.events)
        case .writeEvents(let journal, let file):
            try PeerEvents.write(Journal(at: journal), to: file, count: options.events)
        case .serve(let journal, let directory):
            try SijillPeer(source: Journal(at: journal), directory: directory).serve()
        case .grow(let directory):
            try Growth(directory: directory, options: options).run()
        case .tree(let journal): try TreeCost.run(journal)
        case .probe(let journal): try Probe.run(journal, term: options.term)
        }
    }

    private static func measure(_ options: Options) throws {
        let only = options.only
        let place = options.directory ?? temporaryDirectory()
        defer { if options.directory == nil { remove(place) } }
        _ = unsafe mkdir(place, 0o700)
        // What an earlier run left beside the large journal is of no use.
        for name in ["live", "budgets"] { remove("\(place)/\(name)") }
        func wants(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
        var workloads = Workloads(directory: place, options: options)
        if wants("replay") || wants("digest") { try workloads.makeLargeJournal() }
        if wants("submit") { try workloads.submitCommands() }
        if wants("budgets") { try workloads.budgets() }
        if wants("replay") || wants("digest") { try workloads.replay(digests: wants("digest")) }
        // Its memory is looked at: only when asked for, in a process of its own.
        if only.contains("hall") {
            try workloads.askInHall(
                students: options.students, events: options.hallEvents, replay: options.replay)
        }
        print(options.isJSON ? workloads.results.json : workloads.results.table)
    }

    private static func temporaryDirectory() -> String {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        return "\(parent)/sijill-benchmark-\(getpid())"
    }

    /// Removes a directory with the files and directories in it.
    private static func remove(_ path: String) {
        if let directory = unsafe opendir(path) {
            while let entry = unsafe readdir(directory) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                        unsafe String(cString: $0)
                    }
                }
                if name != "." && name != ".." { remove("\(path)/\(name)") }
            }
            unsafe closedir(directory)
            unsafe rmdir(path)
        } else {
            unsafe unlink(path)
        }
    }
}
