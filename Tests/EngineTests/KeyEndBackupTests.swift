import Products
import Engine
import Core
import LearnableEvents
import Foundation
import TestSupport
import Testing

@Suite struct `A backup of before a key ended` {
    private static let by = "student:S-1"

    private static func name(_ school: EngineOnDisk<Learnable>, _ name: String, at: String) throws {
        try school.tell(by, "profile.edit", at, #""student":"S-1","name":"\#(name)""#)
    }

    private static func startOver(_ school: EngineOnDisk<Learnable>, at: String) throws -> String {
        try school.tell(by, "student.start-over", at, #""student":"S-1","confirmed":true"#)
    }

    /// The old backup, put back with the keys of then and a list of what was erased since.
    private static func restored(
        _ school: EngineOnDisk<Learnable>, _ folder: String, _ erasures: String
    ) throws -> EventEngine {
        let path = folder + "/restored"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: school.journal.path + "/master.key", toPath: path + "/master.key")
        _ = try EventEngine.restore(
            folder + "/old", to: path, keys: folder + "/old-keys", erasures: [erasures])
        return try EventEngine(at: path)
    }

    @Test("Learnable R45: does not bring back what a learner who started over left behind")
    func staysEnded() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        let folder = school.journal.path + "/.."
        try school.join()
        try Self.name(school, "Mona", at: "2026-03-01T08:10:00Z")
        try school.draft("D-1")
        _ = try school.engine.backup(to: folder + "/old", keys: folder + "/old-keys")
        #expect(try Self.startOver(school, at: "2026-03-02T08:00:00Z") == "accepted")
        try Self.name(school, "Nora", at: "2026-03-02T08:10:00Z")
        #expect(try Self.startOver(school, at: "2026-03-03T08:00:00Z") == "accepted")
        // A backup of now has the list; the old one with the keys of then is what is put back.
        _ = try school.engine.backup(to: folder + "/new", keys: folder + "/new-keys")
        #expect(
            try String(contentsOfFile: folder + "/new/erasures.jsonl", encoding: .utf8)
                .split(separator: "\n").map { try JSON(parsing: String($0))["key"]?.string }
                == ["learnable/S-1", "learnable/S-1/2"])

        let restored = try Self.restored(school, folder, folder + "/new/erasures.jsonl")
        let account = try JSON(parsing: restored.show("learnable.account", key: "S-1").bytes)
        #expect(account["epoch"] == .integer(3))
        #expect(account["name"] == .null)
        #expect(try restored.show("learnable.draft", key: "D-1").text == "null")
        let held = try restored.show("audit.subject", key: "learnable/S-1").text
        #expect(held.contains("learnable.profile.edited"))
        #expect(!held.contains("Mona"))
        // The learner goes on under a key of their own.
        let line =
            #"{"id":"n","command":"learnable.profile.edit","at":"2026-03-04T08:00:00Z","by":"student:S-1","data":{"student":"S-1","name":"Nadia"}}"#
        #expect(try restored.submit([Array(line.utf8)])[0].status == .accepted)
        let later = try JSON(parsing: restored.show("learnable.account", key: "S-1").bytes)
        #expect(later["name"] == .string("Nadia"))
        #expect(try restored.verify().findings == [])
    }

    @Test("Learnable R45: nor where the quiz of the day came before starting over")
    func staysEndedBeforeTheQuiz() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        let folder = school.journal.path + "/.."
        try school.adopt(#""levels.1.maxDays":1"#)
        try school.join()
        try Self.name(school, "Mona", at: "2026-03-01T08:10:00Z")
        // A question that is due the next day, and the app opens onto it.
        try school.subject("SU")
        try school.complete("SU", "1.1", at: "2026-03-01T10:00:00Z")
        try school.pool("SU", "1.1", ["Q-1"], at: "2026-03-01T10:00:00Z")
        try school.tell(Self.by, "app.open", "2026-03-02T08:00:00Z", #""student":"S-1""#)
        #expect(try Self.startOver(school, at: "2026-03-02T08:01:00Z") == "daily-quiz-first")
        _ = try school.engine.backup(to: folder + "/old", keys: folder + "/old-keys")
        try school.tell(Self.by, "quiz.skip", "2026-03-02T08:02:00Z", #""student":"S-1""#)
        #expect(try Self.startOver(school, at: "2026-03-02T08:03:00Z") == "accepted")
        let restored = try Self.restored(
            school, folder, school.journal.path + "/erasures.jsonl")
        #expect(try restored.verify().findings == [])
    }

    @Test func `has a receipt for an erasure, and none for a new beginning`() throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join()
        try Self.name(school, "Mona", at: "2026-03-01T08:10:00Z")
        #expect(try Self.startOver(school, at: "2026-03-02T08:00:00Z") == "accepted")
        #expect(try school.engine.erasureReceipts(of: nil, backups: []).isEmpty)
        try school.tell(
            "system", "account.erase", "2026-03-03T08:00:00Z", #""subject":"learnable/S-1""#)
        let receipts = try school.engine.erasureReceipts(of: nil, backups: [])
        #expect(receipts.map(\.person) == ["learnable/S-1"])
        #expect(receipts.map(\.isKeyDestroyed) == [true])
    }
}
