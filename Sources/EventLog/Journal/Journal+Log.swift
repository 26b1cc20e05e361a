import Dispatch
import Synchronization

/// What the log of commits wants done beside the appends.
extension Journal {
    /// After each append.
    func logWasUsed() {
        guard let log = environment.log else { return }
        let use = log.use
        guard use.isInUse else { return }
        if use.isMarked, !isCheckpointing.exchange(true, ordering: .acquiringAndReleasing) {
            Self.sealers.async(group: background) { [self] in
                defer { isCheckpointing.store(false, ordering: .releasing) }
                reportingFailure { () throws(JournalError) in try log.flushMarked(environment) }
            }
        }
        if use.hasWaiting, !isPutting.exchange(true, ordering: .acquiringAndReleasing) {
            putLater(log, milliseconds: log.waitMilliseconds)
        }
        if !isSettling.exchange(true, ordering: .acquiringAndReleasing) { settleLater(log, 0) }
    }

    /// What waits is put into `journal.mdb` as soon as nobody appends; where that cannot be done, again after a longer while.
    private func putLater(_ log: WriteAheadLog, milliseconds: Int) {
        let head = log.waiting.head
        Self.sealers.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            [weak self, weak environment] in
            if let self { return put(log, since: head, waited: milliseconds) }
            // Others of this program have the file open still.
            if let environment { try? log.putWaiting(environment) }
        }
    }

    private func put(_ log: WriteAheadLog, since former: Head?, waited: Int) {
        // What an append holds while it flushes is not asked for.
        if let head = log.waiting.head, head != former {
            return putLater(log, milliseconds: log.waitMilliseconds)
        }
        do throws(JournalError) {
            try log.putWaiting(environment, waitMilliseconds: 0)
        } catch {
            let isFirst = waited == log.waitMilliseconds
            if isFirst, error.kind != .busy { tell(.checkpointFailed(error)) }
            if isStopped.load(ordering: .sequentiallyConsistent) {
                return isPutting.store(false, ordering: .sequentiallyConsistent)
            }
            return putLater(log, milliseconds: min(1000, 2 * waited))
        }
        isPutting.store(false, ordering: .sequentiallyConsistent)
        // One that came in between has found that somebody sees to it.
        if log.waiting.head != nil { logWasUsed() }
    }

    private func settleLater(_ log: WriteAheadLog, _ ticks: Int) {
        Self.sealers.asyncAfter(deadline: .now() + .milliseconds(log.idleMilliseconds)) {
            [weak self] in
            self?.settle(log, since: ticks)
        }
    }

    private func settle(_ log: WriteAheadLog, since ticks: Int) {
        // Nothing goes on behind the end: it comes to rest when the file is closed.
        if isStopped.load(ordering: .sequentiallyConsistent) {
            return isSettling.store(false, ordering: .releasing)
        }
        var next: Int? = ticks
        reportingFailure { () throws(JournalError) in
            do throws(JournalError) {
                next = try environment.asWriter(waitMilliseconds: 0) { () throws(JournalError) in
                    try log.settle(since: ticks, environment)
                }
            } catch {
                // Somebody is writing: the log is not idle.
                guard error.kind == .busy else {
                    next = nil
                    throw error
                }
            }
        }
        if let next { return settleLater(log, next) }
        isSettling.store(false, ordering: .releasing)
    }

    /// The events are durable already: the log stays in use, and whoever opens the journal next recovers it.
    private func reportingFailure(_ body: () throws(JournalError) -> Void) {
        do throws(JournalError) {
            try body()
        } catch {
            // Others write: the next append asks again.
            if error.kind != .busy { tell(.checkpointFailed(error)) }
        }
    }
}
