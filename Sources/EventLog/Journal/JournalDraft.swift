import Core
import Glibc

/// A journal that an import or a restore fills: no journal until `publish`, whatever ends the program
/// before. Nobody else may fill it meanwhile.
package final class JournalDraft: Sendable {
    private let directory: JournalDirectory
    private let draft: JournalDirectory.Draft?

    package var path: String { directory.path }

    /// `identity`: 32 hexadecimal digits, of the journal in whose place it comes; nil for a new one.
    package init(
        at path: String, restoring identity: String? = nil, lead: Lead
    ) throws(JournalError) {
        directory = JournalDirectory(path: path)
        var plan = JournalDirectory.Plan(lead: lead, isDraft: true)
        if let identity {
            guard let bytes = Hex.bytes(identity), bytes.count == 16 else {
                throw .invalid("\(identity) is not the identity of a journal")
            }
            plan.identity = bytes
        }
        try directory.refuseBusy()
        draft = try directory.create(plan)
    }

    deinit {
        if let draft { close(draft.lock) }
    }

    /// Makes a journal of it; durable on return.
    package func publish() throws(JournalError) { try directory.publish() }

    /// Takes it away, so that nothing is left of it.
    package func discard() {
        // Published, and it could not be undone: then it is a journal, and whole.
        if (try? FileSystem.exists(directory.formatPath)) != false { return }
        // Whoever waits for that lock begins a draft once it has no name, or is let go: nothing of theirs is taken away here.
        let lock = WriterLock(at: directory.lockPath)
        let isLocked = (try? lock.lock(waitMilliseconds: 10_000)) != nil
        defer { if isLocked { lock.unlock() } }
        if draft?.hadMasterKey == false { try? SecretFile.destroy(path + "/master.key") }
        try? directory.clearDraft()
        if isLocked { _ = unsafe unlink(directory.lockPath) }
        if draft?.hadDirectory == false { _ = unsafe rmdir(path) }
    }
}
