import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What does a level learn? Its lessons and its assessment.
    static let curriculumView = ReadModel<State>(
        "quranflow.curriculum", "What does a level learn?", key: "level",
        keys: { _ in Policy.levels.map { String($0) } },
        basis: .on(Grounds.lessons, Grounds.eocs, Grounds.policy)
    ) { state, request, output in
        guard let level = Policy.levels.first(where: { String($0) == request.key }) else {
            return false
        }
        let weeks = state.lessons.allKeys.filter {
            $0.first == Ordinal(level) && state.lessons.contains($0)
        }.map { Int($0.second.number) }.sorted()
        output.object { output in
            if let eoc = state.eocs[Ordinal(level)] {
                output.object("eoc") { output in
                    output.member("description", eoc.description)
                    output.member("reference", reference(eoc.passage))
                }
            } else {
                output.null("eoc")
            }
            output.member("level", level)
            output.member("name", state.policy.levelName(level))
            output.array("weeks", weeks) { output, week in
                guard let lesson = state.lesson(level: level, week: week) else { return }
                output.object { output in
                    output.member("reference", reference(lesson.passage))
                    output.member("revisions", lesson.revisions)
                    output.member("seconds", lesson.seconds)
                    output.member("topic", lesson.topic)
                    output.member("videos", lesson.videos.count)
                    output.member("week", week)
                }
            }
        }
        return true
    }
}

extension QuranFlow.EnrolledLearner {
    /// The lesson, if its week is unlocked: a locked week prints no content.
    func openLesson(_ week: Int) -> QuranFlow.LessonRow? {
        row.isUnlocked(week, at: now) ? state.lesson(level: row.level, week: week) : nil
    }

    func writeLesson(_ week: Int, to output: inout JSONOutput) {
        let lesson = openLesson(week)
        let status = state.lessonState(row, week: week, at: now)
        output.object("lesson") { output in
            output.member("canComplete", status == .watched)
            output.member("canReopen", status == .complete)
            output.member("notes", lesson?.notes)
            output.member("objectives", lesson?.objectives ?? [])
            output.member("seconds", lesson?.seconds ?? 0)
            output.member("state", status)
            output.array("videos", lesson?.videos ?? []) { output, video in
                let progress = state.progress[.init(row.student, video.video)]
                output.object { output in
                    output.member("duration", QuranFlow.Formatter.duration(video.seconds))
                    output.member("resumeAt", progress?.resumeAt ?? 0)
                    output.member("seconds", video.seconds)
                    output.member("title", video.title)
                    output.member("video", video.video)
                    output.member("watched", progress?.isWatched ?? false)
                }
            }
            output.member(
                "watched", lesson.map { state.watchedCount($0, by: row.student) } ?? 0)
        }
    }
}
