import Products
import Dispatch
import Engine
import EngineObservability
import Core
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

/// Keeps what an engine tells.
private final class Recorder: EngineObserver {
    private let heard = Mutex<[EngineActivity]>([])

    func engine(did activity: EngineActivity) { heard.withLock { $0.append(activity) } }

    var all: [EngineActivity] { heard.withLock { $0 } }

    var commits: [EngineActivity.Commit] {
        all.compactMap { if case .committed(let commit) = $0 { commit } else { nil } }
    }

    var failures: [EngineActivity.Failure] {
        all.compactMap { if case .failed(let failure) = $0 { failure } else { nil } }
    }
}

@Suite struct `An observer` {
    @Test func `hears of commits, folds, stored views and seals`() async throws {
        let place = try DiskPlace()
        let recorder = Recorder()
        let engine = try place.open {
            $0.observer = recorder
            $0.segmentEvents = 64
        }
        let lines = (1...600).map { Room.register("S-\($0)", at: day) }
        _ = try engine.submit(lines, clock: fixedClock)
        #expect(recorder.commits.map(\.events).reduce(0, +) == 600)
        #expect(recorder.commits.last?.position == Position(600))
        #expect(recorder.commits.allSatisfy { $0.bytes > 0 && $0.duration > .zero })
        _ = try await engine.show("examroom.overview")
        await engine.close()
        var kinds: Set<String> = []
        for activity in recorder.all {
            switch activity {
            case .committed: kinds.insert("committed")
            case .folded(let fold): if fold.position == Position(600) { kinds.insert("folded") }
            case .sealed(let seal): if seal.events >= 64 { kinds.insert("sealed") }
            case .storedViews(let stored):
                if stored.position == Position(600) { kinds.insert("stored") }
            case .failed(let failure): Issue.record("\(failure)")
            }
        }
        #expect(kinds == ["committed", "folded", "sealed", "stored"])
    }

    @Test func `hears of no fold where models of the history alone are made again`()
        async throws
    {
        let place = try DiskPlace()
        _ = try await place.open().submit(.register("S-1"))
        let recorder = Recorder()
        let engine = try place.open { $0.observer = recorder }
        func folds() -> Int {
            recorder.all.count { if case .folded = $0 { true } else { false } }
        }
        #expect(try engine.rebuild(["audit.log", "journal.summary"]).foldedProducts.isEmpty)
        #expect(folds() == 0)
        _ = try engine.rebuild(["timers.pending"])
        #expect(folds() > 0)
    }

    @Test func `hears that sealing fails, which no caller is answered`() async throws {
        let place = try DiskPlace()
        let recorder = Recorder()
        let lock = place.journal + "/sealing.lock"
        let engine = try place.open {
            $0.observer = recorder
            $0.segmentEvents = 4
        }
        try? FileManager.default.removeItem(atPath: lock)
        try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
        for number in 1...8 {
            #expect(try await engine.submit(.register("S-\(number)")).status == .accepted)
        }
        let failure = try #require(recorder.failures.first)
        #expect(failure.operation == .seal)
        #expect(failure.error.message.contains("sealing.lock"), "\(failure.error)")
    }

    @Test func `hears of stored views that cannot be used`() async throws {
        let place = try DiskPlace()
        _ = try await place.open().submit(.register("S-1"))
        try waitUntilClosed(place.journal)
        try Data(repeating: 7, count: 65_536).write(
            to: URL(filePath: place.journal + "/views.mdb"))
        let recorder = Recorder()
        let engine = try place.open { $0.observer = recorder }
        #expect(try await engine.show("examroom.overview").value["students"].integer == 1)
        #expect(recorder.failures.map(\.operation).contains(.openViews), "\(recorder.failures)")
    }

    @Test func `that logs writes a warning for a failure, and nothing personal`() async throws {
        let place = try DiskPlace()
        let heard = Lines()
        let logger = Logger(label: "test") { _ in LineHandler(lines: heard) }
        let engine = try place.open { $0.observer = EngineTelemetry(logger: logger) }
        _ = try await engine.submit(.register("S-1"))
        _ = try await engine.show("examroom.overview")
        #expect(heard.all.contains { $0.hasPrefix("debug committed") })
        #expect(heard.all.contains { $0.hasPrefix("trace folded") })
        #expect(!heard.all.contains { $0.contains("S-1") })
    }
}

/// Log lines as they were written.
private final class Lines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}

private struct LineHandler: LogHandler {
    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(lines: Lines) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
    }
}
