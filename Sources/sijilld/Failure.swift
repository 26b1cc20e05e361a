import ArgumentParser
import Engine
import Foundation
import Glibc
import Service

/// The end of a run that did not go well: one line on standard error and an exit code, as of `replay`.
enum Failure {
    /// Says what `error` is and leaves the process; help texts leave with 0.
    static func exit(for error: any Error) -> Never {
        switch error {
        case let failure as StartFailure:
            say(failure.description)
            Glibc.exit(failure.exitCode)
        case let failure as EngineError:
            say(failure.message)
            Glibc.exit(failure.kind.exitCode)
        case let failure as ConfigurationError:
            say(failure.message)
            Glibc.exit(ConfigurationError.exitCode)
        default:
            guard Sijilld.exitCode(for: error) == .validationFailure else {
                Sijilld.exit(withError: error)
            }
            let message = Sijilld.message(for: error)
            say("\(message.prefix(1).lowercased())\(message.dropFirst()); see `sijilld --help`")
            Glibc.exit(ExitCode.validationFailure.rawValue)
        }
    }

    /// One line, whatever it quotes.
    static func say(_ text: String) {
        let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        FileHandle.standardError.write(Data("sijilld: \(line)\n".utf8))
    }
}
