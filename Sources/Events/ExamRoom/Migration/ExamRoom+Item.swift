package import Core

extension ExamRoom {
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
                coder.text("digest", &digest)
            }
        }

        /// What an item became: an account, an exam, an attempt or an image.
        package enum Moved: Thing {
            package static let noun = "moved"; package static let isTagged = false
        }
        package typealias MovedID = Identifier<Moved>

        /// An item became an account, an exam, an attempt or an image (R36).
        package struct Imported: Payload {
            package static let type = "examroom.item.imported"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration was imported."
            package static let rules = [36]
            package internal(set) var migration = MigrationID.none
            package internal(set) var item = ItemID.none
            package internal(set) var kind = Kind.account
            package internal(set) var digest = ""
            package internal(set) var thing = MovedID.none
            /// Its failures and this.
            package internal(set) var tries = 0

            package init() {}
        }

        /// An item could not be fetched or imported; it may be tried again (R36).
        package struct Failed: Payload {
            package static let type = "examroom.item.failed"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration failed."
            package static let rules = [36]
            package internal(set) var migration = MigrationID.none
            package internal(set) var item = ItemID.none
            package internal(set) var reason = ""
            /// Its failures, this one included.
            package internal(set) var tries = 0

            package init() {}
        }

        /// An item stays behind (R36).
        package struct Skipped: Payload {
            package static let type = "examroom.item.skipped"
            package static let streams = ["migration"]
            package static let sentence = "An item of a migration was skipped."
            package static let rules = [36]
            package internal(set) var migration = MigrationID.none
            package internal(set) var item = ItemID.none

            package init() {}
        }
    }
}

extension ExamRoom.Item.Imported: NamesPeople {
    /// Whose account was moved.
    package func people(_ names: Names) -> [String] {
        kind == .account ? [names.text(thing)] : []
    }
}
