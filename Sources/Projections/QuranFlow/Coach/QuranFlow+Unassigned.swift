import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Which enrolments have no coach to answer them (R38)? The longest wait first, then by id.
    static let unassignedView = ReadModel<State>(
        "quranflow.unassigned", "Which enrolments have no coach?", arguments: ["page"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let waiting = state.unassigned
        output.object { output in
            output.array("items", waiting[page.range(of: waiting.count)]) { output, entry in
                state.write(entry, at: request.now, to: &output)
            }
            page.write(total: waiting.count, to: &output)
        }
        return true
    }
}

extension QuranFlow.State {
    /// An enrolment that needs a coach, with when the first answer is due that is awaited.
    fileprivate typealias Unassigned = (
        id: QuranFlow.EnrollmentID, row: QuranFlow.EnrollmentRow, dueAt: Instant?
    )

    fileprivate var unassigned: [Unassigned] {
        let found: [Unassigned] = enrollments.allKeys.compactMap { id in
            guard let row = enrollments[id], row.needsCoach, presentCoach(row) == nil,
                isPresent(.init(row.student))
            else { return nil }
            return (id, row, dueDates(row).min())
        }
        let never = Instant(milliseconds: .max)
        return sorted(found, by: { $0.dueAt ?? never }, id: { $0.id })
    }

    /// When the answers are due that an enrolment waits for.
    private func dueDates(_ row: QuranFlow.EnrollmentRow) -> [Instant] {
        let feedback = row.awaiting.compactMap { recordings.read($0) { $0.feedbackDueAt } }
        guard row.isActive, let resultsDueAt = row.resultsDueAt else { return feedback }
        return feedback + [resultsDueAt]
    }

    fileprivate func write(_ entry: Unassigned, at now: Instant, to output: inout JSONOutput) {
        let (id, row, dueAt) = entry
        let dueDates = dueDates(row)
        output.object { output in
            output.member("awaiting", dueDates.count)
            output.member("dueAt", dueAt)
            output.member("enrollment", id)
            output.member("gender", people.read(.init(row.student)) { $0.gender })
            output.member("level", row.level)
            output.member("overdue", dueDates.count { $0 <= now })
            output.member("semester", row.semester)
            output.member("state", row.state)
            output.member("student", row.student)
            output.member("studentName", people[.init(row.student)]?.name)
        }
    }
}

extension QuranFlow.Learner {
    /// The coach as students see them; null for none.
    func writeCoach(
        _ coach: QuranFlow.CoachID?, to output: inout JSONOutput,
        adding more: (inout JSONOutput) -> Void = { _ in }
    ) {
        guard let coach else { return output.null("coach") }
        let person = state.people[.init(coach)]
        output.object("coach") { output in
            output.member("bio", person?.bio)
            output.member("coach", coach)
            output.member("name", person?.name)
            output.member("photo", person?.photo)
            more(&output)
        }
    }
}
