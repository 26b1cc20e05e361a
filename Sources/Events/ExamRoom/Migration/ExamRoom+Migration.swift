package import Core

extension ExamRoom {
    /// The move from the former system, one item a thing (R36, R37). Stream
    /// `examroom/migration/MIGRATION`.
    package enum Migration: Thing {
        package static let noun = "migration"; package static let isTagged = false

        /// The migration began with the list of its items (R37).
        package struct Begun: Payload {
            package static let type = "examroom.migration.begun"
            package static let streams = ["migration"]
            package static let sentence = "A migration began."
            package static let rules = [37]
            package static let significance = Significance.administrative
            package internal(set) var migration = MigrationID.none
            package internal(set) var source = ""
            package internal(set) var items: [Item.Listed] = []
            package internal(set) var total = 0

            package init() {}

            package init(migration: MigrationID, source: String, items: [Item.Listed]) {
                self.migration = migration
                self.source = source
                self.items = items
                total = items.count
            }
        }

        /// Every item is imported or skipped; what is missing is listed (R37).
        package struct Finished: Payload {
            package static let type = "examroom.migration.finished"
            package static let streams = ["migration"]
            package static let sentence = "A migration was finished."
            package static let rules = [37]
            package static let significance = Significance.administrative
            package internal(set) var migration = MigrationID.none
            package internal(set) var imported = 0
            package internal(set) var skipped = 0
            /// Nothing is missing.
            package internal(set) var verified = false
            /// Hashes of images, then ids of items (R37).
            package internal(set) var missing: [String] = []

            package init() {}

            package init(migration: MigrationID, imported: Int, skipped: Int, missing: [String]) {
                self.migration = migration
                self.imported = imported
                self.skipped = skipped
                self.missing = missing
                verified = missing.isEmpty
            }
        }
    }
}
