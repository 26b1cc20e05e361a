import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct SyncTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private func observe(_ network: String, _ at: String, by: String = "admin:A-1") throws -> Brief
    {
        try room.brief(
            by, "connection.observe", at, #"{"device":"D-1","network":"\#(network)"}"#)
    }

    private func begin(_ at: String, _ trigger: String = "automatic") throws -> Brief {
        try room.brief(
            "service:sync", "sync.begin", at, #"{"device":"D-1","trigger":"\#(trigger)"}"#)
    }

    private func complete(_ at: String, through: UInt64) throws -> Brief {
        try room.brief(
            "service:sync", "sync.complete", at, #"{"device":"D-1","through":\#(through)}"#)
    }

    private func fail(_ at: String) throws -> Brief {
        try room.brief("service:sync", "sync.fail", at, #"{"device":"D-1","reason":"timeout"}"#)
    }

    private let begun = Brief.accepted(["sync.begun"])

    @Test("A device is offline until observed: `nothing-to-change`")
    func observing() throws {
        #expect(try observe("offline", "08:01") == .rejected("nothing-to-change"))
        #expect(try observe("wifi", "08:01") == .accepted(["connection.changed"]))
        #expect(try observe("wifi", "08:02") == .rejected("nothing-to-change"))
        #expect(
            try observe("cellular", "08:02", by: "student:S-1") == .accepted(["connection.changed"])
        )
    }

    @Test("Members and services tell of devices, nobody else: `forbidden`")
    func who() throws {
        #expect(try observe("wifi", "08:01", by: "coach:C-1") == .rejected("forbidden"))
        #expect(try observe("wifi", "08:01", by: "student:S-9") == .rejected("forbidden"))
        #expect(
            try observe("wifi", "08:01", by: "admin:S-1")
                == .rejected("forbidden", ["violation.recorded"]))
        #expect(try observe("wifi", "08:01", by: "system") == .accepted(["connection.changed"]))
    }

    @Test("A sync needs a network: `offline`")
    func offline() throws {
        #expect(try begin("08:01") == .rejected("offline"))
        #expect(try begin("08:01", "manual") == .rejected("offline"))
    }

    @Test("One sync at a time: `sync-running`, `sync-not-running`")
    func running() throws {
        _ = try observe("wifi", "08:01")
        #expect(try complete("08:02", through: 1) == .rejected("sync-not-running"))
        #expect(try fail("08:02") == .rejected("sync-not-running"))
        #expect(try begin("08:02") == begun)
        #expect(try begin("08:03") == .rejected("sync-running"))
        #expect(try complete("08:03", through: 5) == .accepted(["sync.completed"]))
        #expect(try complete("08:04", through: 5) == .rejected("sync-not-running"))
    }

    @Test("R48: the preference bounds automatic syncs alone: `sync-preference`")
    func preference() throws {
        _ = try observe("cellular", "08:01")
        try room.adopt(#""defaultSync":"wifi""#)
        #expect(try begin("08:02") == .rejected("sync-preference"))
        try room.adopt(#""defaultSync":"manual""#)
        _ = try observe("wifi", "08:02")
        #expect(try begin("08:03") == .rejected("sync-preference"))
        #expect(try begin("08:03", "manual") == begun)
    }

    @Test("R48: the preference is that of the open session on the device that started last")
    func preferenceOfTheSession() throws {
        _ = try observe("cellular", "08:01")
        for (number, person) in ["S-1", "S-2"].enumerated() {
            let choice = number == 0 ? "wifi" : "manual"
            try room.accept(
                "student:\(person)", "preference.choose", "08:02",
                #"{"account":"\#(person)","changes":{"sync":"\#(choice)"}}"#)
            _ = try room.brief(
                "student:\(person)", "session.start", "08:0\(3 + number)",
                #"{"session":"SE-\#(person)","account":"\#(person)","method":"credential","digest":"d-\#(person)"}"#,
                device: "D-1")
        }
        let device: ExamRoom.DeviceID = room.names.id("D-1")
        #expect(room.state.syncPreference(on: device) == .manual)
        try room.accept("student:S-2", "session.end", "08:06", #"{"session":"SE-S-2"}"#)
        #expect(room.state.syncPreference(on: device) == .wifi)
        try room.accept("student:S-1", "session.end", "08:07", #"{"session":"SE-S-1"}"#)
        #expect(room.state.syncPreference(on: device) == .wifiOrCellular)
    }

    @Test("R48: what waits is counted in commands, each once: `nothing-to-sync`")
    func pending() throws {
        _ = try observe("wifi", "08:01")
        #expect(try begin("08:02") == begun)
        // Three registrations; observing is not merged elsewhere.
        #expect(room.last(ExamRoom.Sync.Begun.self)?.pending == 3)
        #expect(room.last(ExamRoom.Sync.Begun.self)?.estimatedBytes == 1800)
        _ = try complete("08:03", through: 3)
        #expect(room.last(ExamRoom.Sync.Completed.self)?.uploaded == 3)
        #expect(try begin("08:04") == .rejected("nothing-to-sync"))
        #expect(try begin("08:04", "manual") == .rejected("nothing-to-sync"))
        // Two events, one command; part of it before `through` leaves it pending.
        try room.accept("admin:A-1", "account.delete", "08:05", #"{"account":"S-2"}"#)
        #expect(try begin("08:06") == begun)
        #expect(room.last(ExamRoom.Sync.Begun.self)?.pending == 1)
        _ = try complete("08:07", through: 7)
        #expect(room.last(ExamRoom.Sync.Completed.self)?.uploaded == 0)
        #expect(try begin("08:08") == begun)
        #expect(room.last(ExamRoom.Sync.Begun.self)?.pending == 1)
    }

    @Test("R48: refused commands and what time did are not counted, a command tried again is")
    func refusedOnes() throws {
        _ = try observe("wifi", "08:01")
        _ = try begin("08:01")
        try room.giveExam(#","durationMinutes":10"#)
        _ = try complete("08:05", through: 9)
        try room.accept("admin:A-1", "student.block", "08:30", #"{"exam":"EX-1","student":"S-1"}"#)
        #expect(
            try room.start("AT-1", "S-1", "09:00")
                == .rejected("student-blocked", ["violation.recorded"]))
        _ = try room.start("AT-2", "S-2", "09:00")
        _ = try room.advance("10:00")
        _ = try begin("10:00")
        #expect(room.last(ExamRoom.Sync.Begun.self)?.pending == 2)
    }

    @Test("R48: the images of what waits are counted once each")
    func images() throws {
        try room.giveExam()
        _ = try observe("wifi", "08:05")
        let hash = String(repeating: "a", count: 64)
        for question in ["Q-1", "Q-2"] {
            try room.accept(
                "admin:A-1", "image.attach", "08:06",
                #"{"exam":"EX-1","question":"\#(question)","hash":"\#(hash)","format":"png","bytes":2048}"#
            )
        }
        _ = try begin("08:07")
        // Three registrations, four commands for the exam, two images.
        #expect(room.last(ExamRoom.Sync.Begun.self)?.pending == 9)
        #expect(room.last(ExamRoom.Sync.Begun.self)?.estimatedBytes == 9 * 600 + 2048)
        _ = try complete("08:08", through: 9)
        _ = try begin("08:09")
        #expect(room.last(ExamRoom.Sync.Begun.self)?.estimatedBytes == 600 + 2048)
    }

    @Test("The other side holds no more than there is: `seen-unknown`")
    func seenUnknown() throws {
        _ = try observe("wifi", "08:01")
        _ = try begin("08:02")
        // Three accounts, the connection and the sync's begin stand in the journal.
        #expect(try complete("08:03", through: 6) == .rejected("seen-unknown"))
        #expect(try complete("08:03", through: 5) == .accepted(["sync.completed"]))
    }

    @Test("R49: the wait doubles after each failure, up to the longest: `retry-too-early`")
    func waiting() throws {
        try room.adopt(#""retryBaseSeconds":60,"retryMaxSeconds":150"#)
        _ = try observe("wifi", "08:01")
        for (round, wait) in [60, 120, 150, 150].enumerated() {
            let at = "08:\(10 + round * 10)"
            #expect(try begin(at, "manual") == begun)
            #expect(try fail(at) == .accepted(["sync.failed"]))
            let failed = room.last(ExamRoom.Sync.Failed.self)
            #expect(failed?.failures == round + 1)
            #expect(failed?.retryAt == Classroom.instant(at) + Int64(wait))
        }
        let retryAt = Classroom.instant("08:40") + 150
        #expect(try begin("\(retryAt - 1)") == .rejected("retry-too-early"))
        #expect(try begin("\(retryAt)") == begun)
        // A completed sync ends the row.
        _ = try complete("08:50", through: 0)
        #expect(try begin("08:50") == begun)
        _ = try fail("08:51")
        #expect(room.last(ExamRoom.Sync.Failed.self)?.failures == 1)
    }

    @Test("R49: the longest wait there can be stays an instant that can be told")
    func longestWait() throws {
        try room.adopt(#""retryBaseSeconds":3155760000,"retryMaxSeconds":3155760000"#)
        _ = try observe("wifi", "2150-01-01T08:01:00Z")
        _ = try begin("2150-01-01T08:02:00Z")
        _ = try fail("2150-01-01T08:03:00Z")
        #expect(
            room.last(ExamRoom.Sync.Failed.self)?.retryAt
                == Classroom.instant("2199-12-31T23:59:59Z"))
    }

    @Test("8.6: a running sync tells how much is done, never less than before or more than all")
    func progress() throws {
        let tell = { (items: Int, bytes: Int) in
            try self.room.brief(
                "service:sync", "sync.report", "08:03",
                #"{"device":"D-1","items":\#(items),"bytes":\#(bytes)}"#)
        }
        _ = try observe("wifi", "08:01")
        #expect(try tell(1, 600) == .rejected("sync-not-running"))
        #expect(try begin("08:02") == begun)
        #expect(try tell(0, 0) == .rejected("nothing-to-change"))
        #expect(try tell(2, 900) == .accepted(["sync.progressed"]))
        #expect(try tell(2, 900) == .rejected("nothing-to-change"))
        #expect(try tell(1, 900) == .rejected("progress-invalid"))
        #expect(try tell(2, 899) == .rejected("progress-invalid"))
        // Three registrations wait; their bytes are an estimate.
        #expect(try tell(4, 900) == .rejected("progress-invalid"))
        #expect(try tell(3, 5000) == .accepted(["sync.progressed"]))
        _ = try complete("08:04", through: 3)
        #expect(try tell(3, 5001) == .rejected("sync-not-running"))
    }

    // MARK: Storage

    private func measure(
        _ used: Int, of capacity: Int, _ at: String, by: String = "student:S-1"
    ) throws -> Brief {
        try room.brief(
            by, "storage.measure", at,
            #"{"device":"D-1","capacityBytes":\#(capacity),"usedBytes":{"answers":\#(used),"cache":0,"database":0,"exports":0,"images":0}}"#
        )
    }

    @Test("R50: warning above its percentage, critical from its own, both exactly")
    func levels() throws {
        for (used, level) in [
            (800_000, ExamRoom.Storage.Level.normal), (800_001, .warning), (949_999, .warning),
            (950_000, .critical),
        ] {
            _ = try measure(used, of: 1_000_000, "08:01", by: "system")
            #expect(room.last(ExamRoom.Storage.Measured.self)?.level == level)
        }
        _ = try measure(800_001, of: 1_000_000, "08:01", by: "system")
        #expect(
            room.last(ExamRoom.Storage.Measured.self)?.percent == Percent(hundredths: 8000))
    }

    @Test("R50: sizes as large as they can be told are judged exactly")
    func largeSizes() throws {
        let most = ExamRoom.Storage.sizes.upperBound
        _ = try measure(most, of: most, "08:01", by: "system")
        #expect(room.last(ExamRoom.Storage.Measured.self)?.percent == .hundred)
        #expect(
            try measure(1, of: 0, "08:01")
                == .malformed(
                    "line 1: data.capacityBytes: expected a whole number from 1 to 1000000000000000"
                ))
    }

    @Test("The one who measures is told when the level becomes another, and of critical always")
    func notices() throws {
        let measured = Brief.accepted(["storage.measured"])
        let told = Brief.accepted(["storage.measured", "notification.raised"])
        #expect(try measure(70, of: 100, "08:01") == measured)
        #expect(try measure(85, of: 100, "08:02") == told)
        #expect(room.last(ExamRoom.Notification.Raised.self)?.notification == .storageWarning)
        #expect(try measure(86, of: 100, "08:03") == measured)
        try room.accept(
            "student:S-1", "preference.choose", "08:04",
            #"{"account":"S-1","changes":{"notifications":false}}"#)
        #expect(try measure(95, of: 100, "08:05") == told)
        let raised = room.last(ExamRoom.Notification.Raised.self)
        #expect(raised?.notification == .storageCritical)
        #expect(raised?.data["percent"] == .integer(95))
        #expect(try measure(85, of: 100, "08:06") == measured)
        #expect(try measure(95, of: 100, "08:07", by: "service:probe") == measured)
    }

    @Test("R50: a device that is full creates no exam, another one does: `storage-critical`")
    func full() throws {
        _ = try measure(95, of: 100, "08:01")
        let data = #"{"exam":"EX-1","title":"T"}"#
        #expect(
            try room.brief("admin:A-1", "exam.create", "08:02", data, device: "D-1")
                == .rejected("storage-critical"))
        #expect(
            try room.brief(
                "admin:A-1", "exam.create", "08:02", #"{"exam":"EX-1","title":" "}"#, device: "D-1")
                == .rejected("title-missing"))
        #expect(
            try room.brief("admin:A-1", "exam.create", "08:02", data, device: "D-2")
                == .accepted(["exam.created"]))
        #expect(
            try room.brief("admin:A-1", "exam.create", "08:02", data, device: "D-1")
                == .rejected("storage-critical"))
        _ = try measure(94, of: 100, "08:03")
        #expect(
            try room.brief("admin:A-1", "exam.create", "08:04", data, device: "D-1")
                == .rejected("already-exists"))
    }
}

@Suite struct AuditTests {
    private let room: Classroom

    init() throws { room = try Classroom() }

    private var archived: ExamRoom.Audit.Archived? { room.last(ExamRoom.Audit.Archived.self) }

    @Test("R51: a date's entries are archived together once they were in view so many whole days")
    func archiving() throws {
        try room.adopt(#""auditRetentionDays":30"#)
        try room.giveExam()
        #expect(try room.advance("2026-03-04T23:59:59.999Z") == [])
        #expect(try room.advance("2026-03-05T00:00:00Z") == ["audit.archived"])
        // Three registrations, the adoption, four of the exam.
        #expect(archived?.entries == 8)
        #expect(archived?.fromPosition == Position(1))
        #expect(archived?.toPosition == Position(8))
        #expect(archived?.archive == LocalDate(text: "2026-02-02"))
        #expect(room.facts.last?.metadata.cause == Position(1))
        #expect(room.facts.last?.metadata.at == Classroom.instant("2026-03-05T00:00:00Z"))
        #expect(
            room.names.text(room.facts.last?.metadata.stream ?? .none)
                == "examroom/audit/2026-02-02")
        #expect(try room.advance("2199-12-31T00:00:00Z") == [])
    }

    @Test("R51: what makes no entry archives nothing")
    func nothingToArchive() throws {
        #expect(try room.advance("2199-12-31T00:00:00Z") == ["audit.archived"])
        try room.accept(
            "student:S-1", "preference.choose", "2027-06-01T00:00:00Z",
            #"{"account":"S-1","changes":{"theme":"dark"}}"#)
        #expect(try room.advance("2199-12-31T00:00:00Z") == [])
    }

    @Test("A late entry for an archived date makes the timer fire again, for it alone")
    func lateEntries() throws {
        _ = try room.advance("2028-01-01T00:00:00Z")
        try room.giveExam()
        #expect(try room.advance("2027-02-02T23:59:59.999Z") == [])
        #expect(try room.advance("2028-01-01T00:00:01Z") == ["audit.archived"])
        #expect(archived?.entries == 4)
        #expect(archived?.fromPosition == Position(5))
        #expect(room.facts.last?.metadata.at == Classroom.instant("2027-02-03T00:00:00Z"))
    }

    @Test("Another retention moves what is to come, not before the adoption itself")
    func moving() throws {
        try room.accept(
            "admin:A-1", "policy.adopt", "2026-06-01T10:00:00Z",
            #"{"changes":{"auditRetentionDays":30}}"#)
        let timers = room.state.timers.pending().map {
            "\($0.due) \($0.stream.text(in: room.names))"
        }
        #expect(
            timers == [
                "2026-06-01T10:00:00Z examroom/audit/2026-02-02",
                "2026-07-02T00:00:00Z examroom/audit/2026-06-01",
            ])
        try room.accept(
            "admin:A-1", "policy.adopt", "2026-06-01T11:00:00Z",
            #"{"changes":{"auditRetentionDays":36525}}"#)
        #expect(try room.advance("2126-01-01T00:00:00Z") == [])
    }
}
