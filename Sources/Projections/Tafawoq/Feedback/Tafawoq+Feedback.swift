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

    /// Writes a count with its mean, to two decimals.
    static func writeMean(_ count: Int, _ sum: Int, to output: inout JSONOutput) {
        output.member("count", count)
        output.member(
            "mean", count == 0 ? nil : Percent(meanOf: sum.multipliedClamping(100), by: count))
    }
}
