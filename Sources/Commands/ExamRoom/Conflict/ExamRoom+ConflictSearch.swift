import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

/// Conflicts are looked for when the commands of a batch are done (R44).
extension ExamRoom.Merge {
    /// Records the conflicts in order of (kind, record, id), each once; gives their ids.
    func recordConflicts() -> [ExamRoom.ConflictID] {
        var found: [ExamRoom.ConflictID: ExamRoom.Conflict.Detected] = [:]
        for conflict in automatic() + editDeletes() + tooManyAttempts()
            + blockedAttempts() + heldAttempts()
        where !context.state.conflicts.contains(conflict.conflict) {
            found[conflict.conflict] = found[conflict.conflict] ?? conflict
        }
        let names = context.names
        let inOrder = found.values.sorted { left, right in
            if left.kind != right.kind { return left.kind.rawValue.precedes(right.kind.rawValue) }
            if !left.record.isExactly(right.record) { return left.record.precedes(right.record) }
            return names.text(left.conflict).precedes(names.text(right.conflict))
        }
        for conflict in inOrder {
            context.record(conflict, on: conflict.conflict)
            context.notify(of: conflict)
        }
        return inOrder.map(\.conflict)
    }

    private func conflict(
        _ kind: ExamRoom.Conflict.Kind, _ record: String,
        _ contenders: [ExamRoom.Conflict.Contender], choices: [ExamRoom.Conflict.Option],
        deletion: String? = nil, names: [String] = [], winner: String? = nil
    ) -> ExamRoom.Conflict.Detected {
        let commands = deletion.map { [$0] } ?? contenders.map(\.command)
        return ExamRoom.Conflict.Detected(
            conflict: context.conflictID(kind, record, commands),
            kind: kind,
            record: record,
            names: names,
            contenders: inOrder(contenders),
            deletion: deletion,
            resolution: choices.isEmpty ? .automatic : .choice,
            winner: winner,
            choices: choices)
    }

    /// By (at, device, command).
    private func inOrder(
        _ contenders: [ExamRoom.Conflict.Contender]
    ) -> [ExamRoom.Conflict.Contender] {
        contenders.sorted { left, right in
            let (first, second) = (stamp(left), stamp(right))
            if first != second { return first.precedes(second, context.names) }
            return left.command.precedes(right.command)
        }
    }

    private func stamp(_ contender: ExamRoom.Conflict.Contender) -> Stamp {
        Stamp(contender.at, contender.device?.symbol ?? .none)
    }

    // MARK: (a) Two writes of one register

    /// One for each pair of commands and record: the later one wins.
    private func automatic() -> [ExamRoom.Conflict.Detected] {
        var conflicts: [ExamRoom.Conflict.Detected] = []
        for log in writtenLogs() {
            let writes = log.writes.compactMap { context.registerWrite($0) }
            let mine = writes.filter { $0.event.position >= start }
            let others = writes.filter {
                $0.event.position > seen && $0.event.position < start
                    && $0.event.writer != device.symbol
            }
            for own in merged(mine) {
                for other in merged(others) where own.record.isExactly(other.record) {
                    if let found = clash(of: own, and: other) { conflicts.append(found) }
                }
            }
        }
        return conflicts
    }

    private func clash(
        of own: ExamRoom.RegisterWrite, and other: ExamRoom.RegisterWrite
    ) -> ExamRoom.Conflict.Detected? {
        guard own.kind == other.kind else { return nil }
        let different = own.values.keys.filter { register in
            other.values[register].map { $0 != own.values[register] } ?? false
        }
        guard !different.isEmpty else { return nil }
        let isOwn = !own.event.stamp.precedes(other.event.stamp, context.names)
        return conflict(
            own.kind, own.record, [Self.contender(own.event), Self.contender(other.event)],
            choices: [], names: different.sorted { $0.precedes($1) },
            winner: isOwn ? own.event.command : other.event.command)
    }

