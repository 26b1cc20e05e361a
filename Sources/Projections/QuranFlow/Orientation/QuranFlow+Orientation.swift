import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow.Learner {
    /// The orientation videos, in order of publication.
    func writeOrientation(to output: inout JSONOutput) {
        output.array("orientation", state.catalogue.orientation) { output, video in
            let content = state.videos[video]
            output.object { output in
                output.member("seconds", content?.seconds)
                output.member("title", content?.title)
                output.member("video", video)
                output.member("watched", state.isWatched(video, by: id))
            }
        }
    }
}
