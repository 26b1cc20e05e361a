import Engine
import Core
import QuranFlowEvents
import Foundation
import TestSupport
import Testing

/// A small programme with the engine on it: three weeks from Saturday 2026-01-17 in New York, coach C-1
/// (female), lessons of Level 2, and student S-1, placed in E-1 with the set-up done.
final class Course {
    let journal: TemporaryJournal
    let engine: EventEngine
    private var number = 0

    static let admin = "admin:A-1"
    static let student = "student:S-1"
    static let coach = "coach:C-1"

    /// Nobody is there yet, not even a semester.
    static func bare(policy: String = "") throws -> Course { try Course(bare: policy) }

    private init(bare policy: String) throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
        if !policy.isEmpty {
            try accept(Self.admin, "policy.adopt", "2026-01-01", "{\"changes\":{\(policy)}}")
        }
    }

    /// - Parameter policy: members of `changes` besides three weeks and an EOC in the third.
    convenience init(_ policy: String = "", lessons: ClosedRange<Int> = 1...3) throws {
        let own = #""weeksPerSemester":3,"eocOpensWeek":3,"requiredSubmissions":2"#
        try self.init(bare: policy.isEmpty ? own : own + "," + policy)
        try stage(lessons: lessons)
        try register("S-1", "female", "America/New_York")
        try accept(
            Self.student, "assessment.submit", "2026-01-05",
            #"{"student":"S-1","audio":"a","seconds":60}"#)
        try accept(
            Self.coach, "student.place", "2026-01-06",
            #"{"student":"S-1","level":2,"coach":"C-1","enrollment":"E-1","semester":"SEM-1"}"#)
        try finishSetUp("S-1")
    }

    func stage(lessons: ClosedRange<Int> = 1...3) throws {
        try accept(
            Self.admin, "coach.register", "2026-01-02",
            #"{"coach":"C-1","name":"Coach Amina","gender":"female","bio":"Quran Coach"}"#)
        try schedule("SEM-1", "2026-01-17", "America/New_York")
        for week in lessons { try publish(week: week) }
        try accept(
            Self.admin, "eoc.define", "2026-01-02",
            #"{"level":2,"description":"All of it.","passage":\#(Self.passage)}"#)
    }

    static let passage = #"{"surah":"Al-Mulk","from":1,"to":5,"text":"..."}"#

    func schedule(_ semester: String, _ startsOn: String, _ zone: String, more: String = "") throws
    {
        try accept(
            Self.admin, "semester.schedule", "2026-01-02",
            #"{"semester":"\#(semester)","name":"\#(semester)","startsOn":"\#(startsOn)","#
                + #""timeZone":"\#(zone)"\#(more)}"#)
    }

    func publish(level: Int = 2, week: Int, at: String = "2026-01-02") throws {
        let videos = ["a", "b"].map {
            #"{"video":"V\#(level)-\#(week)\#($0)","title":"Part","seconds":100}"#
        }.joined(separator: ",")
        try accept(
            Self.admin, "lesson.publish", at,
            #"{"level":\#(level),"week":\#(week),"topic":"T\#(week)","objectives":[],"#
                + #""videos":[\#(videos)],"passage":\#(Self.passage)}"#)
    }

    func register(_ student: String, _ gender: String, _ zone: String) throws {
        try accept(
            "service:signup", "student.register", "2026-01-03",
            #"{"student":"\#(student)","name":"Name of \#(student)","email":"e","#
                + #""gender":"\#(gender)","timeZone":"\#(zone)"}"#)
    }

    func finishSetUp(_ student: String, at: String = "2026-01-07") throws {
        let by = "student:\(student)"
        for step in [1, 2] { try takeStep(step, student, at) }
        try accept(
            by, "font.choose", at, #"{"student":"\#(student)","font":"amiri-quran"}"#)
        for step in [4, 5] { try takeStep(step, student, at) }
    }

    private func takeStep(_ step: Int, _ student: String, _ at: String) throws {
        try accept(
            "student:\(student)", "onboarding.take-step", at,
            #"{"student":"\#(student)","step":\#(step)}"#)
    }

    // MARK: Doing

    /// `accepted`, or the code.
    func send(_ by: String, _ command: String, _ at: String, _ data: String) throws -> String {
        let outcome = try outcome(by, command, at, data)
        return outcome["code"]?.string ?? outcome["status"]?.string ?? ""
    }

    func outcome(_ by: String, _ command: String, _ at: String, _ data: String) throws -> JSON {
        number += 1
        let name =
            command.hasPrefix("account.") || command.hasPrefix("clock.")
            ? command : "quranflow.\(command)"
        let line =
            #"{"id":"c-\#(number)","command":"\#(name)","at":"\#(Self.instant(at))","#
            + #""by":"\#(by)","data":\#(data)}"#
        let outcomes = try engine.submit([Array(line.utf8)], clock: Scenario.clock)
        return outcomes[0].json
    }

    /// The types of the events that a command, and the timers before it, recorded, without `quranflow.`.
    func events(_ by: String, _ command: String, _ at: String, _ data: String) throws -> [String] {
        (try outcome(by, command, at, data)["events"]?.array ?? []).map {
            ($0["type"]?.string ?? "").replacing("quranflow.", with: "")
        }
    }

    func accept(_ by: String, _ command: String, _ at: String, _ data: String) throws {
        let outcome = try outcome(by, command, at, data)
        try #require(outcome["status"]?.string == "accepted", "\(command): \(outcome)")
    }

    func record(_ recording: String, week: Int, at: String) throws -> String {
        try send(
            Self.student, "recording.submit", at,
            #"{"enrollment":"E-1","recording":"\#(recording)","week":\#(week),"audio":"r","#
                + #""seconds":50,"confirmed":true}"#)
    }

    func answer(_ recording: String, at: String) throws -> String {
        try send(
            Self.coach, "feedback.give", at,
            #"{"recording":"\#(recording)","audio":"f","seconds":9}"#)
    }

    func review(_ recording: String, at: String) throws -> String {
        try send(Self.student, "feedback.review", at, #"{"recording":"\#(recording)"}"#)
    }

    func watch(_ video: String, to position: Int = 100, at: String) throws -> String {
        try send(
            Self.student, "video.watch", at,
            #"{"student":"S-1","video":"\#(video)","position":\#(position)}"#)
    }

    func completeLesson(week: Int, at: String) throws -> String {
        for part in ["a", "b"] { _ = try watch("V2-\(week)\(part)", at: at) }
        return try send(
            Self.student, "lesson.complete", at, #"{"enrollment":"E-1","week":\#(week)}"#)
    }

    func submitEOC(at: String) throws -> String {
        try send(
            Self.student, "eoc.submit", at,
            #"{"enrollment":"E-1","audio":"e","seconds":90,"confirmed":true}"#)
    }

    func evaluate(passed: Bool, at: String) throws -> String {
        try send(
            Self.coach, "eoc.evaluate", at,
            #"{"enrollment":"E-1","passed":\#(passed),"audio":"r","seconds":9}"#)
    }

    func advance(_ at: String) throws -> [String] {
        try events("system", "clock.advance", at, "{}")
    }

    /// A date stands for nine o'clock UTC.
    private static func instant(_ at: String) -> String { at.count == 10 ? at + "T09:00:00Z" : at }

    // MARK: Asking

    func show(
        _ model: String, _ key: String? = nil, now: String? = nil,
        _ arguments: [String: String] = [:]
    ) throws -> JSON {
        var request = ShowRequest()
        request.now = now.flatMap { Instant(rfc3339: Self.instant($0)) }
        request.arguments = arguments
        return try JSON(
            parsing: engine.show(
                model.hasPrefix("timers") ? model : "quranflow.\(model)", key: key, request
            ).bytes)
    }

    /// The state of Today's primary action.
    func primary(now: String? = nil, of student: String = "S-1") throws -> String {
        try show("today", student, now: now).part("primary.state").string ?? ""
    }
}

extension JSON {
    /// The value at a path such as `items.0.title`; null where there is none.
    func part(_ path: String) -> JSON {
        path.split(separator: ".").reduce(self) { json, part in
            if let place = Int(part) {
                let elements = json.array ?? []
                return place < elements.count ? elements[place] : .null
            }
            return json[String(part)] ?? .null
        }
    }

    func word(_ path: String) -> String? { part(path).string }
    func number(_ path: String) -> Int? { part(path).wholeNumber.map { Int($0) } }
}
