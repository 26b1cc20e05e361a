package import Core
package import ExamRoomEvents
package import Folding

extension ExamRoom {
    /// The audit entries of one UTC date of their events' `at`, in order of position (R51).
    package struct AuditDay: Record {
        /// All that ever were; their positions are in `AuditTables.positions`.
        package var entries = 0
        /// How many of them are archived: always the first ones.
        package var archived = 0
        /// The last archived entry.
        package var archivedThrough = Position.zero
        package var archives = 0
        /// Entries that are not archived and of which former builds made none.
        package var occasional: [Position] = []
        /// Those that an archive of a former build lacks: they stay in the view.
        package var unarchived: [Position] = []

        package init() {}
    }

    /// What one archive holds.
    package struct ArchiveRow: Record {
        package var archivedAt = Instant.epoch
        package var entries = 0
        package var fromPosition = Position.zero
        package var toPosition = Position.zero
        package var digest = ""

        package init() {}
    }

    /// When the retention was adopted; its value is in the policy.
    package struct RetentionRow: Record {
        /// The `at` of the adoption that set it.
        package var setAt: Instant?

        package init() {}
    }

    /// The audit trail's rows.
    package struct AuditTables {
        package let days: Table<Ordinal, AuditDay>
        package let positions: ChunkedList<Ordinal, Position>
        package let archives: ChunkedList<Ordinal, ArchiveRow>
        let retention: Table<Ordinal, RetentionRow>

        init(in space: TableSpace) {
            days = Table("audit days", in: space)
            positions = ChunkedList("audit entries of days", in: space)
            archives = ChunkedList("audit archives of days", in: space)
            retention = Table("audit retention", in: space)
        }
    }

    /// The timer of a date's entries (page, Timers).
    package enum AuditTimer {
        package static let name = "audit-archive"
        private static let prefix = "examroom/audit/"

        package static func stream(of date: LocalDate) -> String { "\(prefix)\(date)" }

        package static func date(ofStream stream: String) -> LocalDate? {
            stream.hasPrefix(prefix) ? LocalDate(text: String(stream.dropFirst(prefix.count))) : nil
        }
    }
}

extension LocalDate {
    /// Dates that events can have are from 1970 on.
    package var ordinal: Ordinal { Ordinal(Int(days)) }

    package init(_ ordinal: Ordinal) {
        self.init(days: Int32(clamping: ordinal.number))
    }

    /// 00:00 UTC.
    package var startInUTC: Instant { Instant(seconds: Int64(days) * 86_400) }
}

extension ExamRoom.State {
    static func auditRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Audit.Archived.self) { $0.archived($1, $2) }
    }

    /// A policy was adopted: another retention moves the timers.
    func noteRetention(_ metadata: EventMetadata) {
        // Not one that a merge brought and that lost against a later write (R40).
        let entry = policies.entries.first { $0.name == "auditRetentionDays" }
        guard entry?.position == metadata.position else { return }
        audit.retention.update(.only) { $0.setAt = metadata.at }
        moveAuditTimers()
    }

    /// Adds the audit entry of an event.
    func addAuditEntry(_ metadata: EventMetadata, isOccasional: Bool = false) {
        let date = metadata.at.utcDate
        let (count, isFirst) = audit.days.update(date.ordinal) { day in
            day.entries += 1
            if isOccasional { day.occasional.append(metadata.position) }
            return (day.entries - 1, day.entries - day.archived == 1)
        }
        audit.positions.append(metadata.position, to: date.ordinal, at: count)
        if isFirst { setAuditTimer(date, cause: metadata.position) }
    }

    /// Archives all entries of the date so far; what comes later goes into another archive.
    private func archived(_ event: ExamRoom.Audit.Archived, _ metadata: EventMetadata) {
        let count = audit.days.update(event.archive.ordinal) { day in
            if event.entries < day.entries - day.archived { day.unarchived += day.occasional }
            day.occasional = []
            day.archived = day.entries
            day.archivedThrough = event.toPosition
            day.archives += 1
            return day.archives - 1
        }
        var row = ExamRoom.ArchiveRow()
        row.archivedAt = metadata.at
        row.entries = event.entries
        row.fromPosition = event.fromPosition
        row.toPosition = event.toPosition
        row.digest = event.digest
        audit.archives.append(row, to: event.archive.ordinal, at: count)
        timers.cancel(
            ExamRoom.AuditTimer.name, onNamed: ExamRoom.AuditTimer.stream(of: event.archive))
    }

    /// Another retention moves the timers that are still to come.
    private func moveAuditTimers() {
        for day in audit.days.allKeys.sorted(by: { $0.number < $1.number }) {
            let date = LocalDate(day)
            guard let first = openAuditEntries(of: date, limit: 1).first else { continue }
            setAuditTimer(date, cause: first)
        }
    }

    /// Due 00:00 UTC of date + retention + 1 days, or the `at` of the adoption that set the retention
    /// if that is later.
    private func setAuditTimer(_ date: LocalDate, cause: Position) {
        let days = Int64(policy.auditRetentionDays.addingClamping(1))
        let regular = min(date.startInUTC + days.multipliedClamping(86_400), .untellable)
        let due = max(regular, audit.retention[.only]?.setAt ?? .epoch)
        timers.set(
            .init(ExamRoom.AuditTimer.name, due: due, cause: cause),
            onNamed: ExamRoom.AuditTimer.stream(of: date))
    }

    /// The positions of the date's entries that are not archived, ascending.
    package func openAuditEntries(of date: LocalDate, limit: Int = .max) -> [Position] {
        guard let day = audit.days[date.ordinal] else { return [] }
        let end = min(day.entries, day.archived.addingClamping(limit))
        return audit.positions.elements(of: date.ordinal, in: day.archived..<end)
    }

    /// The positions of the date's archived entries, ascending.
    package func archivedAuditEntries(of date: LocalDate) -> [Position] {
        guard let day = audit.days[date.ordinal] else { return [] }
        let archived = audit.positions.elements(of: date.ordinal, in: 0..<day.archived)
        return day.unarchived.isEmpty ? archived : archived.filter { !day.unarchived.contains($0) }
    }

    /// Whether the entry of an event has left the default view.
    package func isArchived(_ position: Position, at: Instant) -> Bool {
        audit.days.read(at.utcDate.ordinal) {
            position <= $0.archivedThrough && !$0.unarchived.contains(position)
        } ?? false
    }
}
