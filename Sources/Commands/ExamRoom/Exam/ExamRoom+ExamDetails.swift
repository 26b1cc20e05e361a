import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// The details that a command gives; those left out stay, or come from the policy (R7).
    struct GivenDetails: Record {
        var title: String?
        var description: String?
        var durationMinutes: Int?
        var window: Exam.Window?
        var maxAttempts: Int??
        var shuffleQuestions: Bool?
        var shuffleOptions: Bool?
        var feedback: Exam.Feedback?
        var passPercent: Percent?

        init() {}

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.optionalText("title", &title)
            coder.optionalText("description", &description)
            coder.optionalNumber("durationMinutes", &durationMinutes)
            coder.optional("window", &window)
            coder.optional("maxAttempts", &maxAttempts)
            coder.expect(
                "maxAttempts", Bounds.count.wholeNumbers,
                Bounds.count ~= ((maxAttempts ?? nil) ?? 0))
            coder.optional("shuffleQuestions", &shuffleQuestions)
            coder.optional("shuffleOptions", &shuffleOptions)
            coder.optional("feedback", &feedback)
            coder.optional("passPercent", &passPercent)
        }

        init(_ details: Exam.Details) {
            title = details.title
            description = details.description
            durationMinutes = details.durationMinutes
            window = details.window
            maxAttempts = .some(details.maxAttempts)
            shuffleQuestions = details.shuffleQuestions
            shuffleOptions = details.shuffleOptions
            feedback = details.feedback
            passPercent = details.passPercent
        }

        var isEmpty: Bool { self == Self() }

        /// The details codes, in their order (4.5), of what is given.
        func check(against policy: Policy) throws(Rejection) {
            if let title {
                if title.isBlank { throw .titleMissing }
                if title.scalarCount > policy.maxTitleLength { throw .titleTooLong }
            }
            if let durationMinutes {
                guard policy.minDurationMinutes <= durationMinutes,
                    durationMinutes <= policy.maxDurationMinutes
                else { throw .durationOutOfRange }
            }
            if window?.isEmpty == true { throw .windowEmpty }
            if case .some(.some(let most)) = maxAttempts, most < 1 { throw .attemptsOutOfRange }
            if let passPercent {
                guard .zero <= passPercent, passPercent <= .hundred else {
                    throw .passPercentOutOfRange
                }
            }
        }

        func apply(to details: inout Exam.Details) {
            if let title { details.title = title }
            if let description { details.description = description }
            if let durationMinutes { details.durationMinutes = durationMinutes }
            if let window { details.window = window }
            if let maxAttempts { details.maxAttempts = maxAttempts }
            if let shuffleQuestions { details.shuffleQuestions = shuffleQuestions }
            if let shuffleOptions { details.shuffleOptions = shuffleOptions }
            if let feedback { details.feedback = feedback }
            if let passPercent { details.passPercent = passPercent }
        }
    }
}

extension ExamRoom.Exam.Details {
    /// R7: what a new exam takes from the policy in force.
    init(from policy: ExamRoom.Policy) {
        self.init()
        durationMinutes = policy.defaultDurationMinutes
        maxAttempts = policy.defaultMaxAttempts
        shuffleQuestions = policy.defaultShuffleQuestions
        shuffleOptions = policy.defaultShuffleOptions
        feedback = policy.defaultFeedback
        passPercent = policy.defaultPassPercent
    }

    /// The details codes, in their order (4.5).
    func check(against policy: ExamRoom.Policy) throws(ExamRoom.Rejection) {
        try ExamRoom.GivenDetails(self).check(against: policy)
    }
}
