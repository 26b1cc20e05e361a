import Foundation
import TestSupport
import Testing

@Suite struct `The library` {
    /// A declaration that a client sees, and whether a comment says what it is.
    struct Declaration {
        let place: String
        let text: String
        let isDocumented: Bool
    }

    /// What a protocol asks for.
    private static var requirement: Regex<(Substring, Substring)> {
        /^(?:static |mutating )*(?:func|var|init|associatedtype)\b *(\w*)/
    }

    /// The public declarations of a file: those that say so, the cases of public enumerations, and what public
    /// protocols ask for.
    static func publicDeclarations(_ file: SourceFile) throws -> [Declaration] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [Declaration] = []
        var depth = 0
        /// How deep the members of public enumerations and protocols lie.
        var open: [(depth: Int, isProtocol: Bool)] = []
        for (index, line) in lines.enumerated() {
            let text = line.drop(while: \.isWhitespace)
            let isComment = text.hasPrefix("//")
            if !isComment {
                let isMember = open.last.map { scope in
                    scope.depth == depth
                        && (text.hasPrefix("case ")
                            || scope.isProtocol && text.contains(Self.requirement))
                }
                let isPublic =
                    text.hasPrefix("public ") && !text.contains(/^public (import|extension)\b/)
                if isPublic || isMember ?? false {
                    let above = lines[..<index].reversed().map { $0.drop(while: \.isWhitespace) }
                    let comment = above.first { !$0.hasPrefix("@") }
                    found.append(
                        Declaration(
                            place: "\(file.path):\(index + 1)", text: String(text),
                            isDocumented: comment?.hasPrefix("///") == true))
                }
            }
            guard !isComment else { continue }
            let before = depth
            depth += line.count { $0 == "{" } - line.count { $0 == "}" }
            if depth > before, text.contains(/^public (indirect )?(enum|protocol)\b/) {
                open.append((depth, text.contains(/\bprotocol\b/)))
            }
            while let last = open.last, depth < last.depth { open.removeLast() }
        }
        return found
    }

    /// Where anything is public. Products and what lies behind the engine are the package's own.
    private static let rooms = [
        "Core", "Folding", "Commands", "Projections", "Engine", "EngineObservability", "Events",
    ]

    @Test func `says of every public declaration what it is`() throws {
        let files = try Self.rooms.flatMap { try SourceFile.all("Sources/\($0)") }
        let declarations = try files.flatMap { try Self.publicDeclarations($0) }
        // What a protocol asks for is described there, not once more where it is implemented.
        var described: Set<Substring> = ["==", "<", "hash", "description"]
        for declaration in declarations where declaration.isDocumented {
            if let match = declaration.text.firstMatch(of: Self.requirement) {
                described.insert(match.output.1.isEmpty ? "init" : match.output.1)
            }
        }
        for declaration in declarations where !declaration.isDocumented {
            let match = declaration.text.firstMatch(
                of: /^public .*?\b(?:func|var|let|init|typealias)\b *(\w+|[=<]+|)/)
            let name = match.map { $0.output.1.isEmpty ? "init" : $0.output.1 }
            #expect(
                name.map(described.contains) ?? false,
                "\(declaration.place): \(declaration.text)")
        }
        #expect(declarations.count > 1000, "few were found: \(declarations.count)")
    }

    @Test func `knows neither options nor exit codes of replay`() throws {
        let forbidden = [
            "\"[^\"]*--[a-z]", "\"[^\"]*`?replay [a-z]", "\\bexitCode\\b", "\\bgetenv\\b",
        ]
        for file in try ["Engine", "EventLog", "Proofs"].flatMap({
            try SourceFile.all("Sources/\($0)")
        }) {
            for pattern in forbidden where !file.path.hasSuffix("/MasterKey.swift") {
                let found = try file.matches(pattern)
                #expect(found.isEmpty, "\(found.map(\.place)): \(pattern)")
            }
        }
    }

    @Test func `needs no Foundation, and has one place for every clock`() throws {
        for file in try SourceFile.all("Sources/Engine") {
            #expect(try file.matches("import Foundation").isEmpty, "\(file.path)")
            guard !file.path.hasSuffix("/WallClock.swift") else { continue }
            let found = try file.matches("\\bCLOCK_|\\b(Continuous|Suspending)Clock\\b")
            #expect(found.isEmpty, "\(found.map(\.place))")
        }
    }

    @Test func `swallows no failure unseen`() throws {
        // Where "no" is the answer: texts that may have another form.
        let readings = ["JSON(parsing:", "work.value.encode"]
        for file in try SourceFile.all("Sources/Engine") {
            for (number, line) in file.code where line.contains(#/\btry\? /#) {
                #expect(
                    readings.contains { line.contains($0) },
                    "\(file.path):\(number): tell it to the observer")
            }
        }
    }

    @Test func `has the pages of docs as its articles`() throws {
        let catalogue = Tree.root.appending(path: "Sources/Engine/Engine.docc")
        let names = try FileManager.default.contentsOfDirectory(atPath: catalogue.path)
            .filter { $0.hasSuffix(".md") && $0 != "Engine.md" }
        #expect(names.count >= 5)
        let index = try Tree.text("Sources/Engine/Engine.docc/Engine.md")
        for name in names {
            let path = catalogue.appending(path: name).path
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            #expect(target == "../../../docs/\(name)")
            #expect(Tree.exists("docs/\(name)"))
            #expect(index.contains("<doc:\(name.dropLast(3))>"), "\(name) is in no topic")
        }
        for match in index.matches(of: /<doc:([a-z-]+)>/) {
            #expect(names.contains("\(match.output.1).md"))
        }
    }

    @Test func `lists every public type among its topics`() throws {
        let index = try Tree.text("Sources/Engine/Engine.docc/Engine.md")
        let pattern = "^public (?:indirect |final )?(?:struct|class|enum|protocol) (\\w+)"
        for file in try SourceFile.all("Sources/Engine") {
            for (place, name) in try file.matches(pattern) {
                #expect(index.contains("- ``\(name)``"), "\(place): \(name)")
            }
        }
    }
}
