import Core
import Folding
import QuranFlowEvents

extension QuranFlow.State {
    static func orientationRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Orientation.Published.self) { state, event, metadata in
            let video: QuranFlow.VideoID = state.thing(of: metadata)
            state.videos.update(video) {
                $0.kind = .orientation
                $0.title = event.title
                $0.seconds = event.seconds
            }
            state.updateCatalogue { $0.orientation.append(video) }
        }
    }
}
