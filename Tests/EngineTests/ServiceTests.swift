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

/// Waits until something is so: what is waited for comes from another thread, and no test asserts a time.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
    for _ in 0..<3000 {
        if try condition() { return true }
        try await Task.sleep(for: .milliseconds(5))
    }
    return false
}

extension DiskPlace {
    func open(_ change: (inout EventEngine.Options) -> Void) throws -> EventEngine {
        var options = EventEngine.Options()
        options.writerWaitSeconds = 60
        change(&options)
        return try EventEngine(at: journal, options: options)
    }
}

extension Command {
    static func register(_ student: String) -> Command {
        Command(
            "examroom.account.register", id: "register-\(student)", by: .system,
            at: Instant(rfc3339: day),
            data: [
                "account": .string(student), "role": "student", "name": .string(student),
                "credential": ["scheme": "bcrypt", "salt": "c2FsdA", "digest": "d"],
            ])
    }
}

@Suite struct `A typed command` {
    @Test func `is the same command as its line`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let outcome = try await engine.submit(.register("S-1"))
        #expect(outcome.status == .accepted)
        #expect(outcome.id == "register-S-1")
        #expect(outcome.recorded.map(\.type) == ["examroom.account.registered"])
        #expect(outcome.recorded.first?.data["account"].string == "S-1")
        #expect(outcome.recorded.first?.at == Instant(rfc3339: day))
        #expect(outcome.position == Position(1))
        let line = String(decoding: Room.register("S-1", at: day), as: UTF8.self)
        #expect(try await engine.submit(line).status == .duplicate)
    }

    @Test func `that is refused says why`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let outcome = try await engine.submit(
            Command(
                "examroom.attempt.submit", id: "c", by: .student("S-1"), at: Instant(rfc3339: day),
                data: ["attempt": "AT-1"]))
        #expect(outcome.status == .rejected)
        #expect(outcome.code == "forbidden")
        #expect(outcome.message?.isEmpty == false)
    }

    @Test func `writes texts so that they are read again`() throws {
        let text = "\"\\\n\u{1}\u{8}é/\u{1F600}"
        let command = Command(
            "a.b", id: text, by: .service("x"), device: "D-1", data: ["k": [1, true]])
        let json = try JSON(parsing: command.line)
        #expect(json["id"]?.string == text)
        #expect(json["by"]?.string == "service:x")
        #expect(json["device"]?.string == "D-1")
        #expect(json["data"]?.description == #"{"k":[1,true]}"#)
        #expect(json["at"] == nil)
    }
}

@Suite struct `An answer` {
    @Test func `says the position it stands at`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        for number in 1...3 { _ = try await engine.submit(.register("S-\(number)")) }
        let now = try await engine.show("examroom.account", key: "S-1")
        #expect(now.position == Position(3))
        #expect(now.value["name"].string == "S-1")
        var request = ShowRequest()
        request.asOf = .position(Position(2))
        #expect(try await engine.show("examroom.overview", request).position == Position(2))
        let unknown = try await engine.show("examroom.account", key: "S-9")
        #expect(unknown.value.isNull)
        #expect(unknown.position == Position(3))
        #expect(try await engine.models().allSatisfy { $0.position == Position(3) })
    }
}

@Suite struct `A pool of readers` {
    @Test func `answers a question while another one is not done`() throws {
        let place = try DiskPlace()
        let engine = try place.open { $0.readers = 2 }
        _ = try engine.submit(Room.exam("EX-1", at: day))
        // A single reader would wait for itself, for ever.
        let text = try engine.holdingReader {
            try engine.show("examroom.exam", key: "EX-1").text
        }
        #expect(text.contains("Exam EX-1"))
    }

