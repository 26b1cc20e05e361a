import Core
import ExamRoomEvents
import TestSupport
import Testing

/// Who holds each register, counted anew: what a merge brings takes it when it is not earlier than
/// the holder, what happens here always does (R40).
struct RegisterLaw {
    private struct Write {
        let moment: Instant
        let writer: String

        /// Whether this is less than another, as pairs.
        func isBefore(_ other: Write) -> Bool {
            moment == other.moment ? writer.precedes(other.writer) : moment < other.moment
        }
    }

    private var holders: [String: Write] = [:]
    /// Writes that lost, for those who ask whether that ever happens.
    private(set) var losses = 0

    static func broken(by events: [PastFact]) -> String? {
        var law = RegisterLaw()
        for event in events {
            if let problem = law.problem(of: event) { return "\(problem): \(event.text)" }
        }
        return nil
    }

    mutating func problem(of event: PastFact) -> String? {
        let write = Write(moment: event.moment, writer: event.writer)
        for (thing, registers) in Self.beginnings(event) {
            for register in registers { holders["\(thing) \(register)"] = write }
        }
        guard let (thing, registers) = Self.writes(event) else { return nil }
        for register in registers {
            let key = "\(thing) \(register)"
            let isLate = holders[key].map { write.isBefore($0) } ?? false
            let mustLose = event.isMerged && isLate
            if event.lost(register) != mustLose {
                return "\(register) \(mustLose ? "must lose" : "must not lose")"
            }
            if mustLose { losses += 1 } else { holders[key] = write }
        }
        return nil
    }

    private static let details = [
        "title", "description", "durationMinutes", "window", "maxAttempts", "shuffleQuestions",
        "shuffleOptions", "feedback", "passPercent", "publication", "results",
    ]

    /// Things that begin, with the registers that they begin with.
    private static func beginnings(_ event: PastFact) -> [(String, [String])] {
        let exam = event.text("exam")
        switch event.type {
        case "examroom.account.registered":
            let fields = [
                "name", "email", "timeZone", "theme", "sync", "biometric", "notifications",
                "leaderboard",
            ]
            return [("account " + event.text("account"), fields)]
        case "examroom.exam.created", "examroom.exam.duplicated", "examroom.exam.imported":
            let questions = (event.data["questions"]?.array ?? []).map {
                ("question \(exam) \($0["question"]?.string ?? "")", ["content", "image"])
            }
            return [("exam " + exam, details)] + questions
        case "examroom.question.added":
            return [("question \(exam) \(event.text("question"))", ["content", "image"])]
        default: return []
        }
    }

    /// The registers that an event writes.
    private static func writes(_ event: PastFact) -> (thing: String, registers: [String])? {
        let exam = event.text("exam")
        let account = "account " + event.text("account")
        let question = "question \(exam) \(event.text("question"))"
        let seat = "seat \(exam) \(event.text("student"))"
        let changes = (event.data["changes"]?.members ?? []).map(\.name)
        switch event.type {
        case "examroom.profile.revised":
            return (account, event.data["fields"]?.array?.compactMap(\.string) ?? [])
        case "examroom.preference.chosen": return (account, changes)
        case "examroom.policy.adopted": return ("policy", changes)
        case "examroom.exam.revised": return ("exam " + exam, changes)
        case "examroom.question.revised": return (question, ["content"])
        case "examroom.image.attached", "examroom.image.detached": return (question, ["image"])
        case "examroom.exam.published", "examroom.exam.withdrawn":
            return ("exam " + exam, ["publication"])
        case "examroom.results.published", "examroom.results.withheld":
            return ("exam " + exam, ["results"])
        case "examroom.student.blocked", "examroom.student.unblocked": return (seat, ["block"])
        case "examroom.extension.granted", "examroom.extension.modified",
            "examroom.extension.revoked":
            return (seat, ["extension"])
        default: return nil
        }
    }
}

@Suite struct `Registers` {
    @Test(
        "R40: are taken by what is not earlier than their holder, and by what happens here",
        arguments: Life.some)
    func areTaken(life: Life) {
        life.expect { RegisterLaw.broken(by: $0.events) }
    }

    @Test("R40: are lost often enough in the random histories")
    func areLost() throws {
        var losses = 0
        for life in Life.some {
            var law = RegisterLaw()
            for event in try life.room.events { _ = law.problem(of: event) }
            losses += law.losses
        }
        #expect(losses > 15)
    }
}
