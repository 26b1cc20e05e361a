package import Core

extension ExamRoom {
    /// A student's extra time at one exam. Stream `examroom/seat/EXAM/STUDENT` (R14, R20).
    package enum Extension {
        /// Whether extra time is a percentage of the duration or a number of minutes.
        package enum Kind: String, Choice {
            case percent, minutes
        }

        /// The student has extra time at later attempts (R14, R20).
        package struct Granted: Payload {
            package static let type = "examroom.extension.granted"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was granted."
            package static let rules = [14, 20]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var kind = Kind.percent
            package internal(set) var value = 0
            /// The request that it answers.
            package internal(set) var request: RequestID?

            package init() {}

            package init(
                exam: ExamID, student: StudentID, granted: ExtraTime, request: RequestID?
            ) {
                self.exam = exam
                self.student = student
                kind = granted.kind
                value = granted.value
                self.request = request
            }

            package var granted: ExtraTime { ExtraTime(kind: kind, value: value) }
        }

        /// The extra time at later attempts changed (R20).
        package struct Modified: Payload {
            package static let type = "examroom.extension.modified"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was modified."
            package static let rules = [20]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var from: ExtraTime?
            package internal(set) var to = ExtraTime()
            package internal(set) var request: RequestID?

            package init() {}
        }

        /// Later attempts have no extra time (R20).
        package struct Revoked: Payload {
            package static let type = "examroom.extension.revoked"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was revoked."
            package static let rules = [20]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var kind: Kind?
            package internal(set) var value: Int?

            package init() {}

            package init(exam: ExamID, student: StudentID, revoked: ExtraTime?) {
                self.exam = exam
                self.student = student
                kind = revoked?.kind
                value = revoked?.value
            }
        }
    }

    /// Extra time at an exam: some per cent of the duration, or some minutes.
    package struct ExtraTime: Record {
        package var kind = Extension.Kind.percent
        package var value = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("kind", &kind)
            coder.number("value", &value)
        }

        package init(kind: Extension.Kind, value: Int) {
            self.kind = kind
            self.value = value
        }

        /// R14: the seconds that it adds to a duration.
        package func extraSeconds(durationSeconds: Int) -> Int {
            switch kind {
            case .percent: durationSeconds.multipliedClamping(value) / 100
            case .minutes: value.multipliedClamping(60)
            }
        }
    }
}
