package import Core

extension ExamRoom {
    /// The move from the former system, one item a thing (R36, R37). Stream
    /// `examroom/migration/MIGRATION`.
    package enum Migration: Thing {
        package static let noun = "migration"; package static let isTagged = false

        package struct Begun: Payload {
            package static let type = "examroom.migration.begun"
            package static let streams = ["migration"]
            package static let sentence = "A migration began."
            package static let significance = Significance.administrative
            package private(set) var migration = MigrationID.none
            package private(set) var source = ""
            package private(set) var items: [Item.Listed] = []
            package private(set) var total = 0

            package init() {}

            package init(migration: MigrationID, source: String, items: [Item.Listed]) {
                self.migration = migration
                self.source = source
                self.items = items
                total = items.count
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("migration", &migration)
                coder.field("source", &source)
                coder.field("items", &items)
                coder.field("total", &total)
            }
        }

        package struct Finished: Payload {
            package static let type = "examroom.migration.finished"
            package static let streams = ["migration"]
            package static let sentence = "A migration was finished."
            package static let significance = Significance.administrative
            package private(set) var migration = MigrationID.none
            package private(set) var imported = 0
            package private(set) var skipped = 0
            /// Nothing is missing.
            package private(set) var verified = false
            /// Hashes of images, then ids of items (R37).
            package private(set) var missing: [String] = []

            package init() {}

            package init(migration: MigrationID, imported: Int, skipped: Int, missing: [String]) {
                self.migration = migration
                self.imported = imported
                self.skipped = skipped
                self.missing = missing
                verified = missing.isEmpty
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("migration", &migration)
                coder.field("imported", &imported)
                coder.field("skipped", &skipped)
                coder.field("verified", &verified)
                coder.field("missing", &missing)
            }
        }
    }

    /// Something that is to be moved; its content comes later and is known by its digest. Its events
    /// stand on the migration's stream.
    package enum Item: Thing {
        package static let noun = "item"; package static let isTagged = false

        package enum Kind: String, Choice {
            case account, exam, attempt, image
        }

        /// An item as the beginning of a migration lists it.
        package struct Listed: Record {
            package private(set) var item = ItemID.none
            package private(set) var kind = Kind.account
            package private(set) var digest = ""

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("item", &item)
                coder.field("kind", &kind)
                coder.field("digest", &digest)
            }
        }

        /// What an item became: an account, an exam, an attempt or an image.
        package enum Moved: Thing {
            package static let noun = "moved"; package static let isTagged = false
        }
        package typealias MovedID = Identifier<Moved>

        package struct Imported: Payload {
            package static let type = "examroom.item.imported"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration was imported."
            package private(set) var migration = MigrationID.none
            package private(set) var item = ItemID.none
            package private(set) var kind = Kind.account
            package private(set) var digest = ""
            package private(set) var thing = MovedID.none
            /// Its failures and this.
            package private(set) var tries = 0

            package init() {}

            package init(
                migration: MigrationID, item: ItemID, kind: Kind, digest: String, thing: MovedID,
                tries: Int
            ) {
                self.migration = migration
                self.item = item
                self.kind = kind
                self.digest = digest
                self.thing = thing
                self.tries = tries
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("migration", &migration)
                coder.field("item", &item)
                coder.field("kind", &kind)
                coder.field("digest", &digest)
                coder.field("thing", &thing)
                coder.field("tries", &tries)
            }
        }

        package struct Failed: Payload {
            package static let type = "examroom.item.failed"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration failed."
            package private(set) var migration = MigrationID.none
            package private(set) var item = ItemID.none
            package private(set) var reason = ""
            /// Its failures, this one included.
            package private(set) var tries = 0

            package init() {}

            package init(migration: MigrationID, item: ItemID, reason: String, tries: Int) {
                self.migration = migration
                self.item = item
                self.reason = reason
                self.tries = tries
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("migration", &migration)
                coder.field("item", &item)
                coder.field("reason", &reason)
                coder.field("tries", &tries)
            }
        }

        package struct Skipped: Payload {
            package static let type = "examroom.item.skipped"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration was skipped."
            package private(set) var migration = MigrationID.none
            package private(set) var item = ItemID.none

            package init() {}

            package init(migration: MigrationID, item: ItemID) {
                self.migration = migration
                self.item = item
            }

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.field("migration", &migration)
                coder.field("item", &item)
            }
        }
    }
}

extension ExamRoom.Attempt {
    /// An attempt that was sat in the former system: a score without paper and answers (R36).
    package struct Imported: Payload {
        package static let type = "examroom.attempt.imported"
        package static let streams = ["attempt"]
        package static let sentence = "A completed attempt was imported."
        package var attempt = ExamRoom.AttemptID.none
        package var exam = ExamRoom.ExamID.none
        package var student = ExamRoom.StudentID.none
        package var migration = ExamRoom.MigrationID.none
        package var how = How.student
        package var startedAt = Instant.epoch
        package var closedAt = Instant.epoch
        package var localDate = LocalDate.epoch
        package var secondsTaken = 0
        package var score = 0
        package var maxScore = 0
        package var percent = Percent.zero
        package var passed = false

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("attempt", &attempt)
            coder.field("exam", &exam)
            coder.field("student", &student)
            coder.field("migration", &migration)
            coder.field("how", &how)
            coder.field("startedAt", &startedAt)
            coder.field("closedAt", &closedAt)
            coder.field("localDate", &localDate)
            coder.field("secondsTaken", &secondsTaken)
            coder.field("score", &score)
            coder.field("maxScore", &maxScore)
            coder.field("percent", &percent)
            coder.field("passed", &passed)
        }
    }
}
