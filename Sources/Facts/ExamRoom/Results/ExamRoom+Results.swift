import Core
import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func resultsRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Results.Published.self) { state, event, metadata in
            state.write(ExamRoom.Register.results, of: event.exam, by: metadata) {
                $0.areResultsPublished = true
            }
        }
        routes.on(ExamRoom.Results.Withheld.self) { state, event, metadata in
            state.write(ExamRoom.Register.results, of: event.exam, by: metadata) {
                $0.areResultsPublished = false
            }
        }
    }
}
