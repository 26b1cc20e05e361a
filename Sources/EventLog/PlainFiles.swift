/// Small text files beside the journal: checkpoints, receipts, manifests.
package enum PlainFiles {
    /// The names in a directory, sorted; none if it is not there.
    package static func names(in path: String) throws(JournalError) -> [String] {
        guard case .directory = try FileSystem.entry(at: path) else { return [] }
        return try FileSystem.names(in: path)
    }

    /// The whole of a file; nil if there is none.
    package static func read(_ path: String, atMost limit: Int) throws(JournalError) -> [UInt8]? {
        let bytes = try FileSystem.read(path, atMost: limit)
        if let bytes, bytes.count > limit {
            throw JournalError(
                .invalid, "\(path) is longer than \(limit) bytes", advice: "name the right file")
        }
        return bytes
    }

    /// Makes a directory for its owner only, unless it is there.
    package static func makeDirectory(_ path: String) throws(JournalError) {
        if try FileSystem.makeDirectory(path) {
            try FileSystem.flush(FileSystem.parent(of: path))
        }
    }

    /// Writes a file in one step: whoever reads it finds the old bytes or the new. Durable on return.
    package static func replace(_ path: String, _ bytes: [UInt8]) throws(JournalError) {
        let newPath = path + ".new"
        try FileSystem.write(bytes, to: newPath)
        try FileSystem.rename(newPath, to: path)
        try FileSystem.flush(FileSystem.parent(of: path))
    }
}
