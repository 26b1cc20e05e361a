import Products
import Engine
import Core
import Foundation
import Glibc
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

/// Names and contents of everything below a directory.
func contents(of path: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
        found[name] = (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))) ?? Data()
    }
    return found
}

func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
}

@Suite struct `A place that is no journal` {
    private func expectRefused(
        _ path: String, _ kind: EngineError.Kind, says: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for isReadOnly in [false, true] {
            var options = EventEngine.Options()
            options.isReadOnly = isReadOnly
            let error = engineError { _ = try EventEngine(at: path, options: options) }
            #expect(
                error?.kind == kind, "\(error?.message ?? "none")", sourceLocation: sourceLocation)
            #expect(error?.message.contains(says) == true, "\(error?.message ?? "none")")
            #expect(error?.message.contains(path) == true && error?.message.contains("\n") == false)
        }
    }

    @Test func `is refused in one line that says what it is, and left alone`() throws {
        let place = try DiskPlace(makesJournal: false)
        expectRefused(place.journal, .noJournal, says: "init")
        #expect(try contents(of: place.folder).isEmpty)
        try write("a file", to: place.journal)
        expectRefused(place.journal, .noJournal, says: "directory")
        #expect(try contents(of: place.folder) == ["journal": Data("a file".utf8)])
        #expect(engineError { try EventEngine.create(at: place.journal) }?.kind == .cannotCreate)
        #expect(try contents(of: place.folder) == ["journal": Data("a file".utf8)])
        let directory = place.folder + "/directory"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        expectRefused(directory, .noJournal, says: "FORMAT")
        try write("notes", to: directory + "/notes.txt")
        expectRefused(directory, .noJournal, says: "FORMAT")
        #expect(engineError { try EventEngine.create(at: directory) }?.kind == .cannotCreate)
        #expect(try contents(of: directory) == ["notes.txt": Data("notes".utf8)])
        try write("shopping list\n", to: directory + "/FORMAT")
        expectRefused(directory, .noJournal, says: "FORMAT")
    }

    @Test func `is made only where nothing is`() throws {
        let place = try DiskPlace()
        _ = try place.open().submit(one: Room.register("S-1", at: day))
        let before = try contents(of: place.journal)
        let error = engineError { try EventEngine.create(at: place.journal) }
        #expect(error?.kind == .cannotCreate)
        #expect(error?.message.contains("already there") == true)
        #expect(try contents(of: place.journal) == before)
        let nowhere = place.folder + "/not/there"
        #expect(engineError { try EventEngine.create(at: nowhere) }?.kind == .cannotCreate)
    }

    @Test(arguments: ["sijill 7\n", "sijill 12\n", "sijill 4294967295\n"])
    func `but of a newer format is refused, and left alone`(format: String) throws {
        let place = try DiskPlace()
        let path = place.journal + "/FORMAT"
        let identity = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")[1]
        try write("\(format)\(identity)\n", to: path)
        let before = try contents(of: place.journal)
        expectRefused(place.journal, .badInput, says: "newer")
        #expect(engineError { try EventEngine.create(at: place.journal) }?.kind == .cannotCreate)
        #expect(try contents(of: place.journal) == before)
    }

    @Test func `since journal.mdb is missing, cut off or something else is refused`() throws {
        for damage in ["missing", "empty", "cut", "other"] {
            let place = try DiskPlace()
            do { _ = try place.open().submit(one: Room.register("S-1", at: day)) }
            let file = place.journal + "/journal.mdb"
            switch damage {
            case "missing": try FileManager.default.removeItem(atPath: file)
            case "empty": #expect(unsafe truncate(file, 0) == 0)
            case "cut": #expect(unsafe truncate(file, 9000) == 0)
            default: try write(String(repeating: "text ", count: 20_000), to: file)
            }
            let error = engineError { _ = try place.open().allEvents() }
            #expect(error != nil, "\(damage)")
            #expect(error?.message.contains("\n") == false, "\(damage)")
            #expect([.badInput, .noJournal, .inputOutput].contains(error?.kind), "\(damage)")
        }
    }
}

