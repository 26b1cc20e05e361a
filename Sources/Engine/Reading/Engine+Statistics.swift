import EventLog
import Core
import Folding

extension EventEngine {
    /// Events, streams, bytes and bytes an event, by type, product and day.
    public func statistics() throws(EngineError) -> Document {
        try whileOpen {
            let snapshot = try journal.snapshot()
            let files = try journal.statistics()
            let types = try JournalTypes(snapshot.types(), registry)
            var counts = EventCounts(types)
            try snapshot.forEachEvent { event, _ in
                counts.add(event)
                return true
            }
            let sorted = counts.sorted(types)
            var stored = 0
            var inflated = 0
            var (blocks, sealed) = (0, 0)
            try snapshot.forEachStored { record in
                stored += record.storedBytes
                inflated += record.bodyBytes
                if record.isBlock {
                    blocks += 1
                    sealed += record.eventCount
                }
                return true
            }
            let used = files.fileBytes - files.freeBytes
            let secrets = try SecretsCheck(journal, registry).summary()
            return Document(names: Names()) { output in
                output.object { output in
                    output.member("events", counts.events)
                    output.member("streams", counts.streams.count)
                    output.member("blocks", blocks)
                    output.member("sealedEvents", sealed)
                    output.member("lead", journal.lead.seconds)
                    output.object("keys") { output in
                        output.member("destroyed", secrets.destroyed)
                        output.member("here", secrets.here)
                        output.member("lost", secrets.lost)
                        output.member("withheld", secrets.withheld)
                    }
                    output.member("problems", secrets.problems + secrets.pending)
                    output.member("symbols", Int(snapshot.head.symbolCount))
                    output.member("frames", Int(snapshot.head.frameCount))
                    output.object("bytes") { output in
                        output.member("file", files.fileBytes)
                        output.member("free", files.freeBytes)
                        output.member("frames", stored)
                        output.member("framesInflated", inflated)
                        output.member("payloads", counts.payloadBytes)
                    }
                    if let reader = files.oldestReader {
                        output.object("oldestReader") { output in
                            output.member("commitsBehind", reader.commitsBehind)
                            output.member("process", reader.process)
                        }
                    }
                    output.member("bytesPerEvent", Self.quotient(used, counts.events))
                    output.member("frameBytesPerEvent", Self.quotient(stored, counts.events))
                    output.array("databases", files.databases) { output, database in
                        output.object { output in
                            output.member("bytes", database.bytes)
                            output.member("entries", database.entries)
                            output.member("name", database.name)
                        }
                    }
                    output.array("types", sorted.types) { output, entry in
                        output.object { output in
                            output.member("events", entry.value.events)
                            output.member("payloadBytes", entry.value.bytes)
                            output.member("type", entry.key)
                        }
                    }
                    output.array("products", sorted.products) { output, entry in
                        output.object { output in
                            output.member("events", entry.value)
                            output.member("product", entry.key)
                        }
                    }
                    output.array("days", counts.days.sorted { $0.key < $1.key }) { output, entry in
                        output.object { output in
                            output.member("date", entry.key)
                            output.member("events", entry.value)
                        }
                    }
                }
            }
        }
    }

    /// The names of the event types that the journal has met, in order of code point.
    package func eventTypes() throws(EngineError) -> [String] {
        try whileOpen {
            Set(try journal.snapshot().types().map(\.name)).sorted { $0.precedes($1) }
        }
    }

    /// To two decimals; null for nothing.
    private static func quotient(_ bytes: Int, _ events: Int) -> Percent? {
        guard events > 0 else { return nil }
        return Percent(
            hundredths: Rounding.halfAway(Int64(bytes).multipliedClamping(100), by: Int64(events)))
    }
}

/// What a scan of the journal counts.
private struct EventCounts {
    var events = 0
    var payloadBytes = 0
    var streams = NumberSet()
    /// By the journal's number of the type.
    private var numbers: [(events: Int, bytes: Int)]
    /// By the day on which the journal learned of them.
    var days: [LocalDate: Int] = [:]

    init(_ types: JournalTypes) {
        numbers = Array(repeating: (0, 0), count: types.count + 1)
    }

    mutating func add(_ event: EventRecord) {
        events += 1
        payloadBytes += event.payload.count
        streams.insert(event.stream.number)
        days[event.recordedAt.utcDate, default: 0] += 1
        guard numbers.indices.contains(Int(event.type)) else { return }
        numbers[Int(event.type)].events += 1
        numbers[Int(event.type)].bytes += event.payload.count
    }

    /// By wire name and by product, in their order.
    func sorted(
        _ types: JournalTypes
    ) -> (
        types: [(key: String, value: (events: Int, bytes: Int))],
        products: [(key: String, value: Int)]
    ) {
        var byType: [String: (events: Int, bytes: Int)] = [:]
        var byProduct: [String: Int] = [:]
        for (number, counted) in numbers.enumerated() where counted.events > 0 {
            guard let type = types[UInt16(number)]?.payload else { continue }
            byType[type.name, default: (0, 0)].events += counted.events
            byType[type.name, default: (0, 0)].bytes += counted.bytes
            byProduct[type.product, default: 0] += counted.events
        }
        return (
            byType.sorted { $0.key.precedes($1.key) }, byProduct.sorted { $0.key.precedes($1.key) }
        )
    }
}
