package import Core
import Cryptography

/// The world failing beneath the journal: what happened, where, and what to do about it.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for a program; the CLI maps it to an exit code.
    package enum Kind: Hashable, Sendable {
        /// There is no journal at the path.
        case notAJournal
        /// Something is there already; it was not changed.
        case alreadyThere
        /// A later version of the program wrote it.
        case newerFormat
        case permission
        /// LMDB must not run on a network file system.
        case networkFileSystem
        /// Another process or thread holds what is needed; trying again later may succeed.
        case busy
        /// Stored bytes are not what was written; at or after this position, if it is known.
        case damaged(Position?)
        /// `views.mdb` is unusable; it can be made again from the journal.
        case viewsDamaged
        /// No space left on the device.
        case full
        case inputOutput
        /// A condition of the append does not hold; nothing was recorded.
        case conflict(Conflict)
        case tooLarge
        case cannotCreate
        /// It was opened for reading only.
        case readOnly
        /// There is no copy of persons' keys where one was named.
        case noKeys(path: String)
        /// The caller's request makes no sense to the journal; nothing was recorded.
        case invalid
    }

    /// The first condition of an append that did not hold.
    package enum Conflict: Hashable, Sendable {
        /// The journal's head is elsewhere than expected.
        case head(actual: Position)
        /// The stream has this many events.
        case revision(stream: Symbol, actual: UInt32)
        /// An event that should not exist stands here.
        case event(at: Position)
        /// The command with this index in the batch has been accepted before.
        case command(index: Int)
        /// Others interned symbols or types in the meantime; read the head again.
        case numbers
        /// Time has already come further than the batch says.
        case clock
        /// The journal is of a later term.
        case term
    }

    package let kind: Kind
    /// What happened and where, without a full stop.
    package let what: String
    /// What to do about it, in the imperative.
    package let advice: String
    /// The C library's code (LMDB's are negative, the system's positive), or 0.
    package let code: Int32

    package init(_ kind: Kind, _ what: String, advice: String, code: Int32 = 0) {
        self.kind = kind
        self.what = what
        self.advice = advice
        self.code = code
    }

    /// One line, whatever the path or the operating system said.
    package var description: String {
        var line = ""
        for scalar in "\(what); \(advice)".unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            line.unicodeScalars.append(isControl ? "?" : scalar)
        }
        return line
    }

    /// Whether a condition of the append did not hold.
    package var isConflict: Bool {
        if case .conflict = kind { return true }
        return false
    }

    /// Whether the stored bytes are to blame, be it the journal's or the views'.
    package var isDamage: Bool {
        switch kind {
        case .damaged, .viewsDamaged: true
        default: false
        }
    }

    package static func damaged(_ what: String, at position: Position? = nil) -> JournalError {
        let place = position.map { " at position \($0.number)" } ?? ""
        return JournalError(
            .damaged(position), "the journal is damaged\(place): \(what)",
            advice: "run verify, then restore from a backup")
    }

    /// A cipher could not be used: that says nothing of the bytes it was to open.
    static func unable(_ action: String, _ error: CryptographyError) -> JournalError {
        JournalError(
            .inputOutput, "\(action) failed: \(error)",
            advice: "give the process more memory, and see whether libssl3 is whole")
    }

    package static func invalid(_ what: String) -> JournalError {
        JournalError(
            .invalid, what, advice: "this is a defect of the program; nothing was recorded")
    }

    static func tooLarge(_ what: String) -> JournalError {
        JournalError(.tooLarge, what, advice: "split or shorten it; nothing was recorded")
    }
}
