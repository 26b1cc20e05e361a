import Commands
import Core
import ExamRoomCommands
import ExamRoomEvents
import ExamRoomFacts
import Folding
import TestSupport
import Testing

@Suite struct `A merged approval` {
    private let room: Classroom

    init() throws {
        room = try Classroom()
        try room.giveExam()
        try room.accept(
            "student:S-1", "accommodation.request", "09:00",
            #"{"request":"RQ-1","exam":"EX-1","student":"S-1","kind":"minutes","value":15,"justification":"x"}"#
        )
    }

    /// The device parted before it.
    private func grantHere(_ at: String) throws -> UInt64 {
        let seen = room.head
        try room.accept(
            "admin:A-1", "extension.grant", at,
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":50}"#)
        return seen
    }

    private var approval: String {
        Classroom.inner("d-1", "accommodation.approve", "10:00", #"{"request":"RQ-1"}"#)
    }

    private var granted: ExamRoom.ExtraTime? {
        let seat = ExamRoom.SeatKey(room.names.id("EX-1"), room.names.id("S-1"))
        return room.state.seats[seat]?.granted
    }

    @Test("R40: loses its extra time against a later grant, and says so")
    func loses() throws {
        let seen = try grantHere("10:01")
        try room.merge("D-1", [approval], seen: seen)
        let (_, origin) = try #require(
            room.lastWithOrigin(ExamRoom.Extension.Modified.self))
        #expect(origin?.superseded == ["extension"])
        #expect(granted?.value == 50)
    }

    @Test("R40: wins against an earlier grant")
    func wins() throws {
        let seen = try grantHere("09:59")
        try room.merge("D-1", [approval], seen: seen)
        let (_, origin) = try #require(
            room.lastWithOrigin(ExamRoom.Extension.Modified.self))
        #expect(origin?.superseded == [])
        #expect(granted?.value == 15)
    }
}
