import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// Something to read or keep.
    package struct ResourceRow: Record {
        package var title = ""
        package var category = Resource.Category.essential
        package var source = ""
        package var isWithdrawn = false

        package init() {}
    }
}

extension QuranFlow.State {
    static func resourceRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Resource.Published.self) { state, event, metadata in
            let resource: QuranFlow.ResourceID = state.thing(of: metadata)
            state.resources.update(resource) {
                $0.title = event.title
                $0.category = event.category
                $0.source = event.source
            }
            state.updateCatalogue { $0.resources.append(resource) }
        }
        routes.on(QuranFlow.Resource.Withdrawn.self) { state, _, metadata in
            state.resources.updateExisting(state.thing(of: metadata)) { $0.isWithdrawn = true }
        }
    }
}
