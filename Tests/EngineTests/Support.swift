import Products
import Engine
import Core
import ExamRoomEvents
import Foundation
import Glibc
import TestSupport
import Testing

@testable import EventLog

/// What `recordedAt` says wherever bytes are compared.
let fixedClock = "2026-02-08T00:00:00Z"

/// A directory on the disk that is gone with the last reference to it.
///
/// `TemporaryJournal` lies in memory, where a flush costs nothing; crashes and shared commits want
/// a disk that takes its time.
final class DiskPlace: Sendable {
    let folder: String
    var journal: String { folder + "/journal" }

    /// With an empty journal, unless the test makes something else of it.
    init(makesJournal: Bool = true) throws {
        folder = NSTemporaryDirectory() + "sijill-engine-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        if makesJournal { try EventEngine.create(at: journal, isSimulated: true) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func open(isReadOnly: Bool = false) throws -> EventEngine {
        var options = EventEngine.Options()
        options.isReadOnly = isReadOnly
        options.writerWaitSeconds = 60
        return try EventEngine(at: journal, options: options)
    }
}

/// Returns when nobody has the files of a journal open, so that they may be changed beneath it: an engine that was
/// dropped is closed when the last of its threads has let go of it.
func waitUntilClosed(_ journal: String) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    func isOpen(_ name: String) -> Bool {
        (try? EnvironmentRegistry.isOpen(journal + "/" + name)) ?? false  // there is no such file
    }
    while isOpen("journal.mdb") || isOpen("views.mdb") {
        try #require(ContinuousClock.now < deadline, "\(journal) stays open")
        usleep(1000)
    }
}

/// A command line, its data as JSON text.
func line(
    _ id: String, _ command: String, _ at: String, by: String = "system", _ data: String = "{}"
) -> [UInt8] {
    Array(
        #"{"id":"\#(id)","command":"\#(command)","at":"\#(at)","by":"\#(by)","data":\#(data)}"#.utf8
    )
}

/// ExamRoom commands of the tests' own exam days.
enum Room {
    static let credential = #""credential":{"scheme":"bcrypt","salt":"c2FsdA","digest":"d"}"#

