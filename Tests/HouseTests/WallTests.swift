import Foundation
import TestSupport
import Testing

/// The products, as folders and modules spell them and as wire names do.
enum Products {
    static let names = ["Tafawoq", "Learnable", "QuranFlow", "ExamRoom"]
    static let rooms = ["Events", "Facts", "Commands", "Projections"]
    /// What every product stands on.
    static let foundation = ["Core", "Folding"]

    /// The products that have a folder in one of the rooms.
    static var built: [String] {
        names.filter { name in rooms.contains { Tree.exists("Sources/\($0)/\(name)") } }
    }
}

/// One file of the sources, its comments left out where only code counts.
struct SourceFile {
    let path: String
    let text: String

    init(_ path: String) throws {
        self.path = path
        text = try Tree.text(path)
    }

    init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// Every file of the project: what is shipped, and what tests, measures and shows it.
    static func everywhere() throws -> [SourceFile] {
        let folders = ["Sources", "Tests", "Benchmarks", "Examples"]
        return try folders.flatMap { Tree.files($0, ".swift") }.filter { !$0.contains("/.build/") }
            .map { try SourceFile($0) } + [SourceFile("Package.swift")]
    }

    static func all(_ folder: String) throws -> [SourceFile] {
        try Tree.files(folder, ".swift").map { try SourceFile($0) }
    }

    /// The lines that are not comments, with their numbers from 1.
    var code: [(number: Int, line: Substring)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
            let line = $0.element
            if line.drop(while: \.isWhitespace).hasPrefix("//") { return nil }
            return ($0.offset + 1, line)
        }
    }

    /// What a regular expression finds in the code, with where.
    func matches(_ pattern: String) throws -> [(place: String, text: String)] {
        let expression = try Regex(pattern)
        return code.flatMap { number, line in
            line.matches(of: expression).map { match in
                let captured = match.output.count > 1 ? match.output[1].substring : nil
                return ("\(path):\(number)", String(captured ?? line[match.range]))
            }
        }
    }
}

@Suite struct `The walls of the house` {
    @Test func `keep the products apart`() throws {
        for room in Products.rooms {
            for product in Products.names {
                let others = Products.names.filter { $0 != product }
                for file in try SourceFile.all("Sources/\(room)/\(product)") {
                    for other in others {
                        let found = try file.matches("(?i)\\b\(other)\\b")
                        #expect(found.isEmpty, "\(found.map(\.place)) mentions \(other)")
                    }
                }
            }
        }
    }

    @Test func `keep every product out of the foundation`() throws {
        let rooms = try Products.rooms.flatMap { try SourceFile.all("Sources/\($0)") }.filter {
            file in
            !Products.names.contains { file.path.contains("/\($0)/") }
        }
        let beneath = try (Products.foundation + ["EventLog", "Proofs"]).flatMap {
            try SourceFile.all("Sources/\($0)")
        }
        #expect(rooms.count > 15 && beneath.count > 150)
        for file in rooms + beneath {
            for product in Products.names {
                let found = try file.matches("\\b\(product)\\b|\"\(product.lowercased())\\.")
                #expect(found.isEmpty, "\(found.map(\.place)) mentions \(product)")
            }
        }
    }

    @Test func `give every wire name the folder of its product`() throws {
        var found = 0
        for room in Products.rooms {
            for file in try SourceFile.all("Sources/\(room)") {
                let folders = file.path.split(separator: "/")
                guard folders.count > 3, Products.names.contains(String(folders[2]))
                else { continue }
                let product = folders[2].lowercased()
                let types = try file.matches("static let type = \"([^\"]*)\"")
                let models = try file.matches("ReadModel(?:<[^(]*>)?\\(\\s*\"([^\"]*)\"")
                for (place, name) in types + models {
                    found += 1
                    let form = try Regex("\(product)(\\.[a-z]+(-[a-z]+)*)+")
                    #expect(name.wholeMatch(of: form) != nil, "\(place): \(name)")
                }
            }
        }
        #expect(found > 60)
    }

