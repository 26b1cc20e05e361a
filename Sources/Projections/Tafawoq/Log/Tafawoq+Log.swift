import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The operator's log, filtered by family and level, newest first (R49). Nothing personal is ever in
    /// it.
    static let logView = ReadModel<State>(
        "tafawoq.log", "What happened, for the operator?", arguments: ["page", "family", "level"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let family = try request.choice("family", LogFamily.self)
        let level = try request.choice("level", LogLevel.self)
        let kinds = payloads.map { (name: $0.name, level: LogLevel.of($0.name)) }
        let count = state.totals[.only]?.entries ?? 0
        let entries = Array(
            state.entries.elements(of: .only, count: count).filter { entry in
                (family.map { $0 == entry.family } ?? true)
                    && (level.map { $0 == kinds[Int(entry.type.number)].level } ?? true)
                    && state.policy.keeps(entry.family, entry.at, at: request.now)
            }.reversed())
        let shown = Array(entries[page.range(of: entries.count)])
        let codes = codes(of: shown, request, state.names)
        output.object { output in
            page.write(total: entries.count, to: &output)
            output.array("entries", shown) { output, entry in
                let kind = kinds[Int(entry.type.number)]
                let session = entry.session.flatMap { state.sessions[$0] }
                output.object { output in
                    output.member("position", entry.position)
                    output.member("at", entry.at)
                    output.member("level", kind.level)
                    output.member("family", entry.family)
                    output.member("type", kind.name)
                    output.member("user", entry.student.map { user(state.names.text($0)) })
                    output.member(
                        "tier",
                        entry.student == nil ? nil : entry.isPremium ? Tier.premium : Tier.free)
                    output.member("track", entry.track)
                    output.member("appVersion", session?.appVersion)
                    output.member("deviceType", session?.deviceType)
                    output.member("code", codes[entry.position])
                }
            }
        }
        return true
    }

    /// The first 16 hex digits of a digest of the id.
    private static func user(_ id: String) -> String {
        Hex.text(Array(SHA256Digest.of("tafawoq:\(id)").prefix(8)))
    }

    /// The events' `code` or `reason`.
    private static func codes(
        of entries: [LogRow], _ request: ViewRequest, _ names: Names
    ) -> [Position: String] {
        var codes: [Position: String] = [:]
        request.history.forEach(at: entries.map(\.position).sorted()) { event in
            var output = JSONOutput(names: names)
            guard event.writeData(to: &output, hidesPersonal: true),
                let data = try? JSON(parsing: output.json.bytes)
            else { return true }
            codes[event.metadata.position] = data["code"]?.string ?? data["reason"]?.string
            return true
        }
        return codes
    }
}

extension Tafawoq.Policy {
    /// How long an entry stays (R49).
    fileprivate func keeps(_ family: Tafawoq.LogFamily, _ at: Instant, at now: Instant) -> Bool {
        let days =
            family == .auth || family == .payment
            ? retentionAuthPaymentDays : retentionDays
        return now < at + Days(days)
    }
}
