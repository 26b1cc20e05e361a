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

        /// Whether a kind of character that is needed is missing, or the password is too short (R5).
        func isWeak(_ policy: Policy) -> Bool {
            length < policy.passwordMinLength || policy.passwordRequireUpper && !upper
                || policy.passwordRequireLower && !lower || policy.passwordRequireDigit && !digit
                || policy.passwordRequireSymbol && !symbol
        }
    }
}
