import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// What an announcement says.
    package struct AnnouncementRow: Record {
        package var title = ""
        package var text = ""

        package init() {}
    }
}

extension QuranFlow.State {
    static func announcementRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Announcement.Posted.self) { state, event, metadata in
            state.announcements.update(state.thing(of: metadata)) {
                $0.title = event.title
                $0.text = event.text
            }
        }
    }
}
