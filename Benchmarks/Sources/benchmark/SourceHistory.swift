import EventLog
import Core

/// A journal's events in memory, taken apart so that they can be written again with other names,
/// other numbers and other times.
final class SourceHistory {
    struct Entry {
        let type: UInt16
        let stream: UInt32
        let actor: UInt32
        let device: UInt32
        let subject: UInt32
        let at: Int64
        let cause: UInt64
        /// Index into `commands`, or -1.
        let command: Int
        let tags: Range<Int>
        let payload: Range<Int>
        /// Personal fields in clear; empty for none.
        let personal: [UInt8]
        /// Of the payload, in the order of its bytes.
        let patches: Range<Int>
    }

    /// What a symbol stands for. A shared record's names and times are patched like a payload's.
    struct Meaning {
        var bytes: [UInt8]
        var patches: [Patch] = []
    }

    private(set) var entries: [Entry] = []
    private(set) var tags: [UInt32] = []
    /// By the symbol of a tag: that of the id which it names.
    private(set) var idsOfTags: [UInt32: UInt32] = [:]
    private(set) var payloads: [UInt8] = []
    private(set) var patches: [Patch] = []
    private(set) var commands: [FrameCommand] = []
    /// By the symbol's number.
    private(set) var meanings: [Meaning] = [Meaning(bytes: [])]
    let types: [TypeRecord]
    private let payloadTypes: [PayloadType?]

    /// Events `first` … of a journal, at most `count` of them.
    init(_ journal: Journal, count: Int = .max) throws {
        let snapshot = try journal.snapshot()
        let keys = PersonKeys(of: journal)
        types = try snapshot.types()
        payloadTypes = types.map { type in
            PeerEvents.payloads.first { $0.name == type.name }
        }
        for number in 0..<snapshot.head.symbolCount {
            meanings.append(
                Meaning(bytes: try snapshot.symbol(Symbol(number: number + 1)) ?? []))
        }
        let texts = meanings.enumerated().map { ($1.bytes, UInt32($0)) }
        let numbers = Dictionary(texts, uniquingKeysWith: { first, _ in first })
        let forms = try types.map { try Form(schema: $0.schema) }
        try snapshot.forEachFrameContent { content, body in
            let firstCommand = commands.count
            commands += content.commands
            for event in content.events {
                guard event.flags & ~PersonalPart.flag == 0 else {
                    throw Workloads.Failure(what: "events of a merge cannot be copied")
                }
                var reader = BinaryReader(
                    body, stored: event.payload, flags: event.flags,
                    at: event.place, opener: nil)
                let own = reader.offset..<reader.end
                var personal: [UInt8] = []
                if let sealed = reader.sealed {
                    personal = PersonalPart.content(keys.open(body, sealed, at: event.place)) ?? []
                    if let fault = keys.takeFault() { throw fault }
                }
                let payloadStart = payloads.count
                payloads += body[own]
                let patchStart = patches.count
                var found: [Patch] = []
                try forms[Int(event.type) - 1].findPatches(&reader, &found, shared: learn)
                guard reader.isComplete else {
                    throw Workloads.Failure(
                        what: "\(types[Int(event.type) - 1].name) is not as its schema")
                }
                patches += found.map { $0.moved(by: -own.lowerBound) }
                let tagStart = tags.count
                for tag in event.tags {
                    tags.append(tag.number)
                    guard idsOfTags[tag.number] == nil else { continue }
                    let id = text(tag.number).drop { $0 != ":" }.dropFirst()
                    idsOfTags[tag.number] = numbers[Array(id.utf8)] ?? 0
                }
                entries.append(
                    Entry(
                        type: event.type, stream: event.stream.number, actor: event.actor.number,
                        device: event.device.number, subject: event.subject.number,
                        at: event.at.milliseconds, cause: event.cause.number,
                        command: event.command.map { firstCommand + $0 } ?? -1,
                        tags: tagStart..<tags.count, payload: payloadStart..<payloads.count,
                        personal: personal,
                        patches: patchStart..<patches.count))
            }
            return entries.count < count
        }
    }

    /// Finds what a shared record names, once.
    private func learn(_ number: UInt32, _ form: Form) throws {
        let index = Int(number)
        guard meanings[index].patches.isEmpty else { return }
        var reader = BinaryReader(meanings[index].bytes)
        var found: [Patch] = []
        try form.findPatches(&reader, &found, shared: learn)
        meanings[index].patches = found
    }

    /// Whose personal fields an event holds, as its key is named.
    func person(_ entry: Entry) -> PersonKeys.Name {
        PersonKeys.Name(
            product: String(types[Int(entry.type) - 1].name.prefix { $0 != "." }),
            person: text(entry.subject))
    }

    /// The type of an entry as this program knows it.
    func payloadType(_ entry: Entry) throws -> PayloadType {
        guard let type = payloadTypes[Int(entry.type) - 1] else {
            throw Workloads.Failure(
                what: "\(types[Int(entry.type) - 1].name) is in no vocabulary")
        }
        return type
    }

    /// The symbol of a text that the source has, such as a product's name.
    func symbol(of text: String) -> UInt32 {
        let bytes = Array(text.utf8)
        return UInt32(meanings.firstIndex { $0.bytes == bytes } ?? 0)
    }

    func text(_ symbol: UInt32) -> String {
        String(decoding: meanings[Int(symbol)].bytes, as: UTF8.self)
    }
}

extension Patch {
    func moved(by distance: Int) -> Patch {
        Patch(kind: kind, value: value, offset: offset + distance, length: length)
    }
}
