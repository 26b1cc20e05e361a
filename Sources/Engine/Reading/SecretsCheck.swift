import EventLog
import Core
import Glibc

/// Compares the files of persons and keys beside the journal with the events: the files
/// `keys`, `erasures.jsonl`, `master.key`, and what a rotation may have left (ADR 0033).
struct SecretsCheck {
    private let journal: Journal
    private let registry: Registry

    struct Summary {
        /// Slots by what is in them.
        var here = 0
        var withheld = 0
        var destroyed = 0
        var lost = 0
        /// What contradicts the events. One line each: what, where, and what to do.
        var problems: [String] = []
        /// What the next writer will do, since a program ended before it did.
        var pending: [String] = []
    }

    init(_ journal: Journal, _ registry: Registry) {
        self.journal = journal
        self.registry = registry
    }

    /// What is still so after a moment: a writer carries an erasure out right behind its commit.
    func settled() throws -> Summary {
        let first = try summary()
        if first.problems.isEmpty && first.pending.isEmpty { return first }
        usleep(300_000)
        return try summary()
    }

    func summary() throws -> Summary {
        var summary = Summary()
        // Before the events: each line is written behind its own.
        var listed: [Erasure] = []
        do {
            listed = try ErasureList(journal.path).all()
        } catch is JournalError {
            // `checkList` says so.
        }
        let log = try OpenLog(journal, registry)
        let ends = try KeyEnd.all(
            log.snapshot, from: Position(1), log.history.types, log.history.names)
        let applied = try log.history.keys.applied(log.snapshot) ?? .zero
        if let end = ends.first(where: { $0.position > applied }) {
            summary.pending.append(
                "keys: the erasure at position \(end.position.number) is not carried out yet; run rebuild, "
                    + "or any command that writes")
        }
        var living: Set<PersonKeys.Name> = []
        do {
            living = try checkKeys(log.snapshot, ends, applied, &summary)
        } catch let error as JournalError {
            summary.problems.append("keys: \(error)")
        }
        try checkList(ends.filter { $0.position <= applied }, &summary)
        let unrecorded = KeyEnd.unrecorded(listed, ends, living: living)
        if let first = unrecorded.first {
            summary.problems.append(
                "\(ErasureList.name): \(unrecorded.count) of its lines tell of an erasure that no event "
                    + "records, the first of \(first.person); see who put them there, and take them out "
                    + "before a backup is made")
        }
        for name in ["keys.new", "keys.old", "master.key.next"]
        where try PlainFiles.names(in: journal.path).contains(name) {
            summary.pending.append(
                "keys: \(name) is left of an interrupted rotation, and may hold keys; run rebuild, "
                    + "or any command that writes")
        }
        return summary
    }

    /// Answers whose keys are here.
    private func checkKeys(
        _ snapshot: JournalSnapshot, _ ends: [KeyEnd], _ applied: Position,
        _ summary: inout Summary
    ) throws -> Set<PersonKeys.Name> {
        let keys = PersonKeys(of: journal)
        if try keys.lacksHead() {
            summary.problems.append(
                "keys: the file is not there, or its first 128 bytes are damaged; the next command that "
                    + "writes makes it again")
        }
        let ended = Dictionary(
            ends.flatMap { end in end.keys.map { ($0, end.position) } },
            uniquingKeysWith: { first, _ in first })
        let (lacks, living) = try keys.check(snapshot)
        for (slot, name) in living {
            summary.here += 1
            guard let position = ended[name], position <= applied else { continue }
            summary.problems.append(
                "keys: the key of \(name.text) (slot \(slot)) is there, though the event at position "
                    + "\(position.number) ended it; run rebuild")
        }
        for lack in lacks {
            switch lack.kind {
            case .withheld: summary.withheld += 1
            case .destroyed:
                summary.destroyed += 1
                if ended[lack.name] == nil {
                    summary.problems.append(
                        "keys: the key of \(lack.name.text) (slot \(lack.slot)) is destroyed, and no event "
                            + "says why")
                }
            // The power went while it was being destroyed.
            case .lost where ended[lack.name].map { $0 >= lack.position } ?? false:
                summary.destroyed += 1
            case .lost:
                summary.lost += 1
                summary.problems.append(
                    "keys: the key of \(lack.name.text) (slot \(lack.slot), named at position "
                        + "\(lack.position.number)) is lost: what it sealed reads null; put back the file "
                        + "`keys` if there is a copy")
            }
        }
        return Set(living.map(\.name))
    }

    private func checkList(_ ends: [KeyEnd], _ summary: inout Summary) throws {
        let contents: ErasureList.Contents
        do {
            contents = try ErasureList(journal.path).contents()
        } catch let error as JournalError {
            summary.problems.append("\(ErasureList.name): \(error)")
            return
        }
        if contents.damagedLines > 0 {
            summary.pending.append(
                "\(ErasureList.name): \(contents.damagedLines) of its lines are damaged; run rebuild, "
                    + "or any command that writes, which makes it again")
        }
        let listed = Set(contents.erasures)
        let missing = ends.filter { !listed.contains($0.erasure) }.count
        if missing > 0 {
            summary.problems.append(
                "\(ErasureList.name): \(missing) of \(ends.count) erasures are missing; run rebuild, "
                    + "which makes it again")
        }
    }
}
