package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A student or a coach: what is personal of them, and whether it may still be read (R2).
    package struct PersonRow: Record {
        package var isCoach = false
        package var gender = Gender.female
        package var isErased = false
        /// Whose key seals the personal fields.
        var person = InternedText.empty
        package var name: String?
        package var email: String?
        package var phone: String?
        package var photo: String?
        package var bio: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("isCoach", &isCoach)
            coder.field("gender", &gender)
            coder.field("isErased", &isErased)
            coder.field("person", &person)
            coder.kept("name", &name, of: person.symbol)
            coder.kept("email", &email, of: person.symbol)
            coder.kept("phone", &phone, of: person.symbol)
            coder.kept("photo", &photo, of: person.symbol)
            coder.kept("bio", &bio, of: person.symbol)
        }
    }
}

extension QuranFlow.State {
    static func personRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(AccountErased.self) { state, event, _ in state.erased(event) }
    }

    /// Personal fields read null from here on, in rows as in events, and no timer fires any more (R2).
    private func erased(_ event: AccountErased) {
        let subject = names.text(event.subject)
        let prefix = "\(QuranFlow.product)/"
        guard subject.hasPrefix(prefix),
            let symbol = names.known(String(subject.dropFirst(prefix.count)))
        else { return }
        let person = QuranFlow.PersonID(symbol)
        guard people.contains(person) else { return }
        people.update(person) {
            $0.isErased = true
            $0.name = nil
            $0.email = nil
            $0.phone = nil
            $0.photo = nil
            $0.bio = nil
        }
        let student = QuranFlow.StudentID(symbol)
        guard let row = students[student] else { return }
        waitNoMore(student)
        cancelTimers(on: stream(of: student))
        for enrollment in row.enrollments { forget(enrollment) }
        for appointment in row.appointments { cancelTimers(on: stream(of: appointment)) }
        for message in row.messages { forget(message) }
        for request in row.requests { forget(request) }
    }

    /// Forgets what is personal in an enrolment, its recordings and its assessments.
    private func forget(_ enrollment: QuranFlow.EnrollmentID) {
        cancelTimers(on: stream(of: enrollment))
        cancelTimers(on: eocStream(enrollment))
        guard let row = enrollments[enrollment] else { return }
        for number in 0..<row.attempts {
            attempts.updateExisting(.init(enrollment, Ordinal(number))) {
                $0.audio = nil
                $0.notes = nil
            }
        }
        for recording in row.recordings {
            cancelTimers(on: stream(of: recording))
            recordings.updateExisting(recording) {
                $0.feedbackAudio = nil
                $0.notes = nil
            }
            let count = recordings.read(recording) { $0.comments } ?? 0
            for index in 0..<count {
                comments.updateExisting(.init(recording, Ordinal(index))) { $0.text = nil }
            }
        }
    }

    private func cancelTimers(on stream: Symbol?) {
        if let stream { timers.cancelAll(on: stream) }
    }

    /// The person's row, unless they are erased.
    package func present(_ person: QuranFlow.PersonID) -> QuranFlow.PersonRow? {
        people[person].flatMap { $0.isErased ? nil : $0 }
    }

    /// Whether the person is known and not erased.
    package func isPresent(_ person: QuranFlow.PersonID) -> Bool {
        people.read(person) { !$0.isErased } ?? false
    }
}
