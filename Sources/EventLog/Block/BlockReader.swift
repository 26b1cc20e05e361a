import Core

/// One sealed block, opened: its directory read, its chunks inflated once they are needed.
///
/// Buffers are reused for the next block.
final class BlockReader {
    private struct Chunk {
        /// Its events in the rows' order.
        var events = 0..<0
        /// Its bytes in `body` once inflated.
        var raw = 0..<0
        /// Its bytes in the stored value.
        var stored = 0..<0
        var hash: UInt64 = 0
        /// The stream of its first event; chunks ascend by it.
        var firstStream: UInt32 = 0
        /// Where the stored value says which events it holds.
        var order = 0..<0
        var hasOrder = false
        var isOpen = false
    }

    private(set) var header = BlockHeader()
    private(set) var key = FrameKey(first: .zero, ordinal: 0)
    private(set) var frames: [SealedFrame] = []
    private(set) var slots: [NamedSlot] = []
    private(set) var storedBytes = 0
    /// The inflated chunks; may be longer than they are.
    private(set) var body: [UInt8] = []
    private(set) var bodyBytes = 0
    private var chunks: [Chunk] = []
    private(set) var rows = BlockRows()
    private let store: DictionaryStore
    private var dictionary: CompressionDictionary?
    private var decompressor: Decompressor?

    init(_ store: DictionaryStore) {
        self.store = store
    }

    var first: Position { header.first }
    var commands: ArraySlice<FrameReader.Command> { rows.commands }
    var eventCount: Int { Int(header.eventCount) }
    var end: UInt64 { header.end }

    /// Reads header and directory; chunks are opened later. `isWhole` checks the block's checksum
    /// as well, which all its chunks hang on.
    func openDirectory(
        key keyBytes: Span<UInt8>, stored: Span<UInt8>, isWhole: Bool = false
    ) throws(JournalError) {
        var place: Position?
        do throws(Malformed) {
            header.eventCount = 0
            frames.removeAll(keepingCapacity: true)
            slots.removeAll(keepingCapacity: true)
            key = try FrameKey(keyBytes)
            place = key.first
            if isWhole {
                guard stored.count >= Checksum.byteCount else {
                    throw Malformed("a block cut short")
                }
                var offset = stored.count - Checksum.byteCount
                let sum = Checksum.of(
                    .frame, key: keyBytes, content: stored.extracting(0..<offset))
                guard sum == (try stored.checksum(&offset)) else {
                    throw Malformed("a block with a wrong checksum")
                }
            }
            header = try BlockHeader(stored)
            guard header.first == key.first else {
                throw Malformed("a block under another one's key")
            }
            storedBytes = stored.count
            try readDirectory(stored)
        } catch {
            header.eventCount = 0
            throw .damaged("\(error.what)", at: place)
        }
        dictionary = try store.dictionary(header.dictionary)
    }

    /// Opens all of it. `isWhole` checks it by its one checksum, otherwise each part by its hash, as when
    /// single events are read.
    func open(
        key: Span<UInt8>, stored: Span<UInt8>, isWhole: Bool = false
    ) throws(JournalError) {
        try openDirectory(key: key, stored: stored, isWhole: isWhole)
        try withOrders { rows throws(Malformed) in
            for index in chunks.indices { try readOrder(index, stored, &rows) }
        }
        for index in chunks.indices { try open(index, stored, isChecked: isWhole) }
        guard rows.hasAllCommands else {
            throw .damaged("a command that no chunk holds", at: header.first)
        }
    }

