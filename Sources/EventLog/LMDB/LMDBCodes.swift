import CLMDB
import Glibc

/// The code of an error that a larger map would cure.
let mapFullCode = MDB_MAP_FULL

/// Which file an environment is, and so who is to blame for damage in it.
enum StoreFile: Sendable {
    case journal
    case views

    func damaged(_ what: String) -> JournalError {
        switch self {
        case .journal: .damaged(what)
        case .views:
            JournalError(
                .viewsDamaged, "the stored views are damaged: \(what)",
                advice: "make them again with rebuild; the journal is not affected")
        }
    }
}

extension JournalError {
    /// The error of a C call: `code` is LMDB's own (negative) or the system's.
    static func failed(
        _ operation: String, _ code: CInt, in file: StoreFile, at path: String
    ) -> JournalError {
        let text = unsafe mdb_strerror(code).map { unsafe String(cString: $0) } ?? ""
        let what = "\(path): \(operation) failed: \(text) (code \(code))"
        switch code {
        case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_INCOMPATIBLE, MDB_NOTFOUND,
            MDB_CURSOR_FULL, MDB_PAGE_FULL, MDB_BAD_DBI:
            return file.damaged(what).with(code)
        case MDB_VERSION_MISMATCH:
            return JournalError(
                .newerFormat, what, advice: "use the version of the program that wrote it",
                code: code)
        case MDB_MAP_FULL:
            return JournalError(
                .full, what, advice: "no more address space for it; close other snapshots",
                code: code)
        case MDB_READERS_FULL:
            return JournalError(
                .busy, what, advice: "end some of the programs that read it", code: code)
        case MDB_BAD_VALSIZE:
            return JournalError(
                .tooLarge, what, advice: "use a shorter key or value", code: code)
        case MDB_PANIC:
            return JournalError(
                .inputOutput, what, advice: "check the disk, then start the program again",
                code: code)
        default:
            return failed(what: what, errno: code)
        }
    }

    /// The error of a system call.
    static func failed(_ operation: String, at path: String, errno code: CInt) -> JournalError {
        let text = unsafe strerror(code).map { unsafe String(cString: $0) } ?? ""
        return failed(what: "\(path): \(operation) failed: \(text)", errno: code)
    }

    private static func failed(what: String, errno code: CInt) -> JournalError {
        switch code {
        case ENOSPC, EDQUOT, EFBIG:
            JournalError(.full, what, advice: "make room and try again", code: code)
        case EACCES, EPERM:
            JournalError(
                .permission, what, advice: "run it as the journal's owner", code: code)
        case EROFS:
            JournalError(
                .readOnly, what, advice: "the file system is mounted read-only", code: code)
        case ENOMEM:
            JournalError(
                .inputOutput, what, advice: "give the process more memory", code: code)
        case EMFILE, ENFILE, EAGAIN, EBUSY:
            JournalError(.busy, what, advice: "try again later", code: code)
        default:
            JournalError(
                .inputOutput, what, advice: "check the disk and the path", code: code)
        }
    }

    func with(_ code: CInt) -> JournalError {
        JournalError(kind, what, advice: advice, code: code)
    }
}
