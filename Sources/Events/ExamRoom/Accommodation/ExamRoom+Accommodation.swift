package import Core

extension ExamRoom {
    /// A student's request for extra time. Stream `examroom/accommodation/REQUEST`.
    package enum Accommodation: Thing {
        package static let noun = "accommodation"; package static let isTagged = false

        /// A student asked for extra time at an exam (22.13).
        package struct Requested: Payload {
            package static let type = "examroom.accommodation.requested"
            package static let streams = ["accommodation"]
            package static let sentence = "A student asked for extra time."
            package internal(set) var request = RequestID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var kind = Extension.Kind.percent
            package internal(set) var value = 0
            package internal(set) var justification: Personal<String> = nil

            package init() {}

            package init(
                request: RequestID, exam: ExamID, student: StudentID, asked: ExtraTime,
                justification: String
            ) {
                self.request = request
                self.exam = exam
                self.student = student
                kind = asked.kind
                value = asked.value
                self.justification = justification
            }

            package var asked: ExtraTime { .init(kind: kind, value: value) }
        }

        /// An admin granted extra time, as asked for or otherwise (22.15, 22.16).
        package struct Approved: Payload {
            package static let type = "examroom.accommodation.approved"
            package static let streams = ["accommodation"]
            package static let sentence = "A request for extra time was approved."
            package static let significance = Significance.administrative
            package internal(set) var request = RequestID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            /// What is granted.
            package internal(set) var kind = Extension.Kind.percent
            package internal(set) var value = 0

            package init() {}

            package init(
                request: RequestID, exam: ExamID, student: StudentID, granted: ExtraTime
            ) {
                self.request = request
                self.exam = exam
                self.student = student
                kind = granted.kind
                value = granted.value
            }

            package var granted: ExtraTime { .init(kind: kind, value: value) }
        }

        /// An admin denied the request.
        package struct Denied: Payload {
            package static let type = "examroom.accommodation.denied"
            package static let streams = ["accommodation"]
            package static let sentence = "A request for extra time was denied."
            package static let significance = Significance.administrative
            package internal(set) var request = RequestID.none
            package internal(set) var exam = ExamID.none
            package internal(set) var student = StudentID.none
            package internal(set) var reason: Personal<String> = nil

            package init() {}
        }
    }
}
