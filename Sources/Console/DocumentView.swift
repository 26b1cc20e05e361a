import Core

/// A document laid out for people: values beside their names, rows in tables. Each value leads to why it is so, and what
/// differs from another moment is marked, by sign and by colour.
struct DocumentView {
    let visit: Visit
    /// What it is compared with; nil for nothing.
    let old: JSON?
    /// The address of why a value at a path is so.
    let why: (String) -> String?

    var isCompared: Bool { old != nil }

    func markup(_ document: JSON) -> Markup { value(document, old, "$", 0) }

    private func value(_ new: JSON?, _ old: JSON?, _ path: String, _ depth: Int) -> Markup {
        switch new {
        case .object(let members): return object(members, old, path, depth)
        case .array(let items): return array(items, old, path, depth)
        default: return scalar(new, old, path)
        }
    }

    private func object(_ members: [JSON.Member], _ old: JSON?, _ path: String, _ depth: Int)
        -> Markup
    {
        let names = Set(members.map(\.name))
        let gone = (old?.members ?? []).filter { isCompared && !names.contains($0.name) }
        return element("dl", ["class": "document"]) {
            for member in members {
                element("div") {
                    element("dt", ["dir": "ltr"]) { member.name }
                    element("dd") {
                        value(
                            member.value, former(old, member.name), path + Self.step(member.name),
                            depth + 1)
                    }
                }
            }
            for member in gone {
                element("div") {
                    element("dt", ["dir": "ltr"]) { member.name }
                    element("dd") { removed(member.value) }
                }
            }
        }
    }

    /// What stood there in the other document; where the whole is compared, what was not there was nothing.
    private func former(_ old: JSON?, _ name: String) -> JSON? {
        isCompared ? old?[name] ?? .null : nil
    }

    private func array(_ items: [JSON], _ old: JSON?, _ path: String, _ depth: Int) -> Markup {
        let former = old?.array ?? []
        if items.isEmpty, former.isEmpty { return Markup("[ ]") }
        if let columns = Self.columns(items) { return rows(items, former, columns, path) }
        return element("ol", ["class": "items", "start": "0"]) {
            for (index, item) in items.enumerated() {
                element("li") {
                    value(
                        item, isCompared ? (index < former.count ? former[index] : .null) : nil,
                        "\(path)[\(index)]", depth + 1)
                }
            }
            if isCompared {
                for item in former.dropFirst(items.count) { element("li") { removed(item) } }
            }
        }
    }

    /// The members that all items have; nil where they are no rows.
    private static func columns(_ items: [JSON]) -> [String]? {
        guard items.count > 1, let first = items.first?.members else { return nil }
        let names = first.map(\.name)
        let areRows = items.allSatisfy { item in
            guard let members = item.members, members.map(\.name) == names else { return false }
            return members.allSatisfy {
                $0.value.members == nil && ($0.value.array?.count ?? 0) <= 4
            }
        }
        return areRows ? names : nil
    }

    private func rows(_ items: [JSON], _ former: [JSON], _ columns: [String], _ path: String)
        -> Markup
    {
        visit.table(
            path, ["#"] + columns,
            items.enumerated().map { index, item in
                [Markup("\(index)")]
                    + columns.map { name in
                        let old =
                            isCompared
                            ? (index < former.count ? former[index][name] ?? .null : .null) : nil
                        let here = "\(path)[\(index)]\(Self.step(name))"
                        return scalar(item[name], old, here)
                    }
            })
    }

    private func scalar(_ new: JSON?, _ old: JSON?, _ path: String) -> Markup {
        let shown = element("bdi") { new?.shown ?? "—" }
        let linked = why(path).map { address in link(address, ["class": "why"]) { shown } } ?? shown
        guard isCompared, let old, old != (new ?? .null) else { return linked }
        return element("span", ["class": "changed"]) {
            element("del") {
                element("span", ["class": "sign"]) { "− " }
                element("bdi") { Self.short(old) }
            }
            " "
            element("ins") {
                element("span", ["class": "sign"]) { "+ " }
                linked
            }
        }
    }

    private func removed(_ old: JSON) -> Markup {
        element("del") {
            element("span", ["class": "sign"]) { "− " }
            element("bdi") { Self.short(old) }
        }
    }

    private static func short(_ value: JSON) -> String {
        let text = value.shown
        return text.count > 120 ? text.prefix(120) + "…" : text
    }

    /// A member's step of a path (RFC 9535).
    static func step(_ name: String) -> String {
        let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "_"):
                true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
            default: false
            }
        }
        if isPlain, !name.isEmpty { return "." + name }
        let escaped = name.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        return "['\(escaped)']"
    }
}
