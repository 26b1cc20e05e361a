import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    static let policyView = ReadModel<State>.policy(
        "Which values are in force?", basis: .on(Grounds.rules))

    static let generationQueueView = ReadModel<State>(
        "tafawoq.generation-queue", "Which requests wait for questions?"
    ) { state, _, output in
        let waiting = state.waiting
        output.object { output in
            // R24: premium first, then by position of the request.
            let first = waiting.filter { $0.row.tier == .premium }
            output.array("requests", first + waiting.filter { $0.row.tier == .free }) {
                output, entry in
                output.object { output in
                    output.member("of", entry.key.kind)
                    output.member("id", entry.key.id)
                    output.member("tier", entry.row.tier)
                    output.member("requestedAt", entry.row.startedAt)
                    output.member("generateBy", entry.row.generateBy)
                    output.member("queued", entry.row.queued)
                }
            }
        }
        return true
    }

    static let generationHealthView = ReadModel<State>(
        "tafawoq.generation-health", "How is generation doing?"
    ) { state, request, output in
        let marks = state.marksOfGeneration(in: state.window(endingAt: request.now))
        let delivered = marks.filter { $0.kind == .delivered }
        let failed = marks.filter { $0.kind == .failed }
        let waited = delivered.reduce(0) { $0.addingClamping($1.waitedSeconds) }
        var reasons: [String: Int] = [:]
        for mark in failed { reasons[mark.reason?.rawValue ?? "", default: 0] += 1 }
        output.object { output in
            output.member("windowSeconds", state.policy.alertWindowSeconds)
            output.member("requested", marks.count { $0.kind == .requested })
            output.member("delivered", delivered.count)
            output.member("failed", failed.count)
            output.member("refused", marks.count { $0.kind == .refused })
            output.member(
                "failurePercent", Percent(failed.count, of: delivered.count + failed.count))
            output.object("byReason") { output in
                for (reason, count) in reasons.sorted(by: { $0.key.precedes($1.key) }) {
                    output.member(reason, count)
                }
            }
            output.member(
                "meanWaitedSeconds",
                delivered.isEmpty
                    ? nil
                    : Percent(meanOf: waited.multipliedClamping(100), by: delivered.count))
            output.member("maxWaitedSeconds", delivered.map(\.waitedSeconds).max())
            output.member("pending", state.waiting.count)
            let quota = state.roll[.only]?.quota
            output.objectOrNull("quota", quota != nil) { output in
                output.member("usedPercent", quota?.usedPercent)
                output.member("resetsAt", quota?.resetsAt)
                output.member("exhausted", state.quotaResets(after: request.now) != nil)
            }
            output.member("alert", failed.count >= state.policy.alertGenerationFailures)
        }
        return true
    }

    static let paymentHealthView = ReadModel<State>(
        "tafawoq.payment-health", "How are payments doing?"
    ) { state, request, output in
        let marks = state.marksOfPayment(in: state.window(endingAt: request.now))
        let failed = marks.count { $0.kind == .failed }
        let inTime = marks.count {
            $0.reportedAfterSeconds <= state.policy.activationWaitSeconds
        }
        // Who is past due has a case that is open, and only one.
        let overdue = state.allCases.count { row in
            row.isOpen && state.exists(row.student) && state.status(of: row.student) == .pastDue
        }
        output.object { output in
            output.member("windowSeconds", state.policy.alertWindowSeconds)
            output.member("succeeded", marks.count { $0.kind == .succeeded })
            output.member("failed", failed)
            output.member("ignored", marks.count { $0.kind == .ignored })
            output.member("inTimePercent", marks.isEmpty ? nil : Percent(inTime, of: marks.count))
            output.member("inGrace", overdue)
            output.member("alert", failed >= state.policy.alertPaymentFailures)
        }
        return true
    }

    static let paymentCasesView = ReadModel<State>(
        "tafawoq.payment-cases", "Which renewals failed?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let cases = Array(state.allCases.filter { state.exists($0.student) }.reversed())
        output.object { output in
            page.write(total: cases.count, to: &output)
            output.array("cases", cases[page.range(of: cases.count)]) { output, row in
                output.object { output in
                    output.member("student", row.student)
                    output.member("period", row.period)
                    output.member("openedAt", row.openedAt)
                    output.member(
                        "status",
                        row.isOpen ? "open" : row.isRecovered ? "recovered" : "downgraded")
                    output.member("accessUntil", row.accessUntil)
                    output.member("attempts", row.attempts)
                }
            }
        }
        return true
    }

    static let flagsView = ReadModel<State>(
        "tafawoq.flags", "Which exams are suspicious?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let count = state.roll[.only]?.flags ?? 0
        let flags = Array(
            state.flags.elements(of: .only, count: count)
                .filter { state.exists($0.student) }.reversed())
        output.object { output in
            page.write(total: flags.count, to: &output)
            output.member("flags", Array(flags[page.range(of: flags.count)]))
        }
        return true
    }

    static let alertsView = ReadModel<State>(
        "tafawoq.alerts", "What were administrators told?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let count = state.roll[.only]?.alerts ?? 0
        let alerts = Array(state.alerts.entries(count: count).reversed())
        output.object { output in
            page.write(total: alerts.count, to: &output)
            output.member("alerts", Array(alerts[page.range(of: alerts.count)]))
        }
        return true
    }

    static let journeyView = ReadModel<State>(
        "tafawoq.journey", "How far do students come?"
    ) { state, _, output in
        let roll = state.roll[.only] ?? RollRow()
        output.object { output in
            output.member("registered", roll.registered)
            output.member("verified", roll.verified)
            output.member("profileCompleted", roll.profileCompleted)
            output.member("examStarted", roll.examStarted)
            output.member("examCompleted", roll.examCompleted)
            output.member(
                "journeyPercent",
                roll.registered == 0 ? nil : Percent(roll.examCompleted, of: roll.registered))
            output.member("withFiveExams", roll.withFiveExams)
            output.member("improvedTenPoints", roll.improvedTenPoints)
            output.member(
                "improvedPercent",
                roll.withFiveExams == 0
                    ? nil : Percent(roll.improvedTenPoints, of: roll.withFiveExams))
        }
        return true
    }

    static let satisfactionView = ReadModel<State>(
        "tafawoq.satisfaction", "How satisfied are students?"
    ) { state, _, output in
        let ratings = Feedback.About.allCases.enumerated().map { place, about in
            (about: about, row: state.ratings[Ordinal(place)] ?? RatingRow())
        }
        let count = ratings.reduce(0) { $0 + $1.row.count }
        let sum = ratings.reduce(0) { $0.addingClamping($1.row.sum) }
        output.object { output in
            write(count, sum, to: &output)
            output.object("byAbout") { output in
                for rating in ratings where rating.row.count > 0 {
                    output.object(rating.about.rawValue) {
                        write(rating.row.count, rating.row.sum, to: &$0)
                    }
                }
            }
            output.member("target", 4)
        }
        return true
    }

    private static func write(_ count: Int, _ sum: Int, to output: inout JSONOutput) {
        output.member("count", count)
        output.member(
            "mean", count == 0 ? nil : Percent(meanOf: sum.multipliedClamping(100), by: count))
    }

    static let performanceView = ReadModel<State>(
        "tafawoq.performance", "How fast is the client?"
    ) { state, _, output in
        var rows: [(kind: Int, name: String, row: MetricRow)] = []
        state.metrics.forEach { key, row in
            rows.append((Int(key.first.number), state.names.text(key.second), row))
        }
        rows.sort { $0.name.precedes($1.name) }
        output.object { output in
            for (place, kind) in SittingKind.allCases.enumerated() {
                output.object(kind.rawValue) { output in
                    for entry in rows where entry.kind == place {
                        output.object(entry.name) { output in
                            write(entry.row.count, entry.row.sum, to: &output)
                            output.member("max", entry.row.largest)
                        }
                    }
                }
            }
        }
        return true
    }
}

extension Tafawoq.CaseRow {
    fileprivate var isOpen: Bool { !isRecovered && !isDowngraded }
}

extension Tafawoq.State {
    /// By opening.
    fileprivate var allCases: [Tafawoq.CaseRow] {
        (0..<(roll[.only]?.cases ?? 0)).compactMap { cases[Ordinal($0)] }
    }

    /// What is still generating, of students who exist, by position of the request.
    fileprivate var waiting: [(key: Tafawoq.SittingKey, row: Tafawoq.SittingRow)] {
        (roll[.only]?.generating ?? []).compactMap { entry in
            let key = Tafawoq.SittingKey(entry.of, entry.id)
            guard let row = sittings[key], exists(row.student) else { return nil }
            return (key, row)
        }
    }
}
