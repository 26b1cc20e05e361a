import Cryptography
import Glibc
import Synchronization

/// `journal.wal`: makes a commit durable with one flush, where LMDB needs two (ADR 0061).
///
/// While it is in use, what a commit appends is written here and flushed, and then committed to `journal.mdb` without
/// a flush: at once, or with later ones (`WriteAheadLog+Waiting.swift`). A power failure may leave anything of those
/// commits: recovery goes back to the last state of `journal.mdb` that was flushed, and appends the logged frames to it anew.
///
/// No page of that state may be written over meanwhile. A read transaction, the *pin*, keeps it.
///
/// All but `init`, `enable` and what is done beside the appends is called by whoever holds LMDB's own lock of writers; what lets
/// commits wait, by whoever holds `writer.lock`.
package final class WriteAheadLog: Sendable {
    /// A place in the log; the area is filled round and round.
    struct Place: Equatable {
        var lap = 0
        var offset = LogHeader.recordsOffset
    }

    struct State: ~Copyable {
        var options = Options()
        var identity: [UInt8]?
        var directory = ""
        var descriptor: CInt = -1
        /// As it was read or written last.
        var header: LogHeader?
        /// The file's beginning when it was looked at last.
        var beginning: [UInt8] = []
        var isInUse = false
        var hasMarkedFormat = false
        /// How many commits in a row were this program's.
        var run = 0
        /// From the flushed state on; records before it may be written over.
        var start = Place()
        var end = Place()
        var last = Place()
        var pin: UInt = 0
        /// Of a header that is written and not flushed yet.
        var next: (start: Place, pin: UInt)?
        /// Commits to `journal.mdb`, and bytes of the log, since it went on from a state that is flushed.
        var commits = 0
        var bytes = 0
        var wantsCheckpoint = false
        var checkpoint = Checkpoint.none
        /// Grows with each append.
        var ticks = 0
    }
    let path: String
    private let state = Mutex(State())
    let waitingFrames = Mutex(Waiting())

    /// `path`: of the LMDB file.
    init(beside path: String) { self.path = LogHeader.path(beside: path) }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// From here on this program may use it.
    func enable(_ directory: String, identity: [UInt8], _ options: Options) {
        state.withLock { state in
            state.directory = directory
            state.identity = identity
            state.options = options
        }
    }

    /// Whether there is, or was, such a file.
    var isOpen: Bool { state.withLock { $0.descriptor >= 0 } }

    var waitMilliseconds: Int { state.withLock { $0.options.waitMilliseconds } }
    var idleMilliseconds: Int { state.withLock { $0.options.idleMilliseconds } }
    func withState<R: Sendable, E: Error>(
        _ body: (inout State) throws(E) -> R
    ) throws(E) -> R {
        try state.withLock { state throws(E) in try body(&state) }
    }

    // MARK: Whose it is

    /// Looks at whose the log is before anything is written. One that another program used is brought to rest: its
    /// pin may be gone, so that nothing but a flush protects what is in `journal.mdb`. If that has not everything that the log has,
    /// it answers that, to be adopted in this transaction.
    func enter(
        _ environment: LMDBEnvironment, _ transaction: OpaquePointer
    ) throws(JournalError) -> LogTail? {
        try state.withLock { state throws(JournalError) -> LogTail? in
            try open(&state, environment)
            guard state.descriptor >= 0 else {
                if state.isInUse { try environment.flush() }  // somebody deleted it
                giveUp(&state, environment)
                return nil
            }
            let beginning = try FileSystem.read(
                LogHeader.slotsEnd, from: state.descriptor, at: 0, path)
            // Nobody has written a header since, not even this program.
            if state.isInUse, beginning.hasBytes(of: state.beginning) { return nil }
            state.beginning = beginning
            guard let header = LogHeader.newest(in: beginning) else {
                throw .damaged("\(path) has no sound header")
            }
            if header.hasFailed { throw failedBefore }
            if header.isInUse, state.isInUse, header.epoch == state.header?.epoch {
                return nil
            }
            giveUp(&state, environment)
            state.header = header
            guard header.isInUse else { return nil }
            if let tail = try unsafe tail(environment, transaction), tail.waiting.head != nil,
                tail.header.epoch == header.epoch
            {
                return tail
            }
            try rest(&state, environment)
            return nil
        }
    }

    /// Whether the log is this program's, and nobody has written a header or deleted it since: then nobody else has
    /// appended anything.
    var isUnchanged: Bool { state.withLock { isUnchanged($0) } }

    func isUnchanged(_ state: borrowing State) -> Bool {
        guard state.isInUse, state.descriptor >= 0, FileSystem.hasName(state.descriptor),
            let beginning = try? FileSystem.read(
                LogHeader.slotsEnd, from: state.descriptor, at: 0, path)
        else { return false }
        return beginning.hasBytes(of: state.beginning)
    }

    /// Opens the file if it is there; another program may have removed the one that was.
    private func open(_ state: inout State, _ environment: LMDBEnvironment) throws(JournalError) {
        if state.descriptor >= 0 {
            if FileSystem.hasName(state.descriptor) { return }
            close(state.descriptor)
            state.descriptor = -1
            state.header = nil
        }
        state.descriptor = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard state.descriptor >= 0 || errno == ENOENT else {
            throw .failed("opening", at: path, errno: errno)
        }
        guard state.descriptor >= 0, !environment.isInPlace else { return }
        close(state.descriptor)  // of the journal that stands there now
        state.descriptor = -1
    }

    /// It is not this program's any more.
    private func giveUp(_ state: inout State, _ environment: LMDBEnvironment) {
        if state.isInUse { state.run = 0 }
        state.isInUse = false
        if state.pin != 0 { environment.endPin(state.pin) }
        if let next = state.next { environment.endPin(next.pin) }
        state.pin = 0
        state.next = nil
        endCheckpoint(&state, environment)
        state.commits = 0
        state.bytes = 0
        state.wantsCheckpoint = false
    }

    /// Flushes `journal.mdb` and says so; durable on return.
    private func rest(
        _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        try flushPages(&state, environment)
        guard let header = state.header else { return }
        let (clean, descriptor) = (header.atRest, state.descriptor)
        let waits = state.next != nil || !state.isInUse
        try environment.breaking { () throws(JournalError) in
            // One that waits for its flush, this program's or another's, keeps its slot until then.
            if waits { try FileSystem.flushData(descriptor, path) }
            try clean.write(to: descriptor, path)
            try FileSystem.flushData(descriptor, path)
        }
        state.header = clean
        giveUp(&state, environment)
        // The other slot may follow when it likes: with both, no single bad sector brings back an old state.
        let both = clean.atRest
        if (try? both.write(to: state.descriptor, path)) != nil { state.header = both }
    }

    // MARK: Beginning

    /// Begins to use it, from the state of the last commit, which is flushed; false if it cannot be made.
    private func begin(
        _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) -> Bool {
        guard let identity = state.identity, environment.isInPlace, markFormat(&state)
        else { return false }
        if state.descriptor < 0 {
            do throws(JournalError) {
                try make(identity, state.options)
                try open(&state, environment)
                state.header = try LogHeader.read(state.descriptor, path)
            } catch {
                state.identity = nil  // no room, or no right: it goes without
                return false
            }
        }
        guard state.descriptor >= 0, let former = state.header,
            former.areaBytes >= UInt64(state.options.areaBytes),
            let mark = try? mark(&state, environment)
        else { return false }
        let epoch = RandomBytes.make(8).reduce(0) { $0 << 8 | UInt64($1) }
        let header = LogHeader(
            sequence: former.sequence + 1, isInUse: true, epoch: epoch, identity: identity,
            areaBytes: former.areaBytes, start: UInt64(LogHeader.recordsOffset), meta: mark.meta,
            process: UInt32(bitPattern: getpid()))
        let pin = mark.pin
        do throws(JournalError) {
            let descriptor = state.descriptor
            try environment.breaking { () throws(JournalError) in
                // The one beside it may be the second at rest, not flushed yet.
                try FileSystem.flushData(descriptor, path)
                try header.write(to: descriptor, path)
                try FileSystem.flushData(descriptor, path)
            }
        } catch {
            environment.endPin(pin)
            throw error
        }
        state.header = header
        state.isInUse = true
        state.start = Place()
        state.end = Place()
        state.last = Place()
        state.pin = pin
        return true
    }

    /// Says in `FORMAT` that there may be a log, ahead of `journal.mdb`; false if that cannot be said. A file that was left by a
    /// former program is used, too.
    private func markFormat(_ state: inout State) -> Bool {
        if !state.hasMarkedFormat {
            let directory = JournalDirectory(path: state.directory)
            state.hasMarkedFormat = (try? directory.markLogged()) != nil
        }
        return state.hasMarkedFormat
    }

    /// Makes the file, whole before it has its name.
    private func make(_ identity: [UInt8], _ options: Options) throws(JournalError) {
        // A record is written by itself, later: of a file that was written by pages only its own is looked at.
        let bytes = LogHeader.emptyLog(identity, areaBytes: options.areaBytes)
        try PlainFiles.replace(path, bytes, pieceBytes: 4096)
    }

    // MARK: Appending

    /// Makes the frames of a commit durable; false if they have to become so by the commit itself.
    func write(
        _ frames: [[UInt8]], _ environment: LMDBEnvironment
    ) throws(JournalError) -> Bool {
        try state.withLock { state throws(JournalError) in
            guard state.identity != nil else { return false }
            let length = frames.reduce(20) { $0 + 4 + $1.count }
            guard length <= state.options.mostRecordBytes else {
                state.run = 0
                // A frame that the log does not have must not be followed by any that it has.
                if state.isInUse { try rest(&state, environment) }
                return false
            }
            if !state.isInUse {
                state.run += 1
                guard state.run > state.options.commitsBefore else { return false }
                guard try begin(&state, environment) else { return false }
            }
            try goOn(&state, environment)
            let record = LogRecord.bytes(
                of: frames, epoch: state.header?.epoch ?? 0, waits: false)
            try put(record, &state, environment)
            return true
        }
    }

    private func put(
        _ record: [UInt8], _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        func mustWait(_ state: borrowing State) -> Bool {
            room(for: record.count, state) == nil || state.commits >= state.options.mostCommits
        }
        if mustWait(state), state.next != nil { try flush(&state, environment) }
        if mustWait(state) {
            // Appends outran the flushes of `journal.mdb`: this one waits for it.
            try flushPages(&state, environment)
            try take(mark(&state, environment), &state, environment)
            try flush(&state, environment)
        }
        guard let place = room(for: record.count, state) else {
            throw .invalid("a record that its log has no room for")
        }
        try write(record, at: place, &state, environment)
        state.commits += 1
    }

    /// Durable on return.
    func write(
        _ record: [UInt8], at place: Place, _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        try FileSystem.write(record, to: state.descriptor, at: place.offset, path)
        try flush(&state, environment)
        state.last = place
        state.end = Place(lap: place.lap, offset: place.offset + record.count)
        state.bytes += record.count
        state.ticks += 1
    }

    /// Where a record fits without touching those that recovery needs.
    func room(for length: Int, _ state: borrowing State) -> Place? {
        let areaEnd = LogHeader.recordsOffset + state.options.areaBytes
        let (start, end) = (state.start, state.end)
        if end.lap == start.lap {
            if end.offset + length <= areaEnd { return end }
            let next = Place(lap: end.lap + 1, offset: LogHeader.recordsOffset)
            // Not up to its edge: a start at the end of the area must not be taken for an empty log.
            return next.offset + length < start.offset || start == end ? next : nil
        }
        return end.offset + length < start.offset ? end : nil
    }

    /// The commit failed after its record was written: it must not come back.
    func withdraw(_ environment: LMDBEnvironment) {
        state.withLock { state in
            guard state.isInUse, state.end != state.last else { return }
            let (descriptor, place) = (state.descriptor, state.last)
            state.end = place
            try? environment.breaking { () throws(JournalError) in
                try FileSystem.write(LogRecord.withdrawn, to: descriptor, at: place.offset, path)
                try FileSystem.flushData(descriptor, path)
            }
        }
    }

    private func flush(
        _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        let descriptor = state.descriptor
        try environment.breaking { () throws(JournalError) in
            try FileSystem.flushData(descriptor, path)
        }
        guard let next = state.next else { return }
        environment.endPin(state.pin)
        state.pin = next.pin
        state.start = next.start
        state.next = nil
    }

    // MARK: Coming to rest

    /// Brings it to rest if nothing was appended since `ticks`, which is then the new count; nil if it is at rest.
    func settle(
        since ticks: Int, _ environment: LMDBEnvironment
    ) throws(JournalError) -> Int? {
        try state.withLock { state throws(JournalError) -> Int? in
            guard state.isInUse else { return nil }
            guard state.ticks == ticks else { return state.ticks }
            try rest(&state, environment)
            return nil
        }
    }

    /// Takes it away, at rest, when the file is closed: a journal that nobody writes to has none.
    func remove(_ environment: LMDBEnvironment) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            if state.isInUse { try rest(&state, environment) }
            guard state.descriptor >= 0, let header = state.header, !header.isInUse else { return }
            try FileSystem.remove(path)
        }
    }
}
