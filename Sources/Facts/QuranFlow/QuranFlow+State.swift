package import Core
package import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// The state: calendar and lessons, who takes part, and how far they are.
    ///
    /// A fold of the product's events and of nothing else. It applies events and never refuses one; the
    /// handlers are beside their rows, one file a noun.
    package final class State: HoldsPolicy {
        package static let product = QuranFlow.product
        package static let foldVersion = 4

        package let space: TableSpace
        package let names: Names
        package let timers: Timers

        package let policies: AdoptedPolicy<Policy>
        package let catalogues: Table<Ordinal, CatalogueRow>
        package let semesters: Table<SemesterID, SemesterRow>
        package let lessons: Table<LessonKey, LessonRow>
        package let eocs: Table<Ordinal, EOCDefinitionRow>
        package let videos: Table<VideoID, VideoRow>
        package let resources: Table<ResourceID, ResourceRow>
        package let announcements: Table<AnnouncementID, AnnouncementRow>
        package let electives: Table<ElectiveID, ElectiveRow>
        package let people: Table<PersonID, PersonRow>
        package let inboxes: Table<PersonID, InboxRow>
        package let notifications: Table<Pair<PersonID, Ordinal>, NotificationRow>
        package let coaches: Table<CoachID, CoachRow>
        package let students: Table<StudentID, StudentRow>
        package let allStudents: ChunkedList<Ordinal, StudentID>
        package let waiting: Table<Ordinal, WaitingHour>
        package let payments: Table<Pair<StudentID, PaymentID>, PaymentRow>
        package let paymentLists: ChunkedList<StudentID, PaymentID>
        package let enrollments: Table<EnrollmentID, EnrollmentRow>
        package let cohorts: ChunkedList<SemesterID, EnrollmentID>
        package let charges: ChunkedList<CoachID, EnrollmentID>
        package let recordings: Table<RecordingID, RecordingRow>
        package let comments: Table<Pair<RecordingID, Ordinal>, CommentRow>
        package let attempts: Table<Pair<EnrollmentID, Ordinal>, EOCAttemptRow>
        package let progress: Table<Pair<StudentID, VideoID>, ProgressRow>
        package let sessions: Table<SessionID, SessionRow>
        package let sessionDays: Table<Ordinal, SessionDay>
        package let attendances: Table<Pair<SessionID, StudentID>, AttendanceRow>
        package let attendees: ChunkedList<SessionID, StudentID>
        package let slots: Table<SlotID, SlotRow>
        package let slotDays: Table<Ordinal, SlotDay>
        package let appointments: Table<AppointmentID, AppointmentRow>
        package let messages: Table<MessageID, MessageRow>
        package let requests: Table<RequestID, RequestRow>
        package let messageReplies: Table<Pair<MessageID, Ordinal>, ReplyRow>
        package let requestReplies: Table<Pair<RequestID, Ordinal>, ReplyRow>
        package let help: ChunkedList<Ordinal, HelpEntry>

        /// The thing behind a stream's name, by the stream's number.
        private var thingsOfStreams = PagedNumbers()

        package init(space: TableSpace, names: Names) {
            self.space = space
            self.names = names
            timers = Timers(in: space, names: names)
            policies = AdoptedPolicy(in: space, names: names)
            catalogues = Table("catalogue", in: space)
            semesters = Table("semesters", in: space)
            lessons = Table("lessons", in: space)
            eocs = Table("end of course assessments", in: space)
            videos = Table("videos", in: space)
            resources = Table("resources", in: space)
            announcements = Table("announcements", in: space)
            electives = Table("electives", in: space)
            people = Table("people", in: space)
            inboxes = Table("inboxes", in: space)
            notifications = Table("notices", in: space)
            coaches = Table("coaches", in: space)
            students = Table("students", in: space)
            allStudents = ChunkedList("all students", in: space)
            waiting = Table("students who wait", in: space)
            payments = Table("payments", in: space)
            paymentLists = ChunkedList("lists of payments", in: space, chunk: 16)
            enrollments = Table("enrollments", in: space)
            cohorts = ChunkedList("cohorts", in: space)
            charges = ChunkedList("enrollments of coaches", in: space)
            recordings = Table("recordings", in: space)
            comments = Table("comments", in: space)
            attempts = Table("attempts", in: space)
            progress = Table("progress", in: space)
            sessions = Table("sessions", in: space)
            sessionDays = Table("days of sessions", in: space)
            attendances = Table("attendances", in: space)
            attendees = ChunkedList("attendees", in: space, chunk: 32)
            slots = Table("slots", in: space)
            slotDays = Table("days of slots", in: space)
            appointments = Table("appointments", in: space)
            messages = Table("messages", in: space)
            requests = Table("support requests", in: space)
            messageReplies = Table("replies to messages", in: space)
            requestReplies = Table("replies to support requests", in: space)
            help = ChunkedList("help", in: space)
        }

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            routes.on(PolicyAdopted.self) { $0.adopt($1, $2) }
            semesterRoutes(&routes)
            lessonRoutes(&routes)
            eocRoutes(&routes)
            orientationRoutes(&routes)
            resourceRoutes(&routes)
            announcementRoutes(&routes)
            electiveRoutes(&routes)
            advancedRoutes(&routes)
            videoRoutes(&routes)
            personRoutes(&routes)
            coachRoutes(&routes)
            studentRoutes(&routes)
            placementRoutes(&routes)
            billingRoutes(&routes)
            onboardingRoutes(&routes)
            settingsRoutes(&routes)
            notificationRoutes(&routes)
            enrollmentRoutes(&routes)
            weekRoutes(&routes)
            recordingRoutes(&routes)
            feedbackRoutes(&routes)
            slotRoutes(&routes)
            appointmentRoutes(&routes)
            sessionRoutes(&routes)
            attendanceRoutes(&routes)
            helpRoutes(&routes)
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        private func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            policies.adopt(event.changes, by: metadata)
            if event.changes["advancedEnrollmentOpensOn"] != nil { awaitAdvanced(metadata) }
        }

        package func hidesPersonal(of subject: Symbol) -> Bool {
            people.read(PersonID(subject)) { $0.isErased } ?? false
        }

        package func didUndo() {
            policies.didUndo()
            // Numbers of what was undone are given to other texts.
            thingsOfStreams = PagedNumbers()
        }

        /// The id at the end of the name of an event's stream; for an inbox, its owner's.
        func thing<T>(of metadata: EventMetadata) -> Identifier<T> {
            let known = thingsOfStreams[Int(metadata.stream.number)]
            if known != 0 { return Identifier(Symbol(number: known)) }
            let stream = names.text(metadata.stream)
            let isInbox = stream.hasPrefix(Self.inboxPrefix)
            let name =
                isInbox
                ? stream.dropFirst(Self.inboxPrefix.count).drop { $0 != ":" }.dropFirst()
                : stream[
                    (stream.lastIndex(of: "/").map(stream.index(after:)) ?? stream.startIndex)...]
            guard
                let symbol = names.known(String(name), shortlyBefore: metadata.stream)
            else { return .none }
            thingsOfStreams[Int(metadata.stream.number)] = symbol.number
            return Identifier(symbol)
        }

        private static let inboxPrefix = "quranflow/inbox/"

        /// The stream of a thing, if it has events.
        func stream<T: Thing>(of id: Identifier<T>) -> Symbol? {
            names.known("quranflow/\(T.noun)/\(names.text(id))")
        }

        /// The stream of an enrolment's assessment, if it has events.
        func eocStream(_ enrollment: EnrollmentID) -> Symbol? {
            names.known("quranflow/eoc/\(names.text(enrollment))")
        }
    }

    /// Lists of the things that are few, in order of publication.
    package struct CatalogueRow: Record {
        package var semesters: [SemesterID] = []
        package var orientation: [VideoID] = []
        package var resources: [ResourceID] = []
        package var electives: [ElectiveID] = []
        package var housewarmings: [SessionID] = []
        /// Sessions with a recording.
        package var recorded: [SessionID] = []
        /// UTC days on which sessions, and slots, start; ascending.
        package var sessionDays: [Ordinal] = []
        package var slotDays: [Ordinal] = []
        /// Hours since 1970 in which placements fall due that students wait for; ascending.
        package var waitingHours: [Ordinal] = []
        /// The lengths of the lists of all students and of all calls for help.
        package var students = 0
        package var help = 0

        package init() {}
    }
}

extension QuranFlow.State {
    /// The lists as they are.
    package var catalogue: QuranFlow.CatalogueRow { catalogues[.only] ?? .init() }

    /// Changes the lists.
    func updateCatalogue<R>(_ body: (inout QuranFlow.CatalogueRow) -> R) -> R {
        catalogues.update(.only, body)
    }

    /// The UTC day of an instant: sessions and slots are listed by it.
    static func day(_ instant: Instant) -> Ordinal { Ordinal(Int(instant.utcDate.days)) }
}

extension [Ordinal] {
    /// The index of the first element that is not below the bound; the array is ascending.
    func firstIndex(from bound: Ordinal) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < bound.number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts an element that is not there yet, in order.
    mutating func insertOnce(_ element: Ordinal) {
        let index = firstIndex(from: element)
        if index == count || self[index] != element { insert(element, at: index) }
    }
}
