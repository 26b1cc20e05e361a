import Dispatch
import Engine
import Core
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct `The LSAT's answers` {
    private static let whole = Result { try journal(of: LSAT.lines.get()) }

    private static let expected = Result { try digests(whole.get()) }

    private static func journal(of lines: [[UInt8]]) throws -> TemporaryJournal {
        let journal = try TemporaryJournal()
        let outcomes = try journal.open().submit(lines, clock: fixedClock)
        #expect(outcomes.allSatisfy { $0.status == .accepted })
        return journal
    }

    /// The digest of every read model.
    private static func digests(_ journal: TemporaryJournal) throws -> [String: String] {
        let entries = try journal.open().rebuild().entries
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.model, $0.digest) })
    }

    /// Bock and Lieberman 1970; Examples/lsat/README.md.
    @Test func `give the published figures`() throws {
        let engine = try Self.whole.get().open()
        let exam = try JSON(parsing: engine.show("examroom.exam-analytics", key: "LSAT-6").bytes)
        let rates = exam["questions"]?.array?.map { $0["correctRate"]?.description }
        #expect(rates == ["92.4", "70.9", "55.3", "76.3", "87"])
        #expect(exam["completed"] == .integer(1000))
        let bars = try #require(exam["distribution"]?.array)
        #expect(bars.first?["count"] == .integer(3), "none right")
        #expect(bars.last?["count"] == .integer(298), "all right")
    }

    @Test func `told a second time give the same bytes and digests`() throws {
        let first = try Self.whole.get()
        let second = try Self.journal(of: LSAT.lines.get())
        #expect(try first.open().told() == second.open().told())
        #expect(try Self.expected.get() == Self.digests(second))
    }

    @Test func `told one command a process give the same bytes as all in one process`() throws {
        // 8 to set the stage, 10 people's registrations, and 7 commands each on their day.
        let lines = try LSAT.lines(people: 20)
        #expect(lines.count >= 150)
        let tool = try ReplayTool.path()
        let together = try Self.journal(of: lines)
        let apart = try TemporaryJournal()
        let input = URL(filePath: apart.path).deletingLastPathComponent()
            .appending(path: "input").path
        try Data(lines.joined(separator: [10])).write(to: URL(filePath: input))
        let script =
            "while read -r line || [ -n \"$line\" ]; do echo \"$line\" | '\(tool)' submit "
            + "--journal '\(apart.path)' --json --clock \(fixedClock); done < '\(input)'"
        let result = try run("/bin/bash", ["-c", script])
        #expect(result.errors == "")
        #expect(result.lines.count == lines.count)
        #expect(result.lines.allSatisfy { $0.hasSuffix(#""status":"accepted"}"#) })
        #expect(try together.open().told() == apart.open().told())
        let documents = try [together, apart].map { try Documents.all(of: $0.open()) }
        let difference = Documents.difference(documents[0], documents[1])
        #expect(difference == nil, "\(difference ?? "")")
        #expect(try Self.digests(together) == Self.digests(apart))
    }

    /// Left out: these number events by their position, or list them in the order of positions,
    /// which is the very thing that an interleaving changes.
    private static let tellOfTheOrder: Set = [
        "audit.log", "audit.rejections", "audit.subject", "examroom.audit", "person.timeline",
    ]

    @Test(arguments: [UInt64(1)])
    func `told by 8 threads give the same, whoever came first, as long as each keeps their order`(
        seed: UInt64
    ) throws {
        let journal = try TemporaryJournal()
        let engine = try journal.open()
        let expected = try Self.expected.get()
        // Day by day: within a day everybody's own order holds, and nothing else.
        for (_, lines) in try Self.days(LSAT.lines.get()) {
            var mine = [[[UInt8]]](repeating: [], count: 8)
            for (student, lines) in lines { mine[student % 8] += lines }
            let failures = Mutex<[String]>([])
            let done = DispatchGroup()
            for index in mine.indices {
                done.enter()
                let lines = Self.shuffled(mine[index], seed: seed &* 31 &+ UInt64(index))
                Thread {
                    defer { done.leave() }
                    var random = SplitMix64(seed: seed &+ UInt64(index))
                    var rest = lines[...]
                    while !rest.isEmpty {
                        let group = Array(rest.prefix(1 + Int(random.next() % 40)))
                        rest = rest.dropFirst(group.count)
                        do {
                            for outcome in try engine.submit(group, clock: fixedClock)
                            where outcome.status != .accepted {
                                failures.withLock { $0.append(outcome.document.text) }
                            }
                        } catch {
                            failures.withLock { $0.append("\(error)") }
                        }
                    }
                }.start()
            }
            done.wait()
            #expect(failures.withLock { $0.prefix(3) } == [])
        }
        let found = try Self.digests(journal)
        let different = expected.keys.filter { expected[$0] != found[$0] }
        #expect(Set(different).subtracting(Self.tellOfTheOrder) == [])
    }

    /// The lines by day and, within it, by student; those of the admin come under student 0, alone.
    private static func days(
        _ lines: [[UInt8]]
    ) throws -> [(day: String, lines: [(student: Int, lines: [[UInt8]])])] {
        var days: [(day: String, lines: [(student: Int, lines: [[UInt8]])])] = []
        for line in lines {
            let json = try JSON(parsing: line)
            let by = json["by"]?.string ?? ""
            let at = json["at"]?.string ?? ""
            let isAdmins = !by.hasPrefix("student:")
            let student = isAdmins ? 0 : Int(by.dropFirst("student:S-".count)) ?? 0
            let day = isAdmins ? "admin's \(at.prefix(10))" : String(at.prefix(10))
            if days.last?.day != day { days.append((day, [])) }
            let last = days.count - 1
            if let known = days[last].lines.firstIndex(where: { $0.student == student }) {
                days[last].lines[known].lines.append(line)
            } else {
                days[last].lines.append((student, [line]))
            }
        }
        return days
    }

    /// A random merge that keeps every student's own order.
    private static func shuffled(_ lines: [[UInt8]], seed: UInt64) -> [[UInt8]] {
        var random = SplitMix64(seed: seed)
        var queues: [String: [[UInt8]]] = [:]
        var names: [String] = []
        for line in lines {
            let by = (try? JSON(parsing: line))?["by"]?.string ?? ""
            if queues[by] == nil { names.append(by) }
            queues[by, default: []].append(line)
        }
        for name in names { queues[name]?.reverse() }
        var merged: [[UInt8]] = []
        while !names.isEmpty {
            let index = Int(random.next() % UInt64(names.count))
            if let line = queues[names[index]]?.popLast() {
                merged.append(line)
            } else {
                names.swapAt(index, names.count - 1)
                names.removeLast()
            }
        }
        return merged
    }
}
