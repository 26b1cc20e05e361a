import Core
package import EventLog
import Glibc

/// Which log a journal's frames go to, as the file `log` in its directory says; and who is asked to append.
package struct LogSettings: Sendable, Hashable {
    /// Its scheme says which kind of log it is (``SharedFrameLogs``).
    package var address: String
    /// What this node is called.
    package var node: String
    /// The term in which this node appends; 0 for one that follows.
    package var term: UInt32

    package init(address: String, node: String, term: UInt32) {
        self.address = address
        self.node = node
        self.term = term
    }

    private static func path(in directory: String) -> String {
        directory + "/" + Journal.logFileName
    }

    /// Nil where the journal stands alone.
    package static func read(in directory: String) throws(JournalError) -> LogSettings? {
        let path = path(in: directory)
        let bytes: [UInt8]?
        do throws(JournalError) {
            bytes = try PlainFiles.read(path, atMost: 65_536)
        } catch {
            guard error.kind == .invalid else { throw error }
            throw JournalError(
                .damaged(nil), "\(path) is no file of a node's settings",
                advice: "move away what lies there")
        }
        guard let bytes else { return nil }
        guard let json = try? JSON(parsing: bytes),
            let address = json["address"]?.string, let node = json["node"]?.string,
            let term = json["term"]?.wholeNumber.flatMap({ UInt32(exactly: $0) })
        else {
            throw JournalError(
                .damaged(nil), "\(path) does not say which log the frames go to",
                advice: "write it again with `replay log take-over` from a node that has it")
        }
        return LogSettings(address: address, node: node, term: term)
    }

    /// Replaces the file, readable for its owner alone: an address may hold a password. Durable on return.
    package func write(in directory: String) throws(JournalError) {
        let path = Self.path(in: directory)
        let json = JSON.object([
            JSON.Member(name: "address", value: .string(address)),
            JSON.Member(name: "node", value: .string(node)),
            JSON.Member(name: "term", value: .number(JSONNumber(Int64(term)))),
        ])
        let draft = path + ".new"
        let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failed(path) }
        let bytes = json.canonical + [10]
        let isWritten =
            unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
            && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, unsafe rename(draft, path) == 0 else { throw Self.failed(path) }
        let folder = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failed(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.failed(path) }
    }

    private static func failed(_ path: String) -> JournalError {
        let code = errno
        return JournalError(
            .inputOutput, "\(path): \(unsafe String(cString: strerror(code)))",
            advice: "see the directory", code: code)
    }
}
