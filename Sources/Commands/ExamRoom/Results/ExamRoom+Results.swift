import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Shows students their scores (7.3).
    struct PublishResults: ExamCommand {
        static let type = "examroom.results.publish"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            if try context.find(exam).areResultsPublished { throw .resultsAlreadyPublished }
            context.record(Results.Published(exam: exam), on: exam)
            if context.state.policy.awardsWhen == .results { context.awardAll(at: exam) }
        }
    }

    /// Hides the scores from students again.
    struct WithholdResults: ExamCommand {
        static let type = "examroom.results.withhold"
        var exam = ExamID.none

        func decide(in context: Context) throws(Rejection) {
            if try !context.find(exam).areResultsPublished { throw .resultsNotPublished }
            context.record(Results.Withheld(exam: exam), on: exam)
        }
    }
}
