import Core
import Engine
import EventLog
import Foundation
import Glibc

/// A piece of long work, and what became of it.
struct Job: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        case verify, rebuild, backup
    }

    enum State: String, Sendable {
        case queued, running, done, failed, cancelled

        var isOver: Bool { self != .queued && self != .running }
    }

    enum Work: Sendable {
        case verify
        /// Of these read models, or of all.
        case rebuild([String])
        /// Into a directory, which the client knows by a name.
        case backup(name: String, directory: String)
    }

    let id: UInt64
    let work: Work
    /// The identity that asked for it.
    let by: String
    let queued: Instant
    var started: Instant?
    private(set) var ended: Instant?
    var state = State.queued
    var progress: Engine.Progress?
    /// What `replay` would print, as JSON.
    private(set) var result: Document?
    private(set) var error: EngineError?
    /// The error as the client is told it.
    private var detail: String?
    private(set) var isUnwanted = false
    /// Counted up with each change.
    var version: UInt64 = 1

    init(id: UInt64, work: Work, by: String, queued: Instant) {
        self.id = id
        self.work = work
        self.by = by
        self.queued = queued
    }

    mutating func cancel() {
        isUnwanted = true
        guard state == .queued else { return }
        state = .cancelled
        ended = .now
    }

    /// - Parameter directory: the journal's.
    mutating func end(_ outcome: Result<Findings, EngineError>, in directory: String) {
        ended = .now
        defer { detail = error.map { told($0, in: directory) } }
        switch outcome {
        case .success(let findings):
            result = findings.document
            error = findings.damage
            state = error == nil ? .done : .failed
        case .failure(let failure) where failure.kind == .closed && isUnwanted: state = .cancelled
        case .failure(let failure):
            error = failure
            state = .failed
        }
    }

    /// Where things lie on the machine is for the log: the client knows a backup by its name.
    private func told(_ error: EngineError, in directory: String) -> String {
        if [.busy, .inputOutput, .noJournal].contains(error.kind) { return Problem(error).detail }
        var places = [(directory, "the journal")]
        if case .backup(_, let place) = work {
            places.append((URL(filePath: place).deletingLastPathComponent().path + "/", ""))
        }
        return places.filter { $0.0.hasPrefix("/") }.reduce(error.message) { text, place in
            text.replacingOccurrences(of: place.0, with: place.1)
        }
    }

    /// What work found, and what of it must not be so.
    struct Findings: Sendable {
        let document: Document
        var damage: EngineError?
    }

    var json: JSON {
        func text(_ instant: Instant?) -> JSON { instant.map { .string("\($0)") } ?? .null }
        let problem = error.map { error in
            JSON.object(of: [
                (
                    "code",
                    .string(error.kind == .checkFailed ? "check-failed" : Problem(error).code)
                ),
                ("detail", .string(detail ?? Problem(error).detail)),
            ])
        }
        let reached = progress.map { progress in
            JSON.object(of: [
                ("done", .integer(Int64(progress.done))),
                ("total", .integer(Int64(progress.total))), ("what", .string(progress.what)),
            ])
        }
        return .object(
            of: work.options + [
                ("by", .string(by)), ("ended", text(ended)), ("error", problem ?? .null),
                ("id", .string("\(id)")), ("kind", .string(work.kind.rawValue)),
                ("progress", reached ?? .null), ("queued", text(queued)),
                ("result", result.flatMap { try? JSON(parsing: $0.bytes) } ?? .null),
                ("started", text(started)), ("state", .string(state.rawValue)),
            ])
    }
}

extension Job.Work {
    var kind: Job.Kind {
        switch self {
        case .verify: .verify
        case .rebuild: .rebuild
        case .backup: .backup
        }
    }

    /// What the client said besides the kind.
    fileprivate var options: [(String, JSON)] {
        switch self {
        case .verify: []
        case .rebuild(let models): [("models", .array(models.map { .string($0) }))]
        case .backup(let name, _): [("name", .string(name))]
        }
    }

    /// Does it; what `progress` throws ends it.
    func run(
        on journal: HostedJournal, _ progress: (Engine.Progress) throws(EngineError) -> Void
    ) throws(EngineError) -> Job.Findings {
        switch self {
        case .verify:
            let report = try journal.engine.verify { try progress($0) }
            return Job.Findings(document: report.document, damage: Self.damage(report))
        case .rebuild(let models):
            defer { journal.didRebuild() }
            return Job.Findings(
                document: try journal.engine.rebuild(models) { try progress($0) }.document)
        case .backup(_, let directory):
            return Job.Findings(
                document: try Self.write(journal.engine, to: directory, progress).document)
        }
    }

    private static func damage(_ report: VerificationReport) -> EngineError? {
        guard !report.isWhole else { return nil }
        let finding = report.findings.first.map { ": \($0)" } ?? ""
        guard let position = report.firstDamaged else {
            return EngineError(
                .checkFailed, "the journal does not hold together\(finding); see the findings")
        }
        return EngineError(
            .checkFailed,
            "the journal is damaged, first at position \(position)\(finding); keep it aside and go back to a copy"
        )
    }

    /// A new backup has its name once it is whole. One that is there grows by whole parts (docs/backup.md).
    private static func write(
        _ engine: EventEngine, to directory: String,
        _ progress: (Engine.Progress) throws(EngineError) -> Void
    ) throws(EngineError) -> BackupReport {
        let files = FileManager.default
        if files.fileExists(atPath: directory + "/backup.json") {
            return try engine.backup(to: directory) { try progress($0) }
        }
        let place = URL(filePath: directory)
        let parent = place.deletingLastPathComponent().path
        // No client can name what begins with a dot.
        let draft = "\(parent)/.\(place.lastPathComponent).new"
        defer { try? files.removeItem(atPath: draft) }
        do {
            // Of a process that was killed.
            if files.fileExists(atPath: draft) { try files.removeItem(atPath: draft) }
            try PlainFiles.makeDirectory(parent)
            let report = try engine.backup(to: draft) { try progress($0) }
            guard unsafe rename(draft, directory) == 0 else {
                throw EngineError(
                    .cannotCreate,
                    "\(directory): \(unsafe String(cString: strerror(errno))); choose another name")
            }
            try PlainFiles.flush(parent)
            return report
        } catch let error as EngineError {
            throw error
        } catch {
            throw EngineError(.inputOutput, "\(error)")
        }
    }
}
