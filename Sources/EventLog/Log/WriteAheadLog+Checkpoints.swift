/// Checkpoints: `journal.mdb` is flushed beside the appends, and the log goes on from there.
///
/// An append marks the last commit, and goes on from a mark that was flushed: whoever flushes never waits for the lock of
/// writers, which a program that appends without a pause holds nearly always.
extension WriteAheadLog {
    /// A state of `journal.mdb`, and where the log goes on from it.
    struct Mark: Sendable {
        let meta: MetaPages.Copy
        let place: Place
        let epoch: UInt64
        let pin: UInt
    }

    enum Checkpoint: Sendable {
        case none
        /// Waits for somebody to flush `journal.mdb`.
        case marked(Mark)
        /// Somebody does.
        case flushing
        /// The next append goes on from it.
        case flushed(Mark)
    }

    /// What is to be done beside the appends.
    struct Use {
        var isInUse: Bool
        /// Somebody ought to flush `journal.mdb`.
        var isMarked = false
        var hasWaiting: Bool
    }

    var use: Use {
        let hasWaiting = waiting.head != nil
        return withState { state in
            var use = Use(isInUse: state.isInUse, hasWaiting: hasWaiting)
            if case .marked = state.checkpoint { use.isMarked = true }
            return use
        }
    }

    // MARK: Beside the appends

    /// Flushes `journal.mdb` if an append has asked for it.
    func flushMarked(_ environment: LMDBEnvironment) throws(JournalError) {
        let taken = withState { state -> Mark? in
            guard case .marked(let mark) = state.checkpoint else { return nil }
            state.checkpoint = .flushing
            return mark
        }
        guard let mark = taken else { return }
        do throws(JournalError) {
            try flushPages(environment)
        } catch {
            didFlush(nil)
            environment.endPin(mark.pin)
            throw error
        }
        if !didFlush(mark) { environment.endPin(mark.pin) }
    }

    /// False if nobody will go on from the mark.
    @discardableResult
    private func didFlush(_ mark: Mark?) -> Bool {
        withState { state in
            state.checkpoint = .none
            guard let mark, state.isInUse, state.header?.epoch == mark.epoch else { return false }
            state.checkpoint = .flushed(mark)
            return true
        }
    }

    // MARK: In an append

    /// Goes on from what was flushed, and marks the last commit if much came since.
    func goOn(_ state: inout State, _ environment: LMDBEnvironment) throws(JournalError) {
        if case .flushed(let mark) = state.checkpoint {
            state.checkpoint = .none
            try advance(to: mark, &state, environment)
        }
        guard case .none = state.checkpoint, wantsMark(state) else { return }
        // Without a pin the appends go on, until the log has no room left.
        if let mark = try? mark(&state, environment) { state.checkpoint = .marked(mark) }
    }

    /// Whether much came since the last mark.
    func wantsMark(_ state: borrowing State) -> Bool {
        guard state.next == nil, state.options.hasCheckpoints else { return false }
        return state.wantsCheckpoint || state.commits >= state.options.commitsPerCheckpoint
            || state.bytes >= state.options.bytesPerCheckpoint
    }

    /// The state of the last commit, pinned.
    func mark(
        _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) -> Mark {
        let pin = try environment.beginPin()
        do throws(JournalError) {
            let meta = try MetaPages.copy(environment.path, commit: environment.pinned(pin))
            return Mark(
                meta: meta, place: state.end, epoch: state.header?.epoch ?? 0, pin: pin)
        } catch {
            environment.endPin(pin)
            throw error
        }
    }

    /// `journal.mdb` was flushed since the mark was made: the log goes on from there. The header becomes durable with
    /// the next record; until then what the former one needs is kept.
    private func advance(
        to mark: Mark, _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        // An append that had no room left may have gone on from a later state meanwhile.
        guard state.isInUse, state.next == nil, let header = state.header,
            header.epoch == mark.epoch, let flushed = header.meta,
            flushed.commit < mark.meta.commit
        else { return environment.endPin(mark.pin) }
        try take(mark, &state, environment)
    }

    /// No header may wait for its flush: this one goes over the slot of the one before that.
    func take(
        _ mark: Mark, _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        guard var header = state.header else { return environment.endPin(mark.pin) }
        header.sequence += 1
        header.start = UInt64(mark.place.offset)
        header.meta = mark.meta
        let descriptor = state.descriptor
        do throws(JournalError) {
            try environment.breaking { () throws(JournalError) in
                try header.write(to: descriptor, path)
            }
        } catch {
            environment.endPin(mark.pin)
            throw error
        }
        state.header = header
        state.next = (mark.place, mark.pin)
        state.commits = 0
        state.bytes = 0
        state.wantsCheckpoint = false
    }

    /// What is not appended was committed to `journal.mdb`, flushed: what it freed is kept as long as the mark is old.
    func noteOtherCommit() { withState { if $0.isInUse { $0.wantsCheckpoint = true } } }

    /// The log is this program's no more. A flush that is under way finds that out by itself.
    func endCheckpoint(_ state: inout State, _ environment: LMDBEnvironment) {
        switch state.checkpoint {
        case .marked(let mark), .flushed(let mark):
            environment.endPin(mark.pin)
            state.checkpoint = .none
        case .none, .flushing: break
        }
    }
}
