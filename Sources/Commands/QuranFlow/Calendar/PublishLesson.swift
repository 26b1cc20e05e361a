import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Publishes, or revises, what a level learns in a week.
    struct PublishLesson: Command {
        static let type = "quranflow.lesson.publish"
        var level = 0
        var week = 0
        var topic = ""
        var objectives: [FilledText] = []
        var videos: [Lesson.Video] = []
        var passage = Passage()
        var notes: String?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("level", &level)
            coder.field("week", &week)
            coder.filled("topic", &topic)
            coder.field("objectives", &objectives)
            coder.field("videos", &videos)
            coder.field("passage", &passage)
            coder.optionalFilled("notes", &notes)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(
                ("level", level, Policy.levels), ("week", week, 1...Int.max),
                ("objectives", objectives.count, 0...6), ("videos", videos.count, 1...9),
                ("seconds", videos.map(\.seconds).min(), 1...Int.max))
        }

        func senders(in state: State) -> Senders { .admin }

        /// R1: the lesson's own videos may come again.
        func decide(in context: Context) throws(Rejection) {
            try context.state.checkVideos(videos.map(\.video)) {
                $0.kind == .lesson && $0.level == level && $0.week == week
            }
            let stream = "quranflow/lesson/\(level):\(week)"
            if context.state.lesson(level: level, week: week) == nil {
                context.record(
                    Lesson.Published.with {
                        $0.level = level
                        $0.week = week
                        $0.topic = topic
                        $0.objectives = objectives.map(\.text)
                        $0.videos = videos
                        $0.passage = passage
                        $0.notes = notes
                    }, on: stream)
            } else {
                context.record(
                    Lesson.Revised.with {
                        $0.level = level
                        $0.week = week
                        $0.topic = topic
                        $0.objectives = objectives.map(\.text)
                        $0.videos = videos
                        $0.passage = passage
                        $0.notes = notes
                    }, on: stream)
            }
        }
    }

    /// Says what a level's End of Course Assessment is.
    struct DefineEOC: Command {
        static let type = "quranflow.eoc.define"
        var level = 0
        var description = ""
        var passage = Passage()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("level", &level)
            coder.filled("description", &description)
            coder.field("passage", &passage)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("level", level, Policy.levels))
        }

        func senders(in state: State) -> Senders { .admin }

        func decide(in context: Context) throws(Rejection) {
            context.record(
                Level.EOCDefined.with {
                    $0.level = level
                    $0.description = description
                    $0.passage = passage
                }, on: "quranflow/level/\(level)")
        }
    }
}
