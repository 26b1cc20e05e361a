internal import Engine
internal import Glibc

/// What the parser lets pass.
enum Arguments {
    /// Refuses what would be taken for something else without a word: bytes that are no UTF-8, which become other
    /// characters, and an option that counts once and is given twice.
    static func check() throws(EngineError) {
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { continue }
            let bytes = unsafe UnsafeRawBufferPointer(start: argument, count: strlen(argument))
            guard unsafe String(validating: bytes, as: UTF8.self) != nil else {
                throw EngineError(.wrongUse, "argument \(index) is no UTF-8; give names that are")
            }
        }
        var given: Set<String> = []
        for argument in CommandLine.arguments.dropFirst() {
            if argument == "--" { return }
            let name = String(argument.prefix { $0 != "=" })
            guard once.contains(name), !given.insert(name).inserted else { continue }
            throw EngineError(.wrongUse, "\(name) is given twice; give it once")
        }
    }

    /// Options that say where to look, when, and whom to trust: of two the last would count, and nobody would see it.
    private static let once: Set<String> = [
        "--journal", "--log-key", "--origin", "--threshold", "--as-of", "--known-at", "--now",
        "--clock", "--as",
    ]
}
