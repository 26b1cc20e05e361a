package import Core

extension Learnable {
    /// The learner. Stream `learnable/student/STUDENT`.
    package enum Student: Thing {
        package static let noun = "student"

        /// A student joined; the first epoch begins (R45).
        package struct Joined: StudentEvent {
            package static let type = "learnable.student.joined"
            package static let streams = ["student"]
            package static let sentence = "A student joined."
            package static let rules = [45]
            package internal(set) var student = StudentID.none
            package internal(set) var timeZone = Zone.empty
            package internal(set) var day = LocalDate.epoch
            package internal(set) var epoch = 1

            package init() {}
        }

        /// The student moved: from now on local days are those of another time zone (R1).
        package struct Relocated: StudentEvent {
            package static let type = "learnable.student.relocated"
            package static let version: UInt16 = 2
            package static let streams = ["student"]
            package static let sentence = "A student moved to another time zone."
            package static let rules = [1]
            package internal(set) var student = StudentID.none
            package internal(set) var from = Zone.empty
            package internal(set) var to = Zone.empty
            /// The local day where they were: none before it comes again. Nil in version 1.
            package internal(set) var day: LocalDate?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("student", &student)
                coder.field("from", &from)
                coder.field("to", &to)
                if version >= 2 { coder.field("day", &day) }
            }
        }

        /// An epoch ended and the next one began; the key of the one that ended is destroyed (R45).
        package struct StartedOver: StudentEvent {
            package static let type = "learnable.student.started-over"
            package static let streams = ["student"]
            package static let sentence = "A student started over."
            package static let rules = [45]
            package static let significance = Significance.erasure
            package static let destroysKey = true
            package internal(set) var student = StudentID.none
            package internal(set) var epoch = 0
            package internal(set) var subjects = 0
            package internal(set) var questions = 0
            package internal(set) var drafts = 0

            package init() {}
        }
    }

    /// The student's account (R46). On the student's stream.
    package enum Account {
        /// The student is gone for good (R46).
        package struct Deleted: StudentEvent {
            package static let type = "learnable.account.deleted"
            package static let streams = ["student"]
            package static let sentence = "An account was deleted."
            package static let rules = [46]
            package static let significance = Significance.administrative
            package internal(set) var student = StudentID.none
            package internal(set) var epoch = 0

            package init() {}
        }
    }
}
