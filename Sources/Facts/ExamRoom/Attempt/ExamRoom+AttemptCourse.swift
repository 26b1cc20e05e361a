package import Core
package import ExamRoomEvents

extension ExamRoom {
    /// What has become of an attempt.
    package enum AttemptCourse: Situation {
        /// It runs, or its time is up and no event says so yet (R17).
        case open
        case closed(Outcome)
        /// It was closed, and points were given for it (R25).
        case awarded(Awarded)
        /// It was taken elsewhere: it came closed, without paper and deadline, and earns nothing (R25, R36).
        case imported(Outcome)

        /// Of an attempt that is closed.
        package struct Outcome: Record {
            package internal(set) var closing = Closing()
            package internal(set) var grade: GradeRow?
            package internal(set) var isDiscarded = false

            package init() {}

            init(_ closing: Closing) { self.closing = closing }
        }

        package struct Awarded: Record {
            package internal(set) var outcome = Outcome()
            /// As last adjusted.
            package internal(set) var points = 0

            package init() {}

            init(_ outcome: Outcome, _ points: Int) {
                self.outcome = outcome
                self.points = points
            }
        }

        package static let cases: [SituationCase<Self>] = [
            .bare("open", .open),
            .with("closed", Self.closed) {
                if case .closed(let outcome) = $0 { outcome } else { nil }
            },
            .with("awarded", Self.awarded) {
                if case .awarded(let awarded) = $0 { awarded } else { nil }
            },
            .with("imported", Self.imported) {
                if case .imported(let outcome) = $0 { outcome } else { nil }
            },
        ]

        package static let empty = Self.open
    }
}

extension ExamRoom.AttemptRow {
    private var outcome: ExamRoom.AttemptCourse.Outcome? {
        switch course {
        case .open: nil
        case .closed(let outcome), .imported(let outcome): outcome
        case .awarded(let awarded): awarded.outcome
        }
    }

    /// Nil while it is open.
    package var closing: ExamRoom.Closing? { outcome?.closing }

    /// Another score than that of the closing (R22).
    package var grade: ExamRoom.GradeRow? { outcome?.grade }

    /// Its student hid it (R23).
    package var isDiscarded: Bool { outcome?.isDiscarded ?? false }

    /// Points that were given for it; nil before.
    package var points: Int? {
        if case .awarded(let awarded) = course { awarded.points } else { nil }
    }

    package var isImported: Bool {
        if case .imported = course { true } else { false }
    }

    /// Changes what is known of a closed attempt; one that is open stays as it is.
    mutating func changeOutcome(_ body: (inout ExamRoom.AttemptCourse.Outcome) -> Void) {
        switch course {
        case .open: break
        case .closed(var outcome):
            body(&outcome)
            course = .closed(outcome)
        case .awarded(var awarded):
            body(&awarded.outcome)
            course = .awarded(awarded)
        case .imported(var outcome):
            body(&outcome)
            course = .imported(outcome)
        }
    }

    /// Points are given, or adjusted (R25, R27).
    mutating func earn(_ points: Int) {
        switch course {
        case .open, .imported: break
        case .closed(let outcome): course = .awarded(.init(outcome, points))
        case .awarded(let awarded): course = .awarded(.init(awarded.outcome, points))
        }
    }
}
