package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A student's progress through the programme; their personal fields are in their `PersonRow`.
    package struct StudentRow: Record {
        package var timeZone = InternedText.empty
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
        /// The sessions that they have answered or joined.
        package var sessions: [SessionID] = []
        package var appointments: [AppointmentID] = []
        package var messages: [MessageID] = []
        package var requests: [RequestID] = []

        package init() {}

        package var isAdvanced: Bool { advancedFrom != nil }
        package var current: EnrollmentID? { enrollments.last }
        package var isAwaitingPlacement: Bool { assessedAt != nil && !isPlaced }
    }
}

extension QuranFlow.State {
    static func studentRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Student.Registered.self) { $0.registered($1, $2) }
        routes.on(QuranFlow.Student.GenderCorrected.self) { correct($0, $1, $2) }
        routes.on(QuranFlow.Student.DetailsAmended.self) { state, event, metadata in
            state.people.updateExisting(state.thing(of: metadata)) {
                if let name = event.name { $0.name = name }
                if let email = event.email { $0.email = email }
                if let phone = event.phone { $0.phone = phone }
                if let photo = event.photo { $0.photo = photo }
            }
        }
    }

    private static func correct(
        _ state: QuranFlow.State, _ event: QuranFlow.Student.GenderCorrected,
        _ metadata: EventMetadata
    ) {
        state.people.updateExisting(state.thing(of: metadata)) { $0.gender = event.gender }
    }

    /// Changes the row of the student whose stream the event is on.
    func updateStudent(_ metadata: EventMetadata, _ body: (inout QuranFlow.StudentRow) -> Void) {
        students.updateExisting(thing(of: metadata), body)
    }

    private func registered(_ event: QuranFlow.Student.Registered, _ metadata: EventMetadata) {
        addPerson(event, metadata)
        let student: QuranFlow.StudentID = thing(of: metadata)
        students.update(student) { $0.timeZone = event.timeZone }
        let count = updateCatalogue { row in
            row.students += 1
            return row.students - 1
        }
        allStudents.append(student, to: .only, at: count)
    }

    /// Adds what is personal of a student who registered.
    private func addPerson(_ event: QuranFlow.Student.Registered, _ metadata: EventMetadata) {
        people.update(thing(of: metadata)) {
            $0.gender = event.gender
            $0.person = InternedText(metadata.subject)
            $0.name = event.name
            $0.email = event.email
            $0.phone = event.phone
        }
    }

    /// The student's name, or what a text says instead of an erased one's (R2).
    package func studentText(_ student: QuranFlow.StudentID) -> String {
        people[.init(student)]?.name ?? "Student"
    }
}
