internal import ArgumentParser
internal import Engine
internal import Glibc

/// The end of a run that did not go well: one line on standard error and the contract's exit code.
enum Failure {
    /// Says what `error` is and leaves the process; help and version texts leave with 0.
    static func exit(for error: any Error) -> Never {
        switch error {
        case let failure as EngineError:
            Notes.say("replay: \(Words.of(failure))")
            Glibc.exit(ExitCode.of(failure.kind))
        case let stop as Interrupted:
            Notes.say("replay: \(stop.message)")
            Glibc.exit(stop.exitCode)
        default:
            guard Replay.exitCode(for: error) == .validationFailure else {
                Replay.exit(withError: error)
            }
            Notes.say("replay: \(wrongUse(error))")
            Glibc.exit(ExitCode.wrongUse)
        }
    }

    /// The parser's complaint in our form: what is wrong, and where the help is.
    private static func wrongUse(_ error: any Error) -> String {
        if let unknown = unknownSubcommand {
            let nearest = EventEngine.nearest(to: unknown, of: subcommands).map {
                "; did you mean \($0)?"
            }
            return "there is no sub-command \"\(Printable.line(unknown))\"" + (nearest ?? "")
                + "; see `replay --help`"
        }
        let message = Replay.message(for: error)
        let named = CommandLine.arguments.dropFirst().first { argument in
            Replay.configuration.subcommands.contains { $0._commandName == argument }
        }
        let help = (["replay"] + [named].compactMap(\.self) + ["--help"]).joined(separator: " ")
        return "\(message.prefix(1).lowercased())\(message.dropFirst()); see `\(help)`"
    }
}

extension Failure {
    private static var subcommands: [String] {
        Replay.configuration.subcommands.map { $0._commandName } + ["help"]
    }

    /// The first word, where it is none of ours.
    private static var unknownSubcommand: String? {
        guard let first = CommandLine.arguments.dropFirst().first, !first.hasPrefix("-") else {
            return nil
        }
        return subcommands.contains(first) ? nil : first
    }
}

/// A signal asked us to stop, and we stopped between two batches.
struct Interrupted: Error {
    let signal: Int32
    let message: String

    /// What a shell expects of a process that a signal ended.
    var exitCode: Int32 { 128 + signal }
}
