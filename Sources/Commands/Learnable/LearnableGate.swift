import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// A command of this product: who may send it, and the rule behind it.
    ///
    /// `decide` finds what is named, in the order of the fields; whose it is; `confirmed`; what access must allow;
    /// the codes of the row in their order; then the events.
    protocol Command: ProductCommand where Product == Learnable {}

    /// What the student's access must allow (page, Needs; R6).
    enum Need {
        case quiz, app, chat, create, publish
    }
}

/// What a command names; what is deleted, of an ended epoch or of a deleted account is not found.
extension DecisionContext<Learnable> {
    func find(_ student: Learnable.StudentID) throws(Learnable.Rejection) -> Learnable.StudentRow {
        guard let row = state.students[student], row.isActive else { throw .notFound }
        return row
    }

    func find(_ draft: Learnable.DraftID) throws(Learnable.Rejection) -> Learnable.DraftRow {
        guard let row = state.drafts[draft], state.isCurrent(row.student, row.epoch) else {
            throw .notFound
        }
        return row
    }

    func find(_ subject: Learnable.SubjectID) throws(Learnable.Rejection) -> Learnable.SubjectRow {
        guard let row = state.subjects[subject], !row.isDeleted,
            state.isCurrent(row.student, row.epoch)
        else { throw .notFound }
        return row
    }

    /// The place in order of a topic of the subject.
    func find(
        _ topic: Learnable.TopicPlace, of subject: Learnable.SubjectRow
    ) throws(Learnable.Rejection) -> Int {
        guard let index = subject.index(of: topic) else { throw .notFound }
        return index
    }

    func find(
        _ question: Learnable.QuestionID
    ) throws(Learnable.Rejection) -> Learnable.QuestionRow {
        guard let row = state.questions[question], !row.isDeleted,
            state.isCurrent(row.student, row.epoch)
        else { throw .notFound }
        return row
    }

    func find(_ quiz: Learnable.QuizID) throws(Learnable.Rejection) -> Learnable.QuizRow {
        guard let row = state.quizzes[quiz], state.isCurrent(row.student, row.epoch) else {
            throw .notFound
        }
        return row
    }

    /// Things of no epoch: always found.
    func find(_ offer: Learnable.OfferID) throws(Learnable.Rejection) -> Learnable.OfferRow {
        guard let row = state.offers[offer] else { throw .notFound }
        return row
    }
}

extension DecisionContext<Learnable> {
    func confirm(_ confirmed: Bool) throws(Learnable.Rejection) {
        if !confirmed { throw .confirmationRequired }
    }

    /// R6, R27: asked only of a student who sends the command.
    func need(
        _ need: Learnable.Need, of student: Learnable.StudentID
    ) throws(Learnable.Rejection) {
        guard actor.kind == .student else { return }
        if state.access(of: student, at: at) == .none {
            switch (state.policy.afterTrial, need) {
            case (.wholeApp, _), (.premiumFeatures, .chat), (.premiumFeatures, .publish):
                throw .subscriptionRequired
            case (.premiumFeatures, .quiz), (.premiumFeatures, .app), (.premiumFeatures, .create):
                break
            }
        }
        if need != .quiz, isDailyQuizFirst(student) { throw .dailyQuizFirst }
    }

    /// R27: the latest opening led to the daily quiz of today, and it still waits.
    private func isDailyQuizFirst(_ student: Learnable.StudentID) -> Bool {
        guard let row = state.students[student],
            let opened = state.epochs.read(row.epoch, { $0.opened }) ?? nil
        else { return false }
        let today = day(of: student)
        return opened.landing == .dailyQuiz && opened.day == today
            && state.waits(row.epoch, on: today)
    }

    /// R6: how many subjects a student without access may hold.
    func checkLimit(_ student: Learnable.StudentID) throws(Learnable.Rejection) {
        guard state.access(of: student, at: at) == .none,
            state.policy.afterTrial == .premiumFeatures
        else { return }
        if state.subjectsHeld(student) >= state.policy.freeLimit { throw .subjectLimit }
    }

    /// R1: the local day of the command.
    func day(of student: Learnable.StudentID) -> LocalDate { state.day(of: student, at: at) }
}

/// Where the events of a thing stand (page, Events).
extension DecisionContext<Learnable> {
    func stream(_ student: Learnable.StudentID) -> String {
        "learnable/student/\(names.text(student))"
    }

    func stream(_ draft: Learnable.DraftID) -> String { "learnable/draft/\(names.text(draft))" }

    func stream(_ subject: Learnable.SubjectID) -> String {
        "learnable/subject/\(names.text(subject))"
    }

    func stream(_ question: Learnable.QuestionID) -> String {
        "learnable/question/\(names.text(question))"
    }

    func stream(_ quiz: Learnable.QuizID) -> String { "learnable/quiz/\(names.text(quiz))" }

    func stream(_ offer: Learnable.OfferID) -> String { "learnable/offer/\(names.text(offer))" }

    func stream(_ promotion: Learnable.PromotionID) -> String {
        "learnable/promotion/\(names.text(promotion))"
    }
}

extension DecisionContext<Learnable> {
    /// Tells a student something, right after the last event of its cause (page, Notifications).
    func notify(
        _ student: Learnable.StudentID, _ kind: Learnable.Notification.Kind,
        _ facts: [(String, JSON)], target: String, on day: LocalDate? = nil
    ) {
        let localDay = day ?? self.day(of: student)
        record(
            Learnable.Notification.Raised.with {
                $0.student = student
                $0.notification = kind
                $0.target = target
                $0.day = localDay
                $0.facts = KeptJSON(.object(of: facts))
            }, on: stream(student))
    }

    func text<T>(_ id: Identifier<T>) -> JSON { .string(names.text(id)) }
}
