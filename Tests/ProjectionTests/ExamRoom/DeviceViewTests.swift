import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@testable import Projections
@testable import ExamRoomProjections

@Suite struct `The views of a device` {
    private let room = ToldRoom()

    init() throws {
        try room.register("A-1", role: "admin", at: "2026-02-01T08:00:00Z")
    }

    private func observe(_ network: String, at instant: String) throws {
        try room.tell(
            "examroom.connection.changed", #"{"device":"D-1","network":"\#(network)"}"#,
            at: instant, on: "examroom/device/D-1")
    }

    private func complete(through position: Int, at instant: String) throws {
        try room.tell(
            "examroom.sync.completed", #"{"device":"D-1","through":\#(position),"uploaded":1}"#,
            at: instant, on: "examroom/device/D-1")
    }

    @Test func `answer for any device, as one that was never seen`() throws {
        let view = try #require(try room.show("sync", "D-9"))
        #expect(
            view.description
                == #"{"device":"D-9","entities":{},"estimatedBytes":0,"failures":0,"#
                + #""indicator":"offline","lastCompletedAt":null,"network":"offline","pending":0,"#
                + #""preference":"wifi-cellular","progress":null,"retryAt":null,"running":false,"#
                + #""shouldSync":false,"through":0}"#)
        let changes = try #require(try room.show("changes", "D-9"))
        #expect(changes.text("total") == "1")
        #expect(try room.show("storage", "D-9") == nil)
    }