    static func register(_ account: String, _ role: String = "student", at: String) -> [UInt8] {
        line(
            "register-\(account)", "examroom.account.register", at,
            #"{"account":"\#(account)","role":"\#(role)","name":"\#(account)",\#(credential)}"#)
    }

    /// An exam of two questions, published.
    static func exam(
        _ exam: String, minutes: Int = 60, maxAttempts: Int = 1, at: String
    ) -> [[UInt8]] {
        let questions = ["Q-1", "Q-2"].map { question in
            line(
                "\(exam)-\(question)", "examroom.question.add", at,
                #"{"exam":"\#(exam)","question":"\#(question)","prompt":"2 + 2?","options":["#
                    + #"{"option":"a","text":"four","correct":true},"#
                    + #"{"option":"b","text":"five","correct":false}]}"#)
        }
        let create = line(
            "\(exam)-create", "examroom.exam.create", at,
            #"{"exam":"\#(exam)","title":"Exam \#(exam)","durationMinutes":\#(minutes),"#
                + #""maxAttempts":\#(maxAttempts)}"#)
        let publish = line("\(exam)-publish", "examroom.exam.publish", at, #"{"exam":"\#(exam)"}"#)
        return [create] + questions + [publish]
    }

    static func start(
        _ attempt: String, _ exam: String, _ student: String, at: String, id: String? = nil
    ) -> [UInt8] {
        line(
            id ?? "start-\(attempt)", "examroom.attempt.start", at, by: "student:\(student)",
            #"{"attempt":"\#(attempt)","exam":"\#(exam)","student":"\#(student)"}"#)
    }

    static func answer(
        _ attempt: String, _ question: String, _ option: String, _ student: String, at: String
    ) -> [UInt8] {
        line(
            "\(attempt)-\(question)-\(option)", "examroom.answer.save", at,
            by: "student:\(student)",
            #"{"attempt":"\#(attempt)","question":"\#(question)","chosen":["\#(option)"],"seconds":9}"#
        )
    }

    static func submit(_ attempt: String, _ student: String, at: String) -> [UInt8] {
        line(
            "submit-\(attempt)", "examroom.attempt.submit", at, by: "student:\(student)",
            #"{"attempt":"\#(attempt)"}"#)
    }
}

/// The LSAT's answers as commands, made by the same script as the demo's.
enum LSAT {
    /// All 8,009 of them.
    static let lines = Result { try made(from: Tree.text("Examples/lsat/lsat6.csv")) }

    /// Fewer people, with the same patterns; a multiple of 5, for there are five days.
    static func lines(people: Int) throws -> [[UInt8]] {
        let rows = try Tree.text("Examples/lsat/lsat6.csv").split(separator: "\n")
        let patterns = rows.dropFirst().map { $0.prefix(9) }
        let people = (0..<people).map { "\(patterns[$0 % patterns.count]),1" }
        return try made(from: ([String(rows[0])] + people).joined(separator: "\n") + "\n")
    }

    private static func made(from csv: String) throws -> [[UInt8]] {
        let place = try DiskPlace(makesJournal: false)
        let input = place.folder + "/answers.csv"
        try Data(csv.utf8).write(to: URL(filePath: input))
        let script = Tree.root.appending(path: "Examples/lsat/commands.awk").path
        let result = try run("/usr/bin/env", ["awk", "-f", script, input])
        try #require(result.status == 0, "\(result.errors)")
        return result.lines.map { Array($0.utf8) }
    }
}

// MARK: Processes

/// What a process left behind.
struct Finished {
    let status: Int32
    let output: String
    let errors: String

    var lines: [String] {
        output.split(separator: "\n").map(String.init)
    }
}

/// Runs a program to its end.
func run(_ program: String, _ arguments: [String], given input: [UInt8] = []) throws -> Finished {
    let place = try DiskPlace(makesJournal: false)
    let files = ["input", "output", "errors"].map { URL(filePath: "\(place.folder)/\($0)") }
    try Data(input).write(to: files[0])
    for file in files.dropFirst() { try Data().write(to: file) }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: files[0])
    process.standardOutput = try FileHandle(forWritingTo: files[1])
    process.standardError = try FileHandle(forWritingTo: files[2])
    try process.run()
    process.waitUntilExit()
    return Finished(
        status: process.terminationStatus,
        output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
}

/// The built `replay`; `$SIJILL_REPLAY` names another one.
enum ReplayTool {
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }

    /// SwiftPM puts the tool beside the test bundle, or a few directories above it.
    static func path() throws -> String {
        if let named = ProcessInfo.processInfo.environment["SIJILL_REPLAY"] { return named }
        let bundles =
            [URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path]
            + CommandLine.arguments.prefix(1)
        for bundle in bundles {
            var folder = URL(filePath: bundle).deletingLastPathComponent()
            for _ in 0..<4 {
                let tool = folder.appending(path: "replay").path
                if FileManager.default.isExecutableFile(atPath: tool), tool.contains(".build") {
                    return tool
                }
                folder.deleteLastPathComponent()
            }
        }
        throw Missing(
            description: "there is no replay beside \(bundles[0]); build it, or set SIJILL_REPLAY")
    }

    static func run(_ arguments: [String], given input: [UInt8] = []) throws -> Finished {
        try EngineTests.run(path(), arguments, given: input)
    }
}

// MARK: Checking

extension Outcome {
    var types: [String] { events.compactMap { $0["type"]?.string } }
}

extension EventEngine {
    func submit(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: String, isDryRun: Bool = false
    ) throws(EngineError) -> [Outcome] {
        try submit(
            lines, firstLine: firstLine, clock: Instant(rfc3339: clock) ?? .epoch,
            isDryRun: isDryRun)
    }

    func submit(one line: [UInt8], isDryRun: Bool = false) throws -> Outcome {
        let outcomes = try submit([line], clock: fixedClock, isDryRun: isDryRun)
        return try #require(outcomes.first)
    }

    /// The export's bytes: everything that the journal holds.
    func exportedBytes() throws -> [UInt8] {
        var bytes: [UInt8] = []
        try export { bytes += $0 }
        return bytes
    }

    var frames: Int {
        get throws {
            let json = try JSON(parsing: statistics().bytes)
            return Int(try #require(json["frames"]?.wholeNumber))
        }
    }
}

/// What must hold of any journal's events: positions and revisions without gaps.
func expectGapless(_ events: [PastFact], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
        events.map(\.position) == Array(0..<Int64(events.count)).map { $0 + 1 },
        sourceLocation: sourceLocation)
    var revisions: [String: Int64] = [:]
    for event in events {
        #expect(
            event.revision == revisions[event.stream, default: 0], "\(event.text)",
            sourceLocation: sourceLocation)
        revisions[event.stream, default: 0] += 1
    }
}

/// The error that the body throws.
func engineError(_ body: () throws -> Void) -> EngineError? {
    do {
        try body()
        return nil
    } catch {
        return error as? EngineError
    }
}
