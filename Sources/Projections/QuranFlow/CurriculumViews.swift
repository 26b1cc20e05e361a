import Core
import Folding
import Projections
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// What does a level learn?
    static let curriculumView = ReadModel<Programme>(
        "quranflow.curriculum", "What does a level learn?", key: "level",
        keys: { _ in Policy.levels.map { String($0) } },
        basis: .on(Grounds.lessons, Grounds.eocs, Grounds.policy)
    ) { programme, request, output in
        guard let level = Policy.levels.first(where: { String($0) == request.key }) else {
            return false
        }
        let weeks = programme.lessons.allKeys.filter {
            $0.first == Ordinal(level) && programme.lessons.contains($0)
        }.map { Int($0.second.number) }.sorted()
        output.object { output in
            if let eoc = programme.eocs[Ordinal(level)] {
                output.object("eoc") { output in
                    output.member("description", eoc.description)
                    output.member("reference", reference(eoc.passage))
                }
            } else {
                output.null("eoc")
            }
            output.member("level", level)
            output.member("name", programme.policy.levelName(level))
            output.array("weeks", weeks) { output, week in
                guard let lesson = programme.lesson(level: level, week: week) else { return }
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
    static let resourcesView = ReadModel<Programme>(
        "quranflow.resources", "What is there to read and keep?"
    ) { programme, request, output in
        let resources = programme.catalogue.resources.compactMap { id in
            programme.resources[id].flatMap { $0.isWithdrawn ? nil : (id: id, row: $0) }
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

    /// Which numbers and switches are in force?
    static let policyView = ReadModel<Programme>(
        "quranflow.policy", "Which numbers and switches are in force?"
    ) { programme, request, output in
        Policy.write(programme.policies.entries, to: &output)
        return true
    }
}
