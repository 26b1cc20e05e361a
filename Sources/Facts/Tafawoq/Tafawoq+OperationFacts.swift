import Core
import Folding
package import TafawoqEvents

extension Tafawoq.State {
    static func operationRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.PolicyAdopted.self) { $0.adopt($1, $2) }
        routes.on(Tafawoq.QuotaReported.self) { state, event, _ in
            var quota = Tafawoq.QuotaRow()
            quota.usedPercent = event.usedPercent
            quota.resetsAt = event.resetsAt
            state.roll.update(.only) { $0.quota = quota }
        }
        routes.on(Tafawoq.AlertRaised.self) { state, event, metadata in
            var alert = Tafawoq.AlertRow()
            alert.kind = event.kind
            alert.value = event.value
            alert.threshold = event.threshold
            alert.at = metadata.at
            state.alerts.append(alert, at: state.count(\.alerts))
        }
        routes.on(Tafawoq.Feedback.Given.self) { state, event, _ in
            guard state.students.contains(event.student) else { return }
            state.feedbacks.insert(.init(), at: event.feedback)
            guard let rating = event.rating else { return }
            let place = Tafawoq.Feedback.About.allCases.firstIndex(of: event.about) ?? 0
            state.ratings.update(Ordinal(place)) {
                $0.count += 1
                $0.sum = $0.sum.addingClamping(rating)
            }
        }
        routes.on(Tafawoq.Performance.Reported.self) { state, event, _ in
            guard state.sittings.contains(.init(event.of, event.id)) else { return }
            let kind = Ordinal(event.of == .exam ? 0 : 1)
            for entry in event.metrics.entries {
                state.metrics.update(.init(kind, entry.metric)) {
                    $0.count += 1
                    $0.sum = $0.sum.addingClamping(entry.milliseconds)
                    $0.largest = max($0.largest, entry.milliseconds)
                }
            }
        }
    }

    // MARK: R49, the log

    static func logRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.watch(Tafawoq.payloads.map(\.name)) { type in
            guard let place = Tafawoq.payloads.firstIndex(where: { $0.name == type }) else {
                return nil
            }
            let number = Ordinal(place)
            let isGeneration = type.hasPrefix("tafawoq.generation.")
            return { state, metadata in
                state.log(
                    number, isGeneration ? .generation : state.family(of: metadata.stream), metadata
                )
            }
        }
    }

    /// By the noun of the stream; looked at once for each.
    private func family(of stream: Symbol) -> Tafawoq.LogFamily {
        let all = Tafawoq.LogFamily.allCases
        let known = Int(families[Int(stream.number)])
        if known > 0 { return all[known - 1] }
        let family = Tafawoq.LogFamily(ofStream: names.text(stream))
        families[Int(stream.number)] = UInt32((all.firstIndex(of: family) ?? 0) + 1)
        return family
    }

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

extension Tafawoq {
    /// What an operator looks for in the log (R49).
    ///
    /// It goes by the noun of the event's stream; what is about generation is a family of its own.
    package enum LogFamily: String, Choice {
        case auth, payment, exam, practice, generation, notification, milestone, study, report
        case feedback, performance, policy, quota, alert

        /// By its noun.
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

    package enum LogLevel: String, Choice {
        case debug = "DEBUG"
        case info = "INFO"
        case warn = "WARN"
        case error = "ERROR"

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
