package import Core

extension ExamRoom {
    /// Two devices did what does not go together (R44). Stream `examroom/conflict/CONFLICT`.
    package enum Conflict: Thing {
        package static let noun = "conflict"; package static let isTagged = false

        /// What clashed: two writes of one register, a deletion and edits, an attempt that a live start would
        /// have refused, or what came after its key could be known (R44, R53, R54).
        package enum Kind: String, Choice {
            case profile, preference, policy, exam, question, seat
            case editDelete = "edit-delete"
            case attemptLimit = "attempt-limit"
            case blockedAttempt = "blocked-attempt"
            // Since version 2 of `Detected`: a kind is stored as its place in this list.
            case startOutside = "start-outside"
            case lateAnswers = "late-answers"
        }

        /// Whether the conflict is settled as it arises, or an admin chooses (R45).
        package enum Resolution: String, Choice {
            case automatic, choice
        }

        /// What an admin can choose (R45).
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
            package private(set) var by = InternedText.empty

            package init() {}

            package init(command: String, at: Instant, device: DeviceID?, by: InternedText) {
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

        /// A merge found a conflict (R44).
        package struct Detected: Payload {
            package static let type = "examroom.conflict.detected"
            /// Version 1 had fewer kinds.
            package static let version: UInt16 = 2
            package static let streams = ["conflict"]
            package static let sentence = "A conflict between devices was detected."
            package static let rules = [44]
            package internal(set) var conflict = ConflictID.none
            package internal(set) var kind = Kind.exam
            /// What it is about, such as `examroom/exam/EX-1#Q-1`.
            package internal(set) var record = ""
            package internal(set) var names: [String] = []
            package internal(set) var contenders: [Contender] = []
            /// The deletion's command id, null but for edit-delete.
            package internal(set) var deletion: String?
            package internal(set) var resolution = Resolution.automatic
            /// Of an automatic one, the command that wins.
            package internal(set) var winner: String?
            package internal(set) var choices: [Option] = []

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("conflict", &conflict)
                if version < 2 {
                    coder.field("kind", &kind, as: FirstCases<9, Kind>.self)
                } else {
                    coder.field("kind", &kind)
                }
                coder.field("record", &record)
                coder.field("fields", &names)
                coder.field("contenders", &contenders)
                coder.field("deletion", &deletion)
                coder.field("resolution", &resolution)
                coder.field("winner", &winner)
                coder.field("choices", &choices)
            }
        }

        /// An admin chose how to settle the conflict (R45).
        package struct Resolved: Payload {
            package static let type = "examroom.conflict.resolved"
            package static let streams = ["conflict"]
            package static let sentence = "An admin settled a conflict."
            package static let rules = [45]
            package static let significance = Significance.administrative
            package internal(set) var conflict = ConflictID.none
            package internal(set) var choice = Option.keep

            package init() {}
        }
    }
}

extension ExamRoom.Conflict.Detected: NamesPeople {
    /// Those who wrote, and whose account or seat it was.
    package func people(_ names: Names) -> [String] {
        var found = contenders.compactMap { contender in
            names.text(contender.by).split(separator: ":", maxSplits: 1).dropFirst().first
        }
        let parts = record.split(separator: "/")
        if parts.count == 3, parts[1] == "account" { found.append(parts[2]) }
        if parts.count == 4, parts[1] == "seat" { found.append(parts[3]) }
        return found.map { String($0) }
    }
}