@Suite struct `A journal opened for reading only` {
    @Test func `answers, takes no commands, and changes no file`() throws {
        let place = try DiskPlace()
        let expected: [String: String]
        do {
            let engine = try place.open()
            _ = try engine.submit(
                [Room.register("S-1", at: day)] + Room.exam("EX-1", at: day), clock: fixedClock)
            expected = try Documents.all(of: engine)
        }
        func stable() throws -> [String: Data] {
            try contents(of: place.journal).filter { !$0.key.hasSuffix("-lock") }
        }
        let before = try stable()
        for hasViews in [true, false] {
            if !hasViews {
                try FileManager.default.removeItem(atPath: place.journal + "/views.mdb")
            }
            let engine = try place.open(isReadOnly: true)
            let error = engineError {
                _ = try engine.submit(one: Room.register("S-2", at: day), isDryRun: true)
            }
            #expect(error?.kind == .inputOutput)
            let found = try Documents.all(of: engine)
            #expect(Documents.difference(expected, found) == nil)
            #expect(try engine.verify().isWhole)
            #expect(try stable() == before.filter { hasViews || $0.key != "views.mdb" })
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs privileges"))
    func `works on a file system that cannot be written to`() throws {
        let disk = try SmallDisk(bytes: 4 << 20)
        let path = disk.path + "/journal"
        try EventEngine.create(at: path)
        let expected: [String: String]
        do {
            let engine = try EventEngine(at: path)
            _ = try engine.submit([Room.register("S-1", at: day)] + Room.exam("EX-1", at: day))
            expected = try Documents.all(of: engine)
        }
        try disk.remount("ro")
        do {
            var options = EventEngine.Options()
            options.isReadOnly = true
            let engine = try EventEngine(at: path, options: options)
            let found = try Documents.all(of: engine)
            #expect(Documents.difference(expected, found) == nil)
            #expect(try engine.verify().isWhole)
        }
        let error = engineError {
            _ = try EventEngine(at: path).submit(one: Room.register("S-2", at: day))
        }
        #expect(error?.kind == .inputOutput, "\(error?.message ?? "none")")
        #expect(error?.message.contains("\n") == false)
        try disk.remount("rw")
        #expect(
            try EventEngine(at: path).submit(one: Room.register("S-2", at: day)).status == .accepted
        )
    }

    /// The superuser may do everything, so somebody else is to try.
    @Test(.enabled(if: Somebody.isPossible, "nobody else can run the tool here"))
    func `or for writing by somebody without permission is refused in one line`() throws {
        let somebody = try Somebody()
        let place = somebody.place
        try EventEngine.create(at: place.journal)
        _ = try place.open().submit(one: Room.register("S-1", at: day))
        let before = try contents(of: place.journal)
        for command in [["verify"], ["submit"], ["show", "journal.summary"], ["init"]] {
            let result = try somebody.replay(command + ["--journal", place.journal])
            #expect(result.status == (command == ["init"] ? 73 : 74), "\(command): \(result)")
            #expect(result.output == "")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        }
        #expect(try contents(of: place.journal) == before)
    }
}

/// Another user, for whom permissions count, with a copy of the tool in a folder that everybody
/// may look into: the tool itself may lie where nobody else may look.
private struct Somebody {
    let place: DiskPlace
    private var copy: String { place.folder + "/replay" }

    init() throws {
        place = try DiskPlace(makesJournal: false)
        // A program that this process has open for writing, and a child that another thread starts meanwhile for a moment
        // longer, cannot be run.
        try #require(try run("/bin/cp", [ReplayTool.path(), copy]).status == 0)
        for path in [place.folder, copy] { try #require(unsafe chmod(path, 0o755) == 0) }
    }

    func replay(_ arguments: [String]) throws -> Finished {
        try somebodyRuns(copy, arguments)
    }

    private func somebodyRuns(_ program: String, _ arguments: [String]) throws -> Finished {
        let user = ["--reuid=65534", "--regid=65534", "--clear-groups", program]
        return try run("/usr/bin/setpriv", user + arguments)
    }

    /// Whether this user may become another one, who then can see the folder and run the tool; not
    /// so where temporary files or Swift's libraries lie in a place of the superuser's own.
    static let isPossible: Bool = {
        guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv"),
            let somebody = try? Somebody(),
            let seen = try? somebody.somebodyRuns("/bin/ls", [somebody.place.folder]),
            let version = try? somebody.replay(["--version"])
        else { return false }
        return seen.status == 0 && version.status == 0
    }()
}

/// A small file system in memory, if this user may mount one.
private struct SmallDisk: ~Copyable {
    let path: String

    init(bytes: Int) throws {
        path = NSTemporaryDirectory() + "sijill-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        guard unsafe mount("sijill", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
            let code = errno
            try? FileManager.default.removeItem(atPath: path)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
        }
    }

    deinit {
        _ = unsafe umount2(path, CInt(MNT_DETACH))
        _ = unsafe rmdir(path)
    }

    /// `size=…`, `ro` or `rw`. A program that another test starts has our files open until it runs: that passes.
    func remount(_ option: String) throws {
        let flags = UInt(MS_REMOUNT) | (option == "ro" ? UInt(MS_RDONLY) : 0)
        let data = option.hasPrefix("size=") ? option : nil
        for _ in 0..<500 {
            if unsafe mount(nil, path, nil, flags, data) == 0 { return }
            guard errno == EBUSY else { break }
            usleep(10_000)
        }
        try #require(unsafe mount(nil, path, nil, flags, data) == 0, "\(errno)")
    }

    /// Whether this user may mount at all.
    static var isPossible: Bool {
        do {
            _ = try SmallDisk(bytes: 1 << 16)
            return true
        } catch {
            return false
        }
    }
}

@Suite struct `A full disk` {
    @Test(.enabled(if: SmallDisk.isPossible, "mounting a file system needs privileges"))
    func `ends a submission with nothing of its batch recorded, and with room it goes on`() throws {
        let disk = try SmallDisk(bytes: 1 << 19)
        let path = disk.path + "/journal"
        try EventEngine.create(at: path)
        let lines = try LSAT.lines(people: 600)
        var acknowledged: [Outcome] = []
        var failure: EngineError?
        do {
            let engine = try EventEngine(at: path)
            var rest = lines[...]
            while failure == nil, !rest.isEmpty {
                let group = Array(rest.prefix(100))
                let before = try engine.exportedBytes()
                failure = engineError {
                    acknowledged += try engine.submit(group, clock: fixedClock)
                    rest = rest.dropFirst(group.count)
                }
                if failure != nil { #expect(try engine.exportedBytes() == before) }
            }
            #expect(failure?.kind == .inputOutput)
            #expect(failure?.message.contains("\n") == false)
            #expect(!acknowledged.isEmpty && acknowledged.count < lines.count)
            // Again, and again not; what is there answers.
            #expect(engineError { _ = try engine.submit(Array(rest.prefix(100))) } == failure)
            #expect(try engine.show("journal.summary").text.contains("examroom"))
            #expect(try engine.verify().isWhole)
        }
        try disk.remount("size=16m")
        let engine = try EventEngine(at: path)
        let outcomes = try engine.submit(lines, clock: fixedClock)
        #expect(outcomes.prefix(acknowledged.count).allSatisfy { $0.status == .duplicate })
        #expect(outcomes.dropFirst(acknowledged.count).allSatisfy { $0.status == .accepted })
        for (first, again) in zip(acknowledged, outcomes) {
            #expect(first.json["events"] == again.json["events"])
        }
        #expect(try engine.verify().isWhole)
    }
}
