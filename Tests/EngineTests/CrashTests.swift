import Engine
import EventLog
import Core
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// A `replay submit` that is fed through a pipe and killed when the test says so.
private struct DoomedSubmit {
    enum Moment {
        /// After so many outcomes were read.
        case outcomes(Int)
        /// After so many microseconds.
        case delay(UInt32)
    }

    let journal: String
    let clock: String
    /// Events after which it seals the journal's tail; nil for as many as usual.
    let sealsAfter: Int?

    /// The outcome lines that came out whole before the end.
    func run(_ lines: ArraySlice<[UInt8]>, until moment: Moment, seed: UInt64) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: try ReplayTool.path())
        process.arguments = ["submit", "--journal", journal, "--json", "--clock", clock]
        if let sealsAfter {
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["SIJILL_SEGMENT_EVENTS": "\(sealsAfter)"]) { $1 }
        }
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let identifier = process.processIdentifier
        let ended = Atomic<Bool>(false)
        let left = Atomic<Int>(2)

        // The pipe stays open for writing until the end: the child ends by the signal only.
        let feeder = Thread {
            Self.blockBrokenPipe()
            Self.feed(lines, input.fileHandleForWriting, seed: seed, until: ended)
            left.subtract(1, ordering: .releasing)
        }
        feeder.start()
        let killer = Thread {
            var pause: UInt32 = 30_000_000
            if case .delay(let time) = moment { pause = time }
            var waited: UInt32 = 0
            while waited < pause, !ended.load(ordering: .acquiring) {
                let step = min(pause - waited, 1_000)
                usleep(step)
                waited += step
            }
            if !ended.load(ordering: .acquiring) { kill(identifier, SIGKILL) }
            left.subtract(1, ordering: .releasing)
        }
        killer.start()

        var bytes: [UInt8] = []
        var whole = 0
        while true {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            whole += data.count { $0 == 10 }
            bytes += data
            if case .outcomes(let count) = moment, whole >= count {
                kill(identifier, SIGKILL)
            }
        }
        ended.store(true, ordering: .releasing)
        while left.load(ordering: .acquiring) > 0 { usleep(200) }
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "it ended by itself")
        #expect(process.terminationStatus == SIGKILL)
        // What follows the last line end was on its way when the end came: nobody heard it.
        let heard = bytes.prefix((bytes.lastIndex(of: 10) ?? -1) + 1)
        return heard.split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Lines in groups of all sizes, some at once, some after a pause.
    private static func feed(
        _ lines: ArraySlice<[UInt8]>, _ pipe: FileHandle, seed: UInt64,
        until ended: borrowing Atomic<Bool>
    ) {
        var random = SplitMix64(seed: seed)
        var rest = lines
        while !rest.isEmpty, !ended.load(ordering: .acquiring) {
            let group = rest.prefix(1 + Int(random.next() % 20))
            rest = rest.dropFirst(group.count)
            do {
                try pipe.write(contentsOf: Data(group.flatMap { $0 + [10] }))
            } catch {
                return  // the child is gone
            }
            if random.next() % 3 == 0 { usleep(UInt32(random.next() % 4_000)) }
        }
        while !ended.load(ordering: .acquiring) { usleep(500) }
    }

    /// Writing to a child that is gone is an error here, not the end of the tests.
    private static func blockBrokenPipe() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

@Suite struct `A submitter that is killed` {
    private static let lines = Result { try LSAT.lines(people: 20) }
    private static let undisturbed = Result {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        _ = try engine.submit(lines.get(), clock: fixedClock)
        return try engine.told()
    }

    /// 10 × 20 moments.
    @Test(arguments: UInt64(1)...10)
    func `loses no acknowledged outcome, tears nothing, and can go on where it was`(
        seed: UInt64
    ) throws {
        let lines = try Self.lines.get()
        var random = SplitMix64(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        var place = try DiskPlace()
        var acknowledged: [JSON] = []
        for kill in 1...20 {
            if acknowledged.count == lines.count {
                try expectWhole(place, lines)
                place = try DiskPlace()
                acknowledged = []
            }
            // Some of what was answered is asked again.
            let from = max(0, acknowledged.count - below(4))
            let moment: DoomedSubmit.Moment =
                below(2) == 0
                ? .outcomes(min(1 + below(30), lines.count - from))
                : .delay(UInt32(20_000 + below(120_000)))
            let submit = DoomedSubmit(
                journal: place.journal, clock: fixedClock,
                sealsAfter: seed.isMultiple(of: 2) ? nil : 5 + below(40))
            let heard = try submit.run(lines[from...], until: moment, seed: random.next())
            let outcomes = try heard.map { try JSON(parsing: Array($0.utf8)) }
            for (offset, outcome) in outcomes.enumerated() {
                let index = from + offset
                let expected =
                    index < acknowledged.count ? ["duplicate"] : ["accepted", "duplicate"]
                #expect(
                    expected.contains(outcome["status"]?.string ?? ""),
                    "kill \(kill), line \(index + 1): \(outcome)")
                guard index < acknowledged.count else {
                    acknowledged.append(outcome)
                    continue
                }
                #expect(outcome["events"] == acknowledged[index]["events"])
            }
            try expectKept(
                acknowledged, place, lines, "kill \(kill), \(moment)",
                isThorough: kill.isMultiple(of: 5))
        }
        try expectWhole(place, lines)
    }

    /// Every acknowledged outcome is in the journal, event by event, and the journal is whole.
    private func expectKept(
        _ acknowledged: [JSON], _ place: DiskPlace, _ lines: [[UInt8]], _ moment: String,
        isThorough: Bool
    ) throws {
        let report = try Journal(at: place.journal).verify()
        #expect(report.isWhole, "\(moment): \(report.findings)")
        let engine = try place.open()
        let asked = Array(lines.prefix(acknowledged.count))
        let again = try engine.submit(asked, clock: fixedClock, isDryRun: true)
        for (answer, first) in zip(again, acknowledged) {
            #expect(answer.status == .duplicate, "\(moment): \(answer.document.text)")
            #expect(answer.json["id"] == first["id"])
            #expect(answer.json["events"] == first["events"], "\(moment)")
        }
        // What takes longest, at every fifth end.
        guard isThorough else { return }
        #expect(try engine.verify().isWhole, "\(moment)")
        expectGapless(try engine.allEvents())
    }

    /// Submitted again, what was there is a duplicate, the rest is new, and the journal is the one
    /// that was never disturbed.
    private func expectWhole(_ place: DiskPlace, _ lines: [[UInt8]]) throws {
        let engine = try place.open()
        let there = try engine.exported().count { $0.hasPrefix(#"{"accepted""#) }
        let outcomes = try engine.submit(lines, clock: fixedClock)
        #expect(outcomes.prefix(there).allSatisfy { $0.status == .duplicate })
        #expect(outcomes.dropFirst(there).allSatisfy { $0.status == .accepted })
        #expect(try engine.told() == Self.undisturbed.get())
        #expect(try engine.verify().isWhole)
    }
}
