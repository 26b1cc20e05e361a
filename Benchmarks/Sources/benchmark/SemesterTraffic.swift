import Core
import QuranFlowEvents

/// Command lines of a QuranFlow semester of fifteen weeks, in the order of their instants: students are
/// placed, set up, learn and record week by week; some fall behind and catch up, some stay away, and
/// most graduate.
///
/// The same number of students gives the same lines. `next` gives those of one week after the other.
struct SemesterTraffic {
    /// Of the semester, and those in which results and retakes trickle in.
    static let weeks = 15
    static let lastWeek = 19

    let students: Int
    /// Before every id.
    private let prefix: String
    private let pairs: Int
    private var chance = Chance(seed: 15)
    private var learners: [Learner]
    private var sent = 0
    private var recorded = 0
    private var agenda: [(number: Int, timed: TimedLine)] = []
    private var week = 0

    private enum Pace {
        case steady, uneven
        /// Seen no more after so many weeks.
        case leaving(after: Int)
    }

    private struct Learner {
        let level: Int
        let isMale: Bool
        let coach: Int
        let pace: Pace
        var done = 0
        /// The week that is still to be recorded.
        var missed: Int?
    }

    init(students: Int, prefix: String = "") {
        self.students = students
        self.prefix = prefix
        // A coach of each gender for 160 students.
        pairs = max(1, students / 160)
        var chance = Chance(seed: 7)
        let pairs = pairs
        learners = (0..<students).map { number in
            let pace: Pace =
                switch chance.below(20) {
                case 0, 1: .leaving(after: 2 + chance.below(9))
                case 2..<7: .uneven
                default: .steady
                }
            return Learner(
                level: 1 + chance.below(4), isMale: number % 2 == 1, coach: chance.below(pairs),
                pace: pace)
        }
    }

    static func student(_ number: Int) -> String { "S\(number)" }

    private func student(_ number: Int) -> String { prefix + Self.student(number) }

    // MARK: Time

    /// 2026-01-17, 00:00 in New York: two hours later is inside the first day whatever the clock says.
    private static let start: Int64 = 1_768_626_000_000
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    /// The beginning of a week, from 1; those before it lie in front.
    private static func begin(_ week: Int) -> Int64 { start + Int64(week - 1) * 7 * day }

    static func instant(inWeek week: Int, day: Int) -> String {
        text(begin(week) + Int64(day) * Self.day)
    }

    private static func text(_ milliseconds: Int64) -> String {
        Instant(milliseconds: milliseconds).description
    }

    private mutating func hours(_ range: Range<Int>) -> Int64 {
        Int64(range.lowerBound * 3600 + chance.below(range.count * 3600)) * 1000
    }

    private mutating func add(_ at: Int64, _ by: String, _ command: String, _ data: String) {
        sent += 1
        let name = command.hasPrefix("clock.") ? command : "quranflow.\(command)"
        let line =
            #"{"id":"\#(prefix)q-\#(sent)","command":"\#(name)","at":"\#(Self.text(at))","by":"\#(by)","data":{\#(data)}}"#
        agenda.append((sent, TimedLine(at: at, line: Array(line.utf8))))
    }

    // MARK: Week by week

    /// The commands of the next week, the weeks before the first together; nil after the last.
    mutating func next() -> [TimedLine]? {
        guard week <= Self.lastWeek else { return nil }
        if week == 0 {
            setStage()
            for number in learners.indices { enter(number) }
        } else if week <= Self.weeks {
            gather()
            for number in learners.indices { learn(number) }
        } else if week == Self.lastWeek {
            add(Self.begin(week) + 6 * Self.day, "system", "clock.advance", "")
        }
        week += 1
        let end = week > Self.lastWeek ? Int64.max : Self.begin(week)
        let due = agenda.filter { $0.timed.at < end }
            .sorted { ($0.timed.at, $0.number) < ($1.timed.at, $1.number) }
        agenda.removeAll { $0.timed.at < end }
        return due.map(\.timed)
    }

    private static let passage =
        #""passage":{"surah":"Al-Mulk","from":1,"to":5,"text":"Blessed is He in whose hand is the dominion"}"#

