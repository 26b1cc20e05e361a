import Engine
import Foundation
import Testing

/// The demo's input: 1,000 people's answers, as Examples/lsat makes commands of them.
@Suite("The LSAT demo") struct LSATTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let clock = "2026-02-08T00:00:00Z"

    /// The command lines, made as the demo makes them.
    private static let lines: [[UInt8]] = {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/awk")
        process.arguments = ["-f", "Examples/lsat/commands.awk", "Examples/lsat/lsat6.csv"]
        process.currentDirectoryURL = root
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return [] }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data.split(separator: 10).map { Array($0) }
    }()

    /// A journal of its own for one run.
    private final class Run {
        let directory = NSTemporaryDirectory() + "lsat-\(UUID().uuidString)"

        init() throws { try Engine.create(at: directory) }

        deinit { try? FileManager.default.removeItem(atPath: directory) }

        func engine() throws -> Engine { try Engine(at: directory) }

        /// The digest of each model.
        func digests() throws -> [String: String] {
            let entries = try engine().rebuild().entries
            return Dictionary(uniqueKeysWithValues: entries.map { ($0.model, $0.digest) })
        }
    }

    private static func submitted() throws -> Run {
        let run = try Run()
        let outcomes = try run.engine().submit(lines, clock: clock)
        #expect(outcomes.allSatisfy { $0.status == .accepted })
        return run
    }

    private func number(_ path: [String], _ value: Document.Value) -> String? {
        guard let first = path.first else {
            if case .number(let text) = value { return text }
            return nil
        }
        switch value {
        case .object(let members):
            return members.first { $0.name == first }.flatMap {
                number(Array(path.dropFirst()), $0.value)
            }
        case .array(let items):
            return Int(first).flatMap { items.indices.contains($0) ? items[$0] : nil }.flatMap {
                number(Array(path.dropFirst()), $0)
            }
        default: return nil
        }
    }

    @Test func `finds the published figures`() throws {
        let engine = try Self.submitted().engine()
        let analytics = try engine.show("examroom.exam-analytics", key: "LSAT-6").value
        let rates = (0..<5).map { number(["questions", "\($0)", "correctRate"], analytics) }
        #expect(rates == ["92.4", "70.9", "55.3", "76.3", "87"])
        #expect(number(["distribution", "9", "count"], analytics) == "298")
        #expect(number(["distribution", "0", "count"], analytics) == "3")
    }

    @Test func `run twice gives the same digests, byte for byte`() throws {
        #expect(try Self.submitted().digests() == Self.submitted().digests())
    }

    @Test func `one command an engine gives what all in one engine give`() throws {
        // Enough to register, write the exam and begin; every line by a newly opened engine.
        let some = Array(Self.lines.prefix(60) + Self.lines[1008..<1100])
        let together = try Run()
        _ = try together.engine().submit(some, clock: Self.clock)
        let apart = try Run()
        for line in some { _ = try apart.engine().submit([line], clock: Self.clock) }
        #expect(try apart.digests() == together.digests())
    }

    /// What prints positions, or an order of telling, tells interleavings apart: the audit views, the
    /// journal's own summary of symbols and streams does not.
    private static let ordered: Set<String> = ["audit.log", "examroom.audit", "person.timeline"]

    @Test func `eight threads give the same models, each day's students in any interleaving`()
        throws
    {
        let run = try Run()
        let engine = try run.engine()
        // Whoever sits on one day sits between the same instants: within a day no order is wrong.
        var days: [(key: String, lines: [[UInt8]])] = []
        for line in Self.lines {
            let text = String(decoding: line, as: UTF8.self)
            let at =
                text.range(of: #""at":""#).map { String(text[$0.upperBound...].prefix(10)) } ?? ""
            if days.last?.key != at { days.append((at, [])) }
            days[days.count - 1].lines.append(line)
        }
        let failures = Failures()
        for (index, day) in days.enumerated() {
            if index == 0 {
                _ = try engine.submit(day.lines, clock: Self.clock)
                continue
            }
            var hands = Array(repeating: [[UInt8]](), count: 8)
            for line in day.lines { hands[Self.hand(of: line)].append(line) }
            let threads = hands.map { lines in
                Worker {
                    for start in stride(from: 0, to: lines.count, by: 7) {
                        let slice = Array(lines[start..<min(start + 7, lines.count)])
                        let outcomes = try? engine.submit(slice, clock: Self.clock)
                        if outcomes?.allSatisfy({ $0.status == .accepted }) != true {
                            failures.add()
                        }
                    }
                }
            }
            for thread in threads { thread.join() }
        }
        #expect(failures.count == 0)
        let sequential = try Self.submitted().digests().filter { !Self.ordered.contains($0.key) }
        #expect(try run.digests().filter { !Self.ordered.contains($0.key) } == sequential)
    }

    /// One of eight, the same for all lines of a student.
    private static func hand(of line: [UInt8]) -> Int {
        let text = String(decoding: line, as: UTF8.self)
        guard let by = text.range(of: #""by":"student:S-"#) else { return 0 }
        return (Int(text[by.upperBound...].prefix(4)) ?? 0) % 8
    }
}

/// A thread that can be waited for: what blocks must not sit in the pool that tasks share.
final class Worker: Sendable {
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let done = done
        Thread.detachNewThread {
            body()
            done.signal()
        }
    }

    func join() { done.wait() }
}

/// How often something went wrong, counted by many threads.
final class Failures: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
