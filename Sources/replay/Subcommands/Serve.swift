internal import ArgumentParser
internal import Engine
internal import Glibc

/// Starts the service, a program of its own: what `replay` needs, it does without.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the journal over HTTP: starts sijilld, which lies beside this program.",
        discussion: """
            EXAMPLE
              replay serve --journal exams
              SIJILL_HTTP_PORT=8443 replay serve --journal exams --config sijilld.json
            """)

    @OptionGroup var common: CommonOptions

    @Option(
        help: ArgumentHelp("A JSON file of settings.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var config: String?

    func run() throws {
        let program = Self.directory + "/sijilld"
        guard unsafe access(program, X_OK) == 0 else {
            throw EngineError(
                .inputOutput,
                "\(program) is not there; build it with: swift build --product sijilld")
        }
        var arguments = ["sijilld", "--journal", common.directory]
        if let config { arguments += ["--config", config] }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        unsafe execv(program, &pointers)
        throw EngineError(.inputOutput, "\(program): \(unsafe String(cString: strerror(errno)))")
    }

    /// Where this program lies.
    private static var directory: String {
        guard let path = unsafe realpath("/proc/self/exe", nil) else { return "." }
        defer { unsafe free(path) }
        return unsafe String(cString: path).split(separator: "/").dropLast().map { "/" + $0 }
            .joined()
    }
}
