package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// All that is so in an ExamRoom: accounts, exams, seats, attempts and what they earned.
    ///
    /// A fold of the product's events and of nothing else. It takes facts in and never argues; the
    /// handlers stand beside their rows, one file a noun.
    package final class State: HoldsPolicy {
        package static let product = ExamRoom.product
        package static let foldVersion = 1

        package let space: TableSpace
        package let names: Names
        package let timers: Timers

        package let policies: AdoptedPolicy<Policy>
        package let roster: Table<Ordinal, Roster>
        package let accounts: Table<AccountID, AccountRow>
        package let sessions: Table<SessionID, SessionRow>
        package let inboxes: Chain<AccountID, Notice>
        package let exams: Table<ExamID, ExamRow>
        package let banks: Table<ExamID, Bank>
        package let examAttempts: Chain<ExamID, AttemptID>
        package let images: Table<ImageHash, ImageRow>
        package let seats: Table<SeatKey, SeatRow>
        package let requests: Table<RequestID, RequestRow>
        package let attempts: Table<AttemptID, AttemptRow>
        package let students: Table<StudentID, StudentRow>
        package let studentAttempts: Chain<StudentID, AttemptID>
        package let awards: Chain<StudentID, AwardRow>
        package let exports: Table<ExportID, ExportRow>
        package let accountLogs: Table<AccountID, FactLog>
        package let examLogs: Table<ExamID, FactLog>
        package let seatLogs: Table<SeatKey, FactLog>
        package let policyLogs: Table<Ordinal, FactLog>
        package let conflicts: Table<ConflictID, ConflictRow>
        package let keptDeletions: Table<ExamID, KeptDeletions>
        package let batches: Table<Pair<DeviceID, BatchID>, BatchRow>
        package let standings: Table<StandingKey, Presence>
        package let imports: Table<ImportID, ImportRow>
        package let migrations: Table<MigrationID, MigrationRow>
        package let items: Table<ItemKey, ItemRow>
        package let itemLists: Chain<MigrationID, ItemID>

        /// Students whose places on the boards may be others now.
        let unsettled = Unchecked(NumberSet())
        package let devices: Table<DeviceID, DeviceRow>
        package let audit: AuditTables
        package let journal: JournalTables

        /// What decisions quote of the journal; given by whoever can make it (ADR 0016).
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
            inboxes = Chain("inboxes", in: space, chunk: 16)
            exams = Table("exams", in: space)
            banks = Table("question banks", in: space)
            examAttempts = Chain("attempts of exams", in: space)
            images = Table("images", in: space)
            seats = Table("seats", in: space)
            requests = Table("requests", in: space)
            attempts = Table("attempts", in: space)
            students = Table("students", in: space)
            studentAttempts = Chain("attempts of students", in: space)
            awards = Chain("awards", in: space, chunk: 16)
            exports = Table("exports", in: space)
            accountLogs = Table("account logs", in: space)
            examLogs = Table("exam logs", in: space)
            seatLogs = Table("seat logs", in: space)
            policyLogs = Table("policy log", in: space)
            conflicts = Table("conflicts", in: space)
            keptDeletions = Table("kept deletions", in: space)
            batches = Table("merged batches", in: space)
            standings = Table("standings", in: space)
            imports = Table("imports", in: space)
            migrations = Table("migrations", in: space)
            items = Table("items of migrations", in: space)
            itemLists = Chain("lists of items", in: space)
            devices = Table("devices", in: space)
            audit = AuditTables(in: space)
            journal = JournalTables(in: space)
        }

        package static let routes: Routes<State> = {
            var routes = Routes<State>()
            accountRoutes(&routes)
            examRoutes(&routes)
            seatRoutes(&routes)
            attemptRoutes(&routes)
            awardRoutes(&routes)
            archiveRoutes(&routes)
            migrationRoutes(&routes)
            conflictRoutes(&routes)
            routes.on(PolicyAdopted.self, logging: { $0.policyLogs }, of: { _ in .only }) {
                $0.adopt($1, $2)
            }
            deviceRoutes(&routes)
            auditRoutes(&routes)
            // Last: it watches what the others fold.
            journalRoutes(&routes)
            return routes
        }()

        /// The numbers and switches in force.
        package var policy: Policy { _read { yield policies.inForce } }

        private func adopt(_ event: PolicyAdopted, _ metadata: EventMetadata) {
            policies.adopt(event.changes, by: metadata)
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

        /// The place of a question in an attempt's paper.
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

extension ExamRoom {
    package typealias SeatKey = Pair<ExamID, StudentID>
    package typealias ItemKey = Pair<MigrationID, ItemID>
}
