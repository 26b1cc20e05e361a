package import Core

// The payloads that name people in fields which give no tag (ADR 0022).

extension ExamRoom.Conflict.Detected: NamesPeople {
    /// Those who wrote, and whose account or seat it was.
    package func people(_ names: Names) -> [String] {
        var found = contenders.compactMap { contender in
            names.text(contender.by).split(separator: ":", maxSplits: 1).dropFirst().first
        }
        let parts = record.split(separator: "/")
        if parts.count == 3, parts[1] == "account" { found.append(parts[2]) }
        if parts.count == 4, parts[1] == "seat" { found.append(parts[3]) }
        return found.map { String($0) }
    }
}

extension ExamRoom.Export.Made: NamesPeople {
    /// Whose audit entries were exported.
    package func people(_ names: Names) -> [String] {
        [filters?.user].compactMap(\.self)
    }
}

extension ExamRoom.Item.Imported: NamesPeople {
    /// Whose account was moved.
    package func people(_ names: Names) -> [String] {
        kind == .account ? [names.text(thing)] : []
    }
}
