package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    package struct StudentRow: Record {
        package var timeZone = Word.empty
        package var zoneSource: Settings.ZoneSource?
        package var assessedAt: Instant?
        package var placementDueAt = Instant.epoch
        package var isPlaced = false
        /// In the order in which they were opened: the last is the current one (R3).
        package var enrollments: [EnrollmentID] = []
        /// The Level 4 enrolment that led to Advanced (R23).
        package var advancedFrom: EnrollmentID?
        package var electives: [ElectiveID] = []
        package var onboarding = OnboardingState()
        package var settings = SettingsState()
        package var plan: String?
        package var status: Subscription.Status?
        package var renewsOn: LocalDate?
        package var payments = 0
        /// Those with an RSVP or a join of theirs.
        package var sessions: [SessionID] = []
        package var appointments: [AppointmentID] = []
        package var messages: [MessageID] = []
        package var requests: [RequestID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("timeZone", &timeZone)
            coder.field("zoneSource", &zoneSource)
            coder.field("assessedAt", &assessedAt)
            coder.field("placementDueAt", &placementDueAt)
            coder.field("isPlaced", &isPlaced)
            coder.field("enrollments", &enrollments)
            coder.field("advancedFrom", &advancedFrom)
            coder.field("electives", &electives)
            coder.field("onboarding", &onboarding)
            coder.field("settings", &settings)
            coder.field("plan", &plan)
            coder.field("status", &status)
            coder.field("renewsOn", &renewsOn)
            coder.field("payments", &payments)
            coder.field("sessions", &sessions)
            coder.field("appointments", &appointments)
            coder.field("messages", &messages)
            coder.field("requests", &requests)
        }

        package var isAdvanced: Bool { advancedFrom != nil }
        package var current: EnrollmentID? { enrollments.last }
        package var isAwaitingPlacement: Bool { assessedAt != nil && !isPlaced }
    }

    /// How far the set-up is (R13).
    package struct OnboardingState: Record {
        package var taken: [Int] = []
        package var skipped: [Int] = []
        package var isComplete = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("taken", &taken)
            coder.field("skipped", &skipped)
            coder.field("isComplete", &isComplete)
        }

        /// R13: the lowest step neither taken nor skipped; nil when all are done.
        package var next: Int? {
            (1...Onboarding.Step.allCases.count).first {
                !taken.contains($0) && !skipped.contains($0)
            }
        }
    }

    /// What a student chose; what they did not choose is at its default.
    package struct SettingsState: Record {
        package var font: String?
        package var fontSize: Int?
        package var textSize = 100
        package var appearance = Settings.Appearance.system
        package var push = true
        package var email = true
        package var feedback = true
        package var sessions = true
        package var announcements = true
        package var deadlines = true
        /// The phone's answer; nil until asked.
        package var permission: Bool?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("font", &font)
            coder.field("fontSize", &fontSize)
            coder.field("textSize", &textSize)
            coder.field("appearance", &appearance)
            coder.field("push", &push)
            coder.field("email", &email)
            coder.field("feedback", &feedback)
            coder.field("sessions", &sessions)
            coder.field("announcements", &announcements)
            coder.field("deadlines", &deadlines)
            coder.field("permission", &permission)
        }

        /// The size is the last given, else this (R14).
        package static let defaultFontSize = 28

        /// Whether notifications of a category are wanted.
        package func wants(_ category: Notification.Category) -> Bool {
            switch category {
            case .always: true
            case .deadlines: deadlines
            case .feedback: feedback
            case .sessions: sessions
            case .announcements: announcements
            }
        }

        /// Page, Notifications: e-mail by its switch; push by its switch unless permission was refused.
        package var channels: [Notification.Channel] {
            (email ? [.email] : []) + (push && permission != false ? [.push] : [])
        }
    }

    /// Those whose placement falls due in the same hour; none is placed or erased.
    package struct WaitingHour: Record {
        package var students: [StudentID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("students", &students)
        }
    }

    package struct PaymentRow: Record {
        package var at = Instant.epoch
        package var amount = 0
        package var currency = Word.empty
        package var description = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("amount", &amount)
            coder.field("currency", &currency)
            coder.field("description", &description)
        }
    }

    /// One student's progress in one video (R15).
    package struct ProgressRow: Record {
        package var resumeAt = 0
        /// A position after the beginning was reported.
        package var isStarted = false
        package var isWatched = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("resumeAt", &resumeAt)
            coder.field("isStarted", &isStarted)
            coder.field("isWatched", &isWatched)
        }
    }
}