    private func readDirectory(_ stored: Span<UInt8>) throws(Malformed) {
        let end = BlockHeader.byteCount + Int(header.directoryBytes)
        let bytes = stored.extracting(0..<end - 8)
        var offset = end - 8
        guard try stored.fixed(8, &offset) == XXH64.hash(bytes, seed: header.first.number) else {
            throw Malformed("a block's directory with a wrong hash")
        }
        offset = BlockHeader.byteCount
        chunks.removeAll(keepingCapacity: true)
        var (event, raw, start) = (0, 0, end)
        let chunksEnd = stored.count - Checksum.byteCount
        for _ in 0..<header.chunkCount {
            let events = try bytes.varint(&offset)
            let firstStream = try bytes.varint32(&offset)
            let orderBytes = try bytes.varint(&offset)
            let rawBytes = try bytes.varint(&offset)
            let storedBytes = try bytes.varint(&offset)
            guard events <= UInt64(eventCount - event),
                rawBytes <= UInt64(Limits.blockBytes - raw),
                storedBytes <= UInt64(chunksEnd - start), storedBytes <= rawBytes,
                orderBytes <= UInt64(bytes.count)
            else { throw Malformed("a chunk beyond its block") }
            let hash = try bytes.fixed(8, &offset)
            chunks.append(
                Chunk(
                    events: event..<event + Int(events), raw: raw..<raw + Int(rawBytes),
                    stored: start..<start + Int(storedBytes), hash: hash,
                    firstStream: firstStream, order: 0..<Int(orderBytes)))
            event += Int(events)
            raw += Int(rawBytes)
            start += Int(storedBytes)
        }
        guard event == eventCount, start == chunksEnd else {
            throw Malformed("chunks that are not their block")
        }
        bodyBytes = raw
        // The directory gives the number of commands, each of which takes at least a byte.
        guard Int(header.commandCount) <= raw else { throw Malformed("too many commands") }
        for index in chunks.indices {
            chunks[index].order = try bytes.skip(chunks[index].order.count, &offset)
        }
        rows.begin(header)
        try readFrames(bytes, &offset)
        guard offset == bytes.count else { throw Malformed("a directory of another length") }
        if body.count < raw {
            body = [UInt8](repeating: 0, count: max(raw, min(body.count * 2, 1 << 22)))
        }
    }

    private func readFrames(_ bytes: Span<UInt8>, _ offset: inout Int) throws(Malformed) {
        let count = Int(header.frameCount)
        guard count <= bytes.count - offset else { throw Malformed("too many frames") }
        var found = [SealedFrame](repeating: SealedFrame(), count: count)
        var values: [UInt64] = []
        var (event, command) = (0, 0)
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices {
            guard values[index] <= UInt64(eventCount - event) else {
                throw Malformed("a frame beyond its block")
            }
            found[index].firstEvent = event
            found[index].eventCount = Int(values[index])
            event += Int(values[index])
        }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices {
            guard values[index] <= UInt64(Int(header.commandCount) - command) else {
                throw Malformed("a frame beyond its block")
            }
            found[index].firstCommand = command
            found[index].commandCount = Int(values[index])
            command += Int(values[index])
        }
        guard event == eventCount, command == Int(header.commandCount) else {
            throw Malformed("what no frame of the block brought")
        }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices { found[index].recordedAt = Int64(bitPattern: values[index]) }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices {
            found[index].clock.instant = Instant(milliseconds: Int64(bitPattern: values[index]))
        }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices {
            guard values[index] <= 1 else { throw Malformed("a clock of unknown kind") }
            found[index].clock.inclusive = values[index] == 1
        }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices {
            guard let term = UInt32(exactly: values[index]) else {
                throw Malformed("a term beyond 32 bits")
            }
            found[index].term = term
        }
        try Column.read(count, bytes, &offset, into: &values)
        for index in found.indices where values[index] != 0 {
            found[index].salt = try bytes.salt(&offset)
        }
        for index in found.indices { found[index].mark = try bytes.fixed(8, &offset) }
        try Column.read(count, bytes, &offset, into: &values)
        var slot = 0
        for index in found.indices {
            guard values[index] <= UInt64(bytes.count - slot) else {
                throw Malformed("too many key slots")
            }
            found[index].slots = slot..<slot + Int(values[index])
            slot += Int(values[index])
        }
        try readSlots(slot, bytes, &offset)
        frames = found
    }

    private func readSlots(
        _ count: Int, _ bytes: Span<UInt8>, _ offset: inout Int
    ) throws(Malformed) {
        func column() throws(Malformed) -> [UInt32] {
            var values: [UInt64] = []
            try Column.read(count, bytes, &offset, into: &values)
            var narrow: [UInt32] = []
            for value in values.prefix(count) {
                guard let number = UInt32(exactly: value) else {
                    throw Malformed("a number beyond 32 bits")
                }
                narrow.append(number)
            }
            return narrow
        }
        let (numbers, products, persons) = (try column(), try column(), try column())
        for index in 0..<count {
            let digest = try bytes.skip(NamedSlot.digestBytes, &offset)
            slots.append(
                NamedSlot(
                    number: numbers[index], product: Symbol(number: products[index]),
                    person: Symbol(number: persons[index]), digest: digest.map { bytes[$0] }))
        }
    }

