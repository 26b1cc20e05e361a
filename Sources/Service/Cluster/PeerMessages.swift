import Core
import EventLog
import ReplicatedLog

/// What nodes say to each other, as JSON.
enum PeerMessages {
    /// Keys on their way, in clear text beneath TLS: `{"keys":[{"key":…,"person":…,"slot":…}],"term":…}`.
    static func keys(
        _ keys: [CarriedKey], _ more: [(String, JSON)] = []
    ) -> JSON {
        .object(
            of: [
                (
                    "keys",
                    .array(
                        keys.map { key in
                            .object(of: [
                                ("key", .string(Hex.text(key.key))),
                                ("person", .string(Hex.text(key.person))),
                                ("slot", .integer(Int64(key.number))),
                            ])
                        })
                )
            ] + more)
    }

    /// Nil for anything else.
    static func keys(in json: JSON) -> [CarriedKey]? {
        guard let items = json["keys"]?.array else { return nil }
        var keys: [CarriedKey] = []
        for item in items {
            guard let number = item["slot"]?.wholeNumber.flatMap({ UInt32(exactly: $0) }),
                let person = item["person"]?.string.flatMap(Hex.bytes), person.count == 16,
                let key = item["key"]?.string.flatMap(Hex.bytes), key.count == 32
            else { return nil }
            keys.append(CarriedKey(number: number, person: person, key: key))
        }
        return keys
    }

    static func slots(_ slots: [UInt32], named name: String) -> (String, JSON) {
        (name, .array(slots.map { .integer(Int64($0)) }))
    }

    static func slots(in json: JSON, named name: String) -> [UInt32]? {
        guard let items = json[name]?.array else { return nil }
        let numbers = items.compactMap { $0.wholeNumber.flatMap { UInt32(exactly: $0) } }
        return numbers.count == items.count ? numbers : nil
    }
}
