package import Core

extension Learnable {
    /// The learner. Stream `learnable/student/STUDENT`, for all of the facts in this file.
    package enum Student: Thing {
        package static let noun = "student"

        /// The student is there; the first epoch begins (R45).
        package struct Joined: Carried {
            package static let type = "learnable.student.joined"
            package static let streams = ["student"]
            package static let sentence = "A student joined."
            package var student = StudentID.none
            package var timeZone = Zone.empty
            package var day = LocalDate.epoch
            package var epoch = 1

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("timeZone", &timeZone)
                coder.field("day", &day)
                coder.field("epoch", &epoch)
            }
        }

        /// From here on local days are those of another zone (R1).
        package struct Relocated: Carried {
            package static let type = "learnable.student.relocated"
            package static let streams = ["student"]
            package static let sentence = "A student moved to another time zone."
            package var student = StudentID.none
            package var from = Zone.empty
            package var to = Zone.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("from", &from)
                coder.field("to", &to)
            }
        }

        /// The epoch ended and another one began: the key of the one that ended is destroyed (R45).
        package struct StartedOver: Carried, DestroysKey {
            package static let type = "learnable.student.started-over"
            package static let streams = ["student"]
            package static let sentence = "A student started over."
            package static let significance = Significance.erasure
            package var student = StudentID.none
            package var epoch = 0
            package var subjects = 0
            package var questions = 0
            package var drafts = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("epoch", &epoch)
                coder.field("subjects", &subjects)
                coder.field("questions", &questions)
                coder.field("drafts", &drafts)
            }
        }
    }

    /// What becomes of the student as a whole.
    package enum Account {
        /// The student is gone for good (R46).
        package struct Deleted: Carried {
            package static let type = "learnable.account.deleted"
            package static let streams = ["student"]
            package static let sentence = "An account was deleted."
            package static let significance = Significance.administrative
            package var student = StudentID.none
            package var epoch = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("epoch", &epoch)
            }
        }
    }

    /// The app on the device.
    package enum App {
        package enum Landing: String, Choice {
            case subscription
            case dailyQuiz = "daily-quiz"
            case home
        }

        /// A fresh start of the app, and what greeted the student (R25).
        package struct Opened: Carried {
            package static let type = "learnable.app.opened"
            package static let streams = ["student"]
            package static let sentence = "The app was opened."
            package var student = StudentID.none
            package var day = LocalDate.epoch
            package var timeZone = Zone.empty
            package var firstOfDay = false
            package var due = 0
            package var landing = Landing.home
            package var access = Access.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("day", &day)
                coder.field("timeZone", &timeZone)
                coder.field("firstOfDay", &firstOfDay)
                coder.field("due", &due)
                coder.field("landing", &landing)
                coder.field("access", &access)
            }
        }
    }

    /// Time spent.
    package enum Study {
        package enum Activity: String, Choice {
            case lecture, chat
            case dailyQuiz = "daily-quiz"
            case optionalQuiz = "optional-quiz"
        }

        /// What of a span fell on one local day.
        package struct DayShare: Record {
            package var day = LocalDate.epoch
            package var seconds = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("day", &day)
                coder.field("seconds", &seconds)
            }
        }

        /// A span of study, cut at the beginnings of local days (R35).
        package struct Recorded: Carried {
            package static let type = "learnable.study.recorded"
            package static let streams = ["student"]
            package static let sentence = "Study time was recorded."
            package var student = StudentID.none
            package var activity = Activity.lecture
            package var subject: SubjectID?
            package var from = Instant.epoch
            package var to = Instant.epoch
            package var seconds = 0
            package var days: [DayShare] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("activity", &activity)
                coder.field("subject", &subject)
                coder.field("from", &from)
                coder.field("to", &to)
                coder.field("seconds", &seconds)
                coder.field("days", &days)
            }
        }
    }

    /// The student's data, taken along.
    package enum Download {
        /// Somebody asked for the data (FR-012).
        package struct Made: Carried {
            package static let type = "learnable.data.downloaded"
            package static let streams = ["student"]
            package static let sentence = "A student's data was downloaded."
            package var student = StudentID.none
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.field("day", &day)
            }
        }
    }
}
