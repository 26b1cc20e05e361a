import Core
import Folding
import TafawoqEvents

extension Tafawoq.State {
    static func accessRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Access.Refused.self) { $0.refused($1, $2) }
    }

    /// Notes when the audit stream was last written to (R3), and counts wrong credentials (R7) and wrong
    /// codes (R6).
    private func refused(_ event: Tafawoq.Access.Refused, _ metadata: EventMetadata) {
        guard let student = event.student else {
            totals.update(.only) { $0.auditedAt = metadata.at }
            return
        }
        students.updateExisting(student) { row in
            row.auditedAt = metadata.at
            switch event.code {
            case "wrong-credentials":
                row.wrongCredentials += 1
                row.lastWrongAt = metadata.at
            case "otp-wrong":
                if event.command == "tafawoq.account.verify" {
                    row.verifyCode?.wrong += 1
                } else {
                    row.resetCode?.wrong += 1
                }
            default: break
            }
        }
        if event.code.isExactly("otp-wrong") { noteWrongCode(of: student, at: metadata.at) }
    }
}
