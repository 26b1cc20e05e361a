import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Where something leads in the app.
    struct Link {
        private var members: [(String, JSON)]

        private init(_ members: [(String, JSON)]) {
            self.members = members
        }

        var json: JSON { .object(of: members) }

        static func tab(_ tab: String) -> Link { Link([("tab", .string(tab))]) }
        static func screen(_ screen: String) -> Link { Link([("screen", .string(screen))]) }

        static func learn(_ segment: String? = nil, week: Int? = nil) -> Link {
            tab("learn").with("segment", segment).with("week", week)
        }

        func with(_ name: String, _ value: String?) -> Link {
            value.map { Link(members + [(name, .string($0))]) } ?? self
        }

        func with(_ name: String, _ value: Int?) -> Link {
            value.map { Link(members + [(name, .integer(Int64($0)))]) } ?? self
        }
    }
}

extension JSONOutput {
    /// A link into the app: what is known of segment, tab, week and the like.
    mutating func link(_ name: String, _ link: QuranFlow.Link?) {
        guard let link else { return null(name) }
        member(name, link.json)
    }
}
