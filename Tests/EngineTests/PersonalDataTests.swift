import Engine
import Core
import Foundation
import Testing

/// A journal with two students whose names occur nowhere else, their rows stored.
private struct Clinic {
    let place: DiskPlace
    static let name = "Zaynab al-Mansoura 7f3a"
    static let email = "zaynab.7f3a@example.org"

    init() throws {
        place = try DiskPlace()
        let engine = try place.open()
        let register = { (account: String, name: String) in
            line(
                "r-\(account)", "examroom.account.register", "2026-02-01T08:00:00Z",
                #"{"account":"\#(account)","role":"student","name":"\#(name)","#
                    + #""email":"\#(Self.email)",\#(Room.credential)}"#)
        }
        let outcomes = try engine.submit(
            [register("S-1", Self.name), register("S-2", "Other One")]
                + Room.exam("EX-1", at: "2026-02-01T08:00:00Z")
                + [
                    Room.start("AT-1", "EX-1", "S-1", at: "2026-02-01T09:00:00Z"),
                    line(
                        "a-1", "examroom.answer.save", "2026-02-01T09:01:00Z", by: "student:S-1",
                        #"{"attempt":"AT-1","question":"Q-1","chosen":["b"],"seconds":7}"#),
                ], clock: fixedClock)
        #expect(outcomes.allSatisfy { $0.status == .accepted })
        _ = try engine.rebuild()
    }

    func erase(_ student: String) throws {
        let outcome = try place.open().submit(
            [
                line(
                    "erase-\(student)", "account.erase", "2026-02-02T08:00:00Z",
                    #"{"subject":"examroom/\#(student)"}"#)
            ], clock: fixedClock)
        #expect(outcome.map(\.status) == [.accepted])
    }

    func account(_ student: String, readOnly: Bool = true) throws -> String {
        try place.open(isReadOnly: readOnly).show("examroom.account", key: student).text
    }

    func bytes(of file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: place.journal + "/" + file))
    }

    func write(_ bytes: Data, to file: String) throws {
        try bytes.write(to: URL(fileURLWithPath: place.journal + "/" + file))
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: place.journal) }
    }

    /// The files that hold these bytes anywhere, freed pages included.
    func files(holding wanted: Data) throws -> [String] {
        try files.filter { try bytes(of: $0).range(of: wanted) != nil }.sorted()
    }
}

@Suite struct `Personal fields` {
    @Test func `are in no file in clear, and are shown`() throws {
        let clinic = try Clinic()
        #expect(try clinic.account("S-1").contains(Clinic.name))
        for text in [Clinic.name, Clinic.email] {
            #expect(try clinic.files(holding: Data(text.utf8)) == [])
        }
    }

    @Test func `of an erased person are null everywhere, and their key is in no file`() throws {
        let clinic = try Clinic()
        let wrapped = try clinic.bytes(of: "keys")[(128 + 32)..<(128 + 92)]
        #expect(try clinic.files(holding: wrapped) == ["keys"])
        let before = try texts(of: clinic)
        try clinic.erase("S-1")
        #expect(try clinic.files(holding: wrapped) == [])
        for text in [Clinic.name, Clinic.email] {
            #expect(try clinic.files(holding: Data(text.utf8)) == [])
        }
        let after = try texts(of: clinic)
        // The attempt's timers came due before the erasure.
        #expect(after.count > before.count)
        #expect(after.last?.contains(#""type":"account.erased""#) == true)
        #expect(!after.joined().contains(Clinic.name))
        #expect(after.joined().contains("Other One"))
        #expect(after.joined().contains(#""chosen":null"#))
        #expect(try !clinic.account("S-1").contains(Clinic.name))
        #expect(try clinic.account("S-2").contains("Other One"))
        var request = ShowRequest()
        request.asOf = .position(Position(1))
        let asOf = try clinic.place.open().show("examroom.account", key: "S-1", request)
        #expect(asOf.text.contains(#""name":null"#))
    }

