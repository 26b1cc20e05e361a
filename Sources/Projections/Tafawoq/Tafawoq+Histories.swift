import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    static let examHistoryView = ReadModel<State>(
        "tafawoq.exam-history", "Which exams were there?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, _) = state.student(request.key) else { return false }
        let page = try Page(request)
        let count = state.learning[student]?.exams ?? 0
        let ids = Array(state.exams.elements(of: student, count: count).reversed())
        output.object { output in
            output.member("student", student)
            page.write(total: ids.count, to: &output)
            output.array("exams", ids[page.range(of: ids.count)]) { output, id in
                let row = state.sittings[.init(.exam, id)] ?? SittingRow()
                let score = row.stage == .completed ? row.exam : nil
                output.object { output in
                    output.member("exam", id)
                    output.member("status", row.stage)
                    output.member("startedAt", row.startedAt)
                    output.member("endedAt", row.endedAt)
                    output.member("tier", row.tier)
                    output.member("verbal", score?.verbal)
                    output.member("quantitative", score?.quantitative)
                    output.member("overall", score?.overall)
                    output.member("band", score?.band)
                    output.member("answered", row.answered)
                    output.member("correct", row.correct)
                    output.member("counts", row.counts)
                }
            }
        }
        return true
    }

    static let practiceHistoryView = ReadModel<State>(
        "tafawoq.practice-history", "Which practices were there?", key: "student",
        arguments: ["page"], keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, _) = state.student(request.key) else { return false }
        let page = try Page(request)
        let count = state.learning[student]?.practices ?? 0
        let ids = Array(state.practices.elements(of: student, count: count).reversed())
        output.object { output in
            output.member("student", student)
            page.write(total: ids.count, to: &output)
            output.array("practices", ids[page.range(of: ids.count)]) { output, id in
                let row = state.sittings[.init(.practice, id)] ?? SittingRow()
                output.object { output in
                    output.member("practice", id)
                    output.member("status", row.stage)
                    output.member("startedAt", row.startedAt)
                    output.member("endedAt", row.endedAt)
                    output.member("section", row.scope)
                    output.member("categories", row.chosen)
                    output.member("difficulty", row.difficulty)
                    output.member("questions", row.asked)
                    output.member("score", row.practice?.score)
                    output.member("seconds", row.practice?.tally.seconds)
                }
            }
        }
        return true
    }

    static let trendsView = ReadModel<State>(
        "tafawoq.trends", "How do the scores move?", key: "student", arguments: ["page"],
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        guard let (student, _) = state.student(request.key) else { return false }
        let page = try Page(request)
        let exams = state.completedExams(of: student)
        output.object { output in
            output.member("student", student)
            page.write(total: exams.count, to: &output)
            output.array("exams", page.range(of: exams.count)) { output, place in
                let exam = exams[place]
                output.object { output in
                    output.member("exam", exam.id)
                    output.member("completedAt", exam.row.endedAt)
                    output.member("verbal", exam.score.verbal)
                    output.member("quantitative", exam.score.quantitative)
                    output.member("overall", exam.score.overall)
                    output.member(
                        "change",
                        place == 0
                            ? nil
                            : exam.score.overall.points(
                                above: exams[place - 1].score.overall))
                }
            }
        }
        return true
    }

    static let practiceHoursView = ReadModel<State>(
        "tafawoq.practice-hours", "How long did the student practise?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, _) = state.student(request.key) else { return false }
        let practices = state.completedPractices(of: student)
        let isPremium = state.tier(of: student, at: request.now) == .premium
        let total = practices.reduce(0) { $0.addingClamping($1.score.tally.seconds) }
        var weeks: [Instant: Int] = [:]
        var months: [String: Int] = [:]
        for practice in practices {
            guard let endedAt = practice.row.endedAt else { continue }
            let seconds = practice.score.tally.seconds
            let week = state.week(of: endedAt).start
            let month = String(endedAt.utcDate.description.prefix(7))
            weeks[week] = weeks[week, default: 0].addingClamping(seconds)
            months[month] = months[month, default: 0].addingClamping(seconds)
        }
        output.object { output in
            output.member("student", student)
            output.member("seconds", total)
            output.member("hours", Percent(hoursOf: total))
            output.member("practices", practices.count)
            guard isPremium else {
                output.member("weeks", JSON.null)
                output.member("months", JSON.null)
                return
            }
            output.array("weeks", weeks.sorted { $0.key < $1.key }) { output, week in
                output.object { output in
                    output.member("weekStart", week.key)
                    output.member("seconds", week.value)
                    output.member("hours", Percent(hoursOf: week.value))
                }
            }
            output.array("months", months.sorted { $0.key.precedes($1.key) }) { output, month in
                output.object { output in
                    output.member("month", month.key)
                    output.member("seconds", month.value)
                    output.member("hours", Percent(hoursOf: month.value))
                }
            }
        }
        return true
    }
}
