import Core
import TestSupport

/// Moving in from elsewhere (R36, R37), as MG-1.
extension Classroom {
    static func movedAttempt(
        _ id: String = "AT-9", exam: String = "EX-9", student: String = "S-9", score: Int = 2,
        of maxScore: Int = 3, from start: String = "2026-01-05T14:00:00.500Z",
        to end: String = "2026-01-05T15:00:00Z", how: String = "student"
    ) -> String {
        #"{"attempt":"\#(id)","exam":"\#(exam)","student":"\#(student)","how":"\#(how)","#
            + #""startedAt":"\#(start)","closedAt":"\#(end)","score":\#(score),"maxScore":\#(maxScore)}"#
    }

    func move(
        _ command: String, _ data: String, by: String = "service:M-1"
    ) throws -> Brief {
        try brief(by, command, "09:00", data)
    }

    func beginMove(_ contents: [(String, String)], id: String = "MG-1") throws -> Brief {
        let items = contents.enumerated().map { place, content in
            let json = (try? JSON(parsing: content.1)) ?? .null
            let digest = SHA256Digest.hex(of: json.canonical)
            return #"{"item":"I-\#(place + 1)","kind":"\#(content.0)","digest":"\#(digest)"}"#
        }
        return try move(
            "migration.begin",
            #"{"migration":"\#(id)","source":"former","items":[\#(items.joined(separator: ","))]}"#)
    }

    func bring(_ item: Int, _ content: String) throws -> Brief {
        try move("item.import", #"{"migration":"MG-1","item":"I-\#(item)","content":\#(content)}"#)
    }

    func moveItem(_ command: String, _ item: Int, more: String = "") throws -> Brief {
        try move("item.\(command)", #"{"migration":"MG-1","item":"I-\#(item)"\#(more)}"#)
    }

    func finishMove() throws -> Brief { try move("migration.finish", #"{"migration":"MG-1"}"#) }
}
