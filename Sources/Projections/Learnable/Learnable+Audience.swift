import Core
import Folding
package import LearnableEvents
package import LearnableFacts
package import Projections

/// The parties of the page's table.
extension Audience where State == Learnable.State {
    /// The student whom it is about, or whose subject, draft, question or quiz it is.
    static var own: Audience {
        .person("own") { ids, state in state.owners(ids) }
    }

    /// The buyer of an acquired offer.
    static var buyer: Audience { .person("buyer") { ids, _ in ids["buyer"] } }

    /// The buyer, whose copy it is; not the author of the subject that it was copied from.
    static var holder: Audience { .person("buyer") { ids, _ in ids["student"] } }

    static var ownAndAdmins: Audience { own.or(.admins) }
    /// The student, and the services that make what was asked for.
    static var ownAndServices: Audience { own.or(.services) }
    static var ownAdminsAndServices: Audience { ownAndAdmins.or(.services) }
}

extension Learnable.State {
    fileprivate func owners(_ ids: NamedIDs) -> [String] {
        ids["student"] + owners(ids["subject"], subjects) { $0.student }
            + owners(ids["draft"], drafts) { $0.student }
            + owners(ids["question"], questions) { $0.student }
            + owners(ids["quiz"], quizzes) { $0.student }
    }

    private func owners<T, R>(
        _ texts: [String], _ table: Table<Identifier<T>, R>,
        _ owner: (R) -> Learnable.StudentID
    ) -> [String] {
        texts.compactMap { text in
            let id: Identifier<T>? = id(text)
            return id.flatMap { table[$0] }.map { names.text(owner($0)) }
        }
    }
}

extension Learnable {
    /// Who may see what, in the order of the page. What a student learns, asks and writes is theirs alone; admins see
    /// accounts, access and trade.
    package static let audience = AudienceTable<State>(models: seenModels, events: seenEvents)

    private static let seenModels: [AudienceEntry<State>] = [
        .model(homeView, .own),
        .model(libraryView, .own),
        .model(draftView, .own),
        .model(generationView, .ownAdminsAndServices),
        .model(contentsView, .own),
        .model(lectureView, .own),
        .model(chatView, .own),
        .model(dailyQuizView, .own),
        .model(quizView, .own),
        .model(poolView, .own),
        .model(questionView, .own),
        .model(scheduleView, .own),
        .model(achievementsView, .own),
        .model(calendarView, .own),
        .model(masteryView, .own),
        .model(evaluationView, .own),
        .model(settingsView, .own),
        .model(accountView, .ownAndAdmins),
        .model(accessView, .ownAdminsAndServices),
        .model(shopView, .anyone),
        .model(offerView, .anyone),
        .model(earningsView, .ownAndAdmins),
        .model(notificationsView, .ownAdminsAndServices),
        .model(exportView, .own),
        .model(policyView, .anyone),
    ]

    private static let seenEvents: [AudienceEntry<State>] = [
        .event(Student.Joined.self, .ownAndAdmins),
        .event(Student.Relocated.self, .ownAndAdmins),
        .event(Student.StartedOver.self, .ownAndAdmins),
        .event(Account.Deleted.self, .ownAndAdmins),
        .event(App.Opened.self, .ownAndAdmins),
        .event(Study.Recorded.self, .own),
        .event(Download.Made.self, .ownAndAdmins),
        .event(Trial.Started.self, .ownAdminsAndServices),
        .event(Trial.Refused.self, .ownAdminsAndServices),
        .event(Trial.Ended.self, .ownAdminsAndServices),
        .event(Subscription.Activated.self, .ownAdminsAndServices),
        .event(Subscription.Renewed.self, .ownAdminsAndServices),
        .event(Subscription.Cancelled.self, .ownAdminsAndServices),
        .event(Subscription.Refunded.self, .ownAdminsAndServices),
        .event(Subscription.Ended.self, .ownAdminsAndServices),
        .event(Profile.Edited.self, .own),
        .event(Appearance.Chosen.self, .own),
        .event(Keyboard.Configured.self, .own),
        .event(Reminders.Configured.self, .own),
        .event(Quiz.Skipped.self, .own),
        .event(Quiz.Missed.self, .own),
        .event(Notification.Raised.self, .ownAdminsAndServices),
        .event(Draft.Started.self, .own),
        .event(Draft.Described.self, .own),
        .event(Curriculum.Requested.self, .ownAndServices),
        .event(Curriculum.Proposed.self, .ownAndServices),
        .event(Tone.Chosen.self, .own),
        .event(Tone.PreviewRequested.self, .ownAndServices),
        .event(Tone.PreviewDelivered.self, .ownAndServices),
        .event(AddOnsChosen.self, .own),
        .event(Draft.Submitted.self, .own),
        .event(Evaluation.Requested.self, .ownAndServices),
        .event(Evaluation.Delivered.self, .ownAndServices),
        .event(Draft.Discarded.self, .own),
        .event(Generation.Requested.self, .ownAndServices),
        // The lecture's page shows them when the topic is unlocked, and the answers once given (R14).
        .event(
            Topic.Delivered.self, .ownAndServices, .member("blocks", .services),
            .member("engagement", .services), .member("project", .services),
            .member("voice", .services)),
        .event(Generation.Completed.self, .ownAdminsAndServices),
        .event(Generation.Failed.self, .ownAdminsAndServices),
        .event(Generation.Retried.self, .ownAdminsAndServices),
        .event(Subject.Acquired.self, .holder.or(.admins)),
        .event(Subject.Renamed.self, .own),
        .event(Subject.Archived.self, .own),
        .event(Subject.Restored.self, .own),
        .event(Subject.Deleted.self, .own),
        .event(Subject.Completed.self, .own),
        .event(Topic.Opened.self, .own),
        .event(Topic.Bookmarked.self, .own),
        .event(Topic.Completed.self, .ownAndServices),
        .event(Engagement.Answered.self, .ownAndServices),
        .event(Engagement.Assessed.self, .ownAndServices),
        .event(Engagement.AnotherRequested.self, .ownAndServices),
        .event(
            Engagement.AnotherAsked.self, .ownAndServices,
            .member("question.answer", .services), .member("question.correct", .services),
            .member("question.explanation", .services)),
        .event(Chat.Sent.self, .ownAndServices),
        .event(Chat.Replied.self, .ownAndServices),
        .event(Chat.Cleared.self, .ownAndServices),
        .event(Question.Pooled.self, .ownAndServices, .member("variants", .services)),
        .event(Question.Scheduled.self, .own),
        .event(Question.Advanced.self, .own),
        .event(Question.Mastered.self, .own),
        .event(Question.Deleted.self, .own),
        .event(Recurrence.Disabled.self, .own),
        .event(Recurrence.Enabled.self, .own),
        .event(Quiz.Begun.self, .own),
        .event(Quiz.Answered.self, .own),
        .event(Quiz.SelfAssessed.self, .own),
        .event(Quiz.Completed.self, .own),
        .event(Quiz.Lapsed.self, .own),
        .event(Quiz.Abandoned.self, .own),
        .event(Offer.Published.self, .ownAndAdmins),
        .event(Offer.Unpublished.self, .ownAndAdmins),
        .event(
            Offer.Acquired.self, .ownAdminsAndServices.or(.buyer)),
        .event(Promotion.Announced.self, .admins),
        .event(Promotion.Withdrawn.self, .admins),
        .event(PolicyAdopted.self, .anyone),
    ]
}
