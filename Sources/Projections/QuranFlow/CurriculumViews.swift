import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What does a level learn?
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

    /// What is there to read and keep? In order of publication.
    static let resourcesView = ReadModel<State>(
        "quranflow.resources", "What is there to read and keep?"
    ) { state, request, output in
        let resources = state.catalogue.resources.compactMap { id in
            state.resources[id].flatMap { $0.isWithdrawn ? nil : (id: id, row: $0) }
        }
        output.object { output in
            for category in Resource.Category.allCases {
                let ofCategory = resources.filter { $0.row.category == category }
                output.array(category.rawValue, ofCategory) { output, resource in
                    output.object { output in
                        output.member("resource", resource.id)
                        output.member("source", resource.row.source)
                        output.member("title", resource.row.title)
                    }
                }
            }
        }
        return true
    }

    static let policyView = ReadModel<State>.policy(
        "Which numbers and switches are in force?", basis: .on(Grounds.policy))
}
