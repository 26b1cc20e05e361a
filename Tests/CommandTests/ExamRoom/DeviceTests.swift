import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

/// Who speaks for a device, and what is left of what was held.
@Suite struct `Somebody else's device` {
    private let room: Classroom

    init() throws { room = try Classroom() }

    /// The codes of all that a device may be told of, in the same order.
    private func speak(
        _ by: String, from device: String? = nil, _ at: String = "09:30"
    ) throws -> [String] {
        let used = #""usedBytes":{"answers":96,"cache":0,"database":0,"exports":0,"images":0}"#
        return try [
            ("connection.observe", #""network":"wifi""#), ("sync.begin", #""trigger":"manual""#),
            ("sync.report", #""items":1,"bytes":1"#), ("sync.fail", #""reason":"timeout""#),
            ("sync.complete", #""through":1"#),
            ("storage.measure", #""capacityBytes":100,\#(used)"#),
        ].map { command, data in
            try room.tell(by, command, at, #""device":"D-1",\#(data)"#, device: device)
        }
    }

    private func signIn(_ session: String, _ account: String, on device: String?) throws {
        try room.accept(
            "student:\(account)", "session.start", "09:00",
            #"{"session":"\#(session)","account":"\#(account)","method":"credential","digest":"d-\#(account)"}"#,
            device: device)
    }

    private static let refused = Array(repeating: "forbidden", count: 6)
    /// What they come to in that order, when there is something to sync.
    private static let done = [
        "accepted", "accepted", "accepted", "accepted", "sync-not-running", "accepted",
    ]

    @Test("R55: a student does not speak for a device that the command does not come from")
    func another() throws {
        #expect(try speak("student:S-2", from: "D-2") == Self.refused)
        #expect(try room.show("storage", "D-1").isNull)
        #expect(try speak("student:S-2", from: "D-1") == Self.done)
    }

    @Test("R55: nor, saying nothing of where they are, for one on which somebody else is signed in")
    func signedIn() throws {
        try signIn("SE-1", "S-1", on: "D-1")
        #expect(try speak("student:S-2") == Self.refused)
        #expect(try speak("student:S-1") == Self.done)
    }

    @Test("R55: where nobody is signed in, as on a device that is alone, it stays as it was")
    func alone() throws {
        #expect(try speak("student:S-2") == Self.done)
    }

    @Test("R55: admins and services speak for any device")
    func staff() throws {
        try signIn("SE-1", "S-1", on: "D-1")
        #expect(try speak("admin:A-1", from: "D-9") == Self.done)
        try room.accept(
            "service:probe", "connection.observe", "09:40", #""device":"D-1","network":"offline""#)
    }

    @Test("R4, R55: where sessions are asked for, one must be signed in on it")
    func sessions() throws {
        try signIn("SE-1", "S-1", on: "D-1")
        try signIn("SE-2", "S-2", on: nil)
        try room.adopt(#""requireSession":true"#, at: "09:10")
        #expect(try speak("student:S-2") == Self.refused)
        #expect(try speak("student:S-1", from: "D-1") == Self.done)
        try room.accept(
            "student:S-1", "session.end", "09:50", #"{"session":"SE-1"}"#, device: "D-1")
        #expect(try speak("student:S-2", "09:51") == Self.refused, "nor while it is nobody's")
    }

    @Test("R5, R55: a try is recorded as forbidden") func recorded() throws {
        _ = try speak("student:S-2", from: "D-2")
        let violation = room.all(ExamRoom.Violation.Recorded.self).first
        #expect(violation?.violation == .forbidden)
        #expect(violation?.command == "examroom.connection.observe")
    }
}
