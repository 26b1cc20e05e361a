package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// The state of ExamRoom: accounts, exams, seats, attempts and what they earned.
    ///
    /// It is folded from the product's events alone. Handlers apply events and reject none; they are
    /// beside their rows, one file for each noun.
    package final class State: HoldsPolicy {
        package static let product = ExamRoom.product
        package static let foldVersion = 9

        package let space: TableSpace
        package let names: Names
        package let timers: Timers

        package let policies: AdoptedPolicy<Policy>
        package let roster: Table<Ordinal, Roster>
        package let accounts: Table<AccountID, AccountRow>
        package let sessions: Table<SessionID, SessionRow>
        package let inboxes: ChunkedList<AccountID, Notice>
        package let exams: Table<ExamID, ExamRow>
        package let banks: Table<ExamID, Bank>
        package let examAttempts: ChunkedList<ExamID, AttemptID>
        package let images: Table<ImageHash, ImageRow>
        package let seats: Table<SeatKey, SeatRow>
        package let requests: Table<RequestID, RequestRow>
        package let attempts: Table<AttemptID, AttemptRow>
        package let students: Table<StudentID, StudentRow>
        package let studentAttempts: ChunkedList<StudentID, AttemptID>
        package let awards: ChunkedList<StudentID, AwardRow>
        package let exports: Table<ExportID, ExportRow>
        package let accountLogs: Table<AccountID, WriteLog>
        package let examLogs: Table<ExamID, WriteLog>
        package let seatLogs: Table<SeatKey, WriteLog>
        package let policyLogs: Table<Ordinal, WriteLog>
        package let conflicts: Table<ConflictID, ConflictRow>
        package let keptDeletions: Table<ExamID, KeptDeletions>
        package let batches: Table<Pair<DeviceID, BatchID>, BatchRow>
        package let ranking: Table<RankKey, Presence>
        package let imports: Table<ImportID, ImportRow>
        package let migrations: Table<MigrationID, MigrationRow>
        package let items: Table<ItemKey, ItemRow>
        package let itemLists: ChunkedList<MigrationID, ItemID>

        /// Students whose ranks may have changed.
        let unsettled = Unchecked(NumberSet())
        package let violations: Table<AccountID, ViolationRow>
        package let devices: Table<DeviceID, DeviceRow>
        package let audit: AuditTables
        package let journal: JournalTables

        /// Makes what decisions quote of the journal; set by the engine (ADR 0016).
        package var quotes: (any Quotes)?
        let commandInProgress = Unchecked(CommandInProgress())
        let warningNames = Unchecked<[Int: String]>([:])
        /// Which question a shared paper question is: asked for each question of each attempt.
        private var questionsOfPapers: [UInt32: QuestionID] = [:]

        package init(space: TableSpace, names: Names) {
            self.space = space
            self.names = names
            timers = Timers(in: space, names: names)
            policies = AdoptedPolicy(in: space, names: names)
            roster = Table("roster", in: space)
            accounts = Table("accounts", in: space)
            sessions = Table("sessions", in: space)
            inboxes = ChunkedList("inboxes", in: space, chunk: 16)
            exams = Table("exams", in: space)
            banks = Table("question banks", in: space)
            examAttempts = ChunkedList("attempts of exams", in: space)
            images = Table("images", in: space)
            seats = Table("seats", in: space)
            requests = Table("requests", in: space)
            attempts = Table("attempts", in: space)
            students = Table("students", in: space)
            studentAttempts = ChunkedList("attempts of students", in: space)
            awards = ChunkedList("awards", in: space, chunk: 16)
            exports = Table("exports", in: space)
            accountLogs = Table("account logs", in: space)
            examLogs = Table("exam logs", in: space)
            seatLogs = Table("seat logs", in: space)
            policyLogs = Table("policy log", in: space)
            conflicts = Table("conflicts", in: space)
            keptDeletions = Table("kept deletions", in: space)
            batches = Table("merged batches", in: space)
            ranking = Table("standings", in: space)
            imports = Table("imports", in: space)
            migrations = Table("migrations", in: space)
            items = Table("items of migrations", in: space)
            itemLists = ChunkedList("lists of items", in: space)
            violations = Table("refused tries", in: space)
            devices = Table("devices", in: space)
            audit = AuditTables(in: space)
            journal = JournalTables(in: space)
        }

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            routes.on(PolicyAdopted.self) { $0.adopt($1, $2) }
            accountRoutes(&routes)
            preferenceRoutes(&routes)
            sessionRoutes(&routes)
            violationRoutes(&routes)
            notificationRoutes(&routes)
            examRoutes(&routes)
            examCopyRoutes(&routes)
            examArchiveRoutes(&routes)
            resultsRoutes(&routes)
            questionRoutes(&routes)
            imageRoutes(&routes)
            seatRoutes(&routes)
            extensionRoutes(&routes)
            accommodationRoutes(&routes)
            attemptRoutes(&routes)
            answerRoutes(&routes)
            closingRoutes(&routes)
            holdRoutes(&routes)
            gradeRoutes(&routes)
            awardRoutes(&routes)
            exportRoutes(&routes)
            importRoutes(&routes)
            migrationRoutes(&routes)
            itemRoutes(&routes)
            mergeRoutes(&routes)
            conflictRoutes(&routes)
            syncRoutes(&routes)
            storageRoutes(&routes)
            auditRoutes(&routes)
            // After the handlers of each noun:
            touchExams(&routes)
            logWrites(&routes)
            watchAll(&routes)
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        private func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            let former = policy.awardsWhen
            policies.adopt(event.changes, by: metadata)
            noteRetention(metadata)
            // Who stands on a board hangs on it (R31).
            if policy.awardsWhen != former { unsettleAll() }
        }

        package func hidesPersonal(of subject: Symbol) -> Bool {
            accounts[AccountID(subject)]?.isErased ?? false
        }

        /// The question behind one entry of a paper.
        package func question(of entry: Shared<Attempt.PaperQuestion>) -> QuestionID {
            if let known = questionsOfPapers[entry.symbol.number] { return known }
            let question = entry.value(in: names).question
            questionsOfPapers[entry.symbol.number] = question
            return question
        }

        /// The index of a question in an attempt's paper.
        package func index(of question: QuestionID, in attempt: AttemptRow) -> Int? {
            attempt.paper.firstIndex { self.question(of: $0) == question }
        }

        package func didUndo() {
            policies.didUndo()
            commandInProgress.value.end()
            // Numbers of what was undone are given to other texts.
            questionsOfPapers.removeAll()
        }
    }
}

