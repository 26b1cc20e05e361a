import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Publishes a video about the programme.
    struct PublishOrientation: Command {
        static let type = "quranflow.orientation.publish"
        var video = VideoID.none
        var title: Filled = ""
        var seconds = 0

        func problem(_ names: Names) -> String? {
            rangeProblem(("seconds", seconds, recordingSeconds))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            try context.checkVideos([video])
            context.record(
                Orientation.Published(
                    title: title,
                    seconds: seconds), on: context.orientationStream(video),
                about: ("video", video.symbol))
        }
    }
}
