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

extension QuranFlow.Programme {
    static func studentRoutes(_ routes: inout Routes<QuranFlow.Programme>) {
        routes.on(QuranFlow.Student.Registered.self) { $0.registered($1, $2) }
        routes.on(QuranFlow.Student.AssessmentSubmitted.self) { $0.assessed($1, $2) }
        routes.on(QuranFlow.Student.PlacementFellDue.self) { programme, _, event in
            programme.timers.cancel(.placementDue, on: event.stream)
        }
        routes.on(QuranFlow.Student.Placed.self) { programme, _, event in
            programme.waitNoMore(programme.thing(of: event))
            programme.change(event) { $0.isPlaced = true }
            programme.timers.cancel(.placementDue, on: event.stream)
        }
        routes.on(QuranFlow.Subscription.Reported.self) { programme, fact, event in
            programme.change(event) {
                $0.plan = fact.plan
                $0.status = fact.status
                $0.renewsOn = fact.renewsOn
            }
        }
        routes.on(QuranFlow.Payment.Recorded.self) { $0.paid($1, $2) }
        routes.on(QuranFlow.Onboarding.StepTaken.self) { programme, fact, event in
            programme.change(event) { $0.onboarding.taken.append(fact.step) }
        }
        routes.on(QuranFlow.Onboarding.StepSkipped.self) { programme, fact, event in
            programme.change(event) { $0.onboarding.skipped.append(fact.step) }
        }
        routes.on(QuranFlow.Onboarding.Completed.self) { programme, _, event in
            programme.change(event) { $0.onboarding.isComplete = true }
        }
        routes.on(QuranFlow.Settings.FontChosen.self) { programme, fact, event in
            programme.change(event) {
                $0.settings.font = fact.font
                $0.settings.fontSize = fact.size ?? $0.settings.fontSize
            }
        }
        routes.on(QuranFlow.Settings.TimeZoneChosen.self) { programme, fact, event in
            programme.change(event) {
                $0.timeZone = fact.timeZone
                $0.zoneSource = fact.source
            }
        }
        routes.on(QuranFlow.Settings.DisplayChosen.self) { programme, fact, event in
            programme.change(event) {
                $0.settings.textSize = fact.textSize
                $0.settings.appearance = fact.appearance
            }
        }
        routes.on(QuranFlow.Settings.NotificationsChosen.self) { programme, fact, event in
            programme.change(event) { $0.settings.choose(fact) }
        }
        routes.on(QuranFlow.Settings.PermissionAnswered.self) { programme, fact, event in
            programme.change(event) { $0.settings.permission = fact.granted }
        }
        routes.on(QuranFlow.Video.Progressed.self) { programme, fact, event in
            programme.progressed(fact, event)
        }
        routes.on(QuranFlow.Video.Watched.self) { programme, fact, event in
            let student: QuranFlow.StudentID = programme.thing(of: event)
            programme.progress.update(.init(student, fact.video)) { $0.isWatched = true }
        }
        routes.on(QuranFlow.Advanced.Enrolled.self) { programme, fact, event in
            programme.change(event) { $0.advancedFrom = fact.from }
        }
        routes.on(QuranFlow.Elective.Chosen.self) { programme, fact, event in
            programme.change(event) { $0.electives.append(fact.elective) }
        }
        routes.on(QuranFlow.Elective.Dropped.self) { programme, fact, event in
            programme.change(event) { row in row.electives.removeAll { $0 == fact.elective } }
        }
    }

    private func change(_ event: Circumstances, _ body: (inout QuranFlow.StudentRow) -> Void) {
        students.updateExisting(thing(of: event), body)
    }

    private func registered(_ fact: QuranFlow.Student.Registered, _ event: Circumstances) {
        addPerson(fact, event)
        let student: QuranFlow.StudentID = thing(of: event)
        students.update(student) { $0.timeZone = fact.timeZone }
        let count = catalogue { row in
            row.students += 1
            return row.students - 1
        }
        allStudents.append(student, to: .only, at: count)
    }

    private func assessed(_ fact: QuranFlow.Student.AssessmentSubmitted, _ event: Circumstances) {
        let student: QuranFlow.StudentID = thing(of: event)
        guard students.contains(student) else { return }
        waitNoMore(student)
        students.update(student) {
            $0.assessedAt = event.at
            $0.placementDueAt = fact.placementDueAt
        }
        let hour = Self.hour(fact.placementDueAt)
        waiting.update(hour) { $0.students.append(student) }
        catalogue { $0.waitingHours.insertOnce(hour) }
        timers.set(
            .placementDue, on: event.stream, due: fact.placementDueAt, cause: event.position)
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

    private func paid(_ fact: QuranFlow.Payment.Recorded, _ event: Circumstances) {
        let student: QuranFlow.StudentID = thing(of: event)
        guard let count = students.read(student, { $0.payments }) else { return }
        students.update(student) { $0.payments += 1 }
        payments.update(.init(student, fact.payment)) {
            $0.at = event.at
            $0.amount = fact.amount
            $0.currency = fact.currency
            $0.description = fact.description
        }
        paymentLists.append(fact.payment, to: student, at: count)
    }

    private func progressed(_ fact: QuranFlow.Video.Progressed, _ event: Circumstances) {
        let student: QuranFlow.StudentID = thing(of: event)
        progress.update(.init(student, fact.video)) {
            // R15: seen to its end, it begins anew.
            $0.resumeAt = fact.position == fact.seconds ? 0 : fact.position
            $0.isStarted = $0.isStarted || fact.position > 0
        }
    }
}

extension QuranFlow.SettingsState {
    fileprivate mutating func choose(_ fact: QuranFlow.Settings.NotificationsChosen) {
        push = fact.push ?? push
        email = fact.email ?? email
        feedback = fact.feedback ?? feedback
        sessions = fact.sessions ?? sessions
        announcements = fact.announcements ?? announcements
        deadlines = fact.deadlines ?? deadlines
    }
}
