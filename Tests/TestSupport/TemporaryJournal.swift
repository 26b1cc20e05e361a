import Products
package import Engine
import Foundation

/// A journal in a throw-away directory that is gone with the last reference to it; in memory where
/// there is such a place, since tests of contents need no disk.
package final class TemporaryJournal: Sendable {
    private let folder: String
    package let path: String

    /// An empty journal.
    package convenience init() throws {
        try self.init(unmade: ())
        try EventEngine.create(at: path, isSimulated: true)
    }

    /// A place for a journal that the test makes itself, such as by an import.
    package static func unmade() throws -> TemporaryJournal {
        try TemporaryJournal(unmade: ())
    }

    private init(unmade: Void) throws {
        let manager = FileManager.default
        let base = manager.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        folder = "\(base)/sijill-test-\(UInt64.random(in: 0 ... .max))"
        path = folder + "/journal"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? remove() }

    /// For one that lives as long as the process.
    func remove() throws { try FileManager.default.removeItem(atPath: folder) }

    /// Another engine over it.
    package func open() throws -> EventEngine {
        try EventEngine(at: path)
    }
}