    @Test("R49: a failed sync is tried again at `retryAt`, not before")
    func retrying() throws {
        try room.tell(
            "examroom.exam.created",
            """
            {"exam":"EX-1","details":{"title":"T","description":"","durationMinutes":60,
            "window":{"opensAt":null,"closesAt":null},"maxAttempts":1,"shuffleQuestions":false,
            "shuffleOptions":false,"feedback":"after","passPercent":50}}
            """, at: "2026-02-01T08:00:00Z", command: "c-1")
        try observe("wifi", at: "2026-02-01T09:00:00Z")
        try room.tell(
            "examroom.sync.begun",
            #"{"device":"D-1","network":"wifi","trigger":"manual","pending":1,"estimatedBytes":600}"#,
            at: "2026-02-01T09:00:00Z", on: "examroom/device/D-1")
        let running = try #require(try room.show("sync", "D-1"))
        #expect(running.text("running") == "true")
        #expect(running.text("shouldSync") == "false")
        #expect(
            running.text("progress") == #"{"bytes":0,"items":0,"totalBytes":600,"totalItems":1}"#)
        try room.tell(
            "examroom.sync.progressed", #"{"device":"D-1","items":1,"bytes":700}"#,
            at: "2026-02-01T09:00:00Z", on: "examroom/device/D-1")
        let told = try #require(try room.show("sync", "D-1"))
        #expect(
            told.text("progress") == #"{"bytes":700,"items":1,"totalBytes":700,"totalItems":1}"#)
        try room.tell(
            "examroom.sync.failed",
            #"{"device":"D-1","reason":"x","failures":1,"retryAt":"2026-02-01T09:00:30Z"}"#,
            at: "2026-02-01T09:00:00Z", on: "examroom/device/D-1")
        for (now, shouldSync) in [("09:00:29.999", "false"), ("09:00:30", "true")] {
            let view = try #require(
                try room.show("sync", "D-1", now: "2026-02-01T\(now)Z"))
            #expect(view.text("shouldSync") == shouldSync)
        }
        try complete(through: 2, at: "2026-02-01T10:00:00Z")
        let done = try #require(try room.show("sync", "D-1"))
        #expect(done.text("retryAt") == "null")
        #expect(done.text("lastCompletedAt") == #""2026-02-01T10:00:00Z""#)
        #expect(done.text("through") == "2")
        #expect(done.text("pending") == "0")
        #expect(done.text("progress") == "null")
    }

    @Test("8.4: a completed sync says when each kind of thing was uploaded, from then on")
    func uploads() throws {
        let entities = { try #require(try self.room.show("sync", "D-1")).text("entities") }
        try room.tell(
            "examroom.exam.published", #"{"exam":"EX-1","questions":1,"maxScore":1}"#,
            at: "2026-02-01T09:00:00Z", on: "examroom/exam/EX-1", command: "c-1")
        try room.tell(
            "examroom.student.blocked", #"{"exam":"EX-1","student":"S-1","reason":null}"#,
            at: "2026-02-01T09:01:00Z", on: "examroom/seat/EX-1/S-1", command: "c-2")
        #expect(try entities() == "{}")
        try complete(through: 2, at: "2026-02-01T10:00:00Z")
        let first = try entities()
        #expect(first.contains(#""exam":"2026-02-01T10:00:00Z""#) && !first.contains("seat"))
        try complete(through: 3, at: "2026-02-01T11:00:00Z")
        let second = try entities()
        #expect(second.contains(#""exam":"2026-02-01T10:00:00Z""#))
        #expect(second.contains(#""seat":"2026-02-01T11:00:00Z""#))
    }

    @Test func `list what others wrote, without devices', inboxes' and archives' own events`()
        throws
    {
        try room.exam("EX-1", at: "2026-02-01T09:00:00Z")
        try room.question("Q-1", at: "2026-02-01T09:01:00Z", device: "D-1")
        try observe("wifi", at: "2026-02-01T09:02:00Z")
        try room.tell(
            "examroom.notification.raised",
            #"{"to":"A-1","notification":"time-up","data":{},"link":""}"#,
            at: "2026-02-01T09:03:00Z", on: "examroom/inbox/A-1")
        try room.publish(at: "2026-02-01T09:04:00Z")
        let view = try #require(try room.show("changes", "D-1", ["since": "1"]))
        #expect(view.column("changes", "position") == ["2", "6"])
        #expect(view.text("changes.1.type") == #""examroom.exam.published""#)
        #expect(view.text("last") == "6")
        #expect(view.text("since") == "1")
        let other = try #require(try room.show("changes", "D-2", ["since": "3"]))
        #expect(other.column("changes", "position") == ["6"])
        #expect(throws: WrongArgument.self) { try room.show("changes", "D-1", ["since": "x"]) }
    }

    /// Three writers over three blocks of the journal.
    @Test(arguments: [0, 1, 1000, 1022, 1023, 1024, 1025, 2100, 2499, 2500, 9999])
    func `list the same as a walk through the journal would`(since: Int) throws {
        var wanted: [String: [Int]] = ["D-1": [], "D-2": [], "D-3": []]
        for number in 2...2500 {
            let writer = number % 7 == 0 ? nil : "D-\(number % 3 + 1)"
            if number % 11 == 0 {
                try observe(number % 2 == 0 ? "wifi" : "cellular", at: "2026-02-01T09:00:00Z")
                continue
            }
            try room.tell(
                "examroom.time.logged",
                #"{"attempt":"AT-\#(number)","question":"Q-1","seconds":1}"#,
                at: "2026-02-01T09:00:00Z", device: writer)
            for device in wanted.keys where device != writer && number > since {
                wanted[device]?.append(number)
            }
        }
        for (device, positions) in wanted {
            let first = since < 1 ? [1] : []
            let all = first + positions
            let view = try #require(try room.show("changes", device, ["since": "\(since)"]))
            #expect(view.text("total") == "\(all.count)")
            #expect(view.column("changes", "position") == all.prefix(50).map { "\($0)" })
            let page = ["since": "\(since)", "page": "21"]
            let later = try #require(try room.show("changes", device, page))
            #expect(
                later.column("changes", "position")
                    == all.dropFirst(1000).prefix(50).map { "\($0)" })
            let whole = try #require(
                try room.show("changes", device, ["since": "\(since)", "page": "all"]))
            #expect(whole.column("changes", "position") == all.map { "\($0)" })
        }
    }

    @Test("R48: commands are counted by their last event, over the ends of blocks too")
    func commands() throws {
        for number in 2...2100 {
            // Three events a command; each fifth command is a measurement with a notification.
            let command = number / 3
            if command % 5 == 0 {
                try room.tell(
                    "examroom.connection.changed", #"{"device":"D-1","network":"wifi"}"#,
                    at: "2026-02-01T09:00:00Z", on: "examroom/device/D-1", command: "c-\(command)")
                continue
            }
            try room.tell(
                "examroom.time.logged", #"{"attempt":"AT-1","question":"Q-1","seconds":1}"#,
                at: "2026-02-01T09:00:00Z", command: "c-\(command)")
        }
        let ends = (2...2100).filter { ($0 % 3 == 2 || $0 == 2100) && $0 / 3 % 5 != 0 }
        for since in [0, 1, 2, 3, 4, 5, 1022, 1023, 1024, 1025, 2047, 2048, 2049, 2098, 2100] {
            let found = room.room.commands(
                after: Position(UInt64(since)), through: Position(2100))
            #expect(found == ends.count { $0 > since }, "since \(since)")
        }
    }

    @Test("R48: what the events say: another type of command, an erasure alone, a brought event")
    func uncounted() throws {
        func count() -> Int { room.room.commands(after: .zero, through: Position(100)) }
        func log(_ command: String, origin: Bool = false) throws {
            try room.tell(
                "examroom.time.logged", #"{"attempt":"AT-1","question":"Q-1","seconds":1}"#,
                at: "2026-02-01T09:00:00Z", command: command,
                origin: origin ? ("D-2", "2026-02-01T07:00:00Z") : nil)
        }
        // Of a merge: what it brought, what it says itself, and what marks it as one.
        try log("merge", origin: true)
        try log("merge")
        #expect(count() == 1, "half-way: nothing says yet that it is a merge")
        try observe("wifi", at: "2026-02-01T09:00:00Z", command: "merge")
        try log("merge")
        #expect(count() == 0)
        try room.tell(
            "account.erased", #"{"subject":"examroom/A-1"}"#, at: "2026-02-01T09:00:00Z",
            command: "erase")
        #expect(count() == 0)
        try log("c-1")
        try log("c-1")
        #expect(count() == 1)
        try log("")
        #expect(count() == 1, "time's own doing")
        let sync = try #require(try room.show("sync", "D-2"))
        #expect(sync.text("entities") == #"{"attempt":"2026-02-01T09:00:00Z"}"#)
    }

    private func observe(_ network: String, at instant: String, command: String) throws {
        try room.tell(
            "examroom.connection.changed", #"{"device":"D-1","network":"\#(network)"}"#,
            at: instant, on: "examroom/device/D-1", command: command)
    }

    @Test("R50: the last measurement is shown, its level as it was judged")
    func storage() throws {
        for (number, level) in ["warning", "critical"].enumerated() {
            try room.tell(
                "examroom.storage.measured",
                """
                {"device":"D-1","capacityBytes":1000,"usedBytes":{"answers":\(number),"cache":0,
                "database":0,"exports":0,"images":0},"totalBytes":\(number),"percent":0.\(number),
                "level":"\(level)"}
                """, at: "2026-02-01T09:0\(number):00Z", on: "examroom/device/D-1")
        }
        let view = try #require(try room.show("storage", "D-1"))
        #expect(
            view.description
                == #"{"capacityBytes":1000,"device":"D-1","examCreation":false,"level":"critical","#
                + #""measuredAt":"2026-02-01T09:01:00Z","percent":0.1,"totalBytes":1,"#
                + #""usedBytes":{"answers":1,"cache":0,"database":0,"exports":0,"images":0}}"#)
    }
}

