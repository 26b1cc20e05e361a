import EventLog
import Core

extension EventEngine {
    /// Events, streams, bytes and bytes an event, by type, product and day.
    public func statistics() throws(EngineError) -> Document {
        try whileOpen {
            let snapshot = try journal.snapshot()
            let files = try journal.statistics()
            let types = try JournalTypes(snapshot.types(), registry)
            var counts = EventCounts()
            try snapshot.forEachEvent { event, _ in
                counts.add(event, types)
                return true
            }
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
                    output.array("types", counts.sortedTypes) { output, entry in
                        output.object { output in
                            output.member("events", entry.value.events)
                            output.member("payloadBytes", entry.value.bytes)
                            output.member("type", entry.key)
                        }
                    }
                    output.array("products", counts.sortedProducts) { output, entry in
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
    var streams: Set<Symbol> = []
    /// By the day on which the journal learned of them.
    var days: [LocalDate: Int] = [:]
    private var types: [String: (events: Int, bytes: Int)] = [:]
    private var products: [String: Int] = [:]

    mutating func add(_ event: EventRecord, _ journalTypes: JournalTypes) {
        events += 1
        payloadBytes += event.payload.count
        streams.insert(event.stream)
        days[event.recordedAt.utcDate, default: 0] += 1
        guard let type = journalTypes[event.type]?.payload else { return }
        types[type.name, default: (0, 0)].events += 1
        types[type.name, default: (0, 0)].bytes += event.payload.count
        products[type.product, default: 0] += 1
    }

    var sortedTypes: [(key: String, value: (events: Int, bytes: Int))] {
        types.sorted { $0.key.precedes($1.key) }
    }

    var sortedProducts: [(key: String, value: Int)] {
        products.sorted { $0.key.precedes($1.key) }
    }
}
