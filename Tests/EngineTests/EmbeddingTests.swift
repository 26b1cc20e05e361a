import Dispatch
import Engine
import Core
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

private let day = "2026-02-02T09:00:00Z"

@Suite struct `The page on embedding` {
    /// The texts between a line that begins so and one that is the end.
    private func blocks(
        _ text: String, from start: String, to end: String
    ) -> [String] {
        var blocks: [String] = []
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = block {
                if line == end {
                    blocks.append(lines.joined(separator: "\n"))
                    block = nil
                } else {
                    block = lines + [line]
                }
            } else if line.hasPrefix(start) {
                block = []
            }
        }
        return blocks
    }

    @Test func `shows exactly the code that is compiled here`() throws {
        let page = blocks(try Tree.text("docs/embedding.md"), from: "```swift", to: "```")
        let code = blocks(
            try Tree.text("Tests/EngineTests/Embedding.swift"), from: "// begin: ", to: "// end")
        #expect(code.count == 3)
        #expect(page == code)
    }

    @Test func `shows a service that answers many callers and follows what happens`() async throws {
        let place = try DiskPlace()
        let service = try ExamService(journal: place.journal)
        for line in Room.exam("EX-1", at: day) {
            let answer = try await service.handle(String(decoding: line, as: UTF8.self))
            #expect(answer.contains(#""status":"accepted""#))
        }
        let heard = Mutex<[Position]>([])
        let follower = Task {
            try await service.follow { event in heard.withLock { $0.append(event.position) } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask {
                    let (student, attempt) = ("S-\(number)", "AT-\(number)")
                    for line in [
                        Room.register(student, at: day),
                        Room.start(attempt, "EX-1", student, at: day),
                        Room.answer(attempt, "Q-1", "a", student, at: day),
                        Room.submit(attempt, student, at: day),
                    ] {
                        let answer = try await service.handle(String(decoding: line, as: UTF8.self))
                        #expect(answer.contains(#""status":"accepted""#), "\(answer)")
                    }
                    let isSaved = try await service.save(
                        "b", of: "Q-1", in: attempt, by: student, id: "late-\(number)")
                    #expect(!isSaved, "the attempt is closed")
                }
            }
            try await group.waitForAll()
        }
        for _ in 0..<1000 where heard.withLock({ $0.count < 20 }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(heard.withLock { $0.count } == 20)
        let leaders = try await service.leaders()
        #expect(leaders.board["total"].integer == 20)
        #expect(try #require(leaders.position) >= heard.withLock { $0[19] })
        let again = try await service.handle(
            String(decoding: Room.start("AT-1", "EX-1", "S-1", at: day, id: "x"), as: UTF8.self))
        #expect(again.contains(#""status":"rejected""#))
        await service.shutDown()
        try await follower.value
    }

    @Test func `shows an engine that logs what it does`() async throws {
        let place = try DiskPlace()
        let engine = try observed(journal: place.journal, Logger(label: "test"))
        _ = try await engine.submit(
            String(decoding: Room.register("S-1", at: day), as: UTF8.self))
        await engine.close()
    }

    @Test func `shows how to read beside a running writer`() async throws {
        let tool = try ReplayTool.path()
        let place = try DiskPlace()
        _ = try run(
            tool, ["submit", "--journal", place.journal],
            given: Array(Room.exam("EX-1", at: day).joined(separator: [10])))
        let lines = (1...10).map { Room.register("S-\($0)", at: day) }
        let input = place.folder + "/input"
        try Data(lines.flatMap { $0 + [10] }).write(to: URL(filePath: input))
        let script =
            "while read -r line; do echo \"$line\"; sleep 0.1; done < '\(input)' | "
            + "'\(tool)' submit --journal '\(place.journal)' --json"
        let writer = Mutex<Finished?>(nil)
        Thread {
            let result = try? run("/bin/bash", ["-c", script])
            writer.withLock { $0 = result }
        }.start()
        var overviews: [String] = []
        try await watch(journal: place.journal) { overview in
            overviews.append(overview)
            return !overview.contains(#""students":10"#)
        }
        #expect(overviews.count >= 2)
        #expect(overviews.last?.contains(#""exams":1"#) == true)
        for _ in 0..<1000 where writer.withLock({ $0 == nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(writer.withLock { $0?.status } == 0)
    }
}
