package import Core

extension ExamRoom {
    /// One student's place at one exam: blocks and extra time. Stream `examroom/seat/EXAM/STUDENT`.
    package enum Seat {
        package enum Kind: String, Choice {
            case percent, minutes
        }

        /// Extra time, as granted.
        package struct Extension: Record {
            package var kind = Kind.percent
            package var value = 0

            package init() {}

            package init(kind: Kind, value: Int) {
                self.kind = kind
                self.value = value
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("kind", &kind)
                coder.field("value", &value)
            }

            /// R14: the seconds that it adds to a duration.
            package func extraSeconds(durationSeconds: Int) -> Int {
                switch kind {
                case .percent: durationSeconds.multipliedClamping(value) / 100
                case .minutes: value.multipliedClamping(60)
                }
            }
        }

        package struct Blocked: Payload {
            package static let type = "examroom.student.blocked"
            package static let streams = ["seat"]
            package static let sentence = "A student was blocked from an exam."
            package static let significance = Significance.administrative
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var reason: String?

            package init() {}

            package init(exam: ExamID, student: StudentID, reason: String?) {
                self.exam = exam
                self.student = student
                self.reason = reason
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.personal("reason", &reason)
            }
        }

        package struct Unblocked: Payload {
            package static let type = "examroom.student.unblocked"
            package static let streams = ["seat"]
            package static let sentence = "A student's block was lifted."
            package static let significance = Significance.administrative
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none

            package init() {}

            package init(exam: ExamID, student: StudentID) {
                self.exam = exam
                self.student = student
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
            }
        }

        package struct ExtensionGranted: Payload {
            package static let type = "examroom.extension.granted"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was granted."
            package static let significance = Significance.administrative
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var kind = Kind.percent
            package private(set) var value = 0
            /// The request that it answers.
            package private(set) var request: RequestID?

            package init() {}

            package init(
                exam: ExamID, student: StudentID, granted: Extension, request: RequestID?
            ) {
                self.exam = exam
                self.student = student
                kind = granted.kind
                value = granted.value
                self.request = request
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("kind", &kind)
                coder.field("value", &value)
                coder.field("request", &request)
            }

            package var granted: Extension { Extension(kind: kind, value: value) }
        }

        package struct ExtensionModified: Payload {
            package static let type = "examroom.extension.modified"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was modified."
            package static let significance = Significance.administrative
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var from: Extension?
            package private(set) var to = Extension()
            package private(set) var request: RequestID?

            package init() {}

            package init(
                exam: ExamID, student: StudentID, from: Extension?, to: Extension,
                request: RequestID?
            ) {
                self.exam = exam
                self.student = student
                self.from = from
                self.to = to
                self.request = request
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("from", &from)
                coder.field("to", &to)
                coder.field("request", &request)
            }
        }

        package struct ExtensionRevoked: Payload {
            package static let type = "examroom.extension.revoked"
            package static let streams = ["seat"]
            package static let sentence = "Extra time was revoked."
            package static let significance = Significance.administrative
            package private(set) var exam = ExamID.none
            package private(set) var student = StudentID.none
            package private(set) var kind: Kind?
            package private(set) var value: Int?

            package init() {}

            package init(exam: ExamID, student: StudentID, revoked: Extension?) {
                self.exam = exam
                self.student = student
                kind = revoked?.kind
                value = revoked?.value
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("exam", &exam)
                coder.field("student", &student)
                coder.field("kind", &kind)
                coder.field("value", &value)
            }
        }
    }
}
