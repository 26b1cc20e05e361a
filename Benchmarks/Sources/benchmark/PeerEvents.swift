import EventLog
import Core
import ExamRoomEvents
import QuranFlowEvents
import LearnableEvents
import TafawoqEvents
import Glibc

/// The events of a journal as the peers get them: a file of texts (Benchmarks/README.md, The events' file).
enum PeerEvents {
    static let payloads: [PayloadType] =
        [PayloadType(AccountErased.self), PayloadType(PlainJournal.Noted.self)]
        + ExamRoom.payloads + QuranFlow.payloads + Learnable.payloads + Tafawoq.payloads

    /// A journal's symbols, for the texts behind them.
    final class Source: SymbolSource {
        private let journal: Journal
        private var held: JournalSnapshot?

        init(journal: Journal) {
            self.journal = journal
        }

        /// What was stored since is seen from here on.
        func renew() { held = nil }

        private func snapshot() throws -> JournalSnapshot {
            if let held { return held }
            let snapshot = try journal.snapshot()
            held = snapshot
            return snapshot
        }

        func bytes(of symbol: Symbol) throws -> [UInt8]? { try snapshot().symbol(symbol) }

        func symbol(of bytes: [UInt8]) throws -> Symbol? { try snapshot().number(of: bytes) }
    }

    /// Writes the first events of a journal.
    static func write(_ journal: Journal, to path: String, count: Int) throws {
        guard let file = unsafe fopen(path, "w") else {
            throw Workloads.Failure(what: "\(path) cannot be written")
        }
        var isWhole = true
        func put(_ bytes: [UInt8]) {
            isWhole = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count && isWhole
        }
        let snapshot = try journal.snapshot()
        let names = Names(source: Source(journal: journal), stored: snapshot.head.symbolCount)
        let opener = PartOpener(keys: PersonKeys(of: journal), names: names)
        let types = try snapshot.types()
        let known = types.map { type in payloads.first { $0.name == type.name } }
        var streams: [Symbol: UInt32] = [:]
        var record: [UInt8] = []
        func add(_ number: some FixedWidthInteger) {
            unsafe withUnsafeBytes(of: number.littleEndian) {
                unsafe record.append(contentsOf: $0)
            }
        }
        func add(_ text: [UInt8]) {
            add(UInt16(text.count))
            record += text
        }
        // The counts are written over at the end.
        put(Array("SJLEVT01".utf8) + Array(repeating: 0, count: 8))
        var written = 0
        try snapshot.forEachEvent { event, body in
            let type = Int(event.type) - 1
            guard let payload = known[type] else {
                throw Workloads.Failure(what: "\(types[type].name) is in no vocabulary")
            }
            record.removeAll(keepingCapacity: true)
            let stream = streams[event.stream] ?? UInt32(streams.count)
            streams[event.stream] = stream
            add(stream)
            add(event.revision)
            add(Array(payload.name.utf8))
            add(Array(names.text(event.stream).utf8))
            add(Array(event.tags.map { names.text($0) }.joined(separator: "\n").utf8))
            var reader = BinaryReader(
                body, stored: event.payload, flags: event.flags,
                at: event.place,
                opener: opener)
            var output = JSONOutput(names: names)
            guard
                payload.writeJSON(UInt16(types[type].version), nil, &reader, &output)
            else { throw Workloads.Failure(what: "event \(event.position.number) is damaged") }
            add(UInt32(output.json.bytes.count))
            record += output.json.bytes
            put(record)
            written += 1
            return written < count
        }
        record.removeAll()
        add(UInt32(written))
        add(UInt32(streams.count))
        unsafe fseek(file, 8, SEEK_SET)
        put(record)
        isWhole = unsafe fclose(file) == 0 && isWhole
        guard isWhole, written == count else {
            throw Workloads.Failure(what: "\(path): \(written) events of \(count) were written")
        }
    }
}
