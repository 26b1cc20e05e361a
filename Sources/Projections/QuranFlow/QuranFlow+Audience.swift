import Core
import Folding
package import Projections
package import QuranFlowEvents
package import QuranFlowFacts

/// The parties of the page's table.
extension Audience where State == QuranFlow.State {
    /// The student whom it is about, or whose enrolment, recording, appointment, message or request it is.
    static var own: Audience {
        .person("own") { ids, state in state.students(ids) }
    }

    /// The coach whom it names, whose slot or appointment it is, or of the student's enrolment: the one named, else the last.
    static var coach: Audience {
        .person("coach", .coach) { ids, state in
            ids["coach"] + state.coaches(ids) + state.coachesMet(ids)
        }
    }

    /// Whose inbox it is.
    static var recipient: Audience {
        .party("recipient") { viewer, ids, _ in
            ids["inbox", "recipient"].contains { $0.isExactly(viewer.description) }
        }
    }

    static var ownAndAdmins: Audience { own.or(.admins) }
    static var ownCoachAndAdmins: Audience { own.or(.coach).or(.admins) }
    static var coachAndAdmins: Audience { coach.or(.admins) }
    static var staff: Audience { coaches.or(.admins) }
    static var members: Audience { students.or(.staff) }
    static var payers: Audience { ownAndAdmins.or(.services) }
}

extension QuranFlow.State {
    fileprivate func students(_ ids: NamedIDs) -> [String] {
        ids["student"] + enrollments(ids).map { text($0.student) }
            + rows(ids["recording"], recordings).map { text($0.student) }
            + rows(ids["appointment"], appointments).map { text($0.student) }
    }

    /// Of the enrolment that it names, else of the students' last.
    fileprivate func coaches(_ ids: NamedIDs) -> [String] {
        let enrollments = enrollments(ids)
        if !enrollments.isEmpty { return enrollments.compactMap { $0.coach.map { text($0) } } }
        return rows(students(ids), students).compactMap(\.current).compactMap { current in
            self.enrollments[current]?.coach.map { text($0) }
        }
    }

    fileprivate func coachesMet(_ ids: NamedIDs) -> [String] {
        rows(ids["slot", "fromSlot"], slots).map { text($0.coach) }
            + rows(ids["appointment"], appointments).map { text($0.coach) }
    }

    /// Streams of End of Course Assessments are called after their enrolment.
    private func enrollments(_ ids: NamedIDs) -> [QuranFlow.EnrollmentRow] {
        rows(ids["enrollment", "eoc"], enrollments)
    }

    private func rows<T, R>(_ texts: [String], _ table: Table<Identifier<T>, R>) -> [R] {
        texts.compactMap { text in
            let id: Identifier<T>? = id(text)
            return id.flatMap { table[$0] }
        }
    }

    /// A coach who acts is known and not retired (R1).
    fileprivate func knows(_ viewer: Viewer) -> Bool {
        guard viewer.kind == .coach else { return true }
        guard let coach: QuranFlow.CoachID = id(viewer.id) else { return false }
        return coaches.contains(coach) && !isRetired(coach) && isPresent(.init(coach))
    }
}

extension QuranFlow {
    /// Who may see what of the programme, in the order of the page.
    package static let audience = AudienceTable<State>(
        knows: { viewer, state in state.knows(viewer) }, models: seenModels, events: seenEvents)

    private static let seenModels: [AudienceEntry<State>] = [
        .model(todayView, .ownAndAdmins),
        .model(learnView, .ownCoachAndAdmins),
        .model(weekView, .ownCoachAndAdmins),
        .model(submissionCheckView, .ownAndAdmins),
        .model(eocView, .ownCoachAndAdmins),
        .model(scheduleView, .ownAndAdmins),
        .model(sessionView, .ownCoachAndAdmins, whose: "student"),
        .model(sessionRecordingsView, .ownAndAdmins),
        .model(submissionsView, .ownCoachAndAdmins),
        .model(notificationsView, .recipient.or(.admins)),
        .model(onboardingView, .ownAndAdmins),
        .model(profileView, .ownAndAdmins),
        .model(settingsView, .ownAndAdmins),
        .model(learningHistoryView, .ownCoachAndAdmins),
        .model(appointmentsView, .ownCoachAndAdmins),
        .model(appointmentSlotsView, .ownAndAdmins),
        .model(workQueueView, .coachAndAdmins),
        .model(placementQueueView, .staff),
        .model(cohortView, .admins),
        .model(curriculumView, .staff),
        .model(resourcesView, .members),
        .model(helpRequestsView, .admins),
        .model(helpView, .ownAndAdmins),
        .model(paymentsView, .ownAndAdmins),
        .model(unassignedView, .admins),
        .model(policyView, .anyone),
    ]

