package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// Everything that Learnable knows: students, what they made, their pools, and what is due when.
    ///
    /// It is folded from the product's events and nothing else. Handlers accept every event and never
    /// reject one; each noun's are in its own file. What belongs to an epoch is found through the epoch's
    /// number, so that a student who starts over leaves everything behind in one step (R45).
    package final class State: HoldsPolicy {
        package static let product = Learnable.product
        package static let foldVersion = 6

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
        /// By epoch and subject; no subject for all.
        let evaluations: Table<Pair<Ordinal, SubjectID>, EvaluationRow>
        package let studies: Table<Ordinal, StudyRow>
        package let studyEntries: ChunkedList<Ordinal, StudyEntry>
        package let notices: ChunkedList<Ordinal, NoticeRow>
        package let drafts: Table<DraftID, DraftRow>
        package let subjects: Table<SubjectID, SubjectRow>
        let subjectWords: Table<SubjectID, SubjectWords>
        package let contents: Table<Pair<SubjectID, Ordinal>, TopicContent>
        package let topics: Table<Pair<SubjectID, Ordinal>, TopicRow>
        package let messages: Table<Pair<SubjectID, MessageID>, MessageRow>
        package let questions: Table<QuestionID, QuestionRow>
        package let variants: Table<QuestionID, VariantsRow>
        package let pools: ChunkedList<Ordinal, QuestionID>
        /// What left an epoch's pool, so that a page of the pool can be read without the rest.
        let poolGaps: Table<Ordinal, PoolGaps>
        package let dues: Table<Pair<Ordinal, Ordinal>, DueRow>
        package let quizzes: Table<QuizID, QuizRow>
        package let quizLists: ChunkedList<Ordinal, QuizID>
        package let offers: Table<OfferID, OfferRow>
        let offerWords: Table<OfferID, OfferWords>
        package let offerLists: ChunkedList<StudentID, OfferID>
        package let sales: ChunkedList<StudentID, Sale>
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
            evaluations = Table("evaluations", in: space)
            studies = Table("studies", in: space)
            studyEntries = ChunkedList("study entries", in: space, chunk: 16)
            notices = ChunkedList("notifications", in: space, chunk: 16)
            drafts = Table("drafts", in: space)
            subjects = Table("subjects", in: space)
            subjectWords = Table("words of subjects", in: space)
            contents = Table("topic contents", in: space)
            topics = Table("topics", in: space)
            messages = Table("messages", in: space)
            questions = Table("questions", in: space)
            variants = Table("variants", in: space)
            pools = ChunkedList("pools", in: space)
            poolGaps = Table("gaps in pools", in: space)
            dues = Table("due questions", in: space)
            quizzes = Table("quizzes", in: space)
            quizLists = ChunkedList("lists of quizzes", in: space)
            offers = Table("offers", in: space)
            offerWords = Table("words of offers", in: space)
            offerLists = ChunkedList("offers of students", in: space, chunk: 16)
            sales = ChunkedList("sales", in: space, chunk: 16)
            promotions = Table("promotions", in: space)
        }

        /// The rules of the time zones looked up so far, by the symbol of the name.
        private var zones: [Symbol: TimeZoneRules] = [:]

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            studentRoutes(&routes)
            appRoutes(&routes)
            downloadRoutes(&routes)
            studyRoutes(&routes)
            settingsRoutes(&routes)
            evaluationRoutes(&routes)
            notificationRoutes(&routes)
            reminderRoutes(&routes)
            trialRoutes(&routes)
            subscriptionRoutes(&routes)
            draftRoutes(&routes)
            curriculumRoutes(&routes)
            toneRoutes(&routes)
            addOnsRoutes(&routes)
            subjectRoutes(&routes)
            generationRoutes(&routes)
            topicRoutes(&routes)
            engagementRoutes(&routes)
            chatRoutes(&routes)
            questionRoutes(&routes)
            recurrenceRoutes(&routes)
            quizRoutes(&routes)
            offerRoutes(&routes)
            promotionRoutes(&routes)
            routes.on(PolicyAdopted.self) { $0.adopt($1, $2) }
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        package func hidesPersonal(of subject: Symbol) -> Bool {
            endedKeys.contains(StudentID(subject))
        }

        /// Each epoch has its own key; the first epoch's is the student's (R45).
        package func keyHolder(of person: Symbol) -> Symbol {
            guard let number = students.read(StudentID(person), { $0.epochNumber }), number > 1
            else { return person }
            return names.intern("\(names.text(person))/\(number)")
        }

        package func didUndo() {
            policies.didUndo()
            // Symbols interned by what was undone will stand for other texts.
            zones = [:]
        }
    }

    /// A device, as far as the trial rule asks for it (R7).
    package enum Device: Thing {
        package static let noun = "device"
        package static let isTagged = false
    }

    /// When policy values were last adopted.
    struct Adoption: Record {
        var latest = Instant.epoch
    }
}

extension Routes<Learnable.State> {
    /// Folds events of type `P` with `handle`, then moves the reminders of the event's student (R44).
    ///
    /// The compiler prefers this form of `on` for every type that carries a student, so no handler has to
    /// think of reminders.
    mutating func on<P: Learnable.StudentEvent>(
        _ type: P.Type,
        _ handle: @escaping @Sendable (Learnable.State, P, EventMetadata) -> Void
    ) {
        on(type, handle) { $0.moveReminders(of: $1.student, after: $2) }
    }
}

extension Learnable.State {
    /// Notes when the student's latest event happened, and sets their reminders accordingly (R44).
    fileprivate func moveReminders(
        of student: Learnable.StudentID, after metadata: EventMetadata
    ) {
        students.updateExisting(student) { $0.latest = max($0.latest, metadata.at) }
        setReminders(of: student, cause: metadata.position)
    }

    /// The rules of a time zone, looked up by name only once.
    func zone(_ zone: Learnable.Zone) -> TimeZoneRules {
        if let known = zones[zone.name.symbol] { return known }
        let rules = zone.rules(names)
        zones[zone.name.symbol] = rules
        return rules
    }
}

extension Learnable {
    /// A row that only marks its key as present.
    package struct Mark: Record {
        package init() {}
    }
}
