import Dispatch
import Engine
import Core
import Foundation
import Synchronization
import TestSupport
import Testing

/// An exam at which everybody tries what only one may do.
private struct Contest {
    static let day = "2026-02-02T09:00:00Z"
    static let maxAttempts = 3

    static func stage(students: Int) -> [[UInt8]] {
        Room.exam("EX-1", minutes: 600, maxAttempts: maxAttempts, at: day)
            + (0...students).map { Room.register("S-\($0)", at: day) }
    }

    /// What one of the threads submits: the day of a student of its own, and between that a try
    /// at everything that the others try, too.
    static func day(of number: Int) -> [[UInt8]] {
        let student = "S-\(number)"
        var lines: [[UInt8]] = []
        for round in 1...4 {
            let own = "AT-\(number)-\(round)"
            lines += [
                Room.start(own, "EX-1", student, at: day),
                // One student, whom all threads send to the exam: one attempt at a time, three in all.
                Room.start("shared-\(number)-\(round)", "EX-1", "S-0", at: day),
                Room.answer(own, "Q-1", "b", student, at: day),
                Room.register("S-same-\(round)", at: day),  // the same id, the same content
                Room.answer(own, "Q-1", "a", student, at: day),
                // The same id, other content.
                line(
                    "contested-\(round)", "examroom.profile.revise", day, by: "student:\(student)",
                    #"{"account":"\#(student)","name":"\#(number) in round \#(round)"}"#),
                Room.submit("shared-\(number)-\(round)", "S-0", at: day),
                Room.submit(own, student, at: day),
            ]
        }
        return lines
    }

    /// Everything that any interleaving must keep.
    static func expectKept(by engine: EventEngine, threads: Int) throws {
        let events = try engine.allEvents()
        expectGapless(events)
        var open: Set<String> = []
        var started: [String: Int] = [:]
        var ids: [String: Set<String>] = [:]
        for event in events {
            switch event.type {
            case "examroom.attempt.started":
                let student = event.text("student")
                #expect(open.insert(student).inserted, "two attempts open: \(event.text)")
                started[student, default: 0] += 1
            case "examroom.attempt.submitted":
                open.remove(event.text("student"))
            case "examroom.account.registered":
                #expect(event.revision == 0, "registered twice: \(event.text)")
            default: break
            }
            if let command = event.command { ids[command, default: []].insert(event.stream) }
        }
        for number in 0...threads {
            #expect(started["S-\(number)"] ?? 0 <= maxAttempts)
            if number > 0 { #expect(started["S-\(number)"] == maxAttempts) }
        }
        // Each student's own order: the last answer is the one that was given last.
        for number in 1...threads {
            for round in 1...maxAttempts {
                let own = events.filter { $0.stream == "examroom/attempt/AT-\(number)-\(round)" }
                #expect(
                    own.map(\.type).prefix(4) == [
                        "examroom.attempt.started", "examroom.answer.saved",
                        "examroom.answer.saved",
                        "examroom.attempt.submitted",
                    ])
                #expect(own[2].data["chosen"] == .array([.string("a")]))
            }
        }
        for round in 1...4 {
            #expect(ids["contested-\(round)"]?.count == 1, "one of them won")
            #expect(ids["register-S-same-\(round)"]?.count == 1)
        }
        let report = try engine.verify()
        #expect(report.isWhole, "\(report.findings)")
    }
}

@Suite struct `Many submitters at once` {
    /// Submits the days, one a thread, in groups; gives the outcomes by thread.
    private func submit(
        _ days: [[[UInt8]]], seed: UInt64, by engine: (Int) -> EventEngine
    ) throws -> [[Outcome]] {
        let answers = Mutex([[Outcome]](repeating: [], count: days.count))
        let failures = Mutex<[String]>([])
        let engines = days.indices.map(engine)
        let done = DispatchGroup()
        for index in days.indices {
            // Threads of their own: a pool would let no more of them wait than there are cores.
            done.enter()
            let day = days[index]
            let engine = engines[index]
            Thread {
                defer { done.leave() }
                var random = SplitMix64(seed: seed &+ UInt64(index) &* 977)
                var rest = day[...]
                do {
                    while !rest.isEmpty {
                        let group = Array(rest.prefix(1 + Int(random.next() % 2)))
                        rest = rest.dropFirst(group.count)
                        let outcomes = try engine.submit(group, clock: fixedClock)
                        answers.withLock { $0[index] += outcomes }
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }.start()
        }
        done.wait()
        #expect(failures.withLock { $0 } == [])
        return answers.withLock { $0 }
    }

    private func expectAnswered(_ days: [[[UInt8]]], _ answers: [[Outcome]]) throws {
        for (day, outcomes) in zip(days, answers) {
            #expect(try outcomes.map(\.id) == day.map { try JSON(parsing: $0)["id"]?.string })
        }
        let all = answers.flatMap(\.self)
        for round in 1...4 {
            let same = all.filter { $0.id == "register-S-same-\(round)" }
            #expect(same.count { $0.status == .accepted } == 1)
            #expect(same.count { $0.status == .duplicate } == same.count - 1)
            let contested = all.filter { $0.id == "contested-\(round)" }
            #expect(contested.count { $0.status == .accepted } == 1)
            #expect(contested.count { $0.code == "id-reused" } == contested.count - 1)
        }
    }

    @Test(arguments: [8, 16])
    func `break no rule and share commits`(threads: Int) throws {
        let place = try DiskPlace()
        let engine = try place.open()
        _ = try engine.submit(Contest.stage(students: threads), clock: fixedClock)
        let before = try engine.frames
        let days = (1...threads).map { Contest.day(of: $0) }
        let answers = try submit(days, seed: UInt64(threads)) { _ in engine }
        try expectAnswered(days, answers)
        let commands = answers.flatMap(\.self).count { $0.status == .accepted }
        let frames = try engine.frames - before
        #expect(frames < commands, "\(frames) frames for \(commands) commands")
        try Contest.expectKept(by: engine, threads: threads)
    }

    @Test func `that are tasks share commits, each answered with its own line's outcome`()
        async throws
    {
        let place = try DiskPlace()
        let engine = try place.open()
        let before = try engine.frames
        let statuses = try await withThrowingTaskGroup(of: (Int, String?, Outcome.Status).self) {
            group in
            for number in 0..<300 {
                group.addTask {
                    let text =
                        number % 10 == 0
                        ? "{"
                        : String(
                            decoding: Room.register("S-\(number)", at: Contest.day), as: UTF8.self)
                    let outcome = try await engine.submit(text)
                    return (number, outcome.id, outcome.status)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 300)
        for (number, id, status) in statuses {
            #expect(id == (number % 10 == 0 ? nil : "register-S-\(number)"))
            #expect(status == (number % 10 == 0 ? .rejected : .accepted))
        }
        let frames = try engine.frames - before
        #expect(frames < 135, "\(frames) frames for 270 commands")
        #expect(try engine.verify().isWhole)
    }

    /// Many lines are read ahead of the thread that decides them, a few are not.
    @Test
    func `of one call are answered as if they came one by one`()
        throws
    {
        let lines = (0..<200).map { number in
            number % 7 == 0
                ? Array("{\"id\":\"M-\(number)\"}".utf8)
                : Room.register("S-\(number % 150)", at: Contest.day)
        }
        let places = [try DiskPlace(), try DiskPlace()]
        let (whole, single) = (try places[0].open(), try places[1].open())
        let together = try whole.submit(lines, clock: fixedClock).map(\.document.bytes)
        let apart = try lines.enumerated().flatMap {
            try single.submit([$0.element], firstLine: $0.offset + 1, clock: fixedClock)
        }.map(\.document.bytes)
        #expect(together == apart)
        #expect(together.contains { String(decoding: $0, as: UTF8.self).contains("line 8:") })
    }

    @Test func `through two engines on one journal break no rule`() throws {
        let place = try DiskPlace()
        let engines = [try place.open(), try place.open()]
        _ = try engines[0].submit(Contest.stage(students: 8), clock: fixedClock)
        let days = (1...8).map { Contest.day(of: $0) }
        let answers = try submit(days, seed: 5) { engines[$0 % 2] }
        try expectAnswered(days, answers)
        for engine in engines { try Contest.expectKept(by: engine, threads: 8) }
    }

    /// What the one records the other must have read before it decides: strictly in turn.
    @Test func `through two engines that take turns see each other's events`() throws {
        let place = try TemporaryJournal()
        let engines = [try place.open(), try place.open()]
        let days = Contest.stage(students: 2) + Contest.day(of: 1) + Contest.day(of: 2)
        let alone = try TemporaryJournal()
        let expected = try alone.open().submit(days, clock: fixedClock)
        for (index, line) in days.enumerated() {
            let outcome = try engines[index % 2].submit(one: line)
            #expect(outcome.document == expected[index].document)
            if index % 7 == 0 {
                let shown = try engines.map { try $0.show("examroom.students").text }
                #expect(shown[0] == shown[1])
            }
        }
        #expect(try engines[0].told() == alone.open().told())
    }

    @Test func `in two processes beside this one break no rule`() throws {
        let tool = try ReplayTool.path()
        let place = try DiskPlace()
        let engine = try place.open()
        _ = try engine.submit(Contest.stage(students: 6), clock: fixedClock)
        let days = (1...6).map { Contest.day(of: $0) }
        // Small groups with pauses between them, so that the three take turns.
        let outputs = Mutex<[Int: [String]]>([:])
        let done = DispatchGroup()
        for process in 0..<2 {
            done.enter()
            let lines = zip(days[process * 2], days[process * 2 + 1]).flatMap { [$0, $1] }
            let input = "\(place.folder)/input-\(process)"
            try Data(lines.flatMap { $0 + [10] }).write(to: URL(filePath: input))
            Thread {
                defer { done.leave() }
                let script =
                    "while read -r line; do echo \"$line\"; sleep 0.005; done < '\(input)' | "
                    + "'\(tool)' submit --journal '\(place.journal)' --json --clock \(fixedClock)"
                let result = try? run("/bin/bash", ["-c", script])
                outputs.withLock { $0[process] = result?.lines ?? [] }
            }.start()
        }
        let own = try submit([days[4], days[5]], seed: 9) { _ in engine }
        done.wait()
        let counts = outputs.withLock { [$0[0]?.count, $0[1]?.count] }
        #expect(counts == [64, 64])
        let statuses =
            outputs.withLock { $0.values.flatMap(\.self) }
            .filter { $0.contains("\"register-S-same-1\"") && $0.contains("\"accepted\"") }.count
            + own.flatMap(\.self)
            .count { $0.id == "register-S-same-1" && $0.status == .accepted }
        #expect(statuses == 1)
        try Contest.expectKept(by: engine, threads: 6)
    }
}
