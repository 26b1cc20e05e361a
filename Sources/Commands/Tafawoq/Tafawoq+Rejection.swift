import Commands
import Core
import Folding
package import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Every code that Tafawoq refuses with, in the order of the page.
    ///
    /// A struct over a table of texts, not an enum: each code has a message in English and in Arabic (ADR
    /// 0027).
    package struct Rejection: PolicyRejection, Hashable {
        package let rawValue: String
        /// What is counted in the message, such as `{questions}`.
        private(set) var number: Int?

        package init?(rawValue: String) {
            guard Self.texts.contains(where: { $0.code == rawValue }) else { return nil }
            self.rawValue = rawValue
        }

        private init(_ code: String) { rawValue = code }

        /// The same with the number that its message states.
        func stating(_ number: Int) -> Rejection {
            var rejection = self
            rejection.number = number
            return rejection
        }

        package static var allCases: [Rejection] { texts.map { Rejection($0.code) } }

        package var message: String {
            filled {
                $0.english
            } counted: {
                $0.english($1)
            }
        }
        package var messageAr: String? {
            filled {
                $0.arabic
            } counted: {
                $0.arabic($1)
            }
        }

        /// The text with its `{questions}` or the like counted.
        private func filled(
            _ language: (Text) -> String, counted: (Counted, Int) -> String
        ) -> String {
            let text = Self.texts.first { $0.code == rawValue }.map(language) ?? rawValue
            guard let number else { return text }
            return Counted.allCases.reduce(text) {
                $0.replacing("{\($1.rawValue)}", with: counted($1, number))
            }
        }

        static let malformed = Rejection("malformed")
        package static let forbidden = Rejection("forbidden")
        static let notFound = Rejection("not-found")
        static let alreadyExists = Rejection("already-exists")
        package static let clockBehind = Rejection("clock-behind")
        static let sessionRequired = Rejection("session-required")
        static let emailTaken = Rejection("email-taken")
        static let termsNotAccepted = Rejection("terms-not-accepted")
        static let weakPassword = Rejection("weak-password")
        static let alreadyAccepted = Rejection("already-accepted")
        static let alreadyVerified = Rejection("already-verified")
        static let otpCooldown = Rejection("otp-cooldown")
        static let otpMissing = Rejection("otp-missing")
        static let otpExpired = Rejection("otp-expired")
        static let otpExhausted = Rejection("otp-exhausted")
        static let otpWrong = Rejection("otp-wrong")
        static let emailUnverified = Rejection("email-unverified")
        static let wrongCredentials = Rejection("wrong-credentials")
        static let accountLocked = Rejection("account-locked")
        static let deviceRequired = Rejection("device-required")
        static let sessionEnded = Rejection("session-ended")
        static let profileIncomplete = Rejection("profile-incomplete")
        static let alreadyComplete = Rejection("already-complete")
        static let sameTrack = Rejection("same-track")
        static let noPicture = Rejection("no-picture")
        static let alreadyFinished = Rejection("already-finished")
        static let notEnrolled = Rejection("not-enrolled")
        static let alreadyPremium = Rejection("already-premium")
        static let checkoutSettled = Rejection("checkout-settled")
        static let alreadyConfirmed = Rejection("already-confirmed")
        static let signatureUnverified = Rejection("signature-unverified")
        static let badOccurrence = Rejection("bad-occurrence")
        static let notPremium = Rejection("not-premium")
        static let alreadyCancelled = Rejection("already-cancelled")
        static let examInProgress = Rejection("exam-in-progress")
        static let weeklyExamLimit = Rejection("weekly-exam-limit")
        static let rateLimited = Rejection("rate-limited")
        static let generationUnavailable = Rejection("generation-unavailable")
        static let generationClosed = Rejection("generation-closed")
        static let badQuestion = Rejection("bad-question")
        static let wrongComposition = Rejection("wrong-composition")
        static let duplicateQuestions = Rejection("duplicate-questions")
        static let examNotOpen = Rejection("exam-not-open")
        static let practiceNotOpen = Rejection("practice-not-open")
        static let unknownQuestion = Rejection("unknown-question")
        static let badChoice = Rejection("bad-choice")
        static let badFinishTime = Rejection("bad-finish-time")
        static let timeExpired = Rejection("time-expired")
        static let syncClosed = Rejection("sync-closed")
        static let examSuperseded = Rejection("exam-superseded")
        static let notSuspended = Rejection("not-suspended")
        static let voidingOff = Rejection("voiding-off")
        static let notVisual = Rejection("not-visual")
        static let alreadyVoided = Rejection("already-voided")
        static let alreadyAnswered = Rejection("already-answered")
        static let voidLimit = Rejection("void-limit")
        static let lastQuestion = Rejection("last-question")
        static let practiceInProgress = Rejection("practice-in-progress")
        static let badCategories = Rejection("bad-categories")
        static let tooFewQuestions = Rejection("too-few-questions")
        static let practiceQuestionLimit = Rejection("practice-question-limit")
        static let practiceCategoryLimit = Rejection("practice-category-limit")
        static let alreadyEnabled = Rejection("already-enabled")
        static let alreadyDisabled = Rejection("already-disabled")
        static let alreadyDispatched = Rejection("already-dispatched")
        static let alreadyOpened = Rejection("already-opened")
        static let schedulingOff = Rejection("scheduling-off")
        static let premiumOnly = Rejection("premium-only")
        static let badSchedule = Rejection("bad-schedule")
        package static let unknownPolicy = Rejection("unknown-policy")
        package static let policyValueInvalid = Rejection("policy-value-invalid")
    }
}
