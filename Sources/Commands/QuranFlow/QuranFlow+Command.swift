import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// A command of this product: who may send it, and the rule behind it.
    ///
    /// The first check is that of the actor against the command's own data (R1). `decide` goes on from there: what
    /// is not found, who may not, what exists already; then the codes of the page's row.
    protocol Command: ProductCommand where Product == QuranFlow {}
}

extension QuranFlow.Command {
    static func kinds(in state: QuranFlow.State) -> [Actor.Kind] {
        empty.senders(in: state).or(.any(.system)).kinds
    }

    /// `system` may send every command (R1).
    func authorize(in context: QuranFlow.Context) throws(QuranFlow.Rejection) {
        let senders = senders(in: context.state)
        guard context.isSystem || context.admits(senders) else {
            throw context.forbidden(Self.type, for: senders)
        }
    }
}

extension DecisionContext<QuranFlow> {
    var isSystem: Bool { actor.kind == .system }
    var isAdmin: Bool { isSystem || actor.kind == .admin }
    /// The student acts for themselves.
    var isStudent: Bool { actor.kind == .student }

    // MARK: Coaches who act (R1)

    /// `forbidden` for a coach whose thing it is not, and for one who is unknown or retired.
    func checkCoach<T: Thing>(
        _ coach: QuranFlow.CoachID?, of thing: Identifier<T>
    ) throws(QuranFlow.Rejection) {
        guard actor.kind == .coach else { return }
        guard let coach, coach.symbol == actor.id else { throw forbidden(thing) }
        try checkCoachIsActive()
    }

    /// `forbidden` for a coach who is unknown or retired.
    func checkCoachIsActive() throws(QuranFlow.Rejection) {
        guard actor.kind == .coach else { return }
        let coach = QuranFlow.CoachID(actor.id)
        guard state.coaches.contains(coach), !state.isRetired(coach),
            state.isPresent(.init(coach))
        else {
            throw refuse(.forbidden, "\(names.text(actor.symbol)) is not an active coach")
        }
    }

    // MARK: What a refusal is about

    /// A code with the limit and the value that it is about.
    func refuse(_ code: QuranFlow.Rejection, _ words: String) -> QuranFlow.Rejection {
        refuse(code, .words(english: words))
    }

    /// `text-too-long` for a text above the policy's length.
    func checkLength(of text: String) throws(QuranFlow.Rejection) {
        let limit = state.policy.commentMaxCharacters
        let count = text.scalarCount
        try check(
            count <= limit, else: .textTooLong,
            about: .words(english: "\(count) characters, at most \(limit)")
        ) { [("characters", "\(count)"), ("limit", "\(limit)")] }
    }

    // MARK: Recording

    /// Records an event on the stream of what it is about, with the tag of it: this product's events do not
    /// repeat among their fields the id that their stream names.
    func record<P: Payload, T: Thing>(_ event: P, on id: Identifier<T>) {
        record(event, on: stream(of: id), about: (T.noun, id.symbol))
    }

    // MARK: Streams that are not named after a thing of their own

    func lessonStream(level: Int, week: Int) -> String { "quranflow/lesson/\(level):\(week)" }

    func levelStream(_ level: Int) -> String { "quranflow/level/\(level)" }

    func orientationStream(_ video: QuranFlow.VideoID) -> String {
        "quranflow/orientation/\(names.text(video))"
    }

    func eocStream(_ enrollment: QuranFlow.EnrollmentID) -> String {
        "quranflow/eoc/\(names.text(enrollment))"
    }

    func supportRequestStream(_ request: QuranFlow.RequestID) -> String {
        "quranflow/support-request/\(names.text(request))"
    }

    func inboxStream(_ recipient: QuranFlow.Recipient) -> String {
        "quranflow/inbox/\(recipient.text(names))"
    }
}

/// A number outside the range that the page allows, as a reason for `malformed`.
func rangeProblem(_ checks: (name: String, value: Int?, range: ClosedRange<Int>)...) -> String? {
    for check in checks {
        if let value = check.value, !check.range.contains(value) {
            return "\(check.name): expected \(check.range.wholeNumbers), not \(value)"
        }
    }
    return nil
}

/// Ayahs that no surah has, or in the wrong order, as a reason for `malformed`.
func passageProblem(_ passage: QuranFlow.Passage) -> String? {
    let longestSurah = 286
    return rangeProblem(("passage.from", passage.from, 1...longestSurah))
        ?? rangeProblem(("passage.to", passage.to, passage.from...longestSurah))
}

/// How many Unicode scalars a text may have (page, Types).
enum TextLength {
    /// Names and titles.
    static let title = 1...200
    /// Addresses, and references to what is stored elsewhere.
    static let reference = 1...2000
}

/// The longest recording or video, in seconds: a day.
let recordingSeconds = 1...86_400
