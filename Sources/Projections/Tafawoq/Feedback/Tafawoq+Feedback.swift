import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// Number and mean of the ratings, in all and by what they are about.
    static let satisfactionView = ReadModel<State>(
        "tafawoq.satisfaction", "How satisfied are students?"
    ) { state, _, output in
        let ratings = Feedback.About.allCases.enumerated().map { index, about in
            (about: about, row: state.ratings[Ordinal(index)] ?? RatingRow())
        }
        let count = ratings.reduce(0) { $0 + $1.row.count }
        let sum = ratings.reduce(0) { $0.addingClamping($1.row.sum) }
        output.object { output in
            writeMean(count, sum, to: &output)
            output.object("byAbout") { output in
                for rating in ratings where rating.row.count > 0 {
                    output.object(rating.about.rawValue) {
                        writeMean(rating.row.count, rating.row.sum, to: &$0)
                    }
                }
            }
            output.member("target", 4)
        }
        return true
    }

    /// What students wrote and rated, newest first, for the staff; an erased student's is not shown (R2).
    static let feedbackView = ReadModel<State>(
        "tafawoq.feedback", "What do students say?", arguments: ["page", "about"]
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let about = try request.choice("about", Feedback.About.self)
        let count = state.totals[.only]?.feedbacks ?? 0
        let opinions = Array(
            state.opinions.elements(of: .only, count: count).filter { opinion in
                state.exists(opinion.student) && (about.map { $0 == opinion.about } ?? true)
            }.reversed())
        let shown = Array(opinions[page.range(of: opinions.count)])
        var said: [Position: JSON] = [:]
        request.history.forEach(at: shown.map(\.position).sorted()) { event in
            var output = JSONOutput(names: state.names)
            guard event.writeData(to: &output, hidesPersonal: false),
                let data = try? JSON(parsing: output.json.bytes)
            else { return true }
            said[event.metadata.position] = .object(
                of: [("at", .string(event.metadata.at.description))]
                    + (data.members ?? []).map { ($0.name, $0.value) })
            return true
        }
        output.object { output in
            page.write(total: opinions.count, to: &output)
            output.array("feedback", shown) { output, opinion in
                output.json.value(said[opinion.position] ?? .null)
            }
        }
        return true
    }

    /// Writes a count with its mean, to two decimals.
    static func writeMean(_ count: Int, _ sum: Int, to output: inout JSONOutput) {
        output.member("count", count)
        output.member(
            "mean", count == 0 ? nil : Percent(meanOf: sum.multipliedClamping(100), by: count))
    }
}
