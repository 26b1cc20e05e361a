/// What becomes of the log when `journal.mdb` cannot be flushed.
extension WriteAheadLog {
    /// Of whoever comes after such a failure.
    var failedBefore: JournalError {
        JournalError(
            .inputOutput, "\(path): journal.mdb could not be flushed before",
            advice: "check the disk, end all programs that use the journal, then start them again")
    }

    /// Flushes `journal.mdb`. After a failure nobody may do so with success: Linux forgets what it could not write, and
    /// a later flush would say that all is well. Only recovery writes it anew.
    func flushPages(
        _ state: inout State, _ environment: LMDBEnvironment
    ) throws(JournalError) {
        do throws(JournalError) {
            try environment.flush()
        } catch {
            noteFailure(&state)
            throw error
        }
    }

    /// The same beside the appends.
    func flushPages(_ environment: LMDBEnvironment) throws(JournalError) {
        do throws(JournalError) {
            try environment.flush()
        } catch {
            withState { noteFailure(&$0) }
            throw error
        }
    }

    /// LMDB's own flush failed, in a commit that is not logged.
    func noteFailedFlush() { withState { noteFailure(&$0) } }

    private func noteFailure(_ state: inout State) {
        guard var header = state.header, header.isInUse, state.descriptor >= 0 else { return }
        header.hasFailed = true
        header.sequence += 1
        // One that waits for its flush is not written over the one that counts until then.
        if state.next != nil { try? FileSystem.flushData(state.descriptor, path) }
        if (try? header.write(to: state.descriptor, path)) != nil { state.header = header }
        try? FileSystem.flushData(state.descriptor, path)
    }
}