    private mutating func setStage() {
        let at = Self.start - 16 * Self.day
        let admin = "admin:\(prefix)A"
        for pair in 0..<pairs {
            for (mark, gender) in [("F", "female"), ("M", "male")] {
                add(
                    at, admin, "coach.register",
                    #""coach":"\#(prefix)C\#(mark)\#(pair)","name":"Coach \#(mark)\#(pair)","gender":"\#(gender)""#
                )
            }
        }
        add(
            at, admin, "semester.schedule",
            #""semester":"\#(prefix)SEM","name":"Semester 1","startsOn":"2026-01-17","timeZone":"America/New_York""#
        )
        for level in 1...4 {
            for week in 1...Self.weeks {
                add(
                    at, admin, "lesson.publish",
                    #""level":\#(level),"week":\#(week),"topic":"Topic \#(week)","objectives":["Recite it with ease"],"#
                        + #""videos":[{"video":"\#(prefix)V\#(level)-\#(week)-1","title":"Part 1","seconds":250},"#
                        + #"{"video":"\#(prefix)V\#(level)-\#(week)-2","title":"Part 2","seconds":230}],\#(Self.passage)"#
                )
            }
            add(
                at, admin, "eoc.define",
                #""level":\#(level),"description":"All of the level.",\#(Self.passage)"#)
        }
        add(
            at, admin, "orientation.publish",
            #""video":"\#(prefix)OV","title":"How the programme works","seconds":240"#)
        for number in 0..<5 {
            add(
                at, admin, "resource.publish",
                #""resource":"\#(prefix)RS\#(number)","title":"Binder \#(number)","category":"essential","source":"https://example.org/\#(number)""#
            )
        }
    }

    // MARK: Before the first week

    private mutating func enter(_ number: Int) {
        let learner = learners[number]
        let (id, me) = (student(number), "student:\(student(number))")
        let own = #""student":"\#(id)""#
        let gender = learner.isMale ? "male" : "female"
        var at = Self.start - 14 * Self.day + hours(0..<200)
        add(
            at, "service:signup", "student.register",
            own
                + #","name":"Student \#(number)","email":"s\#(number)@example.org","gender":"\#(gender)","timeZone":"America/New_York""#
        )
        add(
            at, "service:billing", "subscription.report",
            own + #","plan":"Monthly","status":"active","renewsOn":"2026-02-01""#)
        at += hours(1..<5)
        add(
            at, me, "assessment.submit", own + #","audio":"https://media/a\#(number)","seconds":75"#
        )
        // One in twenty is placed too late.
        at += chance.oneIn(20) ? hours(49..<60) : hours(5..<47)
        add(
            at, "coach:\(coach(of: learner))", "student.place",
            own
                + #","level":\#(learner.level),"coach":"\#(coach(of: learner))","enrollment":"\#(prefix)E\#(number)","semester":"\#(prefix)SEM""#
        )
        at += hours(1..<20)
        add(at, me, "onboarding.take-step", own + #","step":1"#)
        add(at + 1000, me, "onboarding.take-step", own + #","step":2"#)
        add(at + 2000, me, "font.choose", own + #","font":"amiri-quran""#)
        let verb = chance.oneIn(3) ? "skip" : "take"
        add(at + 3000, me, "onboarding.\(verb)-step", own + #","step":4"#)
        add(at + 4000, me, "onboarding.take-step", own + #","step":5"#)
        add(at + 5000, me, "notifications.answer-permission", own + #","granted":true"#)
        add(at + 300_000, me, "video.watch", own + #","video":"\#(prefix)OV","position":240"#)
    }

    private func coach(of learner: Learner) -> String {
        "\(prefix)C\(learner.isMale ? "M" : "F")\(learner.coach)"
    }

    // MARK: The week of all

    /// The sessions of a week, a recording of each class, now and then an announcement.
    private mutating func gather() {
        let begin = Self.begin(week)
        func session(_ kind: String, _ name: String, day: Int64, _ more: String) {
            add(
                begin + 3 * Self.hour, "admin:\(prefix)A", "session.schedule",
                #""session":"\#(name)","kind":"\#(kind)","title":"Session \#(name)","startsAt":"\#(Self.text(begin + day * Self.day + 18 * Self.hour))","#
                    + #""minutes":60,"joinUrl":"https://zoom/\#(name)"\#(more)"#)
        }
        for level in 1...4 {
            let name = classOf(level)
            session(
                "level-class", name, day: 2, #","gender":"all","level":\#(level),"week":\#(week)"#)
            add(
                begin + 3 * Self.day, "admin:\(prefix)A", "session.publish-recording",
                #""session":"\#(name)","video":"\#(name)-V","seconds":3500,"source":"https://media/\#(name)""#
            )
        }
        for (mark, gender) in [("F", "female"), ("M", "male")] {
            session(
                "reading-circle", "\(prefix)Q\(mark)-\(week)", day: 3,
                #","gender":"\#(gender)","coach":"\#(prefix)C\#(mark)0""#)
        }
        session(
            "office-hours", "\(prefix)O-\(week)", day: 4,
            #","gender":"all","coach":"\#(prefix)CF0""#)
        if week % 4 == 1 {
            add(
                begin + 4 * Self.hour, "admin:\(prefix)A", "announcement.post",
                #""announcement":"\#(prefix)AN\#(week)","title":"News","text":"What is new in week \#(week).""#
            )
        }
    }

    private func classOf(_ level: Int) -> String { "\(prefix)K\(level)-\(week)" }

    // MARK: The week of one

    private mutating func learn(_ number: Int) {
        var learner = learners[number]
        defer { learners[number] = learner }
        switch learner.pace {
        case .leaving(let last) where week > last: return
        case .uneven where learner.missed == nil && week < 12 && chance.oneIn(4):
            learner.missed = week
            return
        default: break
        }
        let begin = Self.begin(week)
        attend(number, learner)
        var at = begin + hours(2..<60)
        if let missed = learner.missed {
            learner.missed = nil
            at = study(number, learner, missed, at) + hours(1..<6)
            learner.done += 1
        }
        _ = study(number, learner, week, at)
        learner.done += 1
        if week == Self.weeks, learner.done >= 12 {
            // After the week's own recording, before the week's end.
            assess(number, learner, begin + 5 * Self.day + 12 * Self.hour + hours(1..<20))
        }
    }

    /// Watches, marks complete, records; the coach answers and the student listens. Gives when it was
    /// recorded.
    private mutating func study(
        _ number: Int, _ learner: Learner, _ week: Int, _ begin: Int64
    ) -> Int64 {
        let me = "student:\(student(number))"
        let own = #""student":"\#(student(number))""#
        let enrollment = #""enrollment":"\#(prefix)E\#(number)""#
        func watch(_ part: Int, _ position: Int, _ at: Int64) {
            add(
                at, me, "video.watch",
                own
                    + #","video":"\#(prefix)V\#(learner.level)-\#(week)-\#(part)","position":\#(position)"#
            )
        }
        watch(1, 120, begin + 130_000)
        watch(1, 250, begin + 270_000)
        watch(2, 225, begin + 520_000)
        add(begin + 540_000, me, "lesson.complete", enrollment + #","week":\#(week)"#)
        let recordedAt = begin + 900_000 + hours(1..<20)
        recorded += 1
        let recording = #""recording":"\#(prefix)R\#(recorded)""#
        add(
            recordedAt, me, "recording.submit",
            enrollment + "," + recording
                + #","week":\#(week),"audio":"https://media/r\#(recorded)","seconds":\#(40 + chance.below(90)),"confirmed":true"#
        )
        // One in thirty waits too long.
        var at = recordedAt + (chance.oneIn(30) ? hours(49..<70) : hours(4..<47))
        add(
            at, "coach:\(coach(of: learner))", "feedback.give",
            recording
                + #","audio":"https://media/f\#(recorded)","seconds":\#(30 + chance.below(120)),"notes":"Mind the long vowels.""#
        )
        at += hours(1..<24)
        add(at, me, "feedback.review", recording)
        if chance.oneIn(8) {
            add(
                at + 60_000, me, "comment.post",
                recording + #","comment":"\#(prefix)CM1","text":"How long do I hold it?""#)
            add(
                at + 5 * Self.hour, "coach:\(coach(of: learner))", "comment.post",
                recording + #","comment":"\#(prefix)CM2","text":"Four counts, as in the video.""#)
        }
        return recordedAt
    }

    /// One in three means to come to the class, and most of them do.
    private mutating func attend(_ number: Int, _ learner: Learner) {
        guard chance.oneIn(3) else { return }
        let me = "student:\(student(number))"
        let data = #""session":"\#(classOf(learner.level))","student":"\#(student(number))""#
        let begin = Self.begin(week)
        add(begin + hours(4..<40), me, "rsvp.make", data)
        if !chance.oneIn(5) {
            let start = begin + 2 * Self.day + 18 * Self.hour
            add(start - 300_000 + hours(0..<1) / 6, me, "session.join", data)
        }
    }

    /// The End of Course Assessment; one in ten needs a second attempt.
    private mutating func assess(_ number: Int, _ learner: Learner, _ begin: Int64) {
        let me = "student:\(student(number))"
        let enrollment = #""enrollment":"\#(prefix)E\#(number)""#
        var at = begin
        for passed in chance.oneIn(10) ? [false, true] : [true] {
            add(
                at, me, "eoc.submit",
                enrollment + #","audio":"https://media/e\#(number)","seconds":200,"confirmed":true"#
            )
            at += hours(24..<100)
            add(
                at, "coach:\(coach(of: learner))", "eoc.evaluate",
                enrollment
                    + #","passed":\#(passed),"audio":"https://media/v\#(number)","seconds":90"#)
            at += hours(2..<30)
            add(at, me, "eoc.review-results", enrollment)
            at += hours(48..<96)
        }
    }
}
