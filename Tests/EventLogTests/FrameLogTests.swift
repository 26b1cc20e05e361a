import Core
import Glibc
import Synchronization
import Testing

@testable import EventLog

/// A log in memory, which loses answers and refuses as it is told.
final class MemoryLog: FrameLog {
    enum Fault {
        /// It has the frame, and nobody hears of it.
        case answerLost
        case refused
    }

    private struct State {
        var frames: [LoggedFrame] = []
        var fault: Fault?
        /// Done once, when it has the next frames.
        var then: (@Sendable () -> Void)?
        var isAhead = true
        var confirmed: UInt64 = 0
    }

    private let state = Mutex(State())
    let term: UInt32

    init(term: UInt32 = 1) {
        self.term = term
    }

    var isAhead: Bool { state.withLock { $0.isAhead } }
    var frames: [LoggedFrame] { state.withLock { $0.frames } }
    var confirmed: UInt64 { state.withLock { $0.confirmed } }

    func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }
    func afterNextAppend(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.then = body }
    }

    /// As a program finds it that begins, where the one before was killed before it said what is confirmed.
    func loseConfirmed() {
        state.withLock { state in
            state.confirmed = 0
            state.isAhead = true
        }
    }

    func append(_ frames: [LoggedFrame]) throws(JournalError) {
        try state.withLock { state throws(JournalError) in
            let fault = state.fault
            state.fault = nil
            let isNext =
                frames[0].number == UInt64(state.frames.count) + 1
                && frames[0].previous == state.frames.last?.chain ?? .zero
            if fault != .refused, isNext { state.frames += frames }
            guard fault == nil, isNext else {
                state.isAhead = true
                throw JournalError(.inputOutput, "no answer", advice: "ask again")
            }
        }
        let then = state.withLock { state in
            defer { state.then = nil }
            return state.then
        }
        then?()
    }

    func didCommit(_ head: Head) { state.withLock { $0.confirmed = head.frameCount } }
    func didNotCommit() { state.withLock { $0.isAhead = true } }
    func frames(after number: UInt64) -> [LoggedFrame] {
        Array(frames.dropFirst(Int(number)).prefix(3))
    }
    func didSettle() { state.withLock { $0.isAhead = false } }
    func checkHold() {}
}

@Suite struct `A journal with a log behind it` {
    /// All frames that the journal has, as they lie there.
    private func frames(_ journal: Journal) throws -> [FrameRecord] {
        var frames: [FrameRecord] = []
        try journal.snapshot().forEachFrame { frame in
            frames.append(frame)
            return true
        }
        return frames
    }

    private func events(_ journal: Journal) throws -> [PlainEvent] {
        var events: [PlainEvent] = []
        try journal.snapshot().forEachEvent { record, body in
            events.append(PlainEvent(record, body))
            return true
        }
        return events
    }

    @Test(arguments: 0..<20)
    func `and one that follows are the same, whatever became of answers`(seed: UInt64) throws {
        let here = try Scratch()
        let there = try Scratch()
        try Journal.create(at: here.journal)
        try Journal.create(at: there.journal)
        let log = MemoryLog()
        let journal = try Journal(at: here.journal, sealing: .often(20), log: log)
        let follower = try Journal(at: there.journal, sealing: .often(30))
        var random = SplitMix64(seed: seed)
        var model = Model()
        for _ in 0..<40 {
            let batch = model.randomBatch(&random)
            let fault: MemoryLog.Fault? =
                switch random.below(6) {
                case 0: .answerLost
                case 1: .refused
                default: nil
                }
            if let fault { log.fail(fault) }
            let failed = kind { _ = try journal.append(batch) }
            #expect(failed == (fault == nil ? nil : .inputOutput))
            #expect(try journal.head().frameCount == model.frameCount + (fault == nil ? 1 : 0))
            // What the log has happened, whoever heard of it.
            if fault != .refused { model.append(batch) }
            try journal.withWriterLock { try journal.settle() }
            #expect(try journal.head().frameCount == model.frameCount)
            if random.below(4) == 0 { try catchUp(follower, log) }
        }
        try catchUp(follower, log)
        #expect(try journal.head() == follower.head())
        #expect(try events(journal) == model.events)
        #expect(try events(follower) == model.events)
        #expect(try frames(journal) == frames(follower))
        #expect(try journal.verify().findings.isEmpty)
        #expect(try follower.verify().findings.isEmpty)
        for (id, entry) in model.commands {
            #expect(try follower.snapshot().command(id) == entry)
        }
    }