// MARK: After the handlers

extension ExamRoom.State {
    /// Keeps a copy of these events, which merges read again (R41, R42, R44).
    private static func logWrites(_ routes: inout Routes<ExamRoom.State>) {
        log(ExamRoom.Account.Revised.self, { $0.accountLogs }) { $0.account }
        log(ExamRoom.Account.PreferenceChosen.self, { $0.accountLogs }) { $0.account }
        log(ExamRoom.PolicyAdopted.self, { $0.policyLogs }) { _ in .only }
        log(ExamRoom.Exam.Created.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Duplicated.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Imported.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Revised.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Published.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Withdrawn.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Archived.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Unarchived.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Deleted.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Exam.Restored.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Results.Published.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Results.Withheld.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Question.Added.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Question.Revised.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Question.Removed.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Question.Restored.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Image.Attached.self, { $0.examLogs }) { $0.exam }
        log(ExamRoom.Image.Detached.self, { $0.examLogs }) { $0.exam }
        // The reason is personal.
        log(ExamRoom.Seat.Blocked.self, { $0.seatLogs }, as: { $0.withoutReason }) {
            .init($0.exam, $0.student)
        }
        log(ExamRoom.Seat.Unblocked.self, { $0.seatLogs }) { .init($0.exam, $0.student) }
        log(ExamRoom.Extension.Granted.self, { $0.seatLogs }) { .init($0.exam, $0.student) }
        log(ExamRoom.Extension.Modified.self, { $0.seatLogs }) { .init($0.exam, $0.student) }
        log(ExamRoom.Extension.Revoked.self, { $0.seatLogs }) { .init($0.exam, $0.student) }

        func log<P: Payload, Key>(
            _ type: P.Type,
            _ logs: @escaping @Sendable (ExamRoom.State) -> Table<Key, ExamRoom.WriteLog>,
            as copy: @escaping @Sendable (P) -> P = { $0 }, _ key: @escaping @Sendable (P) -> Key
        ) {
            routes.also(type) { state, event, metadata in
                logs(state).update(key(event)) {
                    $0.writes.append(.init(copy(event), metadata, state.names))
                }
            }
        }
    }

    /// For every event of the product: its audit entry (R51), the noun that a merged batch wrote to, and
    /// its bits in the journal's blocks (R48). Comes last: a watched type takes no more handlers.
    private static func watchAll(_ routes: inout Routes<ExamRoom.State>) {
        let types = ExamRoom.payloads.map(\.name) + [AccountErased.type]
        routes.watch(types) { type in
            let traits = ExamRoom.eventTraits[type]
            let part = CommandPart(type)
            let noun = traits?.noun ?? ExamRoom.accountNoun
            let isChange = traits?.isChange ?? false
            let isEntry = traits?.action != nil && traits?.isOccasional != true
            return { state, metadata in
                if isEntry { state.addAuditEntry(metadata) }
                if metadata.isMerged, let origin = metadata.origin {
                    state.noteEntity(noun, of: .init(origin.device.symbol), at: metadata.at)
                }
                state.mark(metadata, changing: isChange ? noun : nil, part)
            }
        }
    }
}

extension ExamRoom.Seat.Blocked {
    fileprivate var withoutReason: Self { Self(exam: exam, student: student, reason: nil) }
}