    // MARK: Chunks

    /// Whether the event can be read without the stored value.
    func isOpen(_ event: Int) -> Bool { rows.chunk(of: event).map { chunks[$0].isOpen } ?? false }

    /// Opens the chunk that holds an event; `stored` is the value that the directory came from. Who
    /// knows the event's stream gets there sooner.
    func open(
        holding event: Int, of stream: UInt32?, _ stored: Span<UInt8>
    ) throws(JournalError) {
        if rows.chunk(of: event) == nil {
            try withOrders { rows throws(Malformed) in
                if let stream { try readOrders(around: stream, until: event, stored, &rows) }
                for index in chunks.indices where rows.chunk(of: event) == nil {
                    try readOrder(index, stored, &rows)
                }
            }
        }
        guard let chunk = rows.chunk(of: event) else {
            throw .damaged("an event that no chunk holds", at: header.first)
        }
        if !chunks[chunk].isOpen { try open(chunk, stored, isChecked: false) }
    }

    /// Looks for an event in the chunks that hold commands which began on its stream: most do.
    private func readOrders(
        around stream: UInt32, until event: Int, _ stored: Span<UInt8>, _ rows: inout BlockRows
    ) throws(Malformed) {
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low + high) / 2
            if chunks[middle].firstStream <= stream { low = middle + 1 } else { high = middle }
        }
        while low > 0 {
            low -= 1
            try readOrder(low, stored, &rows)
            if rows.chunk(of: event) != nil || chunks[low].firstStream < stream { return }
        }
    }

    private func readOrder(
        _ index: Int, _ stored: Span<UInt8>, _ rows: inout BlockRows
    ) throws(Malformed) {
        let chunk = chunks[index]
        if chunk.hasOrder { return }
        guard chunk.order.upperBound <= stored.count else { throw Malformed("another block") }
        let bytes = stored.extracting(0..<chunk.order.upperBound)
        var offset = chunk.order.lowerBound
        try rows.readOrder(of: index, chunk.events, bytes, &offset)
        guard offset == bytes.count else { throw Malformed("an order of another length") }
        chunks[index].hasOrder = true
    }

    /// Changes the rows in place while orders are read; what is malformed is damage.
    private func withOrders(
        _ body: (inout BlockRows) throws(Malformed) -> Void
    ) throws(JournalError) {
        do throws(Malformed) {
            try withRows(body)
        } catch {
            throw .damaged("\(error.what)", at: header.first)
        }
    }

    private func open(
        _ index: Int, _ stored: Span<UInt8>, isChecked: Bool
    ) throws(JournalError) {
        let chunk = chunks[index]
        do throws(Malformed) {
            guard chunk.stored.upperBound <= stored.count else { throw Malformed("another block") }
            let packed = stored.extracting(chunk.stored)
            if !isChecked {
                guard XXH64.hash(packed, seed: header.first.number) == chunk.hash else {
                    throw Malformed("a chunk with a wrong hash")
                }
            }
            try inflate(packed, to: chunk.raw)
            try read(chunk)
            chunks[index].isOpen = true
        } catch {
            throw .damaged("\(error.what)", at: header.first)
        }
    }

    private func inflate(_ packed: Span<UInt8>, to range: Range<Int>) throws(Malformed) {
        if packed.count == range.count {
            unsafe body.withUnsafeMutableBytes { target in
                unsafe packed.withUnsafeBytes { source in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[range]).copyMemory(
                        from: source)
                }
            }
            return
        }
        if decompressor == nil { decompressor = try? Decompressor() }
        guard let decompressor else { throw Malformed("no memory for zstd") }
        try decompressor.inflate(packed, with: dictionary, to: range, of: &body)
    }

    private func read(_ chunk: Chunk) throws(Malformed) {
        let body = self.body
        let bytes = body.span.extracting(0..<chunk.raw.upperBound)
        var offset = chunk.raw.lowerBound
        try withRows { rows throws(Malformed) in
            try rows.read(chunk.events, bytes, &offset)
        }
        guard offset == bytes.count else { throw Malformed("a chunk of another length") }
    }

    /// Changes the rows in place and unshared.
    private func withRows(
        _ body: (inout BlockRows) throws(Malformed) -> Void
    ) throws(Malformed) {
        var taken = rows
        rows = BlockRows()
        defer { rows = taken }
        try body(&taken)
    }
}
