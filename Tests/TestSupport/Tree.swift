package import Foundation

/// The checkout that the tests stand in.
package enum Tree {
    package static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    package static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    package static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    /// The files below a folder whose names end so, as paths from the root, sorted.
    package static func files(_ folder: String, _ ending: String = "") -> [String] {
        let start = root.appending(path: folder)
        guard let walker = FileManager.default.enumerator(atPath: start.path) else { return [] }
        var found: [String] = []
        for case let path as String in walker where path.hasSuffix(ending) {
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(
                atPath: start.path + "/" + path, isDirectory: &isFolder)
            if !isFolder.boolValue { found.append("\(folder)/\(path)") }
        }
        return found.sorted()
    }
}
