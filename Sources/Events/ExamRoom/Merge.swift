package import Core

extension ExamRoom {
    /// What one device did while it was away from another (R38). Stream `examroom/device/DEVICE`.
    package enum Batch: Thing {
        package static let noun = "batch"; package static let isTagged = false

        package struct Refusal: Record {
            package private(set) var id = ""
            package private(set) var code = ""

            package init() {}

            package init(id: String, code: String) {
                self.id = id
                self.code = code
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("id", &id)
                coder.field("code", &code)
            }
        }

        /// The lists are in the order of the batch.
        package struct Merged: Payload {
            package static let type = "examroom.batch.merged"
            package static let streams = ["device"]
            package static let sentence = "A device's commands were merged."
            package var device = DeviceID.none
            package var batch = BatchID.none
            /// The last position of this journal that the device held.
            package var seen = Position.zero
            package var accepted: [String] = []
            package var repeated: [String] = []
            package var refused: [Refusal] = []
            package var conflicts: [ConflictID] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("device", &device)
                coder.field("batch", &batch)
                coder.field("seen", &seen)
                coder.field("accepted", &accepted)
                coder.field("repeated", &repeated)
                coder.field("refused", &refused)
                coder.field("conflicts", &conflicts)
            }
        }
    }

    /// Two devices did what does not go together (R44). Stream `examroom/conflict/CONFLICT`.
    package enum Conflict: Thing {
        package static let noun = "conflict"; package static let isTagged = false

        package enum Kind: String, Choice {
            case profile, preference, policy, exam, question, seat
            case editDelete = "edit-delete"
            case attemptLimit = "attempt-limit"
            case blockedAttempt = "blocked-attempt"
        }

        package enum Resolution: String, Choice {
            case automatic, choice
        }

        package enum Option: String, Choice {
            case delete, keep
            case setAside = "set-aside"
        }

        /// One of the commands that clash.
        package struct Contender: Record {
            package private(set) var command = ""
            /// When it happened, on whichever device.
            package private(set) var at = Instant.epoch
            package private(set) var device: DeviceID?
            package private(set) var by = Word.empty

            package init() {}

            package init(command: String, at: Instant, device: DeviceID?, by: Word) {
                self.command = command
                self.at = at
                self.device = device
                self.by = by
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("command", &command)
                coder.field("at", &at)
                coder.field("device", &device)
                coder.field("by", &by)
            }
        }

        package struct Detected: Payload {
            package static let type = "examroom.conflict.detected"
            package static let streams = ["conflict"]
            package static let sentence = "A conflict between devices was detected."
            package var conflict = ConflictID.none
            package var kind = Kind.exam
            /// What it is about, such as `examroom/exam/EX-1#Q-1`.
            package var record = ""
            package var names: [String] = []
            package var contenders: [Contender] = []
            /// The deletion's command id, null but for edit-delete.
            package var deletion: String?
            package var resolution = Resolution.automatic
            /// Of an automatic one, the command that wins.
            package var winner: String?
            package var choices: [Option] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("conflict", &conflict)
                coder.field("kind", &kind)
                coder.field("record", &record)
                coder.field("fields", &names)
                coder.field("contenders", &contenders)
                coder.field("deletion", &deletion)
                coder.field("resolution", &resolution)
                coder.field("winner", &winner)
                coder.field("choices", &choices)
            }
        }

        package struct Resolved: Payload {
            package static let type = "examroom.conflict.resolved"
            package static let streams = ["conflict"]
            package static let sentence = "An admin settled a conflict."
            package static let significance = Significance.administrative
            package private(set) var conflict = ConflictID.none
            package private(set) var choice = Option.keep

            package init() {}

            package init(conflict: ConflictID, choice: Option) {
                self.conflict = conflict
                self.choice = choice
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("conflict", &conflict)
                coder.field("choice", &choice)
            }
        }
    }

    package enum Device: Thing {
        package static let noun = "device"; package static let isTagged = false
    }
    package typealias DeviceID = Identifier<Device>
    package typealias BatchID = Identifier<Batch>
    package typealias ConflictID = Identifier<Conflict>
}

extension ExamRoom.Exam {
    /// Deleted on one device and edited on another: it stays until somebody chooses (R41).
    package struct Restored: Payload {
        package static let type = "examroom.exam.restored"
        package static let streams = ["exam"]
        package static let sentence = "A deleted exam was restored."
        package static let significance = Significance.administrative
        package private(set) var exam = ExamRoom.ExamID.none

        package init() {}

        package init(exam: ExamRoom.ExamID) {
            self.exam = exam
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
        }
    }
}

extension ExamRoom.Question {
    /// Removed on one device and edited on another: it stays until somebody chooses (R41).
    package struct Restored: Payload {
        package static let type = "examroom.question.restored"
        package static let streams = ["exam"]
        package static let sentence = "A removed question was restored."
        package static let significance = Significance.administrative
        package private(set) var exam = ExamRoom.ExamID.none
        package private(set) var question = ExamRoom.QuestionID.none
        /// As it was before the removal.
        package private(set) var content = Content()

        package init() {}

        package init(
            exam: ExamRoom.ExamID, question: ExamRoom.QuestionID, content: Content
        ) {
            self.exam = exam
            self.question = question
            self.content = content
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("exam", &exam)
            coder.field("question", &question)
            coder.field("content", &content)
        }
    }
}

extension ExamRoom.Attempt {
    /// The closing that a reconciliation replaces.
    package struct Previous: Record {
        package private(set) var how = How.student
        package private(set) var closedAt = Instant.epoch
        package private(set) var score = 0

        package init() {}

        package init(how: How, closedAt: Instant, score: Int) {
            self.how = how
            self.closedAt = closedAt
            self.score = score
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("how", &how)
            coder.field("closedAt", &closedAt)
            coder.field("score", &score)
        }
    }

    /// A closed attempt was scored anew with what another device knew of it (R43).
    package struct Reconciled: Payload {
        package static let type = "examroom.attempt.reconciled"
        package static let streams = ["attempt"]
        package static let sentence = "A closed attempt was reconciled with another device."
        package private(set) var closing = Submitted()
        package private(set) var previous = Previous()

        package init() {}

        package init(_ closing: Submitted, previous: Previous) {
            self.closing = closing
            self.previous = previous
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            closing.fields(&coder)
            coder.field("previous", &previous)
        }
    }

    /// An admin chose that the attempt does not count (R45).
    package struct SetAside: Payload {
        package static let type = "examroom.attempt.set-aside"
        package static let streams = ["attempt"]
        package static let sentence = "An attempt was set aside."
        package static let significance = Significance.administrative
        package private(set) var attempt = ExamRoom.AttemptID.none
        package private(set) var exam = ExamRoom.ExamID.none
        package private(set) var student = ExamRoom.StudentID.none
        package private(set) var conflict = ExamRoom.ConflictID.none

        package init() {}

        package init(
            attempt: ExamRoom.AttemptID, exam: ExamRoom.ExamID, student: ExamRoom.StudentID,
            conflict: ExamRoom.ConflictID
        ) {
            self.attempt = attempt
            self.exam = exam
            self.student = student
            self.conflict = conflict
        }

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("conflict", &conflict)
        }
    }
}
