import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Reports a play position (R15).
    struct WatchVideo: Command {
        static let type = "quranflow.video.watch"
        var student = StudentID.none
        var video = VideoID.none
        var position = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("video", &video)
            coder.number("position", &position)
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let state = context.state
            let row = try context.find(student)
            let shown = try context.find(video)
            if position > shown.seconds {
                throw context.refuse(
                    .positionPastEnd, "second \(position) of \(shown.seconds)")
            }
            switch shown.kind {
            case .lesson:
                let isUnlocked = row.enrollments.contains { id in
                    state.enrollments.read(id) {
                        $0.level == shown.level && $0.isUnlocked(shown.week, at: context.at)
                    } ?? false
                }
                if !isUnlocked { throw .weekLocked }
            case .session:
                guard let session = shown.session, state.isRecording(of: session, for: student)
                else { throw .sessionNotForYou }
            case .orientation: break
            }
            context.record(
                Video.Progressed(
                    video: video,
                    kind: shown.kind,
                    position: position,
                    seconds: shown.seconds), on: student)
            let threshold = state.policy.watchedPercent
            if !state.isWatched(video, by: student),
                position.multipliedClamping(100) >= shown.seconds.multipliedClamping(threshold)
            {
                context.record(
                    Video.Watched(
                        video: video,
                        kind: shown.kind,
                        threshold: threshold), on: student)
            }
        }
    }
}

extension DecisionContext<QuranFlow> {
    /// `duplicate-video` for one given twice, or in use elsewhere (R1).
    func checkVideos(
        _ videos: [QuranFlow.VideoID], but isOwn: (QuranFlow.VideoRow) -> Bool = { _ in false }
    ) throws(QuranFlow.Rejection) {
        if Set(videos).count < videos.count { throw .duplicateVideo }
        for video in videos {
            if let row = state.videos[video], !isOwn(row) { throw .duplicateVideo }
        }
    }
}
