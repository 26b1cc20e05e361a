import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The caller's facts about a password: only its digest is recorded (R5).
    struct Password: Record {
        var digest = ""
        var length = 0
        var upper = false
        var lower = false
        var digit = false
        var symbol = false

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.digest("digest", &digest)
            coder.bounded("length", &length)
            coder.field("upper", &upper)
            coder.field("lower", &lower)
            coder.field("digit", &digit)
            coder.field("symbol", &symbol)
        }

        /// What the policy asks for and the password lacks (R5), in English and in Arabic.
        private func shortcomings(_ policy: Policy) -> [(english: String, arabic: String)] {
            var found: [(english: String, arabic: String)] = []
            if length < policy.passwordMinLength {
                found.append(
                    (
                        "at least \(policy.passwordMinLength) characters, not \(length)",
                        "\(policy.passwordMinLength) أحرف على الأقل، لا \(length)"
                    ))
            }
            if policy.passwordRequireUpper, !upper {
                found.append(("an upper-case letter", "حرف كبير"))
            }
            if policy.passwordRequireLower, !lower {
                found.append(("a lower-case letter", "حرف صغير"))
            }
            if policy.passwordRequireDigit, !digit { found.append(("a digit", "رقم")) }
            if policy.passwordRequireSymbol, !symbol { found.append(("a symbol", "رمز")) }
            return found
        }

        /// `weak-password` with what is missing: a kind of character, or length (R5).
        func check(in context: Context) throws(Rejection) {
            let found = shortcomings(context.policy)
            guard !found.isEmpty else { return }
            throw context.refuse(
                .weakPassword,
                .words(
                    english: "it needs \(found.map(\.english).joined(separator: ", "))",
                    arabic: "ينقصها: \(found.map(\.arabic).joined(separator: "، "))"))
        }
    }

    /// Sets a new password with a code, and ends every open session (R5, R6, R8).
    struct ResetPassword: StudentCommand {
        static let type = "tafawoq.password.reset"
        static let needsSession = false
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var otpDigest = ""
        var password = Password()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.digest("otpDigest", &otpDigest)
            coder.field("password", &password)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            try context.check(otpDigest, of: student, against: row.resetDigest, row.resetCode)
            try password.check(in: context)
            context.record(
                Account.PasswordChanged(
                    student: student,
                    passwordDigest: password.digest), on: context.accountStream(of: student))
            let open = row.openSessions.sorted {
                context.names.text($0).precedes(context.names.text($1))
            }
            for session in open { context.end(session, of: student, .passwordChanged) }
        }
    }
}
