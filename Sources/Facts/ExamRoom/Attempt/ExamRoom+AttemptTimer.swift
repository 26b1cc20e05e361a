import Core
import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The timers of an attempt (page, Timers).
    package enum AttemptTimer: Equatable {
        case warning(seconds: Int)
        case timeUp

        package var name: String {
            switch self {
            case .warning(let seconds): "time-warning-\(seconds)"
            case .timeUp: "time-up"
            }
        }

        package init?(name: String) {
            if name == Self.timeUp.name {
                self = .timeUp
                return
            }
            let prefix = "time-warning-"
            guard name.hasPrefix(prefix), let seconds = Int(name.dropFirst(prefix.count)) else {
                return nil
            }
            self = .warning(seconds: seconds)
        }
    }
}
