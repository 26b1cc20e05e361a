package import Core

extension Learnable {
    /// The creation wizard: what will become a subject. Stream `learnable/draft/DRAFT`, for all of the facts in this file.
    package enum Draft: Thing {
        package static let noun = "draft"

        package enum Reason: String, Choice {
            case student, expired
        }

        /// With the add-ons that the policy proposes.
        package struct Started: Carried {
            package static let type = "learnable.draft.started"
            package static let streams = ["draft"]
            package static let sentence = "A draft was started."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var addOns = AddOns()

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("addOns", &addOns)
            }
        }

        /// Step 1.
        package struct Described: Carried {
            package static let type = "learnable.draft.described"
            package static let streams = ["draft"]
            package static let sentence = "A draft was described."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var description: Body?
            package var preset: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.personal("description", &description)
                coder.field("preset", &preset)
            }
        }

        /// It is closed: the subject is being made (R12).
        package struct Submitted: Carried {
            package static let type = "learnable.draft.submitted"
            package static let streams = ["draft"]
            package static let sentence = "A draft was submitted."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var subject = SubjectID.none

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("subject", &subject)
            }
        }

        /// It is closed for good.
        package struct Discarded: Carried {
            package static let type = "learnable.draft.discarded"
            package static let streams = ["draft"]
            package static let sentence = "A draft was discarded."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var reason = Reason.student

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("reason", &reason)
            }
        }
    }

    /// What the AI service makes of the description (R10).
    package enum Curriculum {
        /// With what was in force.
        package struct Requested: Carried {
            package static let type = "learnable.curriculum.requested"
            package static let streams = ["draft"]
            package static let sentence = "A curriculum was requested."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var request = 0
            package var description: Body?
            package var preset: String?
            package var instruction: Body?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.personal("description", &description)
                coder.field("preset", &preset)
                coder.personal("instruction", &instruction)
            }
        }

        /// It is the draft's curriculum from here on.
        package struct Proposed: Carried {
            package static let type = "learnable.curriculum.proposed"
            package static let streams = ["draft"]
            package static let sentence = "A curriculum was proposed."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var request = 0
            package var title = Title.empty
            package var chapters: [Chapter] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.field("title", &title)
                coder.field("chapters", &chapters)
            }
        }
    }

    /// How the lectures will speak (R11).
    package enum Tone {
        /// Step 2: both values, null for what was not given.
        package struct Chosen: Carried {
            package static let type = "learnable.tone.chosen"
            package static let streams = ["draft"]
            package static let sentence = "A tone was chosen."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var tone: Body?
            package var preset: String?

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.personal("tone", &tone)
                coder.field("preset", &preset)
            }
        }

        /// For a topic that was drawn.
        package struct PreviewRequested: Carried {
            package static let type = "learnable.tone.preview-requested"
            package static let streams = ["draft"]
            package static let sentence = "A sample of a tone was requested."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var request = 0
            package var tone: Body?
            package var preset: String?
            package var topic = TopicPlace.empty
            package var topicTitle = Title.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.personal("tone", &tone)
                coder.field("preset", &preset)
                coder.field("topic", &topic)
                coder.field("topicTitle", &topicTitle)
            }
        }

        /// The sample is the draft's preview from here on.
        package struct PreviewDelivered: Carried {
            package static let type = "learnable.tone.preview-delivered"
            package static let streams = ["draft"]
            package static let sentence = "A sample of a tone was delivered."
            package var student = StudentID.none
            package var draft = DraftID.none
            package var request = 0
            package var blocks = Blocks.empty

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("student", &student)
                coder.own("draft", &draft)
                coder.field("request", &request)
                coder.field("blocks", &blocks)
            }
        }
    }

    /// Step 3: all four values.
    package struct AddOnsChosen: Carried {
        package static let type = "learnable.add-ons.chosen"
        package static let streams = ["draft"]
        package static let sentence = "Add-ons were chosen."
        package var student = StudentID.none
        package var draft = DraftID.none
        package var engagementQuestion = false
        package var endingProject = false
        package var voice = false
        package var reinforcement = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.own("draft", &draft)
            coder.field("engagementQuestion", &engagementQuestion)
            coder.field("endingProject", &endingProject)
            coder.field("voice", &voice)
            coder.field("reinforcement", &reinforcement)
        }
    }
}
