import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What has this student earned, and what is next?
    static let achievementsView = ReadModel<State>(
        "examroom.achievements", "What has this student earned, and what is next?", key: "student",
        keys: { $0.names.texts($0.activeStudents) },
        basis: .on(Grounds.account, Grounds.studentLife, Grounds.policy)
    ) { state, request, output in
        guard let student = state.activeStudent(request.key), let row = state.students[student]
        else {
            return false
        }
        let streak = state.currentStreak(of: student, row, at: request.now)
        output.object { output in
            output.array("badges", row.badges) { output, badge in
                output.object { output in
                    output.member("attempt", badge.attempt)
                    output.member("badge", badge.badge)
                    output.member("earnedAt", badge.earnedAt)
                    output.member("name", badge.name)
                }
            }
            output.member("currentStreak", streak)
            output.array("history", state.awards.elements(of: student, count: row.awards)) {
                $1.write(to: &$0)
            }
            output.member(
                "leaderboard", state.accounts[.init(student)]?.preferences.leaderboard ?? .shown)
            output.member("longestStreak", Streak.longest(in: row.days)?.length ?? 0)
            output.object("next") { Next(row, streak, state.policy).write(to: &$0) }
            output.member("points", row.points)
            output.member("student", student)
            output.member("unlocked", row.unlocked)
        }
        return true
    }

    /// What has each student earned? All active ones by id, whether or not they show themselves.
    static let gamificationView = ReadModel<State>(
        "examroom.gamification", "What has each student earned?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let students = state.sorted(state.activeStudents)
        output.object { output in
            page.write(total: students.count, to: &output)
            output.array("students", students[page.range(of: students.count)]) { output, student in
                let row = state.students[student] ?? StudentRow()
                let account = state.accounts[.init(student)]
                let badges = row.badges.map(\.badge).sorted { $0.precedes($1) }
                output.object { output in
                    output.member("badges", badges)
                    output.member("completed", row.completed)
                    output.member(
                        "currentStreak", state.currentStreak(of: student, row, at: request.now))
                    output.member("hidden", account?.preferences.leaderboard == .hidden)
                    output.member("name", account?.name)
                    output.member("points", row.points)
                    output.member("student", student)
                    output.member("unlocked", row.unlocked)
                }
            }
        }
        return true
    }
}

extension ExamRoom.State {
    /// R30: "today" is the date of `now` in the student's zone.
    fileprivate func currentStreak(
        of student: ExamRoom.StudentID, _ row: ExamRoom.StudentRow, at now: Instant
    ) -> Int {
        guard !row.days.isEmpty else { return 0 }
        let today = zone(of: .init(student)).localDate(at: now)
        return ExamRoom.Streak.current(in: row.days, today: today)
    }
}

/// What a student can earn next (21.11).
private struct Next {
    private let row: ExamRoom.StudentRow
    private let streak: Int
    private let policy: ExamRoom.Policy

    init(_ row: ExamRoom.StudentRow, _ streak: Int, _ policy: ExamRoom.Policy) {
        self.row = row
        self.streak = streak
        self.policy = policy
    }

    func write(to output: inout JSONOutput) {
        output.member(
            "badges",
            ["first-steps", "perfect-score", "speed-demon"].filter { !row.hasBadge($0) })
        // Points may have been taken back since a milestone was unlocked, or a milestone adopted
        // that the total had passed already: neither is "next".
        let milestone = policy.milestones.first {
            $0 > row.points && !row.unlocked.contains($0)
        }
        if let milestone {
            output.object("milestone") { output in
                output.member("percent", Percent(row.points, of: milestone))
                output.member("points", row.points)
                output.member("target", milestone)
            }
        } else {
            output.member("milestone", String?.none)
        }
        let target = policy.streakBadges.first { $0 > streak && !row.hasBadge("streak-\($0)") }
        if let target {
            output.object("streak") { output in
                output.member("badge", "streak-\(target)")
                output.member("days", streak)
                output.member("percent", Percent(streak, of: target))
                output.member("target", target)
            }
        } else {
            output.member("streak", String?.none)
        }
    }
}
