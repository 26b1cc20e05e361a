import Core
import Engine
import TestSupport
import Testing

/// A coach of QuranFlow, C-2, who meddles with everybody's students, and one whom nobody knows. Students, C-1 and
/// admins do in between what is theirs.
private struct MeddlingCoach: DishonestActor {
    static let product = "quranflow"
    static let begin = Instant("2026-01-02T09:00:00Z")
    static let actors: Set = ["coach:C-2"]
    private static let students = ["S-1", "S-2", "S-3", "S-4"]

    var script: Script
    private var recordings: [String] = []
    private var slots: [String] = []
    private var appointments: [String] = []
    private var week = 1

    init(script: Script) { self.script = script }

    mutating func stage() {
        let admin = "admin:A-1"
        script.tell(
            "policy.adopt", by: admin,
            #""changes":{"weeksPerSemester":4,"eocOpensWeek":2,"requiredSubmissions":1,"submissionsPerPeriod":9,"appointmentLeadHours":0}"#
        )
        for coach in ["C-1", "C-2"] {
            script.tell(
                "coach.register", by: admin, #""coach":"\#(coach)","name":"C","gender":"female""#)
        }
        script.tell(
            "semester.schedule", by: admin,
            #""semester":"SEM-1","name":"S","startsOn":"2026-01-17","timeZone":"UTC""#)
        let passage = #""passage":{"surah":"Al-Mulk","from":1,"to":2,"text":"..."}"#
        script.tell(
            "eoc.define", by: admin, #""level":2,"description":"D",\#(passage)"#)
        for week in 1...4 {
            script.tell(
                "lesson.publish", by: admin,
                #""level":2,"week":\#(week),"topic":"T","objectives":[],"videos":[{"video":"V-\#(week)","title":"T","seconds":9}],\#(passage)"#
            )
        }
        for (index, student) in Self.students.enumerated() {
            let own = #""student":"\#(student)""#
            script.tell(
                "student.register", by: "service:x",
                #"\#(own),"name":"N","email":"\#(student)@example.org","gender":"female","timeZone":"UTC""#
            )
            script.tell(
                "assessment.submit", by: "student:\(student)", #"\#(own),"audio":"a","seconds":9"#)
            guard student != "S-4" else { continue }
            script.tell(
                "student.place", by: admin,
                #"\#(own),"level":2,"coach":"C-\#(1 + index % 2)","enrollment":"E-\#(student)","semester":"SEM-1""#
            )
            script.tell("font.choose", by: "student:\(student)", #"\#(own),"font":"amiri-quran""#)
        }
        script.now = Instant("2026-01-17T09:00:00Z")
    }

    mutating func act() {
        script.pass([0, 60, 600, 3_600, 50_000])
        switch script.below(20) {
        case 0..<5: study()
        case 5: lead()
        default: meddle()
        }
    }

    private mutating func study() {
        let student = script.one(of: ["S-1", "S-2", "S-3"])
        let by = "student:\(student)"
        let recording = script.id("R")
        script.tell(
            "recording.submit", by: by,
            #""enrollment":"E-\#(student)","recording":"\#(recording)","week":\#(1 + script.below(3)),"audio":"r","seconds":9,"confirmed":true"#
        )
        recordings.append(recording)
        script.tell(
            "eoc.submit", by: by,
            #""enrollment":"E-\#(student)","audio":"e","seconds":9,"confirmed":true"#)
    }

    /// An admin hands enrolments over; seldom a coach retires.
    private mutating func lead() {
        if script.chance(6) {
            script.tell("coach.retire", by: "admin:A-1", #""coach":"C-2""#)
        } else {
            script.tell(
                "coach.assign", by: "admin:A-1",
                #""enrollment":"E-\#(script.one(of: Self.students))","coach":"\#(script.one(of: ["C-1", "C-2"]))""#
            )
        }
    }

    private mutating func meddle() {
        let by = script.chance(90) ? "coach:C-2" : script.one(of: ["coach:C-9", "coach:S-1"])
        let recording =
            #""recording":"\#(recordings.isEmpty ? "R" : script.one(of: recordings.suffix(6)))""#
        let enrollment = #""enrollment":"E-\#(script.one(of: ["S-1", "S-2", "S-3"]))""#
        let slot = script.id("SL")
        let coach = script.one(of: ["C-1", "C-2", "C-2"])
        let (name, data) = script.one(of: [
            ("feedback.give", #"\#(recording),"audio":"f","seconds":9"#),
            ("feedback.give", #"\#(recording),"audio":"f","seconds":9"#),
            ("comment.post", #"\#(recording),"comment":"\#(script.id("CM"))","text":"Well""#),
            ("feedback.give", #"\#(recording),"audio":"f","seconds":9"#),
            ("comment.post", #"\#(recording),"comment":"\#(script.id("CM"))","text":"Well""#),
            (
                "eoc.evaluate",
                #"\#(enrollment),"passed":\#(script.chance(40)),"audio":"x","seconds":9"#
            ),
            ("coach.introduce", #""coach":"\#(coach)","bio":"B""#),
            (
                "slot.offer",
                #""slot":"\#(slot)","coach":"\#(coach)","startsAt":"\#(script.now + 90_000)","minutes":30,"joinUrl":"u""#
            ),
            ("slot.withdraw", #""slot":"\#(slots.isEmpty ? "SL" : script.one(of: slots))""#),
            ("coach.assign", #"\#(enrollment),"coach":"C-2""#),
            (
                "student.place",
                #""student":"S-4","level":2,"coach":"C-2","enrollment":"E-S-4","semester":"SEM-1""#
            ),
            (
                "recording.submit",
                #"\#(enrollment),"recording":"\#(script.id("R"))","week":1,"audio":"r","seconds":9,"confirmed":true"#
            ),
            ("policy.adopt", #""changes":{"feedbackHours":999}"#),
            ("student.correct-gender", #""student":"S-1","gender":"male""#),
            (
                "notification.open",
                #""recipient":"\#(script.one(of: ["coach:C-1", "coach:C-2", "student:S-1"]))","number":\#(1 + script.below(4))"#
            ),
        ])
        if name == "slot.offer" { slots.append(slot) }
        script.tell(name, by: by, data)
    }
}

private enum CoachGains {
    /// R1, R11, R38: a coach acts for the enrolments, slots and notices that are theirs, and nothing else.
    static func others(_ life: DishonestLife) -> String? {
        var coaches: [String: String] = [:]
        var enrollments: [String: String] = [:]
        func id(_ event: PastFact) -> String {
            String(event.stream.split(separator: "/").last ?? "")
        }
        for event in life.events {
            let name = String(event.type.trimmingPrefix("quranflow."))
            if event.by.hasPrefix("coach:") {
                let coach = String(event.by.dropFirst(6))
                let own: Bool
                switch name {
                case "feedback.given", "comment.posted":
                    own = coaches[enrollments[id(event)] ?? ""] == coach
                case "eoc.evaluated", "enrollment.graduated": own = coaches[id(event)] == coach
                case "slot.offered": own = event.text("coach") == coach
                case "slot.withdrawn": own = coaches[id(event)] == coach
                case "coach.introduced": own = id(event) == coach
                case "notification.opened": own = event.stream.hasSuffix("/coach:\(coach)")
                // Placing is any coach's (R10), and notices and unlocks follow from what they did.
                case "student.placed", "enrollment.opened", "notification.raised", "eoc.unlocked":
                    own = true
                default: own = false
                }
                if !own { return "not theirs: \(event.text)" }
            }
            switch name {
            case "enrollment.opened", "coach.assigned": coaches[id(event)] = event.text("coach")
            case "coach.unassigned": coaches[id(event)] = nil
            case "slot.offered": coaches[id(event)] = event.text("coach")
            case "recording.submitted": enrollments[id(event)] = event.text("enrollment")
            default: break
            }
        }
        return nil
    }

    /// R1: who retired, or was never there, does nothing.
    static func retired(_ life: DishonestLife) -> String? {
        var present: Set<String> = []
        for event in life.events {
            let coach = String(event.stream.split(separator: "/").last ?? "")
            if event.by.hasPrefix("coach:"), !present.contains(String(event.by.dropFirst(6))) {
                return event.text
            }
            if event.type == "quranflow.coach.registered" { present.insert(coach) }
            if event.type == "quranflow.coach.retired" { present.remove(coach) }
        }
        return nil
    }

    /// R18, R20, R21: one feedback a recording, one result an attempt at the EOC, and a level is passed by one.
    static func results(_ life: DishonestLife) -> String? {
        var given: Set<String> = []
        var waiting: Set<String> = []
        for event in life.events {
            let id = String(event.stream.split(separator: "/").last ?? "")
            switch event.type {
            case "quranflow.feedback.given":
                if !given.insert(id).inserted { return "twice: \(event.text)" }
            case "quranflow.eoc.submitted": waiting.insert(id)
            case "quranflow.eoc.evaluated":
                if waiting.remove(id) == nil { return "of nothing: \(event.text)" }
                if event.text("outcome") == "passed" { given.insert("passed \(id)") }
            case "quranflow.enrollment.graduated":
                if !given.contains("passed \(id)") { return "without: \(event.text)" }
            default: break
            }
        }
        return nil
    }
}

@Suite struct `A dishonest coach` {
    private let search = DishonestSearch<MeddlingCoach>(
        firstSeed: 3_300, lives: 20, steps: 170,
        gains: [
            ForbiddenGain("others", CoachGains.others),
            ForbiddenGain("retired", CoachGains.retired),
            ForbiddenGain("results", CoachGains.results),
        ],
        actors: MeddlingCoach.actors, fields: ["eoc.evaluated": "outcome"],
        reach: [
            "told feedback.give": 25, "told comment.post": 8, "told eoc.evaluate": 8,
            "told coach.introduce": 40, "told slot.offer": 30, "told slot.withdraw": 10,
            "told notification.open": 8, "told student.place": 10, "coach.assigned": 30,
            "coach.retired": 4, "enrollment.graduated": 3,
        ])

    @Test func `does nothing for students, slots and notices of others, nor after retiring`() throws
    {
        try search.expectNoGain()
    }

    @Test func `is found out in a story told otherwise`() throws {
        func isFound(_ gain: String, _ change: @escaping (PastFact) -> [PastFact]) throws -> Bool {
            try search.finds(gain) { $0.telling(change) }
        }
        #expect(
            try isFound("others") {
                $0.type == "quranflow.feedback.given" ? [$0.by("coach:C-1")] : [$0]
            })
        #expect(
            try isFound("others") {
                $0.type == "quranflow.coach.assigned" ? [$0.by("coach:C-2")] : [$0]
            })
        #expect(
            try isFound("retired") {
                $0.type == "quranflow.feedback.given" ? [$0.by("coach:C-9")] : [$0]
            })
        #expect(
            try isFound("results") {
                $0.type == "quranflow.feedback.given" ? [$0, $0] : [$0]
            })
        #expect(
            try isFound("results") { $0.type == "quranflow.eoc.evaluated" ? [] : [$0] })
    }
}