    private static let seenEvents: [AudienceEntry<State>] = [
        .event(Semester.Scheduled.self, .members),
        .event(Lesson.Published.self, .staff),
        .event(Lesson.Revised.self, .staff),
        .event(EOC.Defined.self, .staff),
        .event(Orientation.Published.self, .members),
        .event(Resource.Published.self, .members),
        .event(Resource.Withdrawn.self, .members),
        .event(Announcement.Posted.self, .admins),
        .event(Coach.Registered.self, .coachAndAdmins),
        .event(Coach.Introduced.self, .coachAndAdmins),
        .event(Coach.Retired.self, .admins),
        .event(Enrollment.CoachUnassigned.self, .ownCoachAndAdmins),
        .event(Student.Registered.self, .payers),
        .event(Student.DetailsAmended.self, .ownAndAdmins),
        .event(Student.GenderCorrected.self, .ownAndAdmins),
        .event(Student.AssessmentSubmitted.self, .own.or(.staff)),
        .event(Student.PlacementFellDue.self, .staff),
        .event(Student.Placed.self, .ownCoachAndAdmins),
        .event(Subscription.Reported.self, .payers),
        .event(Payment.Recorded.self, .payers),
        .event(Onboarding.StepTaken.self, .ownAndAdmins),
        .event(Onboarding.StepSkipped.self, .ownAndAdmins),
        .event(Onboarding.Completed.self, .ownAndAdmins),
        .event(Settings.FontChosen.self, .ownAndAdmins),
        .event(Settings.TimeZoneChosen.self, .ownAndAdmins),
        .event(Settings.DisplayChosen.self, .ownAndAdmins),
        .event(Settings.NotificationsChosen.self, .ownAndAdmins),
        .event(Settings.PermissionAnswered.self, .ownAndAdmins),
        .event(Enrollment.Opened.self, .ownCoachAndAdmins),
        .event(Enrollment.CoachAssigned.self, .ownCoachAndAdmins),
        .event(Enrollment.Withdrawn.self, .ownCoachAndAdmins, .member("reason", .ownAndAdmins)),
        .event(Enrollment.Lapsed.self, .ownCoachAndAdmins),
        .event(Enrollment.Graduated.self, .ownCoachAndAdmins),
        .event(Week.Unlocked.self, .ownCoachAndAdmins),
        .event(Lesson.Completed.self, .ownCoachAndAdmins),
        .event(Lesson.Reopened.self, .ownCoachAndAdmins),
        .event(EOC.Unlocked.self, .ownCoachAndAdmins),
        .event(Video.Progressed.self, .ownAndAdmins),
        .event(Video.Watched.self, .ownAndAdmins),
        .event(Recording.Submitted.self, .ownCoachAndAdmins),
        .event(Recording.FeedbackFellDue.self, .coachAndAdmins),
        .event(Recording.FeedbackGiven.self, .ownCoachAndAdmins),
        .event(Recording.FeedbackReviewed.self, .ownCoachAndAdmins),
        .event(Recording.CommentPosted.self, .ownCoachAndAdmins),
        .event(EOC.Submitted.self, .ownCoachAndAdmins),
        .event(EOC.ResultsFellDue.self, .coachAndAdmins),
        .event(EOC.Evaluated.self, .ownCoachAndAdmins),
        .event(EOC.ResultsReviewed.self, .ownCoachAndAdmins),
        .event(Advanced.Enrolled.self, .ownCoachAndAdmins),
        .event(Elective.Offered.self, .members),
        .event(Elective.Chosen.self, .ownAndAdmins),
        .event(Elective.Dropped.self, .ownAndAdmins),
        .event(Slot.Offered.self, .coachAndAdmins),
        .event(Slot.Withdrawn.self, .coachAndAdmins),
        .event(Appointment.Booked.self, .ownCoachAndAdmins),
        .event(Appointment.Rescheduled.self, .ownCoachAndAdmins),
        .event(Appointment.Cancelled.self, .ownCoachAndAdmins),
        .event(Appointment.Held.self, .ownCoachAndAdmins),
        .event(Appointment.Missed.self, .ownCoachAndAdmins),
        .event(Session.Scheduled.self, .members, .member("joinUrl", .staff)),
        .event(Session.Moved.self, .members),
        .event(Session.Cancelled.self, .members),
        .event(Session.RecordingPublished.self, .staff),
        .event(Session.RSVPMade.self, .own.or(.staff)),
        .event(Session.RSVPWithdrawn.self, .own.or(.staff)),
        .event(Session.Joined.self, .own.or(.staff)),
        .event(Message.Sent.self, .ownCoachAndAdmins),
        .event(SupportRequest.Requested.self, .ownAndAdmins),
        .event(Help.Replied.self, .ownCoachAndAdmins),
        .event(Notification.Raised.self, .recipient.or(.admins)),
        .event(Notification.Opened.self, .recipient.or(.admins)),
        .event(PolicyAdopted.self, .anyone),
    ]
}
