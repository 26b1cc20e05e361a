import Engine
import EventLog
import Core
import Foundation
import Testing

/// A journal on the disk with students whose names occur nowhere else (ADR 0033).
struct School {
    let place: DiskPlace

    init() throws {
        place = try DiskPlace()
        try register("S-1", "Zaynab 7f3a")
        try register("S-2", "Yusuf 91bc")
    }

    var journal: String { place.journal }

    static func registration(_ student: String, _ name: String) -> [UInt8] {
        line(
            "r-\(student)", "examroom.account.register", "2026-02-01T08:00:00Z",
            #"{"account":"\#(student)","role":"student","name":"\#(name)",\#(Room.credential)}"#)
    }

    func register(_ student: String, _ name: String) throws {
        let outcomes = try place.open().submit([Self.registration(student, name)])
        #expect(outcomes.map(\.status) == [.accepted])
    }

    static func erasure(_ student: String) -> [UInt8] {
        line(
            "erase-\(student)", "account.erase", "2026-02-02T08:00:00Z",
            #"{"subject":"examroom/\#(student)"}"#)
    }

    func account(_ student: String) throws -> String {
        try place.open(isReadOnly: true).show("examroom.account", key: student).text
    }

    func bytes(_ file: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: journal + "/" + file))
    }

    func write(_ bytes: Data, _ file: String) throws {
        try bytes.write(to: URL(fileURLWithPath: journal + "/" + file))
    }

    func verify() throws -> VerificationReport { try place.open(isReadOnly: true).verify() }

    /// The number of the slot that the person's registration was given: the journal's secret has one, too.
    func state(ofSlot number: Int) throws -> UInt8 { try bytes("keys")[number * 128] }

    var events: String {
        get throws {
            var text = ""
            try place.open(isReadOnly: true).events(EventFilter()) { document in
                text += document.text
                return true
            }
            return text
        }
    }
}