    private func catchUp(_ follower: Journal, _ log: MemoryLog) throws {
        try follower.withWriterLock {
            while true {
                let frames = log.frames(after: try follower.head().frameCount)
                if frames.isEmpty { return }
                try follower.follow(frames)
            }
        }
    }

    @Test func `says again what is confirmed once it has settled`() throws {
        let scratch = try Scratch()
        try Journal.create(at: scratch.journal)
        let log = MemoryLog()
        let journal = try Journal(at: scratch.journal, log: log)
        var random = SplitMix64(seed: 3)
        let model = Model()
        _ = try journal.append(model.randomBatch(&random))
        #expect(log.confirmed == 1)
        log.loseConfirmed()
        try journal.withWriterLock { try journal.settle() }
        #expect(log.confirmed == 1)
    }

    @Test func `takes in what the log has when its own commit failed`() throws {
        let scratch = try Scratch()
        try Journal.create(at: scratch.journal)
        let log = MemoryLog()
        var options = WriteAheadLog.Options()
        options.commitsBefore = 0
        let journal = try Journal(
            at: scratch.journal, access: .readWrite, mapBytes: LMDBEnvironment.leastMapBytes,
            log: log, logging: options)
        try journal.withWriterLock { try journal.settle() }
        var random = SplitMix64(seed: 11)
        var model = Model()
        let first = model.randomBatch(&random)
        model.append(first)
        _ = try journal.append(first)
        let second = model.randomBatch(&random)
        model.append(second)
        log.afterNextAppend {
            journal.environment.log?.withState { state in
                close(state.descriptor)
                state.descriptor = -1
            }
        }
        #expect(kind { _ = try journal.append(second) } == .inputOutput)
        #expect(try journal.head().frameCount == 1)
        try journal.withWriterLock { try journal.settle() }
        #expect(try journal.head().frameCount == 2)
        #expect(try events(journal) == model.events)
        #expect(try journal.verify().findings.isEmpty)
    }

    @Test func `takes no frame that does not continue it`() throws {
        let here = try Scratch()
        let there = try Scratch()
        try Journal.create(at: here.journal)
        try Journal.create(at: there.journal)
        let log = MemoryLog()
        let journal = try Journal(at: here.journal, log: log)
        let follower = try Journal(at: there.journal)
        var random = SplitMix64(seed: 7)
        var model = Model()
        for _ in 0..<6 {
            let batch = model.randomBatch(&random)
            model.append(batch)
            _ = try journal.append(batch)
        }
        let frames = log.frames
        try follower.withWriterLock { try follower.follow(Array(frames[0..<2])) }
        let before = try follower.head()
        var flipped = frames[2].bytes
        flipped[flipped.count / 2] ^= 1
        let changed = LoggedFrame(
            number: 3, term: 1, position: frames[2].position, previous: frames[2].previous,
            chain: frames[2].chain, key: frames[2].key, bytes: flipped)
        for wrong in [[frames[3]], [frames[1]], [changed], [frames[2], frames[4]]] {
            let refused = kind {
                try follower.withWriterLock { try follower.follow(wrong) }
            }
            guard case .damaged = refused else {
                Issue.record("\(String(describing: refused))")
                continue
            }
            #expect(try follower.head() == before)
        }
        try follower.withWriterLock { try follower.follow(Array(frames[2...])) }
        #expect(try follower.head() == journal.head())
    }

    @Test func `is not written to past the log`() throws {
        let scratch = try Scratch()
        try Journal.create(at: scratch.journal)
        try FileSystem.write(Array("{}".utf8), to: scratch.journal + "/" + Journal.logFileName)
        #expect(kind { _ = try Journal(at: scratch.journal) } == .readOnly)
        _ = try Journal(at: scratch.journal, access: .readOnly)
    }
}
