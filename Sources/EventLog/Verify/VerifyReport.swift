package import Core

/// What a check of the whole journal found.
package struct VerifyReport: Hashable, Sendable {
    /// One thing that is not as it should be.
    package struct Finding: Hashable, Sendable {
        /// The database: `frames`, `symbols`, …
        package let database: String
        /// At or after this position, if it is known.
        package let position: Position?
        package let what: String
    }

    package internal(set) var head: Head
    package internal(set) var frames: UInt64 = 0
    package internal(set) var events: UInt64 = 0
    /// Of a journal that is whole.
    package internal(set) var streams: UInt64 = 0
    package internal(set) var symbols = 0
    package internal(set) var types = 0
    package internal(set) var commands = 0
    package internal(set) var blocks: UInt64 = 0
    /// Entries of all segments.
    package internal(set) var indexEntries: UInt64 = 0
    /// The first hundred findings, frames first.
    package internal(set) var findings: [Finding] = []
    /// All findings, those not listed included.
    package internal(set) var findingCount = 0

    init(head: Head) {
        self.head = head
    }

    /// The report on a file whose pages are damaged, so that its records were not read.
    init(_ damage: PageCheck.Damage) {
        head = .empty
        findings = [
            Finding(database: damage.database, position: damage.position, what: damage.what)
        ]
        findingCount = 1
    }

    package var isWhole: Bool { findingCount == 0 }

    /// The least position that a finding names.
    package var firstDamaged: Position? { findings.compactMap(\.position).min() }
}

/// How large the journal is.
package struct Statistics: Hashable, Sendable {
    /// One database in `journal.mdb`.
    package struct Database: Hashable, Sendable {
        package let name: String
        package let entries: Int
        /// Bytes of all its pages.
        package let bytes: Int
    }

    package let databases: [Database]
    /// Length of `journal.mdb`.
    package let fileBytes: Int
    /// Bytes in the file that later appends will use again.
    package let freeBytes: Int
    /// Nil if every other program reads the newest state.
    package let oldestReader: OldestReader?
}