@Suite struct `The audit archives` {
    private let room = ToldRoom()

    init() throws {
        try room.register("A-1", role: "admin", at: "2026-02-01T08:00:00Z")
        try room.exam("EX-1", at: "2026-02-01T09:00:00Z")
        try room.exam("EX-2", at: "2026-02-02T09:00:00Z")
    }

    private func archive(_ date: String, _ from: Int, _ to: Int, at instant: String) throws {
        try room.tell(
            "examroom.audit.archived",
            """
            {"archive":"\(date)","entries":\(to - from + 1),"fromPosition":\(from),
            "toPosition":\(to),"digest":"d\(from)"}
            """, at: instant, by: "system", on: "examroom/audit/\(date)")
    }

    @Test("R51: archived entries leave the default view and are asked for by their date")
    func archived() throws {
        try archive("2026-02-01", 1, 2, at: "2027-02-02T00:00:00Z")
        let open = try #require(try room.show("audit"))
        #expect(open.column("entries", "entry") == ["3"])
        let archived = try #require(try room.show("audit", "", ["archive": "2026-02-01"]))
        #expect(archived.column("entries", "entry") == ["2", "1"])
        let filtered = ["archive": "2026-02-01", "action": "exam_created"]
        #expect(try room.show("audit", "", filtered)?.text("total") == "1")
        #expect(try room.show("audit", "", ["archive": "2026-02-02"])?.text("total") == "0")
        // What comes late for the date is in view until it is archived too.
        try room.exam("EX-3", at: "2026-02-01T10:00:00Z")
        #expect(try room.show("audit")?.column("entries", "entry") == ["3", "5"])
        try archive("2026-02-01", 5, 5, at: "2027-02-02T00:00:00Z")
        #expect(try room.show("audit")?.column("entries", "entry") == ["3"])
        let archives = try #require(try room.show("audit-archives"))
        #expect(
            archives.text("archives.0")
                == #"{"archive":"2026-02-01","archivedAt":"2027-02-02T00:00:00Z","digest":"d1","#
                + #""entries":2,"fromPosition":1,"toPosition":2}"#)
        #expect(archives.column("archives", "digest") == [#""d1""#, #""d5""#])
        #expect(archives.text("total") == "2")
    }

