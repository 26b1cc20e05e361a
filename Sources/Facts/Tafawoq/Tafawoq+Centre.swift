package import Core
package import Folding
package import TafawoqEvents

extension Tafawoq {
    /// All that is so: students, their sessions and subscriptions, exams and practices, and what the
    /// operator looks at.
    ///
    /// A fold of the product's events and of nothing else. It takes facts in and never argues; a fact
    /// about a thing it does not know changes nothing. The handlers stand beside their rows.
    package final class State: HoldsPolicy {
        package static let product = Tafawoq.product
        package static let foldVersion = 2

        package let space: TableSpace
        package let names: Names
        package let timers: Timers

        package let policies: AdoptedPolicy<Policy>
        let adoptions: Table<Ordinal, AdoptionRow>
        package let roll: Table<Ordinal, RollRow>
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
        package let exams: Chain<StudentID, SittingID>
        package let practices: Chain<StudentID, SittingID>
        package let completedExams: Chain<StudentID, SittingID>
        package let completedPractices: Chain<StudentID, SittingID>
        package let milestones: Chain<StudentID, MilestoneRow>
        package let notices: Table<Pair<StudentID, Ordinal>, NoticeRow>
        package let noticeNumbers: Chain<StudentID, Ordinal>
        package let studies: Table<StudyID, StudyRow>
        package let reports: Table<ReportID, ReportRow>
        package let feedbacks: Table<FeedbackID, Mark>
        package let ratings: Table<Ordinal, RatingRow>
        package let metrics: Table<Pair<Ordinal, MetricID>, MetricRow>
        let peerGroups: Table<Ordinal, PeerGroup>
        let peerScores: Table<Pair<Ordinal, StudentID>, PeerScore>
        let peers: Chain<Ordinal, StudentID>
        let generationMarks: Timeline<GenerationMark>
        let paymentMarks: Timeline<PaymentMark>
        package let alerts: Timeline<AlertRow>
        package let flags: Chain<Ordinal, FlagRow>
        package let entries: Chain<Ordinal, LogRow>

        /// Who may have an address; the row has the last word, so that nothing here is ever wrong.
        private var owners: [String: [StudentID]]?
        /// By the stream's number, one more than the place of its family in the log.
        var families = PagedNumbers()
        private var noticeStreams: [StudentID: String] = [:]

        package init(space: TableSpace, names: Names) {
            self.space = space
            self.names = names
            timers = Timers(in: space, names: names)
            policies = AdoptedPolicy(in: space, names: names)
            adoptions = Table("adoptions", in: space)
            roll = Table("roll", in: space)
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
            exams = Chain("exams of students", in: space)
            practices = Chain("practices of students", in: space)
            completedExams = Chain("completed exams of students", in: space)
            completedPractices = Chain("completed practices of students", in: space)
            milestones = Chain("milestones", in: space, chunk: 16)
            notices = Table("notices", in: space)
            noticeNumbers = Chain("notices of students", in: space)
            studies = Table("study times", in: space)
            reports = Table("reports", in: space)
            feedbacks = Table("feedback", in: space)
            ratings = Table("ratings", in: space)
            metrics = Table("metrics", in: space)
            peerGroups = Table("peer groups", in: space)
            peerScores = Table("peer scores", in: space)
            peers = Chain("students of peer groups", in: space)
            generationMarks = Timeline("generation marks", in: space)
            paymentMarks = Timeline("payment marks", in: space)
            alerts = Timeline("alerts", in: space)
            flags = Chain("flags", in: space)
            entries = Chain("log entries", in: space)
        }

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            accountRoutes(&routes)
            sessionRoutes(&routes)
            subscriptionRoutes(&routes)
            sittingRoutes(&routes)
            endRoutes(&routes)
            noticeRoutes(&routes)
            operationRoutes(&routes)
            // Last: it looks at what the others folded.
            logRoutes(&routes)
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            policies.adopt(event.changes, by: metadata)
            let changed = (event.changes.members ?? []).map(\.name)
            let isReminder = changed.contains { $0.hasPrefix("week.") || $0.hasPrefix("reminder.") }
            let isMode = changed.contains { $0.isExactly("reminder.mode") }
            let isInactivity = changed.contains { $0.isExactly("engagement.inactiveDays") }
            adoptions.update(.only) { row in
                if isReminder { row.reminderAt = metadata.at }
                if isMode { row.modeAt = metadata.at }
                if isInactivity { row.inactiveDaysAt = metadata.at }
            }
            guard isReminder || isInactivity else { return }
            for student in students.allKeys {
                if isReminder { setReminder(of: student, metadata.position) }
                if isInactivity { setInactivity(of: student, metadata.position) }
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
            noticeStreams = [:]
        }

        // MARK: Who is there

        /// R2: registered, and not erased.
        package func exists(_ student: StudentID) -> Bool {
            students.read(student) { !$0.isErased } ?? false
        }

        /// R4: whose address it is, of those who exist.
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

        func remember(_ email: String?, of student: StudentID) {
            guard let email, owners != nil else { return }
            owners?[email, default: []].append(student)
        }

        // MARK: Where things stand

        /// The stream of a thing, as text.
        package func stream<T>(_ noun: String, _ id: Identifier<T>) -> String {
            "tafawoq/\(noun)/\(names.text(id))"
        }

        /// The stream that a student's notices are timed on; the text is made once.
        func noticeStream(of student: StudentID) -> String {
            if let known = noticeStreams[student] { return known }
            let made = stream("notification", student)
            noticeStreams[student] = made
            return made
        }

        /// The stream of a thing, if an event was ever written to it.
        package func knownStream<T>(_ noun: String, _ id: Identifier<T>) -> Symbol? {
            names.known(stream(noun, id))
        }
    }

    package typealias CheckoutKey = Pair<StudentID, CheckoutID>
    package typealias SittingKey = Pair<Ordinal, SittingID>
}

extension Tafawoq.SittingKey {
    package static func exam(_ id: Tafawoq.ExamID) -> Self { Self(.init(0), .init(id)) }

    package static func practice(_ id: Tafawoq.PracticeID) -> Self { Self(.init(1), .init(id)) }

    package init(_ kind: Tafawoq.SittingKind, _ id: Tafawoq.SittingID) {
        self.init(Ordinal(kind == .exam ? 0 : 1), id)
    }

    package var kind: Tafawoq.SittingKind { first.number == 0 ? .exam : .practice }
    package var id: Tafawoq.SittingID { second }
}
