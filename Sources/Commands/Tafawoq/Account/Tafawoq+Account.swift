import Commands
import Core
import Folding
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Registers a student and issues the first one-time code (R4, R5, R6).
    struct RegisterAccount: StudentCommand {
        static let type = "tafawoq.account.register"
        static let needsSession = false
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
            Tafawoq.email(email).map { EmailForm.isAddress($0) } == true
                ? nil : "email: expected \(EmailForm.expectation)"
        }

        func decide(in context: Context) throws(Rejection) {
            try context.checkOwner(student, of: student)
            let policy = context.policy
            try context.checkIsFree(student, unless: context.state.students.contains(student))
            guard let email = Tafawoq.email(email) else { throw .malformed }
            if context.state.owner(ofEmail: email) != nil { throw .emailTaken }
            if policy.legalRequired, !(acceptsTerms && acceptsPrivacy) { throw .termsNotAccepted }
            try password.check(in: context)
            context.record(
                Account.Registered(
                    student: student,
                    email: email,
                    passwordDigest: password.digest,
                    termsVersion: acceptsTerms ? policy.legalTermsVersion : nil,
                    privacyVersion: acceptsPrivacy ? policy.legalPrivacyVersion : nil),
                on: context.accountStream(of: student))
            context.issueCode(.verify, otpDigest, to: student)
        }
    }

    /// Asks for another one-time code (R6): for a student, or, asked by a service, for the owner of an address.
    struct RequestCode: Command {
        static let type = "tafawoq.otp.request"
        static let needsSession = false
        var student: StudentID?
        var email: String?
        var purpose = Account.CodePurpose.verify
        var otpDigest = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.given("student", &student)
            coder.givenText("email", &email)
            coder.field("purpose", &purpose)
            coder.digest("otpDigest", &otpDigest)
        }

        func problem(_ names: Names) -> String? {
            if (student == nil) == (email == nil) {
                return "expected a \"student\" or an \"email\""
            }
            if let email, Tafawoq.email(email) == nil { return Tafawoq.emailExpectation }
            return email != nil && purpose == .verify ? "email: only to reset a password" : nil
        }

        func senders(in state: State) -> Senders {
            email == nil ? .any(.student, .service) : .service
        }

        func concerned(in state: State) -> StudentID? { student }

        func decide(in context: Context) throws(Rejection) {
            guard let student else { return requestForAddress(in: context) }
            let row = try context.findOwn(student)
            switch purpose {
            case .verify: if row.isVerified { throw .alreadyVerified }
            case .reset: if !row.isVerified { throw .emailUnverified }
            }
            // A cooldown between two codes of one purpose (R6).
            if let last = row.code(purpose), context.at < last.resendAt { throw .otpCooldown }
            if let next = context.state.codesWait(of: student, at: context.at) {
                throw context.refuse(.otpCooldown, .notBefore(next))
            }
            context.issueCode(purpose, otpDigest, to: student)
        }

        /// Issues a code if the address may have one; accepted all the same where nobody may, so that the answer
        /// tells nobody whose address is registered (R6).
        private func requestForAddress(in context: Context) {
            guard let address = email.flatMap({ Tafawoq.email($0) }),
                let student = context.state.owner(ofEmail: address),
                let row = context.state.students[student], row.isVerified,
                row.code(purpose).map({ context.at >= $0.resendAt }) ?? true,
                context.state.codesWait(of: student, at: context.at) == nil
            else { return }
            context.issueCode(purpose, otpDigest, to: student)
        }
    }

    /// Verifies the e-mail address with a code (R6).
    struct VerifyAccount: StudentCommand {
        static let type = "tafawoq.account.verify"
        static let needsSession = false
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var student = StudentID.none
        var otpDigest = ""

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.digest("otpDigest", &otpDigest)
        }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(student)
            if row.isVerified { throw .alreadyVerified }
            try context.check(otpDigest, of: student, against: row.verifyDigest, row.verifyCode)
            context.record(
                Account.Verified(
                    student: student),
                on: context.accountStream(of: student))
        }
    }
}

extension Tafawoq.StudentRow {
    /// The last one-time code of a purpose (R6).
    fileprivate func code(_ purpose: Tafawoq.Account.CodePurpose) -> Tafawoq.CodeRow? {
        purpose == .verify ? verifyCode : resetCode
    }
}

extension Particular {
    /// The first instant at which it may be tried again.
    fileprivate static func notBefore(_ instant: Instant) -> Self {
        .words(english: "not before \(instant)", arabic: "ليس قبل \(instant)")
    }
}

extension DecisionContext<Tafawoq> {
    /// Issues a one-time code, which replaces the last one of its purpose (R6).
    fileprivate func issueCode(
        _ purpose: Tafawoq.Account.CodePurpose, _ digest: String, to student: Tafawoq.StudentID
    ) {
        record(
            Tafawoq.Account.CodeIssued(
                student: student,
                purpose: purpose,
                otpDigest: digest,
                expiresAt: at + policy.otpSeconds,
                resendAt: at + policy.otpResendSeconds), on: accountStream(of: student))
    }

    /// Checks a code against the last one of its purpose (R6).
    func check(
        _ digest: String, of student: Tafawoq.StudentID, against known: String?,
        _ code: Tafawoq.CodeRow?
    ) throws(Tafawoq.Rejection) {
        guard let code, !code.isUsed else { throw .otpMissing }
        if at >= code.expiresAt { throw .otpExpired }
        if let next = state.codesWait(of: student, at: at) {
            throw refuse(.otpExhausted, .notBefore(next))
        }
        if code.wrong >= policy.otpMaxAttempts { throw .otpExhausted }
        guard let known, known.isExactly(digest) else { throw .otpWrong }
    }
}
