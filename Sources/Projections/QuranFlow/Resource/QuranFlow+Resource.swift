import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What is there to read and keep? In order of publication.
    static let resourcesView = ReadModel<State>(
        "quranflow.resources", "What is there to read and keep?"
    ) { state, request, output in
        let resources = state.catalogue.resources.compactMap { id in
            state.resources[id].flatMap { $0.isWithdrawn ? nil : (id: id, row: $0) }
        }
        output.object { output in
            for category in Resource.Category.allCases {
                let ofCategory = resources.filter { $0.row.category == category }
                output.array(category.rawValue, ofCategory) { output, resource in
                    output.object { output in
                        output.member("resource", resource.id)
                        output.member("source", resource.row.source)
                        output.member("title", resource.row.title)
                    }
                }
            }
        }
        return true
    }
}
