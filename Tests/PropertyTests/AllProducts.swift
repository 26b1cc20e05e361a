import Core
import TestSupport

/// Random lives of all products, told in the order of the instants.
enum AllProducts {
    static func commands(seed: UInt64) -> [TestCommand] {
        let lives: [(String, [TestCommand])] = [
            ("e", ExamRoomHistory.commands(seed: seed)),
            ("l", LearnableHistory.commands(seed: seed)),
            ("q", QuranFlowHistory.commands(seed: seed)),
            ("t", TafawoqHistory.commands(seed: seed)),
        ]
        let all = lives.flatMap { mark, commands in
            commands.map { command in
                var command = command
                command.id = "\(mark)-\(command.id)"
                return command
            }
        }
        return all.enumerated()
            .sorted { ($0.element.at ?? .epoch, $0.offset) < ($1.element.at ?? .epoch, $1.offset) }
            .map(\.element)
    }
}
