import Dispatch
import Synchronization

/// A command line as it was submitted, with its number in the input.
final class SubmittedLine: Sendable {
    let bytes: [UInt8]
    let number: Int
    /// What was read ahead and not asked for yet.
    private let read = Mutex<Result<CommandEnvelope, CommandEnvelope.Malformed>?>(nil)

    init(bytes: [UInt8], number: Int) {
        self.bytes = bytes
        self.number = number
    }

    /// The command that the line says. Read when it is first asked for, unless it was read ahead.
    func command() throws(CommandEnvelope.Malformed) -> CommandEnvelope {
        let result = read.withLock { read in
            let result = read ?? Result(line: bytes)
            read = nil
            return result
        }
        return try result.get()
    }

    /// Reads the command now, off the thread that decides.
    func readAhead() {
        read.withLock { $0 = $0 ?? Result(line: bytes) }
    }
}

extension Result<CommandEnvelope, CommandEnvelope.Malformed> {
    fileprivate init(line bytes: [UInt8]) {
        do throws(CommandEnvelope.Malformed) {
            self = .success(try CommandEnvelope(bytes))
        } catch {
            self = .failure(error)
        }
    }
}

extension [SubmittedLine] {
    /// The lines of one caller. Many are read on another thread, ahead of the one that decides them; of a few the
    /// caller's own thread reads.
    static func reading(_ lines: [[UInt8]], from first: Int) -> [SubmittedLine] {
        let numbered = lines.enumerated().map {
            SubmittedLine(bytes: $0.element, number: first + $0.offset)
        }
        if numbered.count > mostReadAtOnce {
            DispatchQueue(label: "sijill.lines", qos: .userInitiated).async {
                for line in numbered { line.readAhead() }
            }
        } else {
            for line in numbered { line.readAhead() }
        }
        return numbered
    }

    private static var mostReadAtOnce: Int { 64 }
}
