package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A student or a coach: what is personal of them, and whether it may still be read (R2).
    package struct PersonRow: Record {
        package var isCoach = false
        package var gender = Gender.female
        package var isErased = false
        fileprivate var person = Word.empty
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

    package struct CoachRow: Record {
        package var isRetired = false
        /// The length of the list of enrolments that were ever theirs.
        package var charges = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("isRetired", &isRetired)
            coder.field("charges", &charges)
        }
    }

    /// How much there is in somebody's inbox.
    package struct InboxRow: Record {
        /// The highest number; greater than `raised` where events that came before do not count.
        package var last = 0
        package var raised = 0
        package var opened = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("last", &last)
            coder.field("raised", &raised)
            coder.field("opened", &opened)
        }

        package var unread: Int { raised - opened }
    }

    /// One entry of an inbox; its number is the second part of its key.
    package struct NoticeRow: Record {
        package var kind = Notification.Kind.announcement
        package var category = Notification.Category.always
        package var about = KeptJSON.empty
        package var link = KeptJSON.empty
        package var channels: [Notification.Channel] = []
        package var happenedAt = Instant.epoch
        package var isOpened = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.field("category", &category)
            coder.field("about", &about)
            coder.field("link", &link)
            coder.field("channels", &channels)
            coder.field("happenedAt", &happenedAt)
            coder.field("isOpened", &isOpened)
        }
    }
}

