public import Core

extension JSON {
    /// The same with null in the place of what the paths name, wherever lists lead to it.
    public func hiding(_ paths: [String]) -> JSON {
        paths.reduce(self) { $0.hiding($1.split(separator: ".")[...].map(String.init)[...]) }
    }

    private func hiding(_ path: ArraySlice<String>) -> JSON {
        switch self {
        case .array(let items): return .array(items.map { $0.hiding(path) })
        case .object(var members):
            guard let name = path.first,
                let index = members.firstIndex(where: { $0.name.isExactly(name) })
            else { return self }
            let rest = path.dropFirst()
            members[index].value = rest.isEmpty ? .null : members[index].value.hiding(rest)
            return .object(members)
        default: return self
        }
    }
}

extension NamedIDs {
    /// What an event names: by its stream, its tags, and the ids in its data.
    public init(event: JSON) {
        self.init()
        if let sender = event["by"]?.string { add(sender, as: "sender") }
        let place = event["stream"]?.string?.split(separator: "/") ?? []
        if place.count >= 3 { add(String(place[2]), as: String(place[1])) }
        for tag in event["tags"]?.array ?? [] {
            let parts = tag.string?.split(separator: ":", maxSplits: 1) ?? []
            if parts.count == 2 { add(String(parts[1]), as: String(parts[0])) }
        }
        for member in event["data"]?.members ?? [] {
            if let id = member.value.string { add(id, as: member.name) }
        }
    }
}

extension Viewer {
    /// An event as somebody sees it who may not see all of it.
    ///
    /// Those who run the place see who sent what, and from where; to others the device and the id of a command are null
    /// unless they sent it, and so is the sender where that is another student. Tags of other students are left out.
    public func seeing(_ event: JSON, hiding paths: [String]) -> JSON {
        var shown = event.hiding(paths.map { "data." + $0 })
        guard kind == .student || kind == .coach else { return shown }
        let sender = event["by"]?.string
        if sender != description {
            shown = shown.hiding(["command", "device"])
            if sender?.hasPrefix(Actor.Kind.student.rawValue + ":") == true {
                shown = kind == .student ? shown.hiding(["by"]) : shown
            }
        }
        guard kind == .student, case .object(var members) = shown,
            let index = members.firstIndex(where: { $0.name == "tags" })
        else { return shown }
        let tags = members[index].value.array ?? []
        members[index].value = .array(tags.filter { !isOfAnother($0.string ?? "") })
        return .object(members)
    }

    private func isOfAnother(_ tag: String) -> Bool {
        let parts = tag.split(separator: ":", maxSplits: 1)
        return parts.count == 2 && ["account", "student"].contains(String(parts[0]))
            && String(parts[1]) != id
    }
}
