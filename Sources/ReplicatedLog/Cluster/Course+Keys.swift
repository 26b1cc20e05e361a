import Engine
import EventLog

/// Keys of persons, which the log has not: they are asked for.
extension Course {
    /// How long frames wait for keys that no node gives.
    static let keyPatience = 5_000

    /// Those that can be asked, whoever decides first.
    private var others: [ClusterMember] {
        let status = node.status
        let others = status.members.filter { $0.name != node.name }
        return others.filter { $0.name == status.log?.node }
            + others.filter { $0.name != status.log?.node }
    }

    /// Brings the keys that frames name before they are taken in; false while it is worth waiting for them.
    mutating func bringKeys(of frames: [LoggedFrame]) throws -> Bool {
        var wanted = try node.engine.missingKeys(of: frames)
        for other in others where !wanted.isEmpty {
            guard let given = node.peers.keys(in: wanted.map(\.number), of: other) else { continue }
            try node.engine.keep(given.keys)
            wanted = try node.engine.missingKeys(of: wanted)
            wanted.removeAll { given.destroyed.contains($0.number) }
        }
        let now = Monotonic.milliseconds()
        if !wanted.isEmpty, now - (askingSince ?? now) < Self.keyPatience {
            askingSince = askingSince ?? now
            return false
        }
        askingSince = nil
        if !wanted.isEmpty {
            missing += wanted
            node.tell(.keysMissing(missing.count))
        }
        return true
    }

    /// Brings keys that were missing when their frames came.
    mutating func fill() throws {
        let now = Monotonic.milliseconds()
        guard !missing.isEmpty, now >= nextFill else { return }
        nextFill = now + 2_000
        // An erasure may have destroyed some since.
        missing = try node.engine.missingKeys(of: missing)
        var keys: [CarriedKey] = []
        for other in others {
            let left = missing.map(\.number).filter { number in
                !keys.contains { $0.number == number }
            }
            if left.isEmpty { break }
            keys += node.peers.keys(in: left, of: other)?.keys ?? []
        }
        guard !keys.isEmpty else { return }
        let count = try node.engine.fill(missing, from: keys)
        missing = try node.engine.missingKeys(of: missing)
        if count > 0 { node.tell(.keysFilled(count)) }
    }
}
