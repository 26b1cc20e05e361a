import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding
package import Projections

/// The parties of the page's table.
extension Audience where State == ExamRoom.State {
    /// The student whom it is about, or whose attempt, session or request it is.
    static var own: Audience {
        .person("own") { ids, state in state.people(ids) }
    }

    static var ownAndAdmins: Audience { own.or(.admins) }

    /// A student sees key and score of an attempt only once its results are published (R21).
    static var ownOncePublished: Audience {
        own.when("once results are published (R21)") { ids, state in state.arePublished(ids) }
            .or(.admins)
    }

    /// The account signed in on the device.
    static var signedIn: Audience {
        .party("signed in on the device") { viewer, ids, state in
            guard let account: ExamRoom.AccountID = state.id(viewer.id),
                let row = state.accounts[account]
            else { return false }
            return row.openSessions.contains { session in
                state.sessions[session].map { ids["device"].contains(state.text($0.device)) }
                    ?? false
            }
        }
    }

    static var members: Audience { .students.or(.admins) }
    static var devices: Audience { signedIn.or(.admins).or(.services) }
    static var deviceEvents: Audience { .sender.or(.admins).or(.services) }
}

extension ExamRoom.State {
    /// Whose account, attempt, session or request it is.
    fileprivate func people(_ ids: NamedIDs) -> [String] {
        let attempts = ids["attempt"].compactMap { text -> String? in
            let attempt: ExamRoom.AttemptID? = id(text)
            return attempt.flatMap { self.attempts[$0] }.map { self.text($0.student) }
        }
        let sessions = ids["session"].compactMap { text -> String? in
            let session: ExamRoom.SessionID? = id(text)
            return session.flatMap { self.sessions[$0] }.map { self.text($0.account) }
        }
        return ids["account"] + ids["student"] + ids["to"] + attempts + sessions
    }

    fileprivate func arePublished(_ ids: NamedIDs) -> Bool {
        !ids["attempt"].isEmpty
            && ids["attempt"].allSatisfy { text in
                let attempt: ExamRoom.AttemptID? = id(text)
                return attempt.flatMap { attempts[$0] }.map { isResultPublished($0) } ?? false
            }
    }

    /// An active account of the actor's role; services need none.
    fileprivate func knows(_ viewer: Viewer) -> Bool {
        guard viewer.kind == .student || viewer.kind == .admin else { return true }
        return activeAccount(viewer.id)?.row.role.rawValue == viewer.kind.rawValue
    }
}

extension ExamRoom {
    /// Who may see what of an ExamRoom, in the order of the page.
    package static let audience = AudienceTable<State>(
        knows: { viewer, state in state.knows(viewer) }, models: seenModels, events: seenEvents)

    private static let seenModels: [AudienceEntry<State>] = [
        .model(accountView, .ownAndAdmins),
        .model(studentsView, .admins),
        .model(signInView, .ownAndAdmins.or(.services)),
        .model(sessionView, .ownAndAdmins.or(.services)),
        .model(settingsView, .ownAndAdmins),
        .model(inboxView, .ownAndAdmins),
        .model(policyView, .anyone),
        .model(examsView, .admins),
        .model(imagesView, .admins.or(.services)),
        .model(examView, .admins),
        .model(previewView, .admins),
        .model(availableView, .ownAndAdmins),
        .model(attemptView, .ownAndAdmins),
        .model(
            resultView, .ownAndAdmins, .member("score", .ownOncePublished),
            .member("percent", .ownOncePublished), .member("passed", .ownOncePublished),
            .member("questions", .ownOncePublished)),
        .model(resultsView, .admins),
        .model(historyView, .ownAndAdmins, .argument("viewer", .admins)),
        .model(overviewView, .admins),
        .model(examAnalyticsView, .admins),
        .model(studentAnalyticsView, .admins),
        .model(achievementsView, .ownAndAdmins),
        .model(leaderboardView, .members, .argument("student", .ownAndAdmins)),
        .model(gamificationView, .admins),
        .model(extensionsView, .ownAndAdmins, whose: "student"),
        .model(accommodationsView, .ownAndAdmins, whose: "student"),
        .model(auditView, .admins),
        .model(auditArchivesView, .admins),
        .model(exportView, .admins),
        .model(migrationView, .admins.or(.services)),
        .model(conflictsView, .admins),
        .model(syncView, .devices),
        .model(changesView, .admins.or(.services)),
        .model(storageView, .devices),
    ]