extension QuranFlow.State {
    static func peopleRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Coach.Registered.self) { state, event, metadata in
            let coach: QuranFlow.CoachID = state.thing(of: metadata)
            state.coaches.insert(.init(), at: coach)
            state.people.update(.init(coach)) {
                $0.isCoach = true
                $0.gender = event.gender
                $0.person = Word(metadata.subject)
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
        routes.on(QuranFlow.Student.DetailsAmended.self) { state, event, metadata in
            state.people.updateExisting(state.thing(of: metadata)) {
                if let name = event.name { $0.name = name }
                if let email = event.email { $0.email = email }
                if let phone = event.phone { $0.phone = phone }
                if let photo = event.photo { $0.photo = photo }
            }
        }
        routes.on(QuranFlow.Notification.Raised.self) { $0.raised($1, $2) }
        routes.on(QuranFlow.Notification.Opened.self) { state, event, metadata in
            let recipient: QuranFlow.PersonID = state.thing(of: metadata)
            var wasUnopened = false
            state.notices.updateExisting(.init(recipient, Ordinal(event.number))) {
                wasUnopened = !$0.isOpened
                $0.isOpened = true
            }
            if wasUnopened { state.inboxes.updateExisting(recipient) { $0.opened += 1 } }
        }
        routes.on(AccountErased.self) { state, event, _ in state.erased(event) }
    }

    /// A student who registered; beside the row that `studentRoutes` makes.
    func addPerson(_ event: QuranFlow.Student.Registered, _ metadata: EventMetadata) {
        people.update(thing(of: metadata)) {
            $0.gender = event.gender
            $0.person = Word(metadata.subject)
            $0.name = event.name
            $0.email = event.email
            $0.phone = event.phone
        }
    }

    private func raised(_ event: QuranFlow.Notification.Raised, _ metadata: EventMetadata) {
        let recipient: QuranFlow.PersonID = thing(of: metadata)
        guard people.contains(recipient) else { return }
        inboxes.update(recipient) {
            $0.last = max($0.last, event.number)
            $0.raised += 1
        }
        notices.update(.init(recipient, Ordinal(event.number))) {
            $0.kind = event.kind
            $0.category = event.category
            $0.about = event.about
            $0.link = event.link
            $0.channels = event.channels
            $0.happenedAt = event.happenedAt
        }
        note(event)
    }

    /// What a notification tells of the thing that it is about: the number under which it is opened, or
    /// that the timer behind it has fired.
    private func note(_ event: QuranFlow.Notification.Raised) {
        let about = event.about
        switch event.kind {
        case .feedbackReady:
            guard let id: QuranFlow.RecordingID = id("recording", about) else { return }
            recordings.updateExisting(id) { $0.notice = event.number }
        case .eocResults:
            guard let id: QuranFlow.EnrollmentID = id("enrollment", about) else { return }
            enrollments.updateExisting(id) { $0.resultsNotice = event.number }
        case .deadlineReminder:
            let json = about.value
            guard let week = json["week"]?.wholeNumber, let hours = json["hours"]?.wholeNumber,
                let id: QuranFlow.EnrollmentID = id("enrollment", about)
            else { return }
            cancel(.deadline(week: Int(week), hours: Int(hours)), "enrollment", id)
        case .sessionReminder:
            guard let id: QuranFlow.SessionID = id("session", about) else { return }
            cancel(.sessionReminder, "session", id)
        case .enrollmentOpen:
            guard let id: QuranFlow.SemesterID = id("semester", about) else { return }
            cancel(.enrollmentOpen, "semester", id)
        case .appointmentReminder:
            guard let id: QuranFlow.AppointmentID = id("appointment", about) else { return }
            cancel(.appointmentReminder, "appointment", id)
        default: break
        }
    }

    private func id<T>(_ name: String, _ about: KeptJSON) -> Identifier<T>? {
        about.value[name]?.string.flatMap { names.known($0) }.map { Identifier($0) }
    }

    private func cancel<T>(
        _ timer: QuranFlow.TimerName, _ noun: String, _ id: Identifier<T>
    ) {
        if let stream = stream(noun, id) { timers.cancel(timer, on: stream) }
    }

    /// R2: personal fields read null from here on, in rows as in events, and no timer fires any more.
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
        cancelTimers("student", student)
        for enrollment in row.enrollments { forget(enrollment) }
        for appointment in row.appointments { cancelTimers("appointment", appointment) }
        for message in row.messages { messages.updateExisting(message) { $0.text = nil } }
        for request in row.requests { requests.updateExisting(request) { $0.text = nil } }
    }

    private func forget(_ enrollment: QuranFlow.EnrollmentID) {
        cancelTimers("enrollment", enrollment)
        cancelTimers("eoc", enrollment)
        guard let row = enrollments[enrollment] else { return }
        for number in 0..<row.attempts {
            attempts.updateExisting(.init(enrollment, Ordinal(number))) {
                $0.audio = nil
                $0.notes = nil
            }
        }
        for recording in row.recordings {
            cancelTimers("recording", recording)
            recordings.updateExisting(recording) {
                $0.feedbackAudio = nil
                $0.notes = nil
            }
            let count = recordings.read(recording) { $0.comments } ?? 0
            for place in 0..<count {
                comments.updateExisting(.init(recording, Ordinal(place))) { $0.text = nil }
            }
        }
    }

    private func cancelTimers<T>(_ noun: String, _ id: Identifier<T>) {
        if let stream = stream(noun, id) { timers.cancelAll(on: stream) }
    }
}

// MARK: - Asking

extension QuranFlow.State {
    /// The person's row, unless they are erased.
    package func present(_ person: QuranFlow.PersonID) -> QuranFlow.PersonRow? {
        people[person].flatMap { $0.isErased ? nil : $0 }
    }

    package func isPresent(_ person: QuranFlow.PersonID) -> Bool {
        people.read(person) { !$0.isErased } ?? false
    }

    /// R2: the coach's name, or what stands for one who cannot be named.
    package func coachText(_ coach: QuranFlow.CoachID?) -> String {
        coach.flatMap { people[.init($0)]?.name } ?? "Your coach"
    }

    package func studentText(_ student: QuranFlow.StudentID) -> String {
        people[.init(student)]?.name ?? "Student"
    }

    /// R11: whether the policy lets the coach have the student.
    package func suits(_ coach: QuranFlow.CoachID, _ student: QuranFlow.StudentID) -> Bool {
        guard policy.sameGenderCoach else { return true }
        return people.read(.init(coach)) { $0.gender } == people.read(.init(student)) { $0.gender }
    }

    package func isRetired(_ coach: QuranFlow.CoachID) -> Bool {
        coaches.read(coach) { $0.isRetired } ?? true
    }
}
