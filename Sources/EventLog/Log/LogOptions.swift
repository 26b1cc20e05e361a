extension WriteAheadLog {
    /// When it is used.
    package struct Options: Hashable, Sendable {
        /// A program that appends this often, and nobody else in between, begins to use it.
        var commitsBefore = 8
        /// Bytes of the area of records.
        var areaBytes = 1 << 20
        /// Commits to `journal.mdb`, and bytes of the log, after which `journal.mdb` is flushed beside the appends.
        var commitsPerCheckpoint = 64
        var bytesPerCheckpoint = 1 << 18
        /// False: only where the log has no room left.
        var hasCheckpoints = true

        /// Frames, and bytes of them, that wait at most to be put into `journal.mdb`, and how long nobody appends before
        /// they are.
        var mostWaiting = 16
        var mostWaitingBytes = 1 << 16
        var waitMilliseconds = 5

        /// How long nobody appends before it comes to rest: until then pages that were freed stay in use.
        var idleMilliseconds = 200

        /// After so many an append waits for that flush: all pages that they freed are kept until then.
        var mostCommits: Int { hasCheckpoints ? commitsPerCheckpoint * 4 : .max }

        /// What is longer is appended to `journal.mdb` alone.
        var mostRecordBytes: Int { areaBytes / 4 }

        init() {}

        /// Each commit is flushed by LMDB.
        package static let off = {
            var options = Options()
            options.commitsBefore = .max
            return options
        }()

        /// Where the tail is sealed early, as tests do, the log is used early, too.
        init(beside sealing: Sealing) {
            commitsBefore = min(commitsBefore, sealing.segmentEvents / 1024)
            commitsPerCheckpoint = min(commitsPerCheckpoint, max(2, sealing.segmentEvents / 4))
        }
    }
}