    /// The writes of one command to one record, as one.
    private func merged(_ writes: [ExamRoom.RegisterWrite]) -> [ExamRoom.RegisterWrite] {
        writes.reduce(into: []) { merged, write in
            let index = merged.firstIndex {
                $0.event.command.isExactly(write.event.command)
                    && $0.record.isExactly(write.record) && $0.kind == write.kind
            }
            guard let index else {
                merged.append(write)
                return
            }
            merged[index].values.merge(write.values) { $1 }
        }
    }

    /// The logs of the things that this batch wrote to.
    private func writtenLogs() -> [ExamRoom.WriteLog] {
        let state = context.state
        var logs: [ExamRoom.WriteLog] = []
        var seenStreams: Set<Symbol> = []
        for stream in context.recorded.lazy.map(\.metadata.stream)
        where seenStreams.insert(stream).inserted {
            let parts = context.names.text(stream).split(separator: "/").map(String.init)
            let log: ExamRoom.WriteLog? =
                switch (parts.dropFirst().first, parts.count) {
                case ("account", 3): state.accountLogs[context.names.id(parts[2])]
                case ("exam", 3): state.examLogs[context.names.id(parts[2])]
                case ("seat", 4):
                    state.seatLogs[.init(context.names.id(parts[2]), context.names.id(parts[3]))]
                case ("policy", 2): state.policyLogs[.only]
                default: nil
                }
            if let log { logs.append(log) }
        }
        return logs
    }

    // MARK: (b) Deleted here, edited there

    private func editDeletes() -> [ExamRoom.Conflict.Detected] {
        clashes.compactMap { clash in
            let exam: ExamRoom.ExamID
            let record: String
            switch clash.subject {
            case .exam(let id):
                exam = id
                record = context.stream(of: id)
            case .question(let id, let question):
                exam = id
                record = "\(context.stream(of: id))#\(context.names.text(question))"
            case .attempt: return nil
            }
            let edits =
                clash.isKept
                ? editsElsewhere(of: clash.subject, in: exam)
                : editsHere(of: clash.subject, in: exam)
            var contenders = [clash.deletion]
            for edit in edits.map(Self.contender)
            where !contenders.contains(where: { $0.command.isExactly(edit.command) }) {
                contenders.append(edit)
            }
            return conflict(
                .editDelete, record, contenders, choices: [.delete, .keep],
                deletion: clash.deletion.command)
        }
    }

    // MARK: (c), (d) Attempts that a live start would have refused

    private func tooManyAttempts() -> [ExamRoom.Conflict.Detected] {
        startedSeats.flatMap { seat -> [ExamRoom.Conflict.Detected] in
            (context.state.seats[seat]?.attempts ?? []).compactMap { id in
                guard let row = context.state.attempts[id] else { return nil }
                let conflict = context.conflict(.attemptLimit, of: id, row)
                return row.holds.contains(conflict.conflict) ? conflict : nil
            }
        }
    }

    private func blockedAttempts() -> [ExamRoom.Conflict.Detected] {
        startedSeats.union(blockedSeats).flatMap { seat -> [ExamRoom.Conflict.Detected] in
            (context.state.seats[seat]?.attempts ?? []).compactMap { id in
                guard let row = context.state.attempts[id], context.state.wasBlocked(row) else {
                    return nil
                }
                return context.conflict(.blockedAttempt, of: id, row)
            }
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// Notifies those whose writes clashed, or the admins who have to choose.
    fileprivate func notify(of conflict: ExamRoom.Conflict.Detected) {
        let data: [(String, JSON)] = [
            ("conflict", json(conflict.conflict)), ("kind", .string(conflict.kind.rawValue)),
            ("record", .string(conflict.record)),
        ]
        let link = "examroom://conflicts/\(names.text(conflict.conflict))"
        switch conflict.resolution {
        case .choice: notifyAdmins(.conflictChoice, data, link: link)
        case .automatic:
            let accounts = Set(
                conflict.contenders.compactMap { state.account(behind: $0.by.symbol) })
            for account in accounts.sorted(by: { names.text($0).precedes(names.text($1)) }) {
                notify(account, .conflictResolved, data, link: link)
            }
        }
    }
}
