package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    package struct QuotaRow: Record {
        package var usedPercent = Percent.zero
        package var resetsAt = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("usedPercent", &usedPercent)
            coder.field("resetsAt", &resetsAt)
        }
    }

    package struct QueueEntry: Record {
        package var of = SittingKind.empty
        package var id = SittingID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("of", &of)
            coder.field("id", &id)
        }
    }

    /// How many there are of what, and the queue.
    package struct RollRow: Record {
        package var registered = 0
        package var verified = 0
        package var profileCompleted = 0
        package var examStarted = 0
        package var examCompleted = 0
        package var withFiveExams = 0
        package var improvedTenPoints = 0
        package var generating: [QueueEntry] = []
        package var quota: QuotaRow?
        package var generationMarks = 0
        package var paymentMarks = 0
        package var alerts = 0
        package var flags = 0
        package var entries = 0
        package var cases = 0
        /// Of the last refusal that is nobody's.
        package var auditedAt: Instant?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("registered", &registered)
            coder.field("verified", &verified)
            coder.field("profileCompleted", &profileCompleted)
            coder.field("examStarted", &examStarted)
            coder.field("examCompleted", &examCompleted)
            coder.field("withFiveExams", &withFiveExams)
            coder.field("improvedTenPoints", &improvedTenPoints)
            coder.field("generating", &generating)
            coder.field("quota", &quota)
            coder.field("generationMarks", &generationMarks)
            coder.field("paymentMarks", &paymentMarks)
            coder.field("alerts", &alerts)
            coder.field("flags", &flags)
            coder.field("entries", &entries)
            coder.field("cases", &cases)
            coder.field("auditedAt", &auditedAt)
        }
    }

    package enum GenerationMarkKind: String, Choice {
        case requested
        case delivered
        case failed
        case refused
    }

    /// One event of `generation-health`.
    package struct GenerationMark: Dated {
        package var at = Instant.epoch
        package var kind = GenerationMarkKind.empty
        package var reason: Generation.Reason?
        package var waitedSeconds = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("kind", &kind)
            coder.field("reason", &reason)
            coder.field("waitedSeconds", &waitedSeconds)
        }
    }

    package enum PaymentMarkKind: String, Choice {
        case succeeded
        case failed
        case ignored
    }

    /// One event of `payment-health`.
    package struct PaymentMark: Dated {
        package var at = Instant.epoch
        package var kind = PaymentMarkKind.empty
        package var reportedAfterSeconds = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("kind", &kind)
            coder.field("reportedAfterSeconds", &reportedAfterSeconds)
        }
    }

    package struct AlertRow: Dated {
        package var kind = AlertKind.empty
        package var value = Percent.zero
        package var threshold = Percent.zero
        package var at = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("value", &value)
            coder.field("threshold", &threshold)
            coder.field("at", &at)
        }
    }

    package struct FlagRow: Record {
        package var exam = ExamID.none
        package var student = StudentID.none
        package var pattern = Exam.FlagPattern.empty
        package var value = 0
        package var at = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("pattern", &pattern)
            coder.field("value", &value)
            coder.field("at", &at)
        }
    }

    /// An entry of the log, but for what its event says (R49).
    package struct LogRow: Record {
        package var position = Position.zero
        package var at = Instant.epoch
        package var type = Ordinal(0)
        package var family = LogFamily.empty
        package var student: StudentID?
        package var isPremium = false
        package var track: Track?
        package var session: SessionID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("position", &position)
            coder.field("at", &at)
            coder.field("type", &type)
            coder.field("family", &family)
            coder.field("student", &student)
            coder.field("isPremium", &isPremium)
            coder.field("track", &track)
            coder.field("session", &session)
        }
    }

    package struct RatingRow: Record {
        package var count = 0
        package var sum = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("count", &count)
            coder.field("sum", &sum)
        }
    }

    package struct MetricRow: Record {
        package var count = 0
        package var sum = 0
        package var largest = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("count", &count)
            coder.field("sum", &sum)
            coder.field("largest", &largest)
        }
    }

    package struct AdoptionRow: Record {
        /// The last adoptions that name a value of the week or of reminders, the mode, the days.
        package var reminderAt: Instant?
        package var modeAt: Instant?
        package var inactiveDaysAt: Instant?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("reminderAt", &reminderAt)
            coder.field("modeAt", &modeAt)
            coder.field("inactiveDaysAt", &inactiveDaysAt)
        }
    }

    /// Who is signed in on a device (R8).
    package struct DeviceRow: Record {
        package var session: SessionID?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("session", &session)
        }
    }

    /// A key that is there.
    package struct Mark: Record {

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
        }
    }
}