    @Test(arguments: [false, true])
    func `hidden by an erasure that a crash kept from being carried out stay hidden`(
        isRebuilt: Bool
    ) throws {
        let clinic = try Clinic()
        let keys = try clinic.bytes(of: "keys")
        try clinic.erase("S-1")
        try clinic.write(keys, to: "keys")
        #expect(try !texts(of: clinic).joined().contains(Clinic.name))
        #expect(try clinic.bytes(of: "keys") == keys)
        // The next one to write carries it out.
        if isRebuilt {
            _ = try clinic.place.open().rebuild(["examroom.policy"])
        } else {
            _ = try clinic.place.open().submit(
                [line("later", "clock.advance", "2026-02-03T08:00:00Z")], clock: fixedClock)
        }
        #expect(try clinic.files(holding: keys[(128 + 32)..<(128 + 92)]) == [])
        // It stands in the list once, however often it is carried out.
        let list = try clinic.bytes(of: "erasures.jsonl")
        #expect(list.split(separator: 10).count == 1)
    }

    @Test func `need the master key, which only its owner may read`() throws {
        let clinic = try Clinic()
        let master = clinic.place.journal + "/master.key"
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: master)
        try refused(clinic, "can be read or written by others; run chmod 600 on it")
        let moved = clinic.place.folder + "/elsewhere"
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: master)
        try FileManager.default.moveItem(atPath: master, toPath: moved)
        try refused(clinic, "there is no master key; name the journal's master key file in")
        try FileManager.default.createSymbolicLink(atPath: master, withDestinationPath: moved)
        try refused(clinic, "is a symbolic link; name the file itself")
        try FileManager.default.removeItem(atPath: master)
        let other = String(repeating: "ab", count: 32) + "\n"
        #expect(
            FileManager.default.createFile(
                atPath: master, contents: Data(other.utf8), attributes: [.posixPermissions: 0o600]))
        try refused(clinic, "is not the master key of this journal")
        try Data("no key".utf8).write(to: URL(fileURLWithPath: master))
        try refused(clinic, "expected 64 lower-case hexadecimal digits")
    }

    @Test func `of a dry run leave no key behind`() throws {
        let clinic = try Clinic()
        let keys = try clinic.bytes(of: "keys")
        let engine = try clinic.place.open()
        _ = try engine.submit([Room.register("S-9", at: "2026-02-04T08:00:00Z")], isDryRun: true)
        #expect(try clinic.bytes(of: "keys") == keys)
        _ = try engine.submit([Room.register("S-9", at: "2026-02-04T08:00:00Z")])
        #expect(try clinic.bytes(of: "keys").count == keys.count + 128)
        #expect(try clinic.account("S-9").contains(#""name":"S-9""#))
    }

    @Test func `under a damaged key are a finding and cost nobody else's, whichever byte it is`()
        throws
    {
        let clinic = try Clinic()
        let keys = try clinic.bytes(of: "keys")
        for place in stride(from: 0, to: 256, by: 7) {
            var damaged = keys
            damaged[place] ^= 1 << UInt8(place % 8)
            try clinic.write(damaged, to: "keys")
            let texts = try texts(of: clinic).joined()
            #expect(texts.contains("Other One"), "byte \(place)")
            #expect(texts.contains(Clinic.name) == (place < 128), "byte \(place)")
            let findings = try clinic.place.open(isReadOnly: true).verify().findings
            #expect(findings.contains { $0.hasPrefix("keys: ") }, "byte \(place)")
        }
    }

    private func refused(_ clinic: Clinic, _ reason: String) throws {
        let error = #expect(throws: EngineError.self) { _ = try texts(of: clinic) }
        #expect("\(error as Any)".contains(reason), "\(error as Any)")
    }

    /// Every event as `events --json` prints it.
    private func texts(of clinic: Clinic) throws -> [String] {
        var texts: [String] = []
        try clinic.place.open(isReadOnly: true).events { document in
            texts.append(document.text)
            return true
        }
        return texts
    }
}
