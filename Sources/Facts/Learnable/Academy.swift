package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// All that is so in Learnable: students, what they made, their pools and what became due when.
    ///
    /// A fold of the product's events and of nothing else. It takes facts in and never argues; the
    /// handlers stand one file a noun. What belongs to an epoch is found through the epoch's own number,
    /// so that a student who starts over leaves everything behind in one step (R45).
    package final class State: HoldsPolicy {
        package static let product = Learnable.product
        package static let foldVersion = 2

        package let space: TableSpace
        package let names: Names
        package let timers: Timers

        package let policies: AdoptedPolicy<Policy>
        /// The latest `at` of an adoption (R44).
        let policyMoments: Table<Ordinal, Adoption>
        package let students: Table<StudentID, StudentRow>
        package let epochs: Table<Ordinal, EpochRow>
        let epochCounts: Table<Ordinal, EpochCount>
        let endedKeys: Table<StudentID, Mark>
        package let trialDevices: Table<Identifier<Device>, Mark>
        package let studies: Table<Ordinal, StudyRow>
        package let studyEntries: Chain<Ordinal, StudyEntry>
        package let notices: Chain<Ordinal, NoticeRow>
        package let drafts: Table<DraftID, DraftRow>
        package let subjects: Table<SubjectID, SubjectRow>
        package let contents: Table<Pair<SubjectID, Ordinal>, TopicContent>
        package let topics: Table<Pair<SubjectID, Ordinal>, TopicRow>
        package let messages: Table<Pair<SubjectID, MessageID>, MessageRow>
        package let questions: Table<QuestionID, QuestionRow>
        package let variants: Table<QuestionID, VariantsRow>
        package let pools: Chain<Ordinal, QuestionID>
        /// What left an epoch's pool, so that a page of it is found without reading the rest.
        let poolGaps: Table<Ordinal, PoolGaps>
        package let dues: Table<Pair<Ordinal, Ordinal>, DueRow>
        package let quizzes: Table<QuizID, QuizRow>
        package let quizLists: Chain<Ordinal, QuizID>
        package let offers: Table<OfferID, OfferRow>
        package let offerLists: Chain<StudentID, OfferID>
        package let sales: Chain<StudentID, Sale>
        package let promotions: Table<PromotionID, PromotionRow>

        package init(space: TableSpace, names: Names) {
            self.space = space
            self.names = names
            timers = Timers(in: space, names: names)
            policies = AdoptedPolicy(in: space, names: names)
            policyMoments = Table("policy moments", in: space)
            students = Table("students", in: space)
            epochs = Table("epochs", in: space)
            epochCounts = Table("epoch counts", in: space)
            endedKeys = Table("ended keys", in: space)
            trialDevices = Table("devices of trials", in: space)
            studies = Table("studies", in: space)
            studyEntries = Chain("study entries", in: space, chunk: 16)
            notices = Chain("notifications", in: space, chunk: 16)
            drafts = Table("drafts", in: space)
            subjects = Table("subjects", in: space)
            contents = Table("topic contents", in: space)
            topics = Table("topics", in: space)
            messages = Table("messages", in: space)
            questions = Table("questions", in: space)
            variants = Table("variants", in: space)
            pools = Chain("pools", in: space)
            poolGaps = Table("gaps in pools", in: space)
            dues = Table("due questions", in: space)
            quizzes = Table("quizzes", in: space)
            quizLists = Chain("lists of quizzes", in: space)
            offers = Table("offers", in: space)
            offerLists = Chain("offers of students", in: space, chunk: 16)
            sales = Chain("sales", in: space, chunk: 16)
            promotions = Table("promotions", in: space)
        }

        /// By the symbol of the name.
        private var zones: [Symbol: TimeZoneRules] = [:]

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            studentRoutes(&routes)
            accessRoutes(&routes)
            settingsRoutes(&routes)
            draftRoutes(&routes)
            subjectRoutes(&routes)
            lectureRoutes(&routes)
            questionRoutes(&routes)
            quizRoutes(&routes)
            offerRoutes(&routes)
            routes.on(PolicyAdopted.self) { $0.adopt($1, $2) }
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        /// R47: what was recorded stays; only reminders that are still to come move, and these only when a
        /// value that they hang on is another one. That no reminder may stand before the adoption moves
        /// none: what was due before it is spent.
        private func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            let former = policy
            policies.adopt(event.changes, by: metadata)
            policyMoments.update(.only) { $0.latest = max($0.latest, metadata.at) }
            guard policy.remindsOtherwise(than: former) else { return }
            for student in students.allKeys.sorted(by: { $0.denseNumber < $1.denseNumber }) {
                setReminders(of: student, cause: metadata.position)
            }
        }

        package func hidesPersonal(of subject: Symbol) -> Bool {
            endedKeys.contains(StudentID(subject))
        }

        /// R45: each epoch has a key of its own; the first one's is the student's.
        package func keyHolder(of person: Symbol) -> Symbol {
            guard let number = students.read(StudentID(person), { $0.epochNumber }), number > 1
            else { return person }
            return names.intern("\(names.text(person))/\(number)")
        }

        package func didUndo() {
            policies.didUndo()
            // Numbers of what was undone are given to other texts.
            zones = [:]
        }
    }

    package enum Device: Thing {
        package static let noun = "device"
        package static let isTagged = false
    }

    struct Adoption: Record {
        var latest = Instant.epoch

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("latest", &latest)
        }
    }
}

extension Routes<Learnable.State> {
    /// Folds events of type `P`; whatever they say, the student's reminders follow (R44).
    mutating func fold<P: Learnable.Carried>(
        _ type: P.Type,
        _ handle: @escaping @Sendable (Learnable.State, P, EventMetadata) -> Void
    ) {
        on(type) { state, event, metadata in
            handle(state, event, metadata)
            state.touch(event.student, metadata)
        }
    }
}

extension Learnable.State {
    /// R44: an event that carries the student was recorded.
    func touch(_ student: Learnable.StudentID, _ metadata: EventMetadata) {
        students.updateExisting(student) { $0.latest = max($0.latest, metadata.at) }
        setReminders(of: student, cause: metadata.position)
    }

    /// The rules of a zone; looked up by name once.
    func zone(_ zone: Learnable.Zone) -> TimeZoneRules {
        if let known = zones[zone.name.symbol] { return known }
        let rules = zone.rules(names)
        zones[zone.name.symbol] = rules
        return rules
    }

    /// The row of the student's epoch.
    package func epoch(of student: Learnable.StudentID) -> Learnable.EpochRow? {
        students[student].flatMap { epochs[$0.epoch] }
    }

    /// Changes the row of the student's epoch, if the student is there.
    func changeEpoch(
        of student: Learnable.StudentID, _ body: (inout Learnable.EpochRow) -> Void
    ) {
        guard let epoch = students.read(student, { $0.epoch }) else { return }
        epochs.updateExisting(epoch, body)
    }

    /// Whether a thing of an epoch is still there: not after starting over or deletion (R45, R46).
    package func isCurrent(_ student: Learnable.StudentID, _ epoch: Ordinal) -> Bool {
        students.read(student) { $0.isActive && $0.epoch == epoch } ?? false
    }
}
