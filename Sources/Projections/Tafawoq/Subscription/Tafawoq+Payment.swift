import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// How payments went within the alert window, for the operator (R46).
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

    /// Renewals that failed, for the support desk, newest first (R16, R20).
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
}

extension Tafawoq.CaseRow {
    fileprivate var isOpen: Bool { !isRecovered && !isDowngraded }
}

extension Tafawoq.State {
    /// By opening.
    fileprivate var allCases: [Tafawoq.CaseRow] {
        (0..<(totals[.only]?.cases ?? 0)).compactMap { cases[Ordinal($0)] }
    }
}