    private static let seenEvents: [AudienceEntry<State>] = [
        .event(Account.Registered.self, .ownAndAdmins, .member("credential", .system)),
        .event(Account.Revised.self, .ownAndAdmins),
        .event(Account.CredentialReplaced.self, .ownAndAdmins, .member("credential", .system)),
        .event(Account.CredentialChanged.self, .ownAndAdmins, .member("credential", .system)),
        .event(Account.PreferenceChosen.self, .ownAndAdmins),
        .event(Account.Deleted.self, .ownAndAdmins),
        .event(Session.Started.self, .ownAndAdmins.or(.services)),
        .event(Session.Ended.self, .ownAndAdmins.or(.services)),
        .event(Violation.Recorded.self, .admins),
        .event(Exam.Created.self, .admins),
        .event(Exam.Duplicated.self, .admins),
        .event(Exam.Imported.self, .admins),
        .event(Exam.Revised.self, .admins),
        .event(Question.Added.self, .admins),
        .event(Question.Revised.self, .admins),
        .event(Question.Removed.self, .admins),
        .event(Image.Attached.self, .admins),
        .event(Image.Detached.self, .admins),
        .event(Image.Orphaned.self, .admins.or(.services)),
        .event(Exam.Published.self, .members),
        .event(Exam.Withdrawn.self, .members),
        .event(Exam.Archived.self, .admins),
        .event(Exam.Unarchived.self, .admins),
        .event(Exam.Deleted.self, .admins),
        .event(Results.Published.self, .members),
        .event(Results.Withheld.self, .members),
        .event(Seat.Blocked.self, .ownAndAdmins),
        .event(Seat.Unblocked.self, .ownAndAdmins),
        .event(Extension.Granted.self, .ownAndAdmins),
        .event(Extension.Modified.self, .ownAndAdmins),
        .event(Extension.Revoked.self, .ownAndAdmins),
        .event(Accommodation.Requested.self, .ownAndAdmins),
        .event(Accommodation.Approved.self, .ownAndAdmins),
        .event(Accommodation.Denied.self, .ownAndAdmins),
        .event(
            Attempt.Started.self, .ownAndAdmins, .member("paper.correct", .ownOncePublished),
            .member("paper.explanation", .ownOncePublished)),
        .event(Answer.Saved.self, .ownAndAdmins),
        .event(Attempt.TimeLogged.self, .ownAndAdmins),
        .event(Attempt.TimeWarned.self, .ownAndAdmins),
        .event(
            Attempt.Submitted.self, .ownAndAdmins, .member("correct", .ownOncePublished),
            .member("score", .ownOncePublished), .member("percent", .ownOncePublished),
            .member("passed", .ownOncePublished), .member("marks.correct", .ownOncePublished),
            .member("marks.points", .ownOncePublished)),
        .event(
            Attempt.Imported.self, .ownAndAdmins, .member("score", .ownOncePublished),
            .member("percent", .ownOncePublished), .member("passed", .ownOncePublished),
            .member("paper.correct", .ownOncePublished),
            .member("paper.explanation", .ownOncePublished),
            .member("marks.correct", .ownOncePublished),
            .member("marks.points", .ownOncePublished)),
        .event(Attempt.Discarded.self, .ownAndAdmins),
        .event(
            Grade.Modified.self, .ownAndAdmins, .member("oldScore", .ownOncePublished),
            .member("newScore", .ownOncePublished), .member("oldPercent", .ownOncePublished),
            .member("newPercent", .ownOncePublished), .member("passed", .ownOncePublished),
            .member("reason", .ownOncePublished)),
        .event(
            Award.PointsAwarded.self, .ownAndAdmins, .member("percent", .ownOncePublished),
            .member("points", .ownOncePublished), .member("total", .ownOncePublished)),
        .event(
            Award.PointsAdjusted.self, .ownAndAdmins, .member("oldPoints", .ownOncePublished),
            .member("newPoints", .ownOncePublished), .member("total", .ownOncePublished)),
        .event(Award.BadgeEarned.self, .ownAndAdmins, .member("basis", .ownOncePublished)),
        .event(Award.MilestoneUnlocked.self, .ownAndAdmins, .member("total", .admins)),
        .event(Export.Made.self, .admins),
        .event(Import.Applied.self, .admins),
        .event(Migration.Begun.self, .admins.or(.services)),
        .event(Item.Imported.self, .admins.or(.services)),
        .event(Item.Failed.self, .admins.or(.services)),
        .event(Item.Skipped.self, .admins.or(.services)),
        .event(Migration.Finished.self, .admins.or(.services)),
        .event(Batch.Merged.self, .deviceEvents),
        .event(Conflict.Detected.self, .admins),
        .event(Conflict.Resolved.self, .admins),
        .event(Exam.Restored.self, .admins),
        .event(Question.Restored.self, .admins),
        .event(
            Attempt.Reconciled.self, .ownAndAdmins, .member("correct", .ownOncePublished),
            .member("score", .ownOncePublished), .member("percent", .ownOncePublished),
            .member("passed", .ownOncePublished), .member("marks.correct", .ownOncePublished),
            .member("marks.points", .ownOncePublished),
            .member("previous.score", .ownOncePublished)),
        .event(Attempt.SetAside.self, .ownAndAdmins),
        .event(Attempt.Held.self, .ownAndAdmins),
        .event(Attempt.Released.self, .ownAndAdmins),
        .event(Attempt.Resubmitted.self, .ownAndAdmins),
        .event(Answer.Held.self, .ownAndAdmins),
        .event(Answer.Admitted.self, .ownAndAdmins),
        .event(Connection.Changed.self, .deviceEvents),
        .event(Sync.Begun.self, .deviceEvents),
        .event(Sync.Progressed.self, .deviceEvents),
        .event(Sync.Completed.self, .deviceEvents),
        .event(Sync.Failed.self, .deviceEvents),
        .event(Storage.Measured.self, .deviceEvents),
        .event(Audit.Archived.self, .admins),
        .event(Notification.Raised.self, .ownAndAdmins),
        .event(PolicyAdopted.self, .anyone),
    ]
}
