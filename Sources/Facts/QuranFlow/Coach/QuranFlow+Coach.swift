import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// Whether a coach takes students; their personal fields are in their `PersonRow`.
    package struct CoachRow: Record {
        package var isRetired = false
        /// The length of the list of enrolments that were ever theirs.
        package var charges = 0

        package init() {}
    }
}

extension QuranFlow.State {
    static func coachRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Coach.Registered.self) { state, event, metadata in
            let coach: QuranFlow.CoachID = state.thing(of: metadata)
            state.coaches.insert(.init(), at: coach)
            state.people.update(.init(coach)) {
                $0.isCoach = true
                $0.gender = event.gender
                $0.person = InternedText(metadata.subject)
                $0.name = event.name
                $0.bio = event.bio
                $0.photo = event.photo
            }
        }
        routes.on(QuranFlow.Coach.Introduced.self) { state, event, metadata in
            state.people.updateExisting(state.thing(of: metadata)) {
                if let name = event.name { $0.name = name }
                if let bio = event.bio { $0.bio = bio }
                if let photo = event.photo { $0.photo = photo }
            }
        }
        routes.on(QuranFlow.Coach.Retired.self) { state, _, metadata in
            state.coaches.updateExisting(state.thing(of: metadata)) { $0.isRetired = true }
        }
    }

    /// The coach's name, or what a text says instead of one that is not known (R2).
    package func coachText(_ coach: QuranFlow.CoachID?) -> String {
        coach.flatMap { people[.init($0)]?.name } ?? "Your coach"
    }

    /// Whether the policy lets the coach have the student (R11).
    package func suits(_ coach: QuranFlow.CoachID, _ student: QuranFlow.StudentID) -> Bool {
        guard policy.sameGenderCoach else { return true }
        return people.read(.init(coach)) { $0.gender } == people.read(.init(student)) { $0.gender }
    }

    /// The coach who answers for an enrolment now: none where theirs retired or is erased (R38).
    package func presentCoach(_ row: borrowing QuranFlow.EnrollmentRow) -> QuranFlow.CoachID? {
        guard let coach = row.coach, !isRetired(coach), isPresent(.init(coach)) else { return nil }
        return coach
    }

    /// The enrolments that wait for something of a coach's, in the order in which they became theirs: those
    /// that are active, and those with a recording that awaits feedback (R38).
    package func openCharges(of coach: QuranFlow.CoachID) -> [QuranFlow.EnrollmentID] {
        let count = coaches.read(coach) { $0.charges } ?? 0
        var seen: Set<UInt32> = []
        return charges.elements(of: coach, count: count).filter { id in
            seen.insert(id.symbol.number).inserted
                && enrollments.read(id) {
                    $0.coach == coach && $0.needsCoach && isPresent(.init($0.student))
                } ?? false
        }
    }

    /// Retired, or no coach at all.
    package func isRetired(_ coach: QuranFlow.CoachID) -> Bool {
        coaches.read(coach) { $0.isRetired } ?? true
    }

    /// The coach to keep: that of the previous enrolment, unless they are gone or do not suit (R6).
    package func coachToKeep(_ student: QuranFlow.StudentID) -> QuranFlow.CoachID? {
        guard let coach = currentEnrollment(of: student)?.row.coach, !isRetired(coach),
            isPresent(.init(coach)), suits(coach, student)
        else { return nil }
        return coach
    }
}
