package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// A person: who they are, how they sign in, and what they chose.
    package struct AccountRow: Record {
        package var role = Account.Role.student
        /// Whose key seals what is personal here.
        fileprivate var person = InternedText.empty
        package var name: String?
        package var email: String?
        package var timeZone: String?
        /// The zone comes from a revision, which is personal: an erasure takes it away (R6).
        package var isZoneRevised = false
        package var credential: Account.Credential?
        /// Stays so until the owner changes it (R3).
        package var isTemporary = false
        package var isErased = false
        package var registeredAt = Instant.epoch
        /// Of the first event.
        package var writer = DeviceID.none
        package var holders = Holders()
        package var deletedAt: Instant?
        package var preferences = Account.Preferences()
        package var openSessions: [SessionID] = []
        package var notices = 0
        /// Exams at which the student has a seat.
        package var seats: [ExamID] = []

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("role", &role)
            coder.field("person", &person)
            coder.kept("name", &name, of: person.symbol)
            coder.kept("email", &email, of: person.symbol)
            coder.kept("credential", &credential, of: person.symbol)
            coder.field("isZoneRevised", &isZoneRevised)
            var registered = isZoneRevised ? nil : timeZone
            var revised = isZoneRevised ? timeZone : nil
            coder.field("timeZone", &registered)
            coder.kept("revisedZone", &revised, of: person.symbol)
            timeZone = revised ?? registered
            coder.field("isTemporary", &isTemporary)
            coder.field("isErased", &isErased)
            coder.field("registeredAt", &registeredAt)
            coder.field("writer", &writer)
            coder.field("holders", &holders)
            coder.field("deletedAt", &deletedAt)
            coder.field("preferences", &preferences)
            coder.field("openSessions", &openSessions)
            coder.field("notices", &notices)
            coder.field("seats", &seats)
        }

        package var first: Stamp { Stamp(registeredAt, writer.symbol) }
        package var isActive: Bool { deletedAt == nil }
        package var isActiveStudent: Bool { isActive && role == .student }
    }

    /// The active admins, and how many students and exams there are.
    package struct Roster: Record {
        /// The active ones.
        package var admins: [AccountID] = []
        package var activeStudents = 0
        /// Exams that are not deleted.
        package var exams = 0
        /// Students on the boards (R31).
        package var listed = 0
        /// The last export of everything (R12).
        package var exported = Position.zero

        package init() {}
    }
}

extension ExamRoom.State {
    static func accountRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Account.Registered.self) { $0.registered($1, $2) }
        routes.on(ExamRoom.Account.Revised.self) { $0.revised($1, $2) }
        routes.on(ExamRoom.Account.CredentialReplaced.self) { state, event, _ in
            state.accounts.updateExisting(event.account) {
                $0.credential = event.credential
                $0.isTemporary = true
            }
        }
        routes.on(ExamRoom.Account.CredentialChanged.self) { state, event, _ in
            state.accounts.updateExisting(event.account) {
                $0.credential = event.credential
                $0.isTemporary = false
            }
        }
        routes.on(ExamRoom.Account.Deleted.self) { $0.deleted($1, $2) }
        routes.on(AccountErased.self) { $0.erased($1, $2) }
    }

    private func registered(_ event: ExamRoom.Account.Registered, _ metadata: EventMetadata) {
        accounts.update(event.account) {
            $0.role = event.role
            $0.person = InternedText(metadata.subject)
            $0.name = event.name
            $0.email = event.email
            $0.timeZone = event.timeZone
            $0.credential = event.credential
            $0.isTemporary = event.temporary
            $0.registeredAt = metadata.moment
            $0.writer = .init(metadata.writer)
        }
        switch event.role {
        case .admin: roster.update(.only) { $0.admins.append(event.account) }
        case .student:
            roster.update(.only) { $0.activeStudents += 1 }
            students.insert(.init(), at: .init(event.account))
        }
    }

    /// Each field is a register (R40).
    private func revised(_ event: ExamRoom.Account.Revised, _ metadata: EventMetadata) {
        if isAnothers(event.account, metadata) { addAuditEntry(metadata, isOccasional: true) }
        accounts.updateExisting(event.account) { row in
            let first = row.first
            for name in event.names where row.holders.take(name, by: metadata, first: first, names)
            {
                switch name {
                case "name": row.name = event.changes?.name
                case "email": row.email = event.changes?.email ?? nil
                case "timeZone":
                    row.timeZone = event.changes?.timeZone
                    row.isZoneRevised = true
                default: break
                }
            }
        }
    }

    /// The account is inactive, its sessions are closed, its open attempts never close, and a student's
    /// attempts count nowhere (R6).
    private func deleted(_ event: ExamRoom.Account.Deleted, _ metadata: EventMetadata) {
        guard accounts[event.account]?.isActive == true else { return }
        for session in accounts[event.account]?.openSessions ?? [] {
            end(session, "account-deleted", at: metadata.moment)
        }
        accounts.updateExisting(event.account) {
            $0.deletedAt = metadata.moment
            $0.openSessions = []
        }
        switch event.role {
        case .admin:
            roster.update(.only) { roster in roster.admins.removeAll { $0 == event.account } }
        case .student:
            roster.update(.only) { $0.activeStudents -= 1 }
            changeStudent(.init(event.account)) { _ in }
            forgetAttempts(of: .init(event.account))
        }
    }

    /// Personal fields read null from here on, in rows as in events.
    private func erased(_ event: AccountErased, _ metadata: EventMetadata) {
        guard let account = account(erasedBy: event), let row = accounts[account] else { return }
        // Else its deletion has one already (R6, R51).
        if row.isActive { addAuditEntry(metadata, isOccasional: true) }
        accounts.update(account) {
            $0.isErased = true
            $0.name = nil
            $0.email = nil
            $0.credential = nil
            if $0.isZoneRevised { $0.timeZone = nil }
        }
        accountLogs.remove(account)  // what was written into a profile is personal
        let student = ExamRoom.StudentID(account)
        for exam in row.seats {
            seats.updateExisting(.init(exam, student)) { $0.blockReason = nil }
            for request in seats[.init(exam, student)]?.requests ?? [] {
                requests.updateExisting(request) {
                    $0.justification = nil
                    $0.reason = nil
                }
            }
        }
        for attempt in attemptsOf(student) {
            attempts.updateExisting(attempt) { $0.answerLog.forgetChosen() }
        }
    }

    /// The account whose person was erased; none of another product's.
    package func account(erasedBy event: AccountErased) -> ExamRoom.AccountID? {
        let subject = names.text(event.subject)
        let prefix = "\(ExamRoom.product)/"
        guard subject.hasPrefix(prefix) else { return nil }
        return names.known(String(subject.dropFirst(prefix.count))).map { .init($0) }
    }

    /// The zone of the account, else the policy's (19.7, R19).
    package func timeZoneName(of account: ExamRoom.AccountID) -> String {
        accounts[account]?.timeZone ?? policy.defaultTimeZone
    }

    /// Whether somebody else acted on the account: that has an audit entry, what is one's own has none (R51).
    package func isAnothers(_ account: ExamRoom.AccountID, _ metadata: EventMetadata) -> Bool {
        self.account(behind: metadata.actor) != account
    }

    /// The account of `admin:A-1`; none for `system`.
    package func account(behind actor: Symbol) -> ExamRoom.AccountID? {
        let parts = names.text(actor).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[0] == "admin" || parts[0] == "student",
            let symbol = names.known(String(parts[1]))
        else { return nil }
        return .init(symbol)
    }
}

extension ExamRoom {
    /// The noun of `account.erased`, which every product shares.
    static let accountNoun = "account"
}
