#if DEBUG || FUZZING || TESTABLE
    import Core
    import Foundation

    @testable import Engine
    @testable import EventLog

    /// The small files beside a journal and in its backups.
    enum FileTargets {
        static let all = [
            FuzzTarget("manifest", manifest), FuzzTarget("packed", packed),
            FuzzTarget("erasures", erasures), FuzzTarget("keys", tries: 200, keys),
        ]

        // MARK: Backups

        private static let backup: String = (try? Scratch.empty("backup")) ?? ""

        @Sendable private static func manifest(_ bytes: [UInt8]) throws {
            let path = backup + "/" + BackupManifest.name
            try Scratch.write(bytes, to: path)
            guard let manifest = try BackupManifest(in: backup) else {
                throw Finding("a manifest is not seen")
            }
            try manifest.write(to: backup)
            let written = FileManager.default.contents(atPath: path)
            guard let again = try? BackupManifest(in: backup) else {
                throw Finding("a manifest that is written again cannot be read")
            }
            try again.write(to: backup)
            try expect(
                FileManager.default.contents(atPath: path) == written,
                "a manifest that is written again says otherwise")
        }

        /// A part of a backup; the first byte says whether the rest is to be packed first.
        @Sendable private static func packed(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let isText = parts.byte() & 1 != 0
            let rest = Array(parts.rest)
            var found: [UInt8] = []
            try PackedText.unpack(isText ? PackedText.pack(rest) : rest) { found += $0 }
            if isText { try expect(found == rest, "packed text is not what was packed") }
        }

        // MARK: Erasures

        private static let list: String = (try? Scratch.empty("erasures")) ?? ""

        /// Whatever the list holds, an erasure that is added to it is there, and what was there before stays.
        @Sendable private static func erasures(_ bytes: [UInt8]) throws {
            let path = list + "/" + ErasureList.name
            try Scratch.write(bytes, to: path)
            let erasures = ErasureList(list)
            let before = try erasures.all()
            let erasure = Erasure(
                person: "examroom/S-0", position: Position(77),
                at: Instant(milliseconds: 1_770_000_000_000))
            try erasures.append([erasure])
            do {
                try expect(
                    try erasures.all().filter { $0 != erasure } == before.filter { $0 != erasure },
                    "an erasure was lost")
                try expect(try erasures.all().contains(erasure), "an erasure was not written")
            } catch let finding as Finding {
                throw finding
            } catch {
                throw Finding("a list cannot be read once an erasure is added to it: \(error)")
            }
        }

        // MARK: Keys

        static let persons = ["examroom/S-1", "examroom/S-2", "learnable/S-1"].map {
            PersonKeys.Name(text: $0)
        }

        /// What is sealed, and where.
        static let type = PayloadType(AccountErased.self)
        static let place = SealingContext(
            position: Position(9), recordedAt: Instant(milliseconds: 1_770_000_000_000), type: 1,
            salt: SealingSalt(Array(1...12)) ?? .zero)

        /// A journal whose identity and master key are always the same, so that keys in seeds can be unwrapped.
        static let keysJournal: Journal = {
            do {
                let path = try Scratch.empty("keys") + "/journal"
                try FileManager.default.createDirectory(
                    atPath: path, withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700])
                try writeMasterKey(path)
                var plan = JournalDirectory.Plan()
                plan.identity = [UInt8](repeating: 0x5A, count: 16)
                try JournalDirectory(path: path).create(plan)
                return try Journal(at: path)
            } catch {
                fatalError("the journal to try keys on cannot be made: \(error)")
            }
        }()

        static func writeMasterKey(_ path: String) throws {
            let file = path + "/master.key"
            try Scratch.write(Array((String(repeating: "3c", count: 32) + "\n").utf8), to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }

        private static let original: [UInt8] = {
            let path = keysJournal.path + "/keys"
            return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
        }()

        static let slotBytes = KeySlot.byteCount

        /// The file `keys`: slots without their checksums, which are made here. The first byte says whether the
        /// header is to be a right one, and whether the last slot is cut short; the second, how many slots
        /// frames name.
        @Sendable private static func keys(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let flags = parts.byte()
            let count = UInt32(parts.byte())
            var file = flags & 1 == 0 ? original : []
            while !parts.rest.isEmpty {
                let content = parts.bytes(slotBytes - 8)
                let slot = content + [UInt8](repeating: 0, count: slotBytes - 8 - content.count)
                var number: [UInt8] = []
                number.add(UInt64(file.count / slotBytes))
                file += slot + SHA256Digest.of(number + slot).prefix(8)
            }
            if flags & 2 != 0 { file.removeLast(min(file.count, Int(flags >> 2))) }
            let journal = keysJournal
            try Scratch.write(file, to: journal.path + "/keys")
            try check(
                PersonKeys(of: journal), journal, count, bytes, isCut: flags & 2 != 0,
                rotates: flags & 0x80 != 0)
        }

        private static func check(
            _ keys: PersonKeys, _ journal: Journal, _ count: UInt32, _ bytes: [UInt8], isCut: Bool,
            rotates: Bool
        ) throws {
            let snapshot = try journal.snapshot()
            _ = try keys.applied(snapshot)
            _ = try keys.check(snapshot)
            keys.didLearn(slotCount: count)
            _ = try keys.lacksFormerSecret()
            _ = keys.openRow(Array(bytes.prefix(64)))
            try keys.prepareToWrite(slotCount: count)
            _ = try keys.mac(of: [UInt8](repeating: 1, count: 32), slots: [1, count], isNew: true)
            for person in persons {
                guard let sealed = try? keys.seal([1, 2, 3], of: person, type, at: place) else {
                    continue
                }
                _ = keys.open(sealed, 0..<sealed.count, at: place)
                _ = keys.sealRow([1, 2], of: person).map { keys.openRow($0) }
            }
            try keys.flush()
            keys.didCommit()
            for slot in 0..<count + 6 { _ = try keys.key(in: slot) }
            try keys.destroy([(person: persons[0], erased: Position(5))], snapshot)
            try keys.setApplied(snapshot)
            guard let copy = try keys.copy() else { throw Finding("the keys are gone") }
            if !isCut {
                // Of a slot that is cut short, only a frame could say whose it was.
                let named = copy.prefix(min(Int(count) + 1, copy.count / slotBytes) * slotBytes)
                let search = KeySearch([[persons[0]]], of: journal.identity)
                let isLeft = stride(from: 0, to: named.count, by: slotBytes).contains { start in
                    named[start] == 1
                        && !search.persons(in: Array(named[(start + 16)..<(start + 33)])).isEmpty
                }
                try expect(
                    !isLeft,
                    "a key of an erased person is left")
            }
            _ = try keys.check(snapshot)
            if rotates {
                defer { try? writeMasterKey(journal.path) }
                _ = try keys.rotate()
            }
        }
    }
#endif
