import Core
import QuranFlowEvents

extension QuranFlow {
    /// Which clock a zone's name means (R40).
    ///
    /// A zone is a place: its clock knows summer time. The abbreviations of the specification are taken for
    /// the places that they are used at; what is recorded is the place. A name that stands for a fixed
    /// distance from UTC is none, and is refused with advice: what it shows would be an hour off for half of
    /// the year.
    enum ZoneName {
        private static let places = [
            ("EST", "America/New_York"), ("EDT", "America/New_York"), ("ET", "America/New_York"),
            ("GMT", "Europe/London"), ("BST", "Europe/London"), ("GST", "Asia/Dubai"),
            ("AEST", "Australia/Sydney"), ("AEDT", "Australia/Sydney"),
            ("AET", "Australia/Sydney"),
        ]

        private static let universal = ["Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu"]
        /// `Factory` is what a computer has before anybody set its clock.
        private static let fixed = [
            "MST", "HST", "GMT0", "GMT+0", "GMT-0", "Greenwich", "Factory",
        ]

        /// The place that a name stands for: itself, unless it is an abbreviation.
        static func place(_ name: String) -> String {
            places.first { $0.0.isExactly(name) }?.1 ?? name
        }

        /// Why a name is refused, as a reason for `malformed`; nil for a good one.
        static func problem(_ name: String) -> String? {
            let place = place(name)
            if isFixed(place) {
                return "timeZone: \"\(place)\" is a fixed distance from UTC, which knows no summer "
                    + "time: expected a place, such as Asia/Karachi"
            }
            if TimeZones.zone(named: place) == nil {
                let abbreviations = places.map(\.0).joined(separator: ", ")
                return "timeZone: expected the name of an IANA time zone, such as "
                    + "America/New_York, or one of \(abbreviations)"
            }
            return nil
        }

        private static func isFixed(_ name: String) -> Bool {
            if name.hasPrefix("Etc/") { return !universal.contains { $0.isExactly(name) } }
            if fixed.contains(where: { $0.isExactly(name) }) { return true }
            // `UTC+3` and `+03:00` are no names at all, but mean the same.
            let offset = ["UTC", "GMT"].first { name.hasPrefix($0) }.map {
                name.dropFirst($0.count)
            }
            return (offset ?? name[...]).first.map { $0 == "+" || $0 == "-" } ?? false
        }
    }
}