extension QuranFlow.State {
    static func studentRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Student.Registered.self) { $0.registered($1, $2) }
        routes.on(QuranFlow.Student.AssessmentSubmitted.self) { $0.assessed($1, $2) }
        routes.on(QuranFlow.Student.PlacementFellDue.self) { state, _, metadata in
            state.timers.cancel(.placementDue, on: metadata.stream)
        }
        routes.on(QuranFlow.Student.Placed.self) { state, _, metadata in
            state.waitNoMore(state.thing(of: metadata))
            state.change(metadata) { $0.isPlaced = true }
            state.timers.cancel(.placementDue, on: metadata.stream)
        }
        routes.on(QuranFlow.Subscription.Reported.self) { state, event, metadata in
            state.change(metadata) {
                $0.plan = event.plan
                $0.status = event.status
                $0.renewsOn = event.renewsOn
            }
        }
        routes.on(QuranFlow.Payment.Recorded.self) { $0.paid($1, $2) }
        routes.on(QuranFlow.Onboarding.StepTaken.self) { state, event, metadata in
            state.change(metadata) { $0.onboarding.taken.append(event.step) }
        }
        routes.on(QuranFlow.Onboarding.StepSkipped.self) { state, event, metadata in
            state.change(metadata) { $0.onboarding.skipped.append(event.step) }
        }
        routes.on(QuranFlow.Onboarding.Completed.self) { state, _, metadata in
            state.change(metadata) { $0.onboarding.isComplete = true }
        }
        routes.on(QuranFlow.Settings.FontChosen.self) { state, event, metadata in
            state.change(metadata) {
                $0.settings.font = event.font
                $0.settings.fontSize = event.size ?? $0.settings.fontSize
            }
        }
        routes.on(QuranFlow.Settings.TimeZoneChosen.self) { state, event, metadata in
            state.change(metadata) {
                $0.timeZone = event.timeZone
                $0.zoneSource = event.source
            }
        }
        routes.on(QuranFlow.Settings.DisplayChosen.self) { state, event, metadata in
            state.change(metadata) {
                $0.settings.textSize = event.textSize
                $0.settings.appearance = event.appearance
            }
        }
        routes.on(QuranFlow.Settings.NotificationsChosen.self) { state, event, metadata in
            state.change(metadata) { $0.settings.choose(event) }
        }
        routes.on(QuranFlow.Settings.PermissionAnswered.self) { state, event, metadata in
            state.change(metadata) { $0.settings.permission = event.granted }
        }
        routes.on(QuranFlow.Video.Progressed.self) { state, event, metadata in
            state.progressed(event, metadata)
        }
        routes.on(QuranFlow.Video.Watched.self) { state, event, metadata in
            let student: QuranFlow.StudentID = state.thing(of: metadata)
            state.progress.update(.init(student, event.video)) { $0.isWatched = true }
        }
        routes.on(QuranFlow.Advanced.Enrolled.self) { state, event, metadata in
            state.change(metadata) { $0.advancedFrom = event.from }
        }
        routes.on(QuranFlow.Elective.Chosen.self) { state, event, metadata in
            state.change(metadata) { $0.electives.append(event.elective) }
        }
        routes.on(QuranFlow.Elective.Dropped.self) { state, event, metadata in
            state.change(metadata) { row in row.electives.removeAll { $0 == event.elective } }
        }
    }

    private func change(_ metadata: EventMetadata, _ body: (inout QuranFlow.StudentRow) -> Void) {
        students.updateExisting(thing(of: metadata), body)
    }

    private func registered(_ event: QuranFlow.Student.Registered, _ metadata: EventMetadata) {
        addPerson(event, metadata)
        let student: QuranFlow.StudentID = thing(of: metadata)
        students.update(student) { $0.timeZone = event.timeZone }
        let count = catalogue { row in
            row.students += 1
            return row.students - 1
        }
        allStudents.append(student, to: .only, at: count)
    }

    private func assessed(_ event: QuranFlow.Student.AssessmentSubmitted, _ metadata: EventMetadata)
    {
        let student: QuranFlow.StudentID = thing(of: metadata)
        guard students.contains(student) else { return }
        waitNoMore(student)
        students.update(student) {
            $0.assessedAt = metadata.at
            $0.placementDueAt = event.placementDueAt
        }
        let hour = Self.hour(event.placementDueAt)
        waiting.update(hour) { $0.students.append(student) }
        catalogue { $0.waitingHours.insertOnce(hour) }
        timers.set(
            .placementDue, on: metadata.stream, due: event.placementDueAt, cause: metadata.position)
    }

    /// Placed, or erased (R2): the student leaves the queue.
    func waitNoMore(_ student: QuranFlow.StudentID) {
        guard let row = students[student], row.isAwaitingPlacement else { return }
        let hour = Self.hour(row.placementDueAt)
        var isEmpty = false
        waiting.updateExisting(hour) { row in
            row.students.removeAll { $0 == student }
            isEmpty = row.students.isEmpty
        }
        guard isEmpty else { return }
        waiting.remove(hour)
        catalogue { row in row.waitingHours.removeAll { $0 == hour } }
    }

    /// Those who wait for a placement, in the order of the hours in which it is due.
    package var studentsWhoWait: [QuranFlow.StudentID] {
        catalogue.waitingHours.flatMap { waiting[$0]?.students ?? [] }
    }

    private static func hour(_ instant: Instant) -> Ordinal { Ordinal(Int(instant.seconds / 3600)) }

    private func paid(_ event: QuranFlow.Payment.Recorded, _ metadata: EventMetadata) {
        let student: QuranFlow.StudentID = thing(of: metadata)
        guard let count = students.read(student, { $0.payments }) else { return }
        students.update(student) { $0.payments += 1 }
        payments.update(.init(student, event.payment)) {
            $0.at = metadata.at
            $0.amount = event.amount
            $0.currency = event.currency
            $0.description = event.description
        }
        paymentLists.append(event.payment, to: student, at: count)
    }

    private func progressed(_ event: QuranFlow.Video.Progressed, _ metadata: EventMetadata) {
        let student: QuranFlow.StudentID = thing(of: metadata)
        progress.update(.init(student, event.video)) {
            // R15: seen to its end, it begins anew.
            $0.resumeAt = event.position == event.seconds ? 0 : event.position
            $0.isStarted = $0.isStarted || event.position > 0
        }
    }
}

extension QuranFlow.SettingsState {
    fileprivate mutating func choose(_ event: QuranFlow.Settings.NotificationsChosen) {
        push = event.push ?? push
        email = event.email ?? email
        feedback = event.feedback ?? feedback
        sessions = event.sessions ?? sessions
        announcements = event.announcements ?? announcements
        deadlines = event.deadlines ?? deadlines
    }
}