    @Test func `lets tasks wait without a thread until a reader is free`() async throws {
        let place = try DiskPlace()
        let engine = try place.open { $0.readers = 1 }
        _ = try engine.submit(Room.exam("EX-1", at: day), clock: fixedClock)
        let isHeld = DispatchSemaphore(value: 0)
        let mayGo = DispatchSemaphore(value: 0)
        Thread {
            _ = try? engine.holdingReader {
                isHeld.signal()
                mayGo.wait()
            }
        }.start()
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test").async {
                isHeld.wait()
                continuation.resume()
            }
        }
        try await withThrowingTaskGroup(of: String.self) { group in
            // More than the machine has threads for.
            for _ in 0..<200 {
                group.addTask { try await engine.show("examroom.exam", key: "EX-1").text }
            }
            group.addTask {
                mayGo.signal()
                return ""
            }
            var answers = 0
            for try await text in group where text.contains("Exam EX-1") { answers += 1 }
            #expect(answers == 200)
        }
    }

    @Test func `gives every reader what was recorded last`() async throws {
        let place = try DiskPlace()
        let engine = try place.open { $0.readers = 4 }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 {
                group.addTask {
                    let outcome = try await engine.submit(.register("S-\(number)"))
                    let answer = try await engine.show("examroom.account", key: "S-\(number)")
                    #expect(answer.value["name"].string == "S-\(number)")
                    #expect(try #require(answer.position) >= #require(outcome.position))
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite struct `Followers` {
    @Test func `hear every event once, in order, however many there are`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        _ = try await engine.submit(.register("S-0"))
        let followers = (0..<20).map { _ in
            Task {
                var positions: [UInt64] = []
                for try await event in try engine.events(isFollowing: true) {
                    positions.append(event.position.number)
                    if positions.count == 101 { break }
                }
                return positions
            }
        }
        for number in 1...100 { _ = try await engine.submit(.register("S-\(number)")) }
        for follower in followers { #expect(try await follower.value == Array(1...101)) }
    }

    @Test func `hear of what another engine records`() async throws {
        let place = try DiskPlace()
        let writer = try place.open()
        let reader = try place.open()
        let first = Task {
            for try await event in try reader.events(isFollowing: true) { return event.type }
            return ""
        }
        #expect(try await eventually { reader.waitingFollowers == 1 })
        _ = try await writer.submit(.register("S-1"))
        #expect(try await first.value == "examroom.account.registered")
    }

    @Test func `read what they want, and stop at its end`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        for number in 1...5 { _ = try await engine.submit(.register("S-\(number)")) }
        _ = try engine.submit(Room.exam("EX-1", at: day), clock: fixedClock)
        func positions(_ change: (inout EventFilter) -> Void) async throws -> [UInt64] {
            var filter = EventFilter()
            change(&filter)
            var found: [UInt64] = []
            for try await event in try engine.events(filter) { found.append(event.position.number) }
            return found
        }
        #expect(try await positions { $0.type = "examroom.account.*" } == [1, 2, 3, 4, 5])
        #expect(try await positions { $0.limit = 2 } == [1, 2])
        #expect(
            try await positions {
                $0.isReversed = true
                $0.to = .position(Position(3))
            } == [3, 2, 1])
        #expect(throws: EngineError.self) {
            var filter = EventFilter()
            filter.isReversed = true
            _ = try engine.events(filter, isFollowing: true)
        }
    }

    @Test func `end when their task is cancelled, whether they wait or are at work`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        _ = try await engine.submit(.register("S-1"))
        let follower = Task {
            var count = 0
            for try await _ in try engine.events(isFollowing: true) { count += 1 }
            return count
        }
        #expect(try await eventually { engine.waitingFollowers == 1 })
        follower.cancel()
        #expect(try await follower.value == 1)
        #expect(engine.waitingFollowers == 0)
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in try engine.events() { return false }
            return true
        }
        cancelled.cancel()
        #expect(try await cancelled.value)
    }

    @Test func `see a document anew each time that it changes`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let seen = Mutex<[Int]>([])
        let watcher = Task {
            for try await overview in engine.changes(of: "examroom.overview") {
                seen.withLock { $0.append(overview.value["students"].integer ?? -1) }
            }
        }
        for number in 1...3 {
            #expect(try await eventually { seen.withLock { $0.count } == number })
            _ = try await engine.submit(.register("S-\(number)"))
        }
        #expect(try await eventually { seen.withLock { $0 } == [0, 1, 2, 3] })
        watcher.cancel()
        try await watcher.value
    }

    @Test func `hold no pages of the journal while they do nothing`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        for number in 1...50 { _ = try await engine.submit(.register("S-\(number)")) }
        var events = try engine.events(isFollowing: true).makeAsyncIterator()
        _ = try await events.next()
        for number in 51...60 { _ = try await engine.submit(.register("S-\(number)")) }
        let reader = try place.open { $0.isReadOnly = true }
        #expect(try reader.statistics().value["oldestReader"].isNull)
        #expect(try await events.next()?.position == Position(2))
    }
}

@Suite struct `An engine that is closed` {
    private func isClosed(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return (error as? EngineError)?.kind == .closed
        }
    }

    @Test func `refuses every call, and says that it is closed`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        _ = try await engine.submit(.register("S-1"))
        await engine.close()
        await engine.close()
        #expect(await isClosed { _ = try await engine.submit(.register("S-2")) })
        #expect(await isClosed { _ = try await engine.show("examroom.overview") })
        #expect(await isClosed { _ = try await engine.models() })
        let calls: [(EventEngine) throws -> Void] = [
            { _ = try $0.show("examroom.overview") }, { _ = try $0.models() },
            { _ = try $0.submit([]) }, { try $0.events { _ in true } },
            { try $0.follow { _ in true } }, { _ = try $0.event(at: Position(1)) },
            { _ = try $0.verify() }, { _ = try $0.rebuild() }, { _ = try $0.statistics() },
            { try $0.export { _ in } }, { _ = try $0.auditReport() },
        ]
        for (index, call) in calls.enumerated() {
            #expect(engineError { try call(engine) }?.kind == .closed, "call \(index)")
        }
        #expect(try await place.open().show("examroom.overview").text.contains(#""students":1"#))
    }

    @Test func `or let go of is gone, and another one goes on`() async throws {
        let place = try DiskPlace()
        weak var gone: EventEngine?
        do {
            let engine = try place.open()
            _ = try await engine.submit(.register("S-1"))
            _ = try await engine.show("examroom.overview")
            gone = engine
        }
        #expect(try await eventually { gone == nil })
        #expect(try await place.open().submit(.register("S-1")).status == .duplicate)
    }

    @Test func `has ended its followers and answered its callers`() async throws {
        let place = try DiskPlace()
        let engine = try place.open()
        let follower = Task {
            var count = 0
            for try await _ in try engine.events(isFollowing: true) { count += 1 }
            return count
        }
        let watcher = Task {
            for try await _ in engine.changes(of: "examroom.overview") {}
        }
        let answers = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...30 {
                group.addTask {
                    do {
                        return try await engine.submit(.register("S-\(number)")).status == .accepted
                    } catch let error as EngineError where error.kind == .closed {
                        return false
                    }
                }
            }
            group.addTask {
                await engine.close()
                return false
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(try await follower.value <= answers)
        try await watcher.value
        // Whoever was told that it is recorded was told the truth, and nothing else is.
        #expect(try place.open().allEvents().count == answers)
    }
}
