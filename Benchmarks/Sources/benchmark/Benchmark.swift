import Engine
import Glibc

/// Measures the engine beside raw LMDB on the same data in the same run (Benchmarks/README.md).
@main
struct Benchmark {
    static func main() throws {
        var events = 1_000_000
        var rounds = 5
        var students = 100_000
        var hallEvents = 2_000_000
        var replay: String?
        var made: String?
        var copies: Int?
        var batch = 500
        var term = MixedJournal.termEvents
        var directory: String?
        var isJSON = false
        var only: Set<String> = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--json": isJSON = true
            case "--events": events = arguments.popFirst().flatMap { Int($0) } ?? events
            case "--rounds": rounds = arguments.popFirst().flatMap { Int($0) } ?? rounds
            case "--keep": directory = arguments.popFirst()
            case "--students": students = arguments.popFirst().flatMap { Int($0) } ?? students
            case "--hall-events":
                hallEvents = arguments.popFirst().flatMap { Int($0) } ?? hallEvents
            case "--make-journal": made = arguments.popFirst()
            case "--copies": copies = arguments.popFirst().flatMap { Int($0) }
            case "--batch": batch = arguments.popFirst().flatMap { Int($0) } ?? batch
            case "--term": term = arguments.popFirst().flatMap { Int($0) } ?? term
            case "--replay": replay = arguments.popFirst()
            case "--only":
                only.formUnion((arguments.popFirst() ?? "").split(separator: ",").map(String.init))
            default:
                Measure.say(
                    "usage: benchmark [--json] [--events N] [--rounds N] [--keep DIRECTORY]"
                        + " [--only append,submit,budgets,replay,digest,read,hall]"
                        + " [--students N] [--hall-events N] [--replay PROGRAM]")
                exit(64)
            }
        }
        if let made {
            try MixedJournal.make(
                at: made, events: events, copies: copies, batch: batch, term: term)
            return
        }
        let place = directory ?? Self.temporaryDirectory()
        defer { if directory == nil { Self.remove(place) } }
        _ = unsafe mkdir(place, 0o700)
        // What an earlier run left beside the large journal is of no use.
        for name in ["prepared", "live", "budgets"] { Self.remove("\(place)/\(name)") }
        for name in ["prepared.raw", "live.raw", "large.raw"] {
            unsafe unlink("\(place)/\(name)")
            unsafe unlink("\(place)/\(name)-lock")
        }
        func wants(_ name: String) -> Bool { only.isEmpty || only.contains(name) }
        var workloads = Workloads(directory: place, events: events, rounds: rounds)
        if only.isEmpty || !only.isSubset(of: ["hall", "budgets"]) {
            try workloads.makeLargeJournal()
        }
        if wants("append") || wants("read") { try workloads.appendPrepared() }
        if wants("submit") { try workloads.submitCommands() }
        if wants("budgets") { try workloads.budgets() }
        if wants("replay") || wants("digest") { try workloads.replay(digests: wants("digest")) }
        if wants("read") { try workloads.read() }
        // Its memory is looked at: only when asked for, in a process of its own.
        if only.contains("hall") {
            try workloads.askInHall(students: students, events: hallEvents, replay: replay)
        }
        print(isJSON ? workloads.results.json : workloads.results.table)
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
