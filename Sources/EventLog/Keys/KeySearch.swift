import Core
import Glibc

/// Looks for persons' keys in every file under a directory, whatever its name and form: for slots, of which
/// the 16 bytes that name the person are known, and for the keys' lines of plain exports. What is packed or
/// encrypted by others it cannot see.
package struct KeySearch {
    /// A slot's person: the second half of what names them, and their number.
    private struct Slot {
        let rest: UInt64
        let person: Int
    }

    /// By the first half of what names a person in a slot.
    private var slots: [UInt64: Slot] = [:]
    /// Which first two bytes of slots there are: they pass over nearly all places where few persons are looked for.
    private var beginnings = Array(repeating: false, count: 1 << 16)
    /// Persons by the hash of their name as JSON.
    private var names: [UInt64: Int] = [:]
    private var longestName = 0
    private let count: Int

    /// `persons`: the names of each one's keys. `identity`: the journal's, in hexadecimal.
    package init(_ persons: [[PersonKeys.Name]], of identity: String) {
        let identity = Hex.bytes(identity) ?? []
        count = persons.count
        for (person, keys) in persons.enumerated() {
            for name in keys {
                let mark = PersonKeys.hash(name, identity)
                let (first, rest) = Self.halves(mark.span, at: 0)
                slots[first] = Slot(rest: rest, person: person)
                beginnings[Int(mark[0]) << 8 | Int(mark[1])] = true
                var json = JSONWriter()
                json.string(name.text)
                names[XXH64.hash(json.bytes.span, seed: 0)] = person
                longestName = max(longestName, json.bytes.count)
            }
        }
    }

    private static func halves(_ bytes: Span<UInt8>, at place: Int) -> (UInt64, UInt64) {
        var offset = place
        let first = (try? bytes.fixed(8, &offset)) ?? 0
        return (first, (try? bytes.fixed(8, &offset)) ?? 0)
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
    /// Of what names a person in a slot.
    private static let markBytes = 16
    private static let hexDigits = Array("0123456789abcdef".utf8)

    private func persons(in path: String) throws(JournalError) -> [Int] {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        // A writer may have put it in another's place meanwhile.
        if descriptor < 0, errno == ENOENT { return [] }
        guard descriptor >= 0 else { throw .failed("opening", at: path, errno: errno) }
        defer { close(descriptor) }
        let longest = max(longestName, Self.markBytes)
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
            if window[place] == UInt8(ascii: "\""), let person = personOfLine(window, place) {
                found.insert(person)
            }
            let end = place + Self.markBytes
            guard beginnings[Int(window[place]) << 8 | Int(window[place + 1])],
                end <= window.count,
                case let (first, rest) = Self.halves(window, at: place),
                let slot = slots[first], slot.rest == rest, isKey(window, end)
            else { continue }
            found.insert(slot.person)
        }
    }

    /// Whose key's line it is, if the name of one who is looked for begins at `place`.
    private func personOfLine(_ window: Span<UInt8>, _ place: Int) -> Int? {
        guard isKeyLine(window, place) else { return nil }
        var end = place + 1
        while end < min(window.count, place + longestName) {
            if window[end] == UInt8(ascii: "\"") {
                return names[XXH64.hash(window.extracting(place...end), seed: 0)]
            }
            end += window[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
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
