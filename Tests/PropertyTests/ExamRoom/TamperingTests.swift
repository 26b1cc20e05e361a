import Core
import ExamRoomEvents
import TestSupport
import Testing

/// That the laws look: each notices a history that was not so.
@Suite struct `A law` {
    struct Tampering: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let law: @Sendable (LivedRoom) throws -> String?
        let change: @Sendable (PastFact) -> [PastFact]

        init(
            _ description: String, _ law: @escaping @Sendable (LivedRoom) throws -> String?,
            _ change: @escaping @Sendable (PastFact) -> [PastFact]
        ) {
            testDescription = description
            self.law = law
            self.change = change
        }

        /// Leaves events of a type out.
        static func without(
            _ type: String, _ law: @escaping @Sendable (LivedRoom) throws -> String?
        ) -> Tampering {
            Tampering("without \(type)", law) { $0.type == "examroom.\(type)" ? [] : [$0] }
        }

        /// Tells another value of a field.
        static func other(
            _ type: String, _ field: String, _ value: @escaping @Sendable (PastFact) -> JSON,
            _ law: @escaping @Sendable (LivedRoom) throws -> String?
        ) -> Tampering {
            Tampering("\(type) with another \(field)", law) { event in
                guard event.type == "examroom.\(type)" else { return [event] }
                let data = event.data.with(field, value(event))
                return [PastFact(event.json.with("data", data))]
            }
        }
    }

    private static let attempts: @Sendable (LivedRoom) -> String? = {
        AttemptLaw.broken(by: $0.events)
    }
    private static let scores: @Sendable (LivedRoom) -> String? = {
        ScoreLaw.broken(by: $0.events)
    }
    private static let awards: @Sendable (LivedRoom) -> String? = {
        AwardLaw.broken(by: $0.events)
    }
    private static let results: @Sendable (LivedRoom) throws -> String? = {
        try ScoreLaw.hidden(in: $0)
    }
    private static let boards: @Sendable (LivedRoom) throws -> String? = {
        try LeaderboardLaw.broken(by: $0)
    }
    private static let images: @Sendable (LivedRoom) throws -> String? = {
        try ImageLaw.broken(by: $0)
    }
    private static let streaks: @Sendable (LivedRoom) throws -> String? = {
        try StreakLaw.broken(by: $0)
    }
    private static let audit: @Sendable (LivedRoom) throws -> String? = {
        try AuditLaw.broken(by: $0)
    }

    private static let registers: @Sendable (LivedRoom) -> String? = {
        RegisterLaw.broken(by: $0.events)
    }

    static let tamperings: [Tampering] = [
        .other(
            "exam.created", "details", { _ in .object(of: [("maxAttempts", .integer(0))]) },
            attempts),
        .other("attempt.started", "deadline", { $0.data["startedAt"] ?? .null }, attempts),
        .other("attempt.submitted", "closedAt", { _ in .string("2027-01-01T00:00:00Z") }, attempts),
        .without("exam.published", attempts), .without("student.unblocked", attempts),
        .without("answer.saved", scores), .without("time.logged", scores),
        .other("attempt.started", "answersFinal", { _ in .bool(true) }, scores),
        .other("attempt.submitted", "localDate", { _ in .string("2026-01-01") }, scores),
        .without("attempt.reconciled", scores), .without("attempt.reconciled", results),
        .without("grade.modified", results), .without("attempt.held", results),
        .without("attempt.released", results), .without("attempt.set-aside", audit),
        .without("points.awarded", awards), .without("points.adjusted", awards),
        .without("milestone.unlocked", awards), .without("policy.adopted", awards),
        .without("grade.modified", awards),
        .other("points.awarded", "points", { _ in .integer(9999) }, awards),
        .without("preference.chosen", boards), .without("points.adjusted", boards),
        .without("account.deleted", boards), .without("image.orphaned", images),
        .without("image.attached", images), .without("image.detached", images),
        .without("question.removed", images),
        .other("attempt.submitted", "localDate", { _ in .string("2026-01-01") }, streaks),
        .without("session.started", audit), .without("attempt.reconciled", audit),
        .other("extension.granted", "value", { _ in .integer(1) }, audit),
        .other(
            "exam.created", "origin",
            { _ in
                .object(of: [
                    ("at", .string("2027-01-01T00:00:00Z")), ("device", .string("D-9")),
                    ("superseded", .array([])),
                ])
            }, registers),
        Tampering("badges twice", awards) {
            $0.type == "examroom.badge.earned" ? [$0, $0] : [$0]
        },
        Tampering("without origins", audit) { event in
            [PastFact(event.json.with("data", event.data.with("origin", .null)))]
        },
    ]

    /// Lives enough for every law to have something to notice, lived once.
    private static let rooms = Result {
        let lives =
            Life.some + [917, 923, 931, 970, 971, 972, 973, 974, 975].map { .alone($0) }
            + [980, 981, 982, 983, 984, 985].map { .meeting($0) }
            + [950, 955, 960].map { .scattered($0) }
        return try lives.map { try $0.room }
    }

    @Test(arguments: tamperings)
    func `notices what was not so`(tampering: Tampering) throws {
        let isNoticed = try Self.rooms.get().contains { room in
            try tampering.law(room.telling(tampering.change)) != nil
        }
        #expect(isNoticed)
    }
}

extension JSON {
    fileprivate func with(_ name: String, _ value: JSON) -> JSON {
        .object(of: (members ?? []).map { ($0.name, $0.value) } + [(name, value)])
    }
}
