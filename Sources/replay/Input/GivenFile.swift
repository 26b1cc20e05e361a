internal import Engine
internal import Glibc

/// A file that a command is given by name.
enum GivenFile {
    /// Refuses one that is not there: the system's failure, whatever the file was to be.
    static func check(
        _ path: String, advice: String = "name one that is"
    ) throws(EngineError) {
        guard unsafe access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR else { return }
        throw EngineError(.inputOutput, "\(path): there is no such file; \(advice)")
    }

    /// What is in it.
    static func contents(
        _ path: String, atMost limit: Int = 1 << 20
    ) throws(EngineError) -> [UInt8] {
        try check(path)
        return try KeyFiles.contents(path, atMost: limit)
    }

    /// The text of a private key.
    static func privateKey(_ path: String) throws(EngineError) -> String {
        try check(path, advice: "make one: replay key new \(path) --name NAME")
        return try KeyFiles.privateKey(path)
    }

    /// The text of a verifier key.
    static func verifier(_ path: String) throws(EngineError) -> String {
        try check(path)
        return try KeyFiles.verifier(path)
    }
}
