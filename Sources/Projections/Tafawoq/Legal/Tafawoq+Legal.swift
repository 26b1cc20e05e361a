import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The legal texts in both languages: the version in force, or the one that is asked for (R50).
    static let legalView = ReadModel<State>(
        "tafawoq.legal", "What do the legal texts say?", arguments: ["version"],
        basis: .on(.types(PolicyAdopted.self, Legal.Published.self))
    ) { state, request, output in
        output.object { output in
            for document in Legal.Kind.allCases {
                let row = state.published(document)
                let inForce = state.policy.legalVersion(of: document)
                let shown = row.version(request.arguments["version"] ?? inForce)
                output.object(document.rawValue) { output in
                    output.member("inForce", inForce)
                    output.member("version", shown?.version)
                    output.member("publishedAt", shown?.publishedAt)
                    output.both("text", shown.map { Bilingual($0.text, $0.textAr) })
                    output.member("versions", row.versions.map(\.version))
                }
            }
        }
        return true
    }
}