    @Test("R51: an archive of a former build lacks what it made no entries of; the view keeps that")
    func formerArchive() throws {
        try room.tell(
            "examroom.profile.revised",
            #"{"account":"S-1","changes":{"name":"N"},"fields":["name"]}"#,
            at: "2026-02-01T10:00:00Z", about: "S-1")
        try room.exam("EX-3", at: "2026-02-01T11:00:00Z")
        #expect(try room.show("audit")?.column("entries", "entry") == ["3", "5", "4", "2", "1"])
        // Of positions 1, 2 and 5 alone.
        try room.tell(
            "examroom.audit.archived",
            """
            {"archive":"2026-02-01","entries":3,"fromPosition":1,"toPosition":5,"digest":"d"}
            """, at: "2027-02-02T00:00:00Z", by: "system", on: "examroom/audit/2026-02-01")
        #expect(try room.show("audit")?.column("entries", "entry") == ["3", "4"])
        let archived = try #require(try room.show("audit", "", ["archive": "2026-02-01"]))
        #expect(archived.column("entries", "entry") == ["5", "2", "1"])
        // An archive of this build has it.
        try room.tell(
            "examroom.profile.revised",
            #"{"account":"S-1","changes":{"name":"M"},"fields":["name"]}"#,
            at: "2026-02-02T10:00:00Z", about: "S-1")
        try room.tell(
            "examroom.audit.archived",
            """
            {"archive":"2026-02-02","entries":2,"fromPosition":3,"toPosition":7,"digest":"e"}
            """, at: "2027-02-03T00:00:00Z", by: "system", on: "examroom/audit/2026-02-02")
        #expect(try room.show("audit")?.column("entries", "entry") == ["4"])
        #expect(
            try room.show("audit", "", ["archive": "2026-02-02"])?.column("entries", "entry")
                == ["7", "3"])
    }

    @Test("R51: the digest is that of the entries as they are printed, oldest position first")
    func digest() throws {
        let positions = [1, 2].map { Position($0) }
        let digest = ExamRoom.Quoter().archive(of: positions, state: room.room, history: room)
        let view = try #require(try room.show("audit", "", ["to": "2026-02-01"]))
        let entries = JSON.array((view.at("entries")?.array ?? []).reversed())
        #expect(digest == SHA256Digest.hex(of: entries.canonical))
        let none = ExamRoom.Quoter().archive(of: [], state: room.room, history: room)
        #expect(none == SHA256Digest.hex(of: Array("[]".utf8)))
    }

    @Test func `know the address of a session whose start is in another archive`() throws {
        try room.tell(
            "examroom.session.started",
            """
            {"session":"SE-1","account":"A-1","role":"admin","method":"credential",
            "deviceInfo":null,"ip":"10.0.0.1","mustChangeCredential":false}
            """, at: "2026-02-02T10:00:00Z", about: "A-1")
        try room.tell(
            "examroom.session.ended",
            #"{"session":"SE-1","account":"A-1","reason":"signed-out"}"#,
            at: "2026-02-03T10:00:00Z", about: "A-1")
        try archive("2026-02-02", 3, 4, at: "2027-02-03T00:00:00Z")
        let open = try #require(try room.show("audit", "", ["action": "logout"]))
        #expect(open.text("entries.0.ip") == #""10.0.0.1""#)
        try archive("2026-02-03", 5, 5, at: "2027-02-04T00:00:00Z")
        let archived = try #require(try room.show("audit", "", ["archive": "2026-02-03"]))
        #expect(archived.text("entries.0.ip") == #""10.0.0.1""#)
    }
}

@Suite struct `The table of actions` {
    @Test func `has a line for every event type, and agrees with what makes entries`() {
        let types = Set(ExamRoom.payloads.map(\.name))
        #expect(types.subtracting(ExamRoom.eventTraits.keys) == [])
        for rule in ExamRoom.auditRules {
            #expect(ExamRoom.eventTraits[rule.type]?.action == rule.action, "\(rule.type)")
        }
        // The erasure is shared, and no event of ExamRoom's own.
        let described = Set(ExamRoom.auditRules.map(\.type))
        for (type, traits) in ExamRoom.eventTraits where types.contains(type) {
            #expect((traits.action != nil) == described.contains(type), "\(type)")
        }
    }
}
