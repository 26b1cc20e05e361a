package import Core

extension Learnable {
    /// One page of lecture. Its facts stand on the subject's stream, as all in this file.
    package enum Topic {
        /// In any order, each once (R13).
        package struct Delivered: Carried {
            package static let type = "learnable.topic.delivered"
            package static let streams = ["subject"]
            package static let sentence = "A topic was delivered."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var blocks = Blocks.empty
            package var engagement: Form?
            package var project: Body?
            package var voice: Voice?
            package var delivered = 0
            package var topics = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("blocks", &blocks)
                coder.field("engagement", &engagement)
                coder.field("project", &project)
                coder.field("voice", &voice)
                coder.field("delivered", &delivered)
                coder.field("topics", &topics)
            }
        }

        /// It is the current one (R14).
        package struct Opened: Carried {
            package static let type = "learnable.topic.opened"
            package static let streams = ["subject"]
            package static let sentence = "A topic was opened."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("day", &day)
            }
        }

        /// How far the student has read.
        package struct Bookmarked: Carried {
            package static let type = "learnable.topic.bookmarked"
            package static let streams = ["subject"]
            package static let sentence = "A topic was bookmarked."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var block = 0
            package var day = LocalDate.epoch

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("block", &block)
                coder.field("day", &day)
            }
        }

        /// What comes after it is unlocked (R15).
        package struct Completed: Carried {
            package static let type = "learnable.topic.completed"
            package static let streams = ["subject"]
            package static let sentence = "A topic was completed."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var day = LocalDate.epoch
            package var completed = 0
            package var topics = 0
            package var next: TopicPlace?
            package var questionsWanted = false

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("day", &day)
                coder.field("completed", &completed)
                coder.field("topics", &topics)
                coder.field("next", &next)
                coder.field("questionsWanted", &questionsWanted)
            }
        }
    }

    /// The question at the end of a topic (R16).
    package enum Engagement {
        /// With the feedback, right or wrong.
        package struct Answered: Carried {
            package static let type = "learnable.engagement.answered"
            package static let streams = ["subject"]
            package static let sentence = "An engagement question was answered."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var number = 0
            package var format = Format.multipleChoice
            package var verdict = Verdict()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("number", &number)
                coder.field("format", &format)
                verdict.fields(&coder)
            }
        }

        /// What a service says of a free-text answer.
        package struct Assessed: Carried {
            package static let type = "learnable.engagement.assessed"
            package static let streams = ["subject"]
            package static let sentence = "An engagement answer was assessed."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var number = 0
            package var correct = false
            package var feedback: Body?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("number", &number)
                coder.field("correct", &correct)
                coder.personal("feedback", &feedback)
            }
        }

        /// One a topic at most.
        package struct AnotherRequested: Carried {
            package static let type = "learnable.engagement.another-requested"
            package static let streams = ["subject"]
            package static let sentence = "An additional engagement question was requested."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var number = 2

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("number", &number)
            }
        }

        /// It need not be answered.
        package struct AnotherAsked: Carried {
            package static let type = "learnable.engagement.another-asked"
            package static let streams = ["subject"]
            package static let sentence = "An additional engagement question was asked."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var number = 2
            package var question = Form()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("number", &number)
                coder.field("question", &question)
            }
        }
    }

    /// The conversation about the current topic (R17).
    package enum Chat: Thing {
        package static let noun = "chat"; package static let isTagged = false

        /// A question to the assistant.
        package struct Sent: Carried {
            package static let type = "learnable.chat.sent"
            package static let streams = ["subject"]
            package static let sentence = "A chat message was sent."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var message = MessageID.none
            package var blocks: Blocks?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("message", &message)
                coder.personal("blocks", &blocks)
            }
        }

        /// The assistant's reply.
        package struct Replied: Carried {
            package static let type = "learnable.chat.replied"
            package static let streams = ["subject"]
            package static let sentence = "A chat message was replied to."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var message = MessageID.none
            package var blocks: Blocks?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("message", &message)
                coder.personal("blocks", &blocks)
            }
        }

        /// The student moved on: the history of the topic left is erased.
        package struct Cleared: Carried {
            package static let type = "learnable.chat.cleared"
            package static let streams = ["subject"]
            package static let sentence = "A chat was cleared."
            package var student = StudentID.none
            package var subject = SubjectID.none
            package var topic = TopicPlace.empty
            package var messages = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("subject", &subject)
                coder.field("topic", &topic)
                coder.field("messages", &messages)
            }
        }
    }
}
