import Core
import Foundation
import TestSupport

/// The built `replay`, run in a directory of its own by a shell, as people run it.
///
/// Pipes, terminals and signals are the shell's affair: `$REPLAY` is the tool, `$SIJILL_JOURNAL`
/// an empty journal that `Tool()` has made.
struct Tool: ~Copyable {
    /// What a script left behind.
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        var lines: [Substring] { output.split(separator: "\n") }
    }

    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(
            path: "replay-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let made = try run(#""$REPLAY" init --simulated"#)
        guard made.status == 0 else { throw Broken(what: made.errors) }
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    struct Broken: Error {
        let what: String
    }

    /// Runs a bash script; whatever hangs is ended after a minute, with status 124.
    func run(_ script: String, given input: String? = nil) throws -> Result {
        let output = directory.appending(path: "output-\(UUID().uuidString)")
        let errors = directory.appending(path: "errors-\(UUID().uuidString)")
        let given = directory.appending(path: "input-\(UUID().uuidString)")
        for file in [output, errors] { try Data().write(to: file) }
        try Data((input ?? "").utf8).write(to: given)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = ["--kill-after=2", "60", "bash", "-c", script]
        process.currentDirectoryURL = directory
        process.environment = environment
        process.standardInput = try FileHandle(forReadingFrom: given)
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus,
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    }

    /// Runs the tool on a terminal of so many columns, where both its outputs are `output`.
    func onTerminal(_ command: String, columns: Int = 120) throws -> Result {
        let inner = "stty cols \(columns); \(command)"
        try Data(inner.utf8).write(to: directory.appending(path: "script.sh"))
        return try run("script -qec 'bash script.sh' /dev/null")
    }

    private var environment: [String: String] {
        var variables = ProcessInfo.processInfo.environment
        variables["REPLAY"] = Self.binary
        variables["SIJILL_JOURNAL"] = directory.appending(path: "journal").path
        variables["TERM"] = "xterm"
        variables["NO_COLOR"] = nil
        return variables
    }

    /// SwiftPM puts the tool beside the test bundle.
    private static let binary: String = {
        let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let beside = tests.deletingLastPathComponent().appending(path: "replay")
        guard !FileManager.default.isExecutableFile(atPath: beside.path) else { return beside.path }
        let bundle = URL(filePath: CommandLine.arguments.first ?? "")
        return bundle.deletingLastPathComponent().appending(path: "replay").path
    }()
}

/// Command lines that any journal takes.
enum Sample {
    /// Registers administrator `A-number`: one event.
    static func register(_ number: Int, name: String = "Mona Saleh") -> String {
        #"{"id":"r-\#(number)","command":"examroom.account.register","at":"2026-02-02T08:00:00Z","#
            + #""by":"system","data":{"account":"A-\#(number)","role":"admin","name":"\#(name)","#
            + #""credential":{"scheme":"bcrypt","salt":"c2FsdA","digest":"dg-\#(number)"}}}"#
    }

    /// The commands of an exam day, and of thirty more admins.
    static func examDay() throws -> String {
        try commands("Examples/examroom/01-exam-day.jsonl")
            + (100..<130).map { register($0) + "\n" }.joined()
    }

    /// The commands of an example, a line each.
    static func commands(_ file: String) throws -> String {
        try Scenario(file: file).steps.map { step in
            guard case .submit(let command, _) = step.kind else { return "" }
            return String(decoding: command.canonical, as: UTF8.self) + "\n"
        }.joined()
    }

    /// Accepted, and records nothing.
    static let tick =
        #"{"id":"t-1","command":"clock.advance","at":"2026-02-02T07:00:00Z","by":"system","data":{}}"#
}
