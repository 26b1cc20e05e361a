package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// The timers that end a student's access or warn of its end (page, Timers).
    package enum AccessTimer {
        package static let trialReminder = "trial-reminder"
        package static let trialEnd = "trial-end"
        package static let subscriptionEnd = "subscription-end"
    }
}

extension Learnable.StudentRow {
    /// The student's access at an instant, whether or not the timers have fired yet (R5).
    package func access(at instant: Instant) -> Learnable.Access {
        if let subscription, instant < subscription.paidUntil { return .subscribed }
        if let trial, instant < trial.endsAt { return .trial }
        return .none
    }
}

extension Learnable.State {
    package func access(
        of student: Learnable.StudentID, at instant: Instant
    ) -> Learnable.Access {
        students.read(student) { $0.access(at: instant) } ?? Learnable.Access.none
    }

    /// Whether the student has the verified badge (R9).
    package func isVerified(_ student: Learnable.StudentID, at instant: Instant) -> Bool {
        switch access(of: student, at: instant) {
        case .subscribed: true
        case .trial: policy.verifiedDuringTrial
        case .none: false
        }
    }

    /// Whether the need `quiz` is met (R6).
    package func admitsQuiz(_ access: Learnable.Access) -> Bool {
        access != .none || policy.afterTrial == .premiumFeatures
    }

    /// How many subjects of their own making the student has (R6).
    package func subjectsHeld(_ student: Learnable.StudentID) -> Int {
        (epoch(of: student)?.subjects ?? []).count { subject in
            subjects.read(subject) { $0.origin == .made } ?? false
        }
    }

    /// How many count against the limit: those that the student has, and those made without access that are
    /// gone. What is deleted makes no room for another (R6).
    package func subjectsCounted(_ student: Learnable.StudentID) -> Int {
        subjectsHeld(student) + (students.read(student) { $0.subjectsSpent } ?? 0)
    }

    /// A subject goes: what it was counted for stays, unless nothing was ever generated (R6).
    func spend(_ subject: Learnable.SubjectRow) {
        guard subject.wasMadeWithoutAccess, subject.state != .failed, !subject.isDeleted else {
            return
        }
        students.updateExisting(subject.student) { $0.subjectsSpent += 1 }
    }
}
