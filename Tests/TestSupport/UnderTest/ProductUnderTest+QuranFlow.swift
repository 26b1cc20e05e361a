import Core
package import QuranFlowEvents
import QuranFlowCommands

/// A programme for QuranFlow's rules, with a coach and a student.
package typealias Course = RulesInMemory<QuranFlow>

/// A small programme: three weeks from Saturday 2026-01-17 in New York, coach C-1 (female), lessons of Level 2,
/// and student S-1, placed in E-1 with the set-up done.
extension ProductUnderTest where Product == QuranFlow {
    package static var admin: String { "admin:A-1" }
    package static var student: String { "student:S-1" }
    package static var coach: String { "coach:C-1" }

    /// Nobody is there yet, not even a semester.
    package static func bare(policy: String = "") throws -> Self { try Self(bare: policy) }

    private init(bare policy: String) throws {
        try self.init(empty: ())
        if !policy.isEmpty {
            try accept(Self.admin, "policy.adopt", "2026-01-01", "{\"changes\":{\(policy)}}")
        }
    }

    /// - Parameter policy: members of `changes` besides three weeks and an EOC in the third.
    package init(_ policy: String = "", lessons: ClosedRange<Int> = 1...3) throws {
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

    package func stage(lessons: ClosedRange<Int> = 1...3) throws {
        try accept(
            Self.admin, "coach.register", "2026-01-02",
            #"{"coach":"C-1","name":"Coach Amina","gender":"female","bio":"Quran Coach"}"#)
        try schedule("SEM-1", "2026-01-17", "America/New_York")
        for week in lessons { try publish(week: week) }
        try accept(
            Self.admin, "eoc.define", "2026-01-02",
            #"{"level":2,"description":"All of it.","passage":\#(Self.passage)}"#)
    }

    package static var passage: String { #"{"surah":"Al-Mulk","from":1,"to":5,"text":"..."}"# }

    package func schedule(_ semester: String, _ startsOn: String, _ zone: String, more: String = "")
        throws
    {
        try accept(
            Self.admin, "semester.schedule", "2026-01-02",
            #"{"semester":"\#(semester)","name":"\#(semester)","startsOn":"\#(startsOn)","#
                + #""timeZone":"\#(zone)"\#(more)}"#)
    }

    package func publish(level: Int = 2, week: Int, at: String = "2026-01-02") throws {
        let videos = ["a", "b"].map {
            #"{"video":"V\#(level)-\#(week)\#($0)","title":"Part","seconds":100}"#
        }.joined(separator: ",")
        try accept(
            Self.admin, "lesson.publish", at,
            #"{"level":\#(level),"week":\#(week),"topic":"T\#(week)","objectives":[],"#
                + #""videos":[\#(videos)],"passage":\#(Self.passage)}"#)
    }

    package func register(_ student: String, _ gender: String, _ zone: String) throws {
        try accept(
            "service:signup", "student.register", "2026-01-03",
            #"{"student":"\#(student)","name":"Name of \#(student)","email":"e","#
                + #""gender":"\#(gender)","timeZone":"\#(zone)"}"#)
    }

    package func finishSetUp(_ student: String, at: String = "2026-01-07") throws {
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

    package func record(_ recording: String, week: Int, at: String) throws -> String {
        try tell(
            Self.student, "recording.submit", at,
            #"{"enrollment":"E-1","recording":"\#(recording)","week":\#(week),"audio":"r","#
                + #""seconds":50,"confirmed":true}"#)
    }

    package func answer(_ recording: String, at: String) throws -> String {
        try tell(
            Self.coach, "feedback.give", at,
            #"{"recording":"\#(recording)","audio":"f","seconds":9}"#)
    }

    package func review(_ recording: String, at: String) throws -> String {
        try tell(Self.student, "feedback.review", at, #"{"recording":"\#(recording)"}"#)
    }

    package func watch(_ video: String, to position: Int = 100, at: String) throws -> String {
        try tell(
            Self.student, "video.watch", at,
            #"{"student":"S-1","video":"\#(video)","position":\#(position)}"#)
    }

    package func completeLesson(week: Int, at: String) throws -> String {
        for part in ["a", "b"] { _ = try watch("V2-\(week)\(part)", at: at) }
        return try tell(
            Self.student, "lesson.complete", at, #"{"enrollment":"E-1","week":\#(week)}"#)
    }

    package func submitEOC(at: String) throws -> String {
        try tell(
            Self.student, "eoc.submit", at,
            #"{"enrollment":"E-1","audio":"e","seconds":90,"confirmed":true}"#)
    }

    package func evaluate(passed: Bool, at: String) throws -> String {
        try tell(
            Self.coach, "eoc.evaluate", at,
            #"{"enrollment":"E-1","passed":\#(passed),"audio":"r","seconds":9}"#)
    }

    /// The state of Today's primary action.
    package func primary(now: String? = nil, of student: String = "S-1") throws -> String {
        try show("today", student, now: now).part("primary.state").string ?? ""
    }
}
