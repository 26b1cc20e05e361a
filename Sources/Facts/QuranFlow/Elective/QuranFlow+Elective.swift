import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// Something to focus on in Advanced.
    package struct ElectiveRow: Record {
        package var title = ""
        package var description = ""

        package init() {}
    }
}

extension QuranFlow.State {
    static func electiveRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Elective.Offered.self) { state, event, metadata in
            let elective: QuranFlow.ElectiveID = state.thing(of: metadata)
            state.electives.update(elective) {
                $0.title = event.title
                $0.description = event.description
            }
            state.updateCatalogue { $0.electives.append(elective) }
        }
        routes.on(QuranFlow.Elective.Chosen.self) { state, event, metadata in
            state.updateStudent(metadata) { $0.electives.append(event.elective) }
        }
        routes.on(QuranFlow.Elective.Dropped.self) { state, event, metadata in
            state.updateStudent(metadata) { row in row.electives.removeAll { $0 == event.elective }
            }
        }
    }
}