    @Test func `keep the clock, chance and Foundation out of the pure rooms`() throws {
        let forbidden = [
            "\\bDate\\(\\)", "\\bUUID\\(\\)", "\\.hashValue\\b", "import Foundation",
            "import Glibc", "\\.random\\(", "SystemRandomNumberGenerator", "\\bContinuousClock\\b",
            "\\bRandomBytes\\b", "randomByteCount",
            "\\bLocale\\b",
            "\\.shuffled\\(", "\\basync\\b", "\\bawait\\b",
        ]
        for room in Products.foundation + Products.rooms + ["Proofs"] {
            let files = try SourceFile.all("Sources/\(room)")
            #expect(!files.isEmpty)
            for file in files {
                for pattern in forbidden {
                    let found = try file.matches(pattern)
                    #expect(found.isEmpty, "\(found.map(\.place)): \(pattern)")
                }
            }
        }
    }

    @Test func `keep Foundation out of the journal and the ciphers`() throws {
        for room in ["EventLog", "Cryptography"] {
            let files = try SourceFile.all("Sources/\(room)")
            #expect(!files.isEmpty)
            for file in files {
                let found = try file.matches("import Foundation")
                #expect(found.isEmpty, "\(found.map(\.place))")
            }
        }
    }

    @Test func `call each library of the system in one room`() throws {
        let rooms = [
            "COpenSSL": "Cryptography", "CLMDB": "EventLog", "CZstd": "EventLog",
            "CPQ": "PostgreSQL", "CNATS": "NATS",
        ]
        for file in try SourceFile.all("Sources") {
            for (library, room) in rooms where !file.path.hasPrefix("Sources/\(room)/") {
                let found = try file.matches("import \(library)\\b")
                #expect(found.isEmpty, "\(found.map(\.place))")
            }
        }
    }

    @Test func `read the clock at one place`() throws {
        let readers = try SourceFile.all("Sources").filter {
            try !$0.matches("CLOCK_REALTIME|\\bDate\\(\\)|gettimeofday").isEmpty
        }
        #expect(
            readers.map(\.path).allSatisfy {
                $0 == "Sources/Engine/WallClock.swift" || $0.hasPrefix("Sources/replay/")
                    || $0 == "Sources/Service/Inside/ServiceClock.swift"
            }, "\(readers.map(\.path))")
    }

    @Test func `open every log at one place`() throws {
        let files = try ["ReplicatedLog", "Service", "replay", "sijilld"].flatMap {
            try SourceFile.all("Sources/\($0)")
        }
        let users = try files.filter {
            try !$0.path.hasPrefix("Sources/ReplicatedLog/PostgreSQL/")
                && !$0.path.hasPrefix("Sources/ReplicatedLog/JetStream/")
                && !$0.matches(
                    "PostgresFrameLog|LogTables|import PostgreSQL|sijill_log|JetStream|import NATS"
                ).isEmpty
        }
        #expect(users.map(\.path) == ["Sources/ReplicatedLog/SharedFrameLog.swift"])
    }

    @Test func `keep files to one subject`() throws {
        for file in try SourceFile.all("Sources") {
            let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= 400, "\(file.path) has \(lines) lines: a second subject is hiding")
        }
    }

    /// Else the command line's library asks the run time for it at every start (ADR 0080).
    @Test func `state the name of every subcommand`() throws {
        for file in try SourceFile.all("Sources/replay") {
            #expect(
                try file.matches(#"CommandConfiguration\("#).count
                    == file.matches("commandName: ").count, "\(file.path)")
        }
    }

    @Test func `hold no placeholders`() {
        #expect(Tree.files("Sources", "Placeholder.swift") == [])
        #expect(Tree.files("Tests", "Placeholder.swift") == [])
    }
}
