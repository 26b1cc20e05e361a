import Engine
import Core
import TestSupport
import Testing

/// That the random histories are worth their time: a law over nothing holds.
@Suite struct `Random histories` {
    @Test func `reach every command that the engine knows, accepted and refused in many ways`()
        throws
    {
        var accepted: Set<String> = []
        var codes: Set<String> = []
        var types: Set<String> = []
        var outcomes = 0
        for seed in UInt64(0)..<64 {
            let commands = ExamRoomHistory.commands(seed: seed)
            let journal = try TemporaryJournal()
            let engine = try journal.open()
            for (command, outcome) in zip(commands, try engine.run(commands)) {
                outcomes += 1
                if outcome.status == .accepted { accepted.insert(command.command) }
                if let code = outcome.code { codes.insert(code) }
            }
            types.formUnion(try engine.allEvents().map(\.type))
        }
        #expect(outcomes > 2000)
        let expected = Set(Self.commands)
        #expect(expected.subtracting(accepted).isEmpty, "never accepted")
        #expect(codes.count >= 45, "met only \(codes.sorted())")
        #expect(types.count >= 48, "met only \(types.sorted())")
        #expect(types.contains("examroom.audit.archived"), "nothing is ever archived")
    }

    @Test func `are the same for the same seed`() {
        #expect(ExamRoomHistory.commands(seed: 7) == ExamRoomHistory.commands(seed: 7))
        #expect(ExamRoomHistory.commands(seed: 7) != ExamRoomHistory.commands(seed: 8))
    }

    private static let commands = [
        "account.erase", "clock.advance", "examroom.account.delete", "examroom.account.register",
        "examroom.profile.revise", "examroom.credential.replace", "examroom.credential.change",
        "examroom.session.start", "examroom.session.end", "examroom.preference.choose",
        "examroom.exam.create", "examroom.exam.revise", "examroom.question.add",
        "examroom.question.revise", "examroom.question.remove", "examroom.image.attach",
        "examroom.image.detach", "examroom.exam.publish", "examroom.exam.withdraw",
        "examroom.exam.delete", "examroom.results.publish", "examroom.results.withhold",
        "examroom.student.block", "examroom.student.unblock", "examroom.extension.grant",
        "examroom.extension.modify", "examroom.extension.revoke",
        "examroom.accommodation.request", "examroom.accommodation.approve",
        "examroom.accommodation.deny", "examroom.attempt.start", "examroom.answer.save",
        "examroom.time.log", "examroom.attempt.submit", "examroom.attempt.discard",
        "examroom.exam.duplicate", "examroom.exam.archive", "examroom.exam.unarchive",
        "examroom.import.apply", "examroom.migration.begin",
        "examroom.item.import", "examroom.item.fail", "examroom.item.skip",
        "examroom.migration.finish",
        "examroom.grade.modify", "examroom.policy.adopt", "examroom.connection.observe",
        "examroom.sync.begin", "examroom.sync.complete", "examroom.sync.fail",
        "examroom.storage.measure", "examroom.export.make",
    ]
}

@Suite struct `A counterexample` {
    @Test func `shrinks to what is needed`() {
        let small = Shrinker.smallest(Array(0..<100)) { $0.contains(17) && $0.contains(71) }
        #expect(small == [17, 71])
    }

    @Test func `is told with its seed and its commands`() throws {
        let commands = ExamRoomHistory.commands(seed: 3, count: 30)
        let failure = try #require(
            Law.failure(seed: 3, commands) { history in
                history.contains { $0.command == "examroom.exam.create" } ? "it creates" : nil
            })
        #expect(failure.contains("seed 3: it creates"))
        #expect(failure.contains("1 of 30 commands"))
    }
}
