package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// An entry of the log, without what its event says (R49).
    package struct LogRow: Record {
        package var position = Position.zero
        package var at = Instant.epoch
        package var type = Ordinal(0)
        package var family = LogFamily.empty
        package var student: StudentID?
        package var isPremium = false
        package var track: Track?
        package var session: SessionID?

        package init() {}
    }

    /// The family of a log entry: by the noun of the event's stream; events about generation are a family
    /// of their own (R49).
    package enum LogFamily: String, Choice {
        case auth, payment, exam, practice, generation, notification, milestone, study, report
        case feedback, performance, policy, quota, alert, legal

        /// The family of a stream, by its noun.
        init(ofStream stream: String) {
            let parts = stream.split(separator: "/")
            let noun = parts.count > 1 ? String(parts[1]) : ""
            switch noun {
            case "account", "session", "audit": self = .auth
            case "subscription": self = .payment
            default: self = LogFamily(rawValue: noun) ?? .auth
            }
        }
    }

    /// How grave a log entry is (R49).
    package enum LogLevel: String, Choice {
        case debug = "DEBUG"
        case info = "INFO"
        case warn = "WARN"
        case error = "ERROR"

        /// The level of an event type.
        package static func of(_ type: String) -> LogLevel {
            switch type {
            case Generation.Failed.type, Renewal.Failed.type, Checkout.Failed.type: .error
            case Access.Refused.type, Generation.Refused.type, Exam.Flagged.type,
                Subscription.PaymentIgnored.type, AlertRaised.type:
                .warn
            case Exam.Answered.type, Practice.Answered.type, Performance.Reported.type: .debug
            default: .info
            }
        }
    }
}

extension Tafawoq.State {
    static func logRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.watch(Tafawoq.payloads.map(\.name)) { type in
            guard let index = Tafawoq.payloads.firstIndex(where: { $0.name == type }) else {
                return nil
            }
            let number = Ordinal(index)
            let isGeneration = type.hasPrefix("tafawoq.generation.")
            return { state, metadata in
                state.log(
                    number, isGeneration ? .generation : state.family(of: metadata.stream), metadata
                )
            }
        }
    }

    /// The family of a stream, looked up once for each.
    private func family(of stream: Symbol) -> Tafawoq.LogFamily {
        let all = Tafawoq.LogFamily.allCases
        let known = Int(families[Int(stream.number)])
        if known > 0 { return all[known - 1] }
        let family = Tafawoq.LogFamily(ofStream: names.text(stream))
        families[Int(stream.number)] = UInt32((all.firstIndex(of: family) ?? 0) + 1)
        return family
    }

    /// Adds an entry, with the student's tier and track just after the event (R49).
    private func log(_ type: Ordinal, _ family: Tafawoq.LogFamily, _ metadata: EventMetadata) {
        var entry = Tafawoq.LogRow()
        entry.position = metadata.position
        entry.at = metadata.at
        entry.type = type
        entry.family = family
        if !metadata.subject.isNone {
            let student = Tafawoq.StudentID(metadata.subject)
            guard let (track, session) = students.read(student, { ($0.track, $0.lastSession) })
            else { return }
            entry.student = student
            entry.isPremium = tier(of: student, at: metadata.at) == .premium
            entry.track = track
            entry.session = session
        }
        entries.append(entry, to: .only, at: count(\.entries))
    }
}
