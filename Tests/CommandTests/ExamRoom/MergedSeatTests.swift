import Commands
import ExamRoomCommands
import Core
import ExamRoomEvents
import Folding
import ExamRoomFacts
import Testing

@Suite struct `A merged approval` {
    private let stage = Stage()

    init() {
        stage.giveExam()
        stage.accept(
            "student:S-1", "accommodation.request", "09:00",
            #"{"request":"RQ-1","exam":"EX-1","student":"S-1","kind":"minutes","value":15,"justification":"x"}"#
        )
    }

    private func grantHere(_ at: String) {
        stage.shared = stage.head
        stage.accept(
            "admin:A-1", "extension.grant", at,
            #"{"exam":"EX-1","student":"S-1","kind":"percent","value":50}"#)
    }

    private var approval: String {
        Stage.inner("d-1", "accommodation.approve", "10:00", #"{"request":"RQ-1"}"#)
    }

    private var granted: ExamRoom.ExtraTime? {
        let seat = ExamRoom.SeatKey(stage.names.id("EX-1"), stage.names.id("S-1"))
        return stage.room.seats[seat]?.granted
    }

    @Test("R40: loses its extra time against a later grant, and says so")
    func loses() throws {
        grantHere("10:01")
        stage.merge("D-1", [approval])
        let (_, origin) = try #require(
            stage.lastWithOrigin(ExamRoom.Extension.Modified.self))
        #expect(origin?.superseded == ["extension"])
        #expect(granted?.value == 50)
    }

    @Test("R40: wins against an earlier grant")
    func wins() throws {
        grantHere("09:59")
        stage.merge("D-1", [approval])
        let (_, origin) = try #require(
            stage.lastWithOrigin(ExamRoom.Extension.Modified.self))
        #expect(origin?.superseded == [])
        #expect(granted?.value == 15)
    }
}
