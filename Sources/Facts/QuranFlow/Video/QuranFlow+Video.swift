import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A video that is in use (R1).
    package struct VideoRow: Record {
        package var kind = Video.Kind.lesson
        package var title = ""
        package var seconds = 0
        /// The lesson's level and week, if it is one of a lesson.
        package var level = 0
        package var week = 0
        /// The session that it is the recording of.
        package var session: SessionID?

        package init() {}
    }

    /// One student's progress in one video (R15).
    package struct ProgressRow: Record {
        package var resumeAt = 0
        /// A position after the beginning was reported.
        package var isStarted = false
        package var isWatched = false

        package init() {}
    }
}

extension QuranFlow.State {
    static func videoRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Video.Progressed.self) { state, event, metadata in
            state.progressed(event, metadata)
        }
        routes.on(QuranFlow.Video.Watched.self) { state, event, metadata in
            let student: QuranFlow.StudentID = state.thing(of: metadata)
            state.progress.update(.init(student, event.video)) { $0.isWatched = true }
        }
    }

    private func progressed(_ event: QuranFlow.Video.Progressed, _ metadata: EventMetadata) {
        let student: QuranFlow.StudentID = thing(of: metadata)
        progress.update(.init(student, event.video)) {
            // Seen to its end, it begins anew (R15).
            $0.resumeAt = event.position == event.seconds ? 0 : event.position
            $0.isStarted = $0.isStarted || event.position > 0
        }
    }

    /// Whether a student watched a video.
    package func isWatched(_ video: QuranFlow.VideoID, by student: QuranFlow.StudentID) -> Bool {
        progress.read(.init(student, video)) { $0.isWatched } ?? false
    }
}
