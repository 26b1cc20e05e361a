import Products
#if DEBUG || FUZZING || TESTABLE
    import Core
    import Folding
    import Foundation
    import Proofs
    import TestSupport

    @testable import Engine
    @testable import EventLog

    /// What fuzzing begins with: what the program itself writes, each kind of it once or a few times.
    package enum Seeds {
        /// Writes `DIRECTORY/TARGET/DIGEST`. Their persons' keys and identities are new each time.
        package static func write(to directory: String) throws {
            let small = try Fixture.play(["examroom/10-the-move", "learnable/lecture"], "small")
            let seeds: [(target: String, inputs: [[UInt8]])] = [
                ("json", try json()), ("command", try commands()), ("submit", try submissions()),
                ("import", try exports()), ("proof", try proofs()), ("note", try notes()),
                ("note-key", try noteKeys()), ("leaf", try leaves()),
                ("frame", try frames(small)), ("block", try blocks(small)),
                ("segment", try segments(Fixture.engine)), ("symbols", try symbols(Fixture.engine)),
                ("record", try records(Fixture.engine)), ("manifest", try manifests(small)),
                ("packed", try packed()), ("erasures", try erasures()), ("keys", try keys()),
                ("row", try rows()), ("pages", pages()), ("view", views()),
            ]
            for (target, inputs) in seeds {
                let folder = directory + "/" + target
                try? FileManager.default.removeItem(atPath: folder)
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
                for input in inputs {
                    try Scratch.write(
                        input, to: folder + "/" + SHA256Digest.hex(of: input).prefix(12))
                }
            }
        }

        static func file(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: Tree.root.appending(path: path)))
        }

        /// As many whole lines as fit.
        private static func lines(_ lines: [[UInt8]], atMost limit: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            for line in lines {
                if bytes.count + line.count >= limit { break }
                bytes += line + [10]
            }
            return bytes
        }

        private static var allExamples: [String] {
            Tree.files("Examples", ".jsonl").filter { $0.split(separator: "/").count == 3 }
                .map { String($0.dropFirst("Examples/".count).dropLast(".jsonl".count)) }
        }

        // MARK: Text

        private static func json() throws -> [[UInt8]] {
            let texts = [
                #"{"a":[1,-2,3.25,1e3,-0,0.1E-2],"b":{"c":null,"d":true,"e":false},"f":""}"#,
                #""\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t€""#, "[[[[[[[[]]]]]]]]",
                "18446744073709551615",
                "-9223372036854775808", "1.50", "[0.005,99999999999999999999e-10]",
            ]
            return texts.map { Array($0.utf8) } + (try commands().prefix(8))
        }

        /// One line for each type of command.
        private static func commands() throws -> [[UInt8]] {
            var known: Set<String> = []
            var found: [[UInt8]] = []
            for line in try allExamples.flatMap({ try Fixture.commands(of: $0) }) {
                let type = try JSON(parsing: line)["command"]?.string ?? ""
                if known.insert(type).inserted, line.count < 1500 { found.append(line) }
            }
            return found
        }

        private static func submissions() throws -> [[UInt8]] {
            var found = try allExamples.filter { !Fixture.examples.contains($0) }.enumerated()
                .filter { $0.offset % 4 == 0 }
                .map { lines(Array(try Fixture.commands(of: $0.element).prefix(12)), atMost: 5000) }
            // On what the journal knows, under ids that it does not.
            for example in Fixture.examples {
                let renamed = try Fixture.commands(of: example).suffix(10).map {
                    try Fixture.renamed($0, "z")
                }
                found.append(lines(renamed, atMost: 5000))
            }
            return found
        }

        private static func export(_ engine: EventEngine, isSealed: Bool = false) throws
            -> [[UInt8]]
        {
            var bytes: [UInt8] = []
            try engine.export(isSealed: isSealed) { bytes += $0 }
            return bytes.split(separator: 10).map { Array($0) }
        }

        private static func exports() throws -> [[UInt8]] {
            var found = [try file("audit/sample/export.jsonl")]
            for (number, example) in Fixture.examples.enumerated() {
                let engine = try Fixture.play([example], "export-\(number)")
                found.append(lines(try export(engine), atMost: 6000))
                if number % 4 == 0 {
                    found.append(lines(try export(engine, isSealed: true), atMost: 4000))
                }
            }
            return found
        }

        // MARK: Proofs

        private static func proofs() throws -> [[UInt8]] {
            let signer = try NoteSigner(
                name: "fuzz.example/journal", seed: [UInt8](repeating: 7, count: 32))
            let leaves = (1...21).map { Array(#"{"position":\#($0)}"#.utf8) }
            func root(_ range: Range<Int>) -> TreeHash {
                if range.count == 1 { return TreeHash.leaf(leaves[range.lowerBound]) }
                var half = 1
                while half * 2 < range.count { half *= 2 }
                return TreeHash.node(
                    root(range.lowerBound..<range.lowerBound + half),
                    root(range.lowerBound + half..<range.upperBound))
            }
            func signed(_ size: Int) throws -> SignedCheckpoint {
                try SignedCheckpoint(
                    Checkpoint(
                        origin: signer.name, size: size, root: size == 0 ? .empty : root(0..<size)),
                    signedBy: signer)
            }
            var found = [
                try file("audit/sample/event-1.tlog-proof"),
                try file("audit/sample/3-to-5.consistency-proof"),
            ]
            for index in [0, 6, 20] {
                let proof = InclusionProof(index: index, size: 21) { root($0.leaves) }
                found.append(
                    InclusionProofFile(
                        leaf: leaves[index], index: index, hashes: proof?.hashes ?? [],
                        checkpoint: try signed(21)
                    ).bytes)
            }
            for size in [0, 1, 7, 16, 21] {
                let proof = ConsistencyProof(from: size, to: 21) { root($0.leaves) }
                found.append(
                    ConsistencyProofFile(
                        hashes: proof?.hashes ?? [], old: try signed(size), new: try signed(21)
                    ).bytes)
            }
            return found
        }

        private static func notes() throws -> [[UInt8]] {
            [try file("audit/sample/checkpoint"), try file("audit/sample/checkpoint-3")]
        }

        private static func noteKeys() throws -> [[UInt8]] {
            let signer = try NoteSigner(
                name: "fuzz.example/journal", seed: [UInt8](repeating: 7, count: 32))
            return [Array(signer.privateText.utf8), Array(signer.verifier.text.utf8)]
                + [try file("audit/sample/witness1.vkey").dropLast()]
        }

        private static func leaves() throws -> [[UInt8]] {
            var known: Set<String> = []
            return try export(Fixture.engine).filter { line in
                let type = try JSON(parsing: line)["type"]?.string ?? ""
                return line.count < 800 && known.insert(type).inserted
            }.prefix(40).map { $0 }
        }

        // MARK: Records

        private static func frames(_ engine: EventEngine) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            let records = try [engine, Fixture.engine].flatMap {
                try Fixture.records(of: $0.journal.databases.frames, in: $0.journal)
            }
            for (key, stored) in records where stored.first == FrameHeader.kind {
                let frame = FrameReader()
                try frame.open(key: key.span, stored: stored.span)
                guard frame.bodyBytes < 1500, found.count < 24 else { continue }
                if found.isEmpty {
                    found.append([RecordTargets.Flag.asItIs] + key + stored.dropLast(16))
                }
                let header = frame.header
                var seed: [UInt8] = [
                    (found.count % 4 == 0 ? RecordTargets.Flag.isCompressed : 0)
                        | (header.clock.inclusive ? 0x80 : 0)
                ]
                seed.add(header.eventCount)
                seed.add(header.first.number)
                seed.add(header.recordedAt.milliseconds)
                seed.add(header.clock.instant.milliseconds)
                seed.add(header.term)
                seed.appendSalt(header.salt)
                seed.add(UInt16(frame.key.ordinal))
                found.append(seed + frame.body[..<frame.bodyBytes])
            }
            return found
        }

        private static func blocks(_ engine: EventEngine) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            let records = try [engine, Fixture.engine].flatMap {
                try Fixture.records(of: $0.journal.databases.frames, in: $0.journal)
            }
            for (key, stored) in records where stored.first == BlockHeader.kind {
                if found.isEmpty, stored.count < 6000 {
                    found.append([RecordTargets.Flag.asItIs] + key + stored.dropLast(16))
                }
                let seed = try parts(ofBlock: stored.span, FrameKey(key.span))
                if let seed, seed.count < 8000, found.count < 16 { found.append(seed) }
            }
            return found
        }

        /// As the target puts it together again; nil where a dictionary is needed.
        private static func parts(
            ofBlock stored: Span<UInt8>, _ key: FrameKey
        ) throws -> [UInt8]? {
            let header = try BlockHeader(stored)
            guard header.dictionary == 0, header.chunkCount < 256 else { return nil }
            var seed: [UInt8] = [0]
            seed.add(header.eventCount)
            seed.add(header.first.number)
            seed.add(header.frameCount)
            seed.add(header.commandCount)
            seed.add(UInt16(key.ordinal))
            seed.append(UInt8(header.chunkCount))
            var chunks: [(events: UInt64, stream: UInt64, order: Int, raw: Int, stored: Int)] = []
            var offset = BlockHeader.byteCount
            for _ in 0..<header.chunkCount {
                chunks.append(
                    (
                        try stored.varint(&offset), try stored.varint(&offset),
                        Int(try stored.varint(&offset)), Int(try stored.varint(&offset)),
                        Int(try stored.varint(&offset))
                    ))
                offset += 8
            }
            var start = BlockHeader.byteCount + Int(header.directoryBytes)
            for chunk in chunks {
                seed.add(UInt32(chunk.events))
                seed.add(UInt32(chunk.stream))
                seed.add(block: stored.copy(offset..<offset + chunk.order))
                offset += chunk.order
                var raw = stored.copy(start..<start + chunk.stored)
                if chunk.stored != chunk.raw {
                    raw = [UInt8](repeating: 0, count: chunk.raw)
                    try Decompressor().inflate(
                        stored.extracting(start..<start + chunk.stored), to: 0..<chunk.raw,
                        of: &raw)
                }
                seed.add(block: raw)
                start += chunk.stored
            }
            return seed
                + stored.copy(offset..<BlockHeader.byteCount + Int(header.directoryBytes) - 8)
        }

        private static func segments(_ engine: EventEngine) throws -> [[UInt8]] {
            var found: [[UInt8]] = []
            var known: [UInt8: Int] = [:]
            let journal = engine.journal
            for (key, stored) in try Fixture.records(of: journal.databases.segments, in: journal) {
                let count = known[key[0], default: 0]
                guard stored.count < 2000, count < 3 else { continue }
                known[key[0]] = count + 1
                found.append(key + stored.dropLast(8))
            }
            return found
        }

        private static func symbols(_ engine: EventEngine) throws -> [[UInt8]] {
            let journal = engine.journal
            return try Fixture.records(of: journal.databases.symbols, in: journal).compactMap {
                key, stored in
                let content = stored.span.extracting(0..<stored.count - 8)
                var offset = 0
                let count = try content.varint(&offset)
                let length = Int(try content.varint(&offset))
                var raw = content.copy(offset..<content.count)
                if raw.count != length {
                    raw = [UInt8](repeating: 0, count: length)
                    try Decompressor().inflate(
                        content.extracting(offset..<content.count), to: 0..<length, of: &raw)
                }
                guard raw.count < 3000 else { return nil }
                var head: [UInt8] = []
                head.appendVarint(count)
                head.appendVarint(length)
                return [0] + key + [UInt8(head.count)] + head + raw
            }.prefix(8).map { $0 }
        }

        private static func records(_ engine: EventEngine) throws -> [[UInt8]] {
            let journal = engine.journal
            var found: [[UInt8]] = []
            for (key, stored) in try Fixture.records(of: journal.databases.meta, in: journal) {
                let kinds = [
                    HeadRecord.key: UInt8(0), Sealed.key: 1, IdentityRecord.key: 3,
                    LeadRecord.key: 4,
                ]
                found.append([kinds[key] ?? 3] + stored.dropLast(8))
            }
            let types = try Fixture.records(of: journal.databases.types, in: journal)
            return found + types.prefix(1).map { [2] + $0.stored.dropLast(8) }
        }
    }
#endif
