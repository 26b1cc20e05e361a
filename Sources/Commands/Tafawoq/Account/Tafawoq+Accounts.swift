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

        /// R5
        func isWeak(_ policy: Policy) -> Bool {
            length < policy.passwordMinLength || policy.passwordRequireUpper && !upper
                || policy.passwordRequireLower && !lower || policy.passwordRequireDigit && !digit
                || policy.passwordRequireSymbol && !symbol
        }
    }

    /// R4: how an e-mail address is recorded and compared; nil for one of another form.
    static func email(_ given: String) -> String? {
        let isSpace = { (scalar: Unicode.Scalar) in scalar == " " }
        var scalars = given.unicodeScalars[...]
        scalars = scalars.drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        var email = ""
        for scalar in scalars {
            email.unicodeScalars.append(
                "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar)
        }
        let parts = email.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), scalars.count <= 254 else {
            return nil
        }
        return email
    }

    static let emailExpectation =
        "email: expected an address with one @ and at most 254 characters"

    /// Makes an account (M US1-1).
    struct RegisterAccount: StudentCommand {
        static let type = "tafawoq.account.register"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var email = ""
        var password = Password()
        var acceptsTerms = false
        var acceptsPrivacy = false
        var otpDigest = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.bounded("email", &email)
            coder.field("password", &password)
            coder.field("acceptsTerms", &acceptsTerms)
            coder.field("acceptsPrivacy", &acceptsPrivacy)
            coder.digest("otpDigest", &otpDigest)
        }

        func problem(_ names: Names) -> String? {
            Tafawoq.email(email) == nil ? Tafawoq.emailExpectation : nil
        }

        func decide(in context: Context) throws(Rejection) {
            try context.checkOwner(student)
            let policy = context.policy
            if context.state.students.contains(student) { throw .alreadyExists }
            guard let email = Tafawoq.email(email) else { throw .malformed }
            if context.state.owner(ofEmail: email) != nil { throw .emailTaken }  // R4
            if policy.legalRequired, !(acceptsTerms && acceptsPrivacy) { throw .termsNotAccepted }
            if password.isWeak(policy) { throw .weakPassword }
            context.record(
                Account.Registered.with {
                    $0.student = student
                    $0.email = email
                    $0.passwordDigest = password.digest
                    $0.termsVersion = acceptsTerms ? policy.legalTermsVersion : nil
                    $0.privacyVersion = acceptsPrivacy ? policy.legalPrivacyVersion : nil
                }, account: student)
            context.issueCode(.verify, otpDigest, to: student)
        }
    }

    /// Asks for another one-time code.
    struct RequestCode: StudentCommand {
        static let type = "tafawoq.otp.request"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var purpose = Account.CodePurpose.verify
        var otpDigest = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("purpose", &purpose)
            coder.digest("otpDigest", &otpDigest)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            switch purpose {
            case .verify: if row.isVerified { throw .alreadyVerified }
            case .reset: if !row.isVerified { throw .emailUnverified }
            }
            // R6
            if let last = row.code(purpose), context.at < last.resendAt { throw .otpCooldown }
            context.issueCode(purpose, otpDigest, to: student)
        }
    }

    struct VerifyAccount: StudentCommand {
        static let type = "tafawoq.account.verify"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var otpDigest = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.digest("otpDigest", &otpDigest)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.ownStudent(student)
            if row.isVerified { throw .alreadyVerified }
            try context.check(otpDigest, against: row.verifyDigest, row.verifyCode)
            context.record(Account.Verified.with { $0.student = student }, account: student)
        }
    }

    struct ResetPassword: StudentCommand {
        static let type = "tafawoq.password.reset"
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
            let row = try context.ownStudent(student)
            try context.check(otpDigest, against: row.resetDigest, row.resetCode)
            if password.isWeak(context.policy) { throw .weakPassword }
            context.record(
                Account.PasswordChanged.with {
                    $0.student = student
                    $0.passwordDigest = password.digest
                }, account: student)
            let open = row.openSessions.sorted {
                context.names.text($0).precedes(context.names.text($1))
            }
            for session in open { context.end(session, of: student, .passwordChanged) }
        }
    }
}

extension Tafawoq.StudentRow {
    fileprivate func code(_ purpose: Tafawoq.Account.CodePurpose) -> Tafawoq.CodeRow? {
        purpose == .verify ? verifyCode : resetCode
    }
}

extension DecisionContext<Tafawoq> {
    /// R6
    fileprivate func issueCode(
        _ purpose: Tafawoq.Account.CodePurpose, _ digest: String, to student: Tafawoq.StudentID
    ) {
        record(
            Tafawoq.Account.CodeIssued.with {
                $0.student = student
                $0.purpose = purpose
                $0.otpDigest = digest
                $0.expiresAt = at + Int64(policy.otpSeconds)
                $0.resendAt = at + Int64(policy.otpResendSeconds)
            }, account: student)
    }

    /// R6: the last code of a purpose, unless it was used.
    fileprivate func check(
        _ digest: String, against known: String?, _ code: Tafawoq.CodeRow?
    ) throws(Tafawoq.Rejection) {
        guard let code, !code.isUsed else { throw .otpMissing }
        if at >= code.expiresAt { throw .otpExpired }
        if code.wrong >= policy.otpMaxAttempts { throw .otpExhausted }
        guard let known, known.isExactly(digest) else { throw .otpWrong }
    }
}
