package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// The state of the product: students, their sessions and subscriptions, exams and practices, and
    /// what the operator looks at.
    ///
    /// A fold of the product's events and of nothing else. It accepts every event; one about a thing that
    /// it does not know changes nothing. The handlers are beside their rows, a file for each noun.
    package final class State: HoldsPolicy {
        package static let product = Tafawoq.product
        package static let foldVersion = 6

        package let space: TableSpace
        package let names: Names
        package let timers: Timers
        /// The inactivity prompts, which every answer puts off (R45).
        let prompts: DerivedTimers

        package let policies: AdoptedPolicy<Policy>
        let adoptions: Table<Ordinal, AdoptionRow>
        package let totals: Table<Ordinal, TotalsRow>
        package let students: Table<StudentID, StudentRow>
        package let learning: Table<StudentID, LearningRow>
        package let subscriptions: Table<StudentID, SubscriptionRow>
        package let checkouts: Table<CheckoutKey, CheckoutRow>
        package let providerEvents: Table<Pair<StudentID, ProviderEventID>, Mark>
        package let cases: Table<Ordinal, CaseRow>
        package let sessions: Table<SessionID, SessionRow>
        package let devices: Table<DeviceID, DeviceRow>
        package let sittings: Table<SittingKey, SittingRow>
        package let papers: Table<SittingKey, PaperRow>
        package let answers: Table<SittingKey, AnswersRow>
        package let seen: Table<Pair<StudentID, ContentHash>, SeenRow>
        package let exams: ChunkedList<StudentID, SittingID>
        package let practices: ChunkedList<StudentID, SittingID>
        package let completedExams: ChunkedList<StudentID, SittingID>
        package let completedPractices: ChunkedList<StudentID, SittingID>
        package let milestones: ChunkedList<StudentID, MilestoneRow>
        package let notifications: Table<Pair<StudentID, Ordinal>, NotificationRow>
        package let notificationNumbers: ChunkedList<StudentID, Ordinal>
        package let studies: Table<StudyID, StudyRow>
        package let reports: Table<ReportID, ReportRow>
        package let feedbacks: Table<FeedbackID, Mark>
        package let opinions: ChunkedList<Ordinal, OpinionRow>
        package let ratings: Table<Ordinal, RatingRow>
        package let metrics: Table<Pair<Ordinal, MetricID>, MetricRow>
        let peerGroups: Table<Ordinal, PeerGroup>
        let peerScores: Table<Pair<Ordinal, StudentID>, PeerScore>
        let peers: ChunkedList<Ordinal, StudentID>
        let generationMarks: Timeline<GenerationMark>
        let paymentMarks: Timeline<PaymentMark>
        package let alerts: Timeline<AlertRow>
        package let flags: ChunkedList<Ordinal, FlagRow>
        package let entries: ChunkedList<Ordinal, LogRow>

        let legal: Table<Ordinal, LegalRow>

        /// Candidates for the owner of an address; their rows decide, so a stale entry does no harm.
        private var owners: [String: [StudentID]]?
        /// The log family of a stream, by the stream's number: its index plus one, zero while unknown.
        var families = PagedNumbers()
        private var notificationStreams: [StudentID: String] = [:]

        package init(space: TableSpace, names: Names) {
            self.space = space
            self.names = names
            timers = Timers(in: space, names: names)
            prompts = DerivedTimers(TimerName.inactivity, of: timers, in: space)
            policies = AdoptedPolicy(in: space, names: names)
            adoptions = Table("adoptions", in: space)
            totals = Table("roll", in: space)
            students = Table("students", in: space)
            learning = Table("learning", in: space)
            subscriptions = Table("subscriptions", in: space)
            checkouts = Table("checkouts", in: space)
            providerEvents = Table("provider events", in: space)
            cases = Table("payment cases", in: space)
            sessions = Table("sessions", in: space)
            devices = Table("devices", in: space)
            sittings = Table("sittings", in: space)
            papers = Table("papers", in: space)
            answers = Table("answers", in: space)
            seen = Table("questions seen", in: space)
            exams = ChunkedList("exams of students", in: space)
            practices = ChunkedList("practices of students", in: space)
            completedExams = ChunkedList("completed exams of students", in: space)
            completedPractices = ChunkedList("completed practices of students", in: space)
            milestones = ChunkedList("milestones", in: space, chunk: 16)
            notifications = Table("notices", in: space)
            notificationNumbers = ChunkedList("notices of students", in: space)
            studies = Table("study times", in: space)
            reports = Table("reports", in: space)
            feedbacks = Table("feedback", in: space)
            ratings = Table("ratings", in: space)
            metrics = Table("metrics", in: space)
            peerGroups = Table("peer groups", in: space)
            peerScores = Table("peer scores", in: space)
            peers = ChunkedList("students of peer groups", in: space)
            generationMarks = Timeline("generation marks", in: space)
            paymentMarks = Timeline("payment marks", in: space)
            alerts = Timeline("alerts", in: space)
            flags = ChunkedList("flags", in: space)
            entries = ChunkedList("log entries", in: space)
            opinions = ChunkedList("opinions", in: space)
            legal = Table("legal texts", in: space)
            prompts.follow(
                stream: { [unowned self] in notificationStream(of: StudentID($0)) },
                due: { [unowned self] in promptDue(StudentID($0)) })
        }

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            accountRoutes(&routes)
            profileRoutes(&routes)
            sessionRoutes(&routes)
            accessRoutes(&routes)
            subscriptionRoutes(&routes)
            checkoutRoutes(&routes)
            renewalRoutes(&routes)
            paymentRoutes(&routes)
            examRoutes(&routes)
            flagRoutes(&routes)
            practiceRoutes(&routes)
            questionRoutes(&routes)
            generationRoutes(&routes)
            quotaRoutes(&routes)
            notificationRoutes(&routes)
            milestoneRoutes(&routes)
            studyRoutes(&routes)
            reportRoutes(&routes)
            feedbackRoutes(&routes)
            performanceRoutes(&routes)
            alertRoutes(&routes)
            legalRoutes(&routes)
            limitRoutes(&routes)
            routes.on(PolicyAdopted.self) { $0.adopt($1, $2) }
            // Last: it reads what the others folded.
            logRoutes(&routes)
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        /// Adopts policy values, and sets the timers that depend on them again (R43 to R45).
        func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            policies.adopt(event.changes, by: metadata)
            let changed = (event.changes.members ?? []).map(\.name)
            let isReminder = changed.contains { $0.hasPrefix("week.") || $0.hasPrefix("reminder.") }
            let isLimit = changed.contains {
                $0.isExactly("limit.window") || $0.hasSuffix(".examsPerWeek")
            }
            let isMode = changed.contains { $0.isExactly("reminder.mode") }
            let isInactivity = changed.contains { $0.isExactly("engagement.inactiveDays") }
            adoptions.update(.only) { row in
                if isReminder { row.reminderAt = metadata.at }
                if isMode { row.modeAt = metadata.at }
                if isInactivity { row.inactiveDaysAt = metadata.at }
            }
            guard isReminder || isLimit || isInactivity else { return }
            for student in students.allKeys {
                if isReminder || isLimit { reconsiderReminder(of: student, metadata) }
                if isInactivity { prompts.mark(student, cause: metadata.position) }
                if isMode { setStudyReminders(of: student, metadata.position) }
            }
        }

        package func hidesPersonal(of subject: Symbol) -> Bool {
            students.read(.init(subject)) { $0.isErased } ?? false
        }

        package func didUndo() {
            policies.didUndo()
            // Numbers of what was undone are given to other texts.
            families = PagedNumbers()
            notificationStreams = [:]
        }

        // MARK: Students

        /// Whether the student registered and was not erased (R2).
        package func exists(_ student: StudentID) -> Bool {
            students.read(student) { !$0.isErased } ?? false
        }

        /// Whose address it is, among those who exist (R4).
        package func owner(ofEmail email: String) -> StudentID? {
            if owners == nil {
                var known: [String: [StudentID]] = [:]
                students.forEach { student, row in
                    if let email = row.email { known[email, default: []].append(student) }
                }
                owners = known
            }
            return owners?[email]?.first { student in
                students.read(student) {
                    !$0.isErased && ($0.email.map { $0.isExactly(email) } ?? false)
                } ?? false
            }
        }

        /// Adds the owner of a new address.
        func remember(_ email: String?, of student: StudentID) {
            guard let email, owners != nil else { return }
            owners?[email, default: []].append(student)
        }

        // MARK: Streams

        /// The stream of a thing, as text; its own, unless another noun is given.
        package func stream<T>(_ noun: String = T.noun, of id: Identifier<T>) -> String {
            "tafawoq/\(noun)/\(names.text(id))"
        }

        /// The stream that a student's reminders are timed on; the text is made once.
        func notificationStream(of student: StudentID) -> String {
            if let known = notificationStreams[student] { return known }
            let made = stream("notification", of: student)
            notificationStreams[student] = made
            return made
        }

        /// The stream of a thing, if an event was ever written to it.
        package func knownStream<T>(_ noun: String = T.noun, of id: Identifier<T>) -> Symbol? {
            names.known(stream(noun, of: id))
        }
    }
}

extension Tafawoq {
    /// Numbers of the whole product: totals of the journey, lengths of lists, and the generation queue.
    package struct TotalsRow: Record {
        package var registered = 0
        package var verified = 0
        package var profileCompleted = 0
        package var toured = 0
        package var examStarted = 0
        package var examCompleted = 0
        package var withFiveExams = 0
        package var improvedTenPoints = 0
        package var generating: [QueueEntry] = []
        package var quota: QuotaRow?
        package var generationMarks = 0
        package var paymentMarks = 0
        package var alerts = 0
        package var flags = 0
        package var feedbacks = 0
        package var entries = 0
        package var cases = 0
        /// When the last refusal without a student happened.
        package var auditedAt: Instant?

        package init() {}
    }

    /// The row of a table of which only the keys matter.
    package struct Mark: Record {
        package init() {}
    }
}

extension Tafawoq.State {
    /// The next number of something that the totals count, from 0 on.
    func count(_ path: WritableKeyPath<Tafawoq.TotalsRow, Int>) -> Int {
        totals.update(.only) { totals in
            totals[keyPath: path] += 1
            return totals[keyPath: path] - 1
        }
    }
}
