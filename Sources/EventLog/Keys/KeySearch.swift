import Core
import Glibc

/// Looks for persons' keys in every file under a directory, whatever its name and form: for slots, of which
/// the 16 bytes that name the person are known, and for the keys' lines of plain exports. What is packed or
/// encrypted by others it cannot see.
package struct KeySearch {
    /// What identifies a person, and how a key is written beside it.
    private struct Mark {
        let bytes: [UInt8]
        let person: Int
        let isLine: Bool
    }

    private var marks: [Mark] = []
    /// Marks by their first two bytes, which pass over nearly all places.
    private var beginnings: [[Int]] = Array(repeating: [], count: 1 << 16)
    private let count: Int

    /// `persons`: the names of each one's keys. `identity`: the journal's, in hexadecimal.
    package init(_ persons: [[PersonKeys.Name]], of identity: String) {
        let identity = Hex.bytes(identity) ?? []
        count = persons.count
        for (person, names) in persons.enumerated() {
            for name in names {
                add(Mark(bytes: PersonKeys.hash(name, identity), person: person, isLine: false))
                var json = JSONWriter()
                json.string(name.text)
                add(Mark(bytes: json.bytes, person: person, isLine: true))
            }
        }
    }

    private mutating func add(_ mark: Mark) {
        beginnings[Int(mark.bytes[0]) << 8 | Int(mark.bytes[1])].append(marks.count)
        marks.append(mark)
    }

    /// For each person the files with a key of theirs, by their paths below the directory, in order.
    package func files(under directory: String) throws(JournalError) -> [[String]] {
        var found: [[String]] = Array(repeating: [], count: count)
        try search(directory, "", &found)
        return found
    }

    /// The persons of whom a key stands in these bytes.
    package func persons(in bytes: [UInt8]) -> Set<Int> {
        var found: Set<Int> = []
        look(in: bytes.span, bytes.indices, &found)
        return found
    }

    /// Links to directories are not followed, which might lead in a circle.
    private func search(
        _ directory: String, _ prefix: String, _ found: inout [[String]]
    ) throws(JournalError) {
        for name in try FileSystem.names(in: directory) {
            let path = "\(directory)/\(name)"
            switch try FileSystem.entry(at: path) {
            // Has no key, and may not be opened.
            case .file where EnvironmentRegistry.isLockFile(path): break
            case .file:
                for person in try persons(in: path) { found[person].append(prefix + name) }
            case .directory where try !FileSystem.isLink(path):
                try search(path, "\(prefix)\(name)/", &found)
            case .directory, .nothing, .other: break
            }
        }
    }

    private static let step = 1 << 20
    /// As much as is looked at before a mark: a key's line up to the name, with some white space; and behind it.
    private static let before = 64 + 64
    private static let behind = 60
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private func persons(in path: String) throws(JournalError) -> [Int] {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // A writer may have put it in another's place meanwhile.
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let longest = marks.map(\.bytes.count).max() ?? 0
        var found: Set<Int> = []
        var start = 0
        while true {
            let first = max(0, start - Self.before)
            let window = try FileSystem.read(
                start - first + Self.step + longest + Self.behind, from: descriptor, at: first, path
            )
            let end = min(window.count, start - first + Self.step)
            if end <= start - first { break }
            look(in: window.span, (start - first)..<end, &found)
            start += Self.step
        }
        return found.sorted()
    }

    private func look(in window: Span<UInt8>, _ places: Range<Int>, _ found: inout Set<Int>) {
        for place in places where place + 1 < window.count {
            let beginning = Int(window[place]) << 8 | Int(window[place + 1])
            for index in beginnings[beginning] where !found.contains(marks[index].person) {
                let mark = marks[index]
                let end = place + mark.bytes.count
                guard end <= window.count,
                    mark.bytes.indices.allSatisfy({ mark.bytes[$0] == window[place + $0] }),
                    mark.isLine
                        ? isKeyLine(window, place) : isKey(window, end)
                else { continue }
                found.insert(mark.person)
            }
        }
    }

    /// Behind the person's name of a slot stands the wrapped key: anything but zeros may be of it.
    private func isKey(_ window: Span<UInt8>, _ end: Int) -> Bool {
        (end..<min(window.count, end + Self.behind)).contains { window[$0] != 0 }
    }

    /// `"key":"64 digits","person":` stands before the person's name, with white space between them or without.
    private func isKeyLine(_ window: Span<UInt8>, _ place: Int) -> Bool {
        var end = place
        func passBack(_ text: String) -> Bool {
            while end > 0, window[end - 1] == UInt8(ascii: " ") { end -= 1 }
            let bytes = Array(text.utf8)
            guard end >= bytes.count,
                bytes.indices.allSatisfy({ window[end - bytes.count + $0] == bytes[$0] })
            else { return false }
            end -= bytes.count
            return true
        }
        guard passBack(":"), passBack(#""person""#), passBack(","), passBack("\""), end >= 64,
            (end - 64..<end).allSatisfy({ Self.hexDigits.contains(window[$0]) })
        else { return false }
        end -= 64
        return passBack("\"") && passBack(":") && passBack(#""key""#)
    }
}
