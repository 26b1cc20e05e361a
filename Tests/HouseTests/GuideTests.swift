import Foundation
import TestSupport
import Testing

/// A paper beside the code, and what of the tree it names.
struct Guide {
    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        text = try Tree.text(path)
    }

    /// Papers about the tree as it is.
    static func present() throws -> [Guide] {
        let pages = Tree.files("docs", ".md").filter { !$0.hasPrefix("docs/contract/") }
        let others = [
            "README.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md",
            "Tests/Torture/README.md",
        ]
        return try (others + pages).map { try Guide($0) }
    }

    /// What was decided and when. A place that has moved since keeps the name that it had, unless the whole
    /// path is given.
    static func decisions() throws -> [Guide] { try Tree.files("ADR", ".md").map { try Guide($0) } }

    var folder: String { path.contains("/") ? path.replacing(/[^\/]*$/, with: "") : "" }

    /// The targets of links to other files.
    var links: [String] {
        text.matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
            let target = match.output.1.prefix { $0 != "#" }
            return target.isEmpty || target.contains(":") ? nil : String(target)
        }
    }

    /// The words between backticks that are made as paths are, each up to the first part that stands for
    /// many: `Sources/Events/PRODUCT` and `Sources/*/Learnable` name `Sources/Events` and `Sources`.
    var paths: [String] {
        text.matches(of: /`([^`\n]+)`/).flatMap { $0.output.1.split(separator: " ") }.compactMap {
            guard $0.wholeMatch(of: /[\w.+*…\/-]+/) != nil else { return nil }
            let parts = $0.split(separator: "/").prefix { part in
                !["*", "…", "PRODUCT", "Noun"].contains { part.contains($0) }
            }
            return parts.isEmpty ? nil : parts.joined(separator: "/")
        }
    }
}

/// The files and folders of the tree, as papers and comments name them.
struct Places {
    static let roots = [
        "Sources", "Tests", "Scripts", "Benchmarks", "Examples", "docs", "ADR", "audit",
        "snapshots", ".ci",
    ]
    private let names: Set<String>
    private let rooms: Set<String>

    init() {
        let files = Self.roots.flatMap { Tree.files($0) }
        names = Set(files.map { URL(filePath: $0).lastPathComponent })
        rooms = Set(
            files.compactMap { file in
                let parts = file.split(separator: "/")
                guard parts.count > 2, ["Sources", "Tests"].contains(parts[0]) else { return nil }
                return String(parts[1])
            })
    }

    /// Whether a word means a place in the tree, not one in a journal or a stream: it begins with one of our
    /// folders, or is a file that somebody wrote.
    func isMeant(_ path: String) -> Bool {
        let first = path.split(separator: "/").first.map { String($0) } ?? ""
        let isInside = path.contains("/") && (Self.roots.contains(first) || rooms.contains(first))
        return isInside || path.contains(/\w\.(swift|md|py|sh)$/)
    }

    /// A path may be given from the root, from `Sources` or `Tests`, or from the folders named; a file by its name alone.
    func isThere(_ path: String, from folders: [String] = []) -> Bool {
        (["", "Sources/", "Tests/"] + folders).contains { Tree.exists($0 + path) }
            || !path.contains("/") && names.contains(path)
    }
}

@Suite struct `The guides` {
    private let places = Places()

    @Test func `link to files that are there`() throws {
        let contract = try Tree.files("docs/contract", ".md").map { try Guide($0) }
        var count = 0
        for guide in try Guide.present() + Guide.decisions() + contract {
            for link in guide.links {
                count += 1
                #expect(Tree.exists(guide.folder + link), "\(guide.path): \(link)")
            }
        }
        #expect(count > 100, "few were found: \(count)")
    }

    @Test func `name files and folders that are there`() throws {
        var count = 0
        for guide in try Guide.present() {
            for path in guide.paths where places.isMeant(path) {
                count += 1
                #expect(places.isThere(path, from: [guide.folder]), "\(guide.path): \(path)")
            }
        }
        #expect(count > 200, "few were found: \(count)")
    }

    @Test func `that tell of decisions give whole paths only of what is there`() throws {
        for guide in try Guide.decisions() {
            for path in guide.paths
            where path.contains(/^(Sources|Tests|Scripts)\//) {
                #expect(Tree.exists(path), "\(guide.path): \(path)")
            }
        }
    }
}
