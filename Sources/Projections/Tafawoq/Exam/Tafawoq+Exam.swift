import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The exam as the candidate sees it: questions and own answers, never the right ones (R27, R30).
    static let examSheetView = ReadModel<State>(
        "tafawoq.exam-sheet", "What does the candidate see?", key: "exam",
        keys: { $0.sittingKeys(.exam) }, basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.exam, request.key) else { return false }
        output.object { output in state.writeSheet(key, row, at: request.now, to: &output) }
        return true
    }

    /// The result of an exam, with advice and what may be done next (R32 to R35).
    static let examResultView = ReadModel<State>(
        "tafawoq.exam-result", "How did it go?", key: "exam", keys: { $0.sittingKeys(.exam) },
        basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output in
        guard let (key, row) = state.sitting(.exam, request.key) else { return false }
        let now = request.now
        let tier = state.tier(of: row.student, at: now)
        let score = row.examScore
        output.object { output in
            output.member("exam", key.id)
            output.member("student", row.student)
            output.member("status", row.stage)
            output.member("reason", row.end?.reason)
            output.member("startedAt", row.startedAt)
            output.member("endedAt", row.end?.at)
            output.member("answered", row.end?.answered ?? 0)
            output.member("correct", row.end?.correct ?? 0)
            output.member("counts", row.end?.counts ?? false)
            output.member("late", score?.late)
            output.member("finishedAt", score?.finishedAt)
            output.member("verbal", score?.verbal)
            output.member("quantitative", score?.quantitative)
            output.member("overall", score?.overall)
            output.member("band", score?.band)
            output.member("colour", score?.colour)
            output.both("bandLabel", score.map { Texts.label($0.band) })
            state.writePartial(key, row, to: &output)
            writeTally(score?.tally, .exam, to: &output)
            output.member("recommendedSeconds", score?.tally.recommendedSeconds)
            state.writeExplanations(of: row, at: now, to: &output)
            output.member("watermark", tier == .free && state.policy.freeWatermark)
            let limit = state.weeklyLimit(tier)
            let isUsedUp =
                tier == .free && score != nil
                && (limit.map { state.used(by: row.student, tier, at: now) >= $0 } ?? false)
            output.objectOrNull("upgradePrompt", isUsedUp) { output in
                output.both("text", Texts.notice("weekly-exam-used"))
                output.member("target", upgradeTarget)
            }
            let weak = score?.tally.weaknesses.map(\.category.rawValue) ?? []
            let practice = "tafawoq://practice/new"
            writeActions(
                score == nil
                    ? []
                    : [
                        ("take-exam", "tafawoq://exam/start"),
                        (
                            "practise-categories",
                            weak.isEmpty
                                ? practice
                                : "\(practice)?categories=\(weak.joined(separator: ","))"
                        ),
                        ("review-questions", "tafawoq://exam/\(state.names.text(key.id))/review"),
                    ], to: &output)
        }
        return true
    }

    /// A completed exam question by question, with explanations where they may be read (R37).
    static let examReviewView = ReadModel<State>(
        "tafawoq.exam-review", "What was right?", key: "exam", arguments: ["page"],
        keys: { $0.sittingKeys(.exam) }, basis: .on(Grounds.sitting("exam"), Grounds.rules)
    ) { state, request, output throws(WrongArgument) in
        try state.writeReview(.exam, request, to: &output)
    }

    /// Every exam that a student ever started, newest first.
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
                let score = row.examScore
                output.object { output in
                    output.member("exam", id)
                    output.member("status", row.stage)
                    output.member("startedAt", row.startedAt)
                    output.member("endedAt", row.end?.at)
                    output.member("tier", row.tier)
                    output.member("verbal", score?.verbal)
                    output.member("quantitative", score?.quantitative)
                    output.member("overall", score?.overall)
                    output.member("band", score?.band)
                    output.member("answered", row.end?.answered ?? 0)
                    output.member("correct", row.end?.correct ?? 0)
                    output.member("counts", row.end?.counts ?? false)
                    state.writePartial(.init(.exam, id), row, to: &output)
                }
            }
        }
        return true
    }
}

extension Tafawoq.State {
    /// Writes `partial`: what was reached in each section of an exam that ended without being handed in; null
    /// for others (R29).
    fileprivate func writePartial(
        _ key: Tafawoq.SittingKey, _ row: Tafawoq.SittingRow, to output: inout JSONOutput
    ) {
        let isPartial =
            [.abandoned, .expired].contains(row.stage) && row.deliveredAt != nil
        output.objectOrNull("partial", isPartial) { output in
            let sheet = sheet(key)
            for section in Tafawoq.Section.allCases {
                let own = sheet.scored.filter { $0.content.section == section }
                output.object(section.rawValue) { output in
                    output.member("questions", own.count)
                    output.member("answered", own.count { $0.choice != nil })
                    output.member("correct", own.count { $0.isCorrect })
                    output.member("score", sheet.score(of: section))
                }
            }
        }
    }
}
