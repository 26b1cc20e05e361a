import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

/// Finds what a command names, or throws `not-found`: also for what is deleted, of an ended epoch or of a
/// deleted account.
extension DecisionContext<Learnable> {
    func find(_ student: Learnable.StudentID) throws(Learnable.Rejection) -> Learnable.StudentRow {
        try found(state.students[student], student) { $0.isActive }
    }

    func find(_ draft: Learnable.DraftID) throws(Learnable.Rejection) -> Learnable.DraftRow {
        try found(state.drafts[draft], draft) { state.isCurrent($0.student, $0.epoch) }
    }

    func find(_ subject: Learnable.SubjectID) throws(Learnable.Rejection) -> Learnable.SubjectRow {
        try found(state.subjects[subject], subject) {
            !$0.isDeleted && state.isCurrent($0.student, $0.epoch)
        }
    }

    /// The index of a topic among all of its subject.
    func find(
        _ topic: Learnable.TopicNumber, of subject: Learnable.SubjectRow
    ) throws(Learnable.Rejection) -> Int {
        guard let index = subject.index(of: topic) else {
            throw notFound("topic", "\(topic.chapter).\(topic.number)")
        }
        return index
    }

    func find(
        _ message: Learnable.MessageID, of subject: Learnable.SubjectID
    ) throws(Learnable.Rejection) -> Learnable.MessageRow {
        guard let row = state.messages[.init(subject, message)] else { throw notFound(message) }
        return row
    }

    func find(
        _ question: Learnable.QuestionID
    ) throws(Learnable.Rejection) -> Learnable.QuestionRow {
        try found(state.questions[question], question) {
            !$0.isDeleted && state.isCurrent($0.student, $0.epoch)
        }
    }

    func find(_ quiz: Learnable.QuizID) throws(Learnable.Rejection) -> Learnable.QuizRow {
        try found(state.quizzes[quiz], quiz) { state.isCurrent($0.student, $0.epoch) }
    }

    /// Offers belong to no epoch: they are always found.
    func find(_ offer: Learnable.OfferID) throws(Learnable.Rejection) -> Learnable.OfferRow {
        try found(state.offers[offer], offer)
    }

    func find(
        _ promotion: Learnable.PromotionID
    ) throws(Learnable.Rejection) -> Learnable.PromotionRow {
        try found(state.promotions[promotion], promotion)
    }
}

/// Finds what a command names, then checks that it is the sender's own and that their access allows what is
/// needed.
extension DecisionContext<Learnable> {
    @discardableResult
    func findOwn(
        _ student: Learnable.StudentID, need: Learnable.Need? = nil
    ) throws(Learnable.Rejection) -> Learnable.StudentRow {
        let row = try find(student)
        try checkOwner(student, of: student, need: need)
        return row
    }

    func findOwn(
        _ draft: Learnable.DraftID, need: Learnable.Need? = nil
    ) throws(Learnable.Rejection) -> Learnable.DraftRow {
        let row = try find(draft)
        try checkOwner(row.student, of: draft, need: need)
        return row
    }

    func findOwn(
        _ subject: Learnable.SubjectID, need: Learnable.Need? = nil
    ) throws(Learnable.Rejection) -> Learnable.SubjectRow {
        let row = try find(subject)
        try checkOwner(row.student, of: subject, need: need)
        return row
    }

    func findOwn(
        _ question: Learnable.QuestionID, need: Learnable.Need? = nil
    ) throws(Learnable.Rejection) -> Learnable.QuestionRow {
        let row = try find(question)
        try checkOwner(row.student, of: question, need: need)
        return row
    }

    func findOwn(
        _ offer: Learnable.OfferID, need: Learnable.Need? = nil
    ) throws(Learnable.Rejection) -> Learnable.OfferRow {
        let row = try find(offer)
        try checkOwner(row.student, of: offer, need: need)
        return row
    }

    private func checkOwner<T: Thing>(
        _ student: Learnable.StudentID, of thing: Identifier<T>, need: Learnable.Need?
    ) throws(Learnable.Rejection) {
        try checkOwner(student, of: thing)
        if let need { try checkNeed(need, of: student) }
    }

    /// A draft of the sender's own that is still open.
    func findOpen(
        _ draft: Learnable.DraftID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> Learnable.DraftRow {
        let row = try findOwn(draft, need: need)
        try check(row.state == .open, else: .draftClosed)
        return row
    }

    /// A topic of a subject of the sender's own that can be studied (R14), by its index.
    func findOwn(
        _ topic: Learnable.TopicNumber, of subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> (row: Learnable.SubjectRow, index: Int) {
        let row = try find(subject)
        let index = try find(topic, of: row)
        try checkOwner(row.student, of: subject, need: need)
        try check(row.state == .ready, else: .subjectNotReady)
        return (row, index)
    }

    /// The same, if it is the current topic: the one opened last (R14).
    func findCurrent(
        _ topic: Learnable.TopicNumber, of subject: Learnable.SubjectID, need: Learnable.Need
    ) throws(Learnable.Rejection) -> (row: Learnable.SubjectRow, index: Int) {
        let found = try findOwn(topic, of: subject, need: need)
        try check(found.row.current == found.index, else: .topicNotCurrent)
        return found
    }

    /// The page of a question in an open quiz of the sender's own.
    func findPage(
        of question: Learnable.QuestionID, in quiz: Learnable.QuizID
    ) throws(Learnable.Rejection) -> (row: Learnable.QuizRow, page: Learnable.QuizPage) {
        let row = try find(quiz)
        let asked = try find(question)
        try checkOwner(row.student, of: quiz)
        try checkOwner(asked.student, of: question)
        try checkNeed(.quiz, of: row.student)
        try check(row.state == .open, else: .quizClosed)
        guard let index = row.index(of: question) else { throw .notInQuiz }
        return (row, row.pages[index])
    }
}
