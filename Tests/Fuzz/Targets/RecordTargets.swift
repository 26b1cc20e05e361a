#if DEBUG || FUZZING || TESTABLE
    import Core

    @testable import EventLog

    /// What lies in `frames`: commits, and sealed blocks of them. Checksums are made for the bytes as they
    /// come, since nothing else would get past them.
    enum RecordTargets {
        static let all = [
            FuzzTarget("frame", frame), FuzzTarget("block", longest: 8192, tries: 500, block),
        ]

        enum Flag {
            /// The record as it is; else it is put together out of its parts, so that lengths fit.
            static let asItIs: UInt8 = 1
            static let isCompressed: UInt8 = 2
            /// It claims another length of what is compressed than it has.
            static let isWrong: UInt8 = 4
        }

        @Sendable private static func frame(_ bytes: [UInt8]) throws {
            let (key, stored) = try frame(of: bytes)
            try Commits.read(key, stored)
        }

        /// For other targets: a whole record out of an input.
        private static func frame(of bytes: [UInt8]) throws -> (key: [UInt8], stored: [UInt8]) {
            var parts = Parts(bytes)
            let flags = parts.byte()
            if flags & Flag.asItIs != 0 {
                return closed(parts.bytes(FrameKey.byteCount), Array(parts.rest))
            }
            var header = FrameHeader()
            header.eventCount = UInt32(parts.number(4))
            header.first = Position(parts.number(8))
            header.recordedAt = Instant(milliseconds: parts.instant())
            header.clock = JournalClock(
                instant: Instant(milliseconds: parts.instant()),
                inclusive: flags & 0x80 != 0)
            header.term = UInt32(parts.number(4))
            header.salt = SealingSalt(parts.bytes(SealingSalt.byteCount)) ?? .zero
            let ordinal = UInt32(parts.number(2))
            if flags & Flag.isWrong != 0 { header.bodyBytes = UInt32(parts.number(4)) }
            let body = Array(parts.rest)
            if flags & Flag.isWrong == 0 { header.bodyBytes = UInt32(body.count) }
            var packed: [UInt8] = []
            header.isCompressed =
                try flags & Flag.isCompressed != 0
                && Compressor().compress(body, appendingTo: &packed)
            var stored: [UInt8] = []
            header.write(to: &stored)
            stored += header.isCompressed ? packed : body
            return closed(FrameKey(first: header.first, ordinal: ordinal).array, stored)
        }

        @Sendable private static func block(_ bytes: [UInt8]) throws {
            var parts = Parts(bytes)
            let flags = parts.byte()
            if flags & Flag.asItIs != 0 {
                // The hashes of its parts are those that it came with.
                let (key, stored) = closed(parts.bytes(FrameKey.byteCount), Array(parts.rest))
                return try Commits.read(key, stored, isHashed: false)
            }
            var header = BlockHeader()
            header.eventCount = UInt32(parts.number(4))
            header.first = Position(parts.number(8))
            header.frameCount = UInt32(parts.number(4))
            header.commandCount = UInt32(parts.number(4))
            let ordinal = UInt32(parts.number(2))
            header.chunkCount = UInt32(parts.byte())
            var (directory, orders, chunks): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
            let compressor = try Compressor()
            for _ in 0..<header.chunkCount {
                directory.appendVarint(UInt32(parts.number(4)))
                directory.appendVarint(UInt32(parts.number(4)))
                let order = parts.block()
                let raw = parts.block()
                let claimed = flags & Flag.isWrong != 0 ? Int(parts.number(4)) : raw.count
                var stored: [UInt8] = []
                if flags & Flag.isCompressed == 0 || !compressor.compress(raw, appendingTo: &stored)
                {
                    stored = raw
                }
                directory.appendVarint(order.count)
                directory.appendVarint(claimed)
                directory.appendVarint(stored.count)
                directory.appendFixed(XXH64.hash(stored.span, seed: header.first.number))
                orders += order
                chunks += stored
            }
            directory += orders + parts.rest
            header.directoryBytes = UInt32(directory.count + 8)
            var stored: [UInt8] = []
            header.write(to: &stored)
            stored += directory
            stored.appendFixed(XXH64.hash(stored.span, seed: header.first.number))
            stored += chunks
            let (key, whole) = closed(FrameKey(first: header.first, ordinal: ordinal).array, stored)
            try Commits.read(key, whole)
        }

        private static func closed(
            _ key: [UInt8], _ content: [UInt8]
        ) -> (key: [UInt8], stored: [UInt8]) {
            var stored = content
            stored.appendChecksum(Checksum.of(.frame, key: key.span, content: content.span))
            return (key, stored)
        }
    }

    extension FrameKey {
        var array: [UInt8] {
            let bytes = self.bytes
            return bytes.span.copy()
        }
    }

    /// Reads a record of `frames` in every way there is; each must tell the same.
    enum Commits {
        /// An event and what its ranges hold.
        private struct Seen: Hashable {
            var record: EventRecord
            let payload: [UInt8]
            let command: [UInt8]

            init(_ record: EventRecord, _ body: [UInt8]) {
                self.record = record
                payload = Array(body[record.payload])
                command = Array(body[record.commandID])
                self.record.payload = 0..<0
                // A block keeps the salts of commits in which something is sealed.
                if record.flags & PersonalPart.flag == 0 { self.record.salt = .zero }
                self.record.commandID = 0..<0
            }
        }

        /// More would be this reading's time, not the reader's.
        private static let most = 4096

        static func read(_ key: [UInt8], _ stored: [UInt8], isHashed: Bool = true) throws {
            let whole = CommitReader(Fixture.store)
            try whole.open(key: key.span, stored: stored.span, isWhole: true)
            guard whole.eventCount <= most else { return }
            let forwards = try events(of: whole, reversed: false)
            let contents = try contents(of: whole)
            do {
                try check(whole, key, stored, forwards, contents)
                if whole.isBlock, isHashed { try checkParts(key, stored, forwards) }
            } catch let finding as Finding {
                throw finding
            } catch {
                throw Finding("read in another way, it is refused: \(error)")
            }
        }

        private static func check(
            _ whole: CommitReader, _ key: [UInt8], _ stored: [UInt8], _ events: [Seen],
            _ contents: [[FrameCommand]]
        ) throws {
            try expect(events.count == whole.eventCount, "events are missing")
            try expect(
                try self.events(of: whole, reversed: true) == events.reversed(),
                "backwards there are other events")
            var record = EventRecord()
            for (index, event) in events.enumerated() {
                try whole.event(at: whole.first + index, into: &record)
                try expect(Seen(record, whole.body) == event, "alone it is another event")
            }
            try expect(whole.records.count == contents.count, "there are other commits")
            try checkReuse(key, stored, events, contents)
            if !whole.isBlock { try checkSealing(whole.frame, events) }
        }

        private static func events(of commit: CommitReader, reversed: Bool) throws -> [Seen] {
            var found: [Seen] = []
            var record = EventRecord()
            _ = try commit.forEachEvent(
                in: 0..<commit.eventCount, reversed: reversed, record: &record
            ) {
                found.append(Seen($0, $1))
                return true
            }
            return found
        }

        /// The commands of each commit, with how many events it has.
        private static func contents(of commit: CommitReader) throws -> [[FrameCommand]] {
            var found: [[FrameCommand]] = []
            _ = try commit.forEachContent { content, _ in
                found.append(content.commands)
                return true
            }
            return found
        }

        /// A reader that read something else before finds the same.
        private static func checkReuse(
            _ key: [UInt8], _ stored: [UInt8], _ events: [Seen], _ contents: [[FrameCommand]]
        ) throws {
            let used = CommitReader(Fixture.store)
            for (key, stored) in Fixture.commits {
                try? used.open(key: key.span, stored: stored.span)
            }
            try used.open(key: key.span, stored: stored.span, isWhole: true)
            try expect(
                try self.events(of: used, reversed: false) == events,
                "a reader that was used before finds other events")
            try expect(
                try self.contents(of: used) == contents,
                "a reader that was used before finds other commands")
        }

        /// Single events of a block, without opening all of it.
        private static func checkParts(
            _ key: [UInt8], _ stored: [UInt8], _ events: [Seen]
        ) throws {
            for (index, event) in events.enumerated().prefix(16) {
                for stream in [nil, event.record.stream.number] {
                    let block = BlockReader(Fixture.store)
                    try block.openDirectory(key: key.span, stored: stored.span)
                    try block.open(holding: index, of: stream, stored.span)
                    var record = EventRecord()
                    block.event(index, into: &record)
                    let found = Seen(record, block.body)
                    try expect(
                        found.payload == event.payload && found.record == event.record,
                        "out of its chunk it is another event")
                }
            }
        }

        /// A frame that can be read can be sealed, and says the same then.
        private static func checkSealing(_ frame: FrameReader, _ events: [Seen]) throws {
            var builder = BlockBuilder(try Compressor())
            try builder.add(frame) { _ in }
            guard builder.eventCount > 0 else { return }
            let (key, stored) = builder.finish(with: nil)
            let sealed = CommitReader(Fixture.store)
            let bytes = key.array
            do {
                try sealed.open(key: bytes.span, stored: stored.span, isWhole: true)
            } catch {
                throw Finding("a frame that can be read cannot be sealed: \(error)")
            }
            try expect(
                try self.events(of: sealed, reversed: false) == events,
                "sealed, a frame has other events")
        }
    }
#endif
