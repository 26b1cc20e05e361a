import Engine
import EventLog

/// A node's journal, opened for reading whether or not the node runs, and the log that its frames go to.
struct NodeFiles {
    let journal: Journal
    let settings: LogSettings
    let log: any SharedFrameLog

    /// Throws `noJournal` where there is none, and `wrongUse` where it stands alone.
    init(_ directory: String) throws(EngineError) {
        let settings: LogSettings?
        do throws(JournalError) {
            journal = try Journal(at: directory, access: .readOnly)
            settings = try LogSettings.read(in: directory)
        } catch {
            throw .wrapping(error)
        }
        guard let settings else {
            throw EngineError(
                .wrongUse,
                "\(directory): its frames go to no log; join a cluster with `sijilld cluster join`")
        }
        self.settings = settings
        do throws(JournalError) {
            log = try SharedFrameLogs.open(settings, of: journal.identity)
        } catch {
            throw .wrapping(error)
        }
    }
}
