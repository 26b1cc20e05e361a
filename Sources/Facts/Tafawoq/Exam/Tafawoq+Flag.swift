package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// A suspicious pattern of an exam (R31).
    package struct FlagRow: Record {
        package var exam = ExamID.none
        package var student = StudentID.none
        package var pattern = Exam.FlagPattern.empty
        package var value = 0
        package var at = Instant.epoch

        package init() {}
    }
}

extension Tafawoq.State {
    static func flagRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Exam.Flagged.self) { state, event, metadata in
            let key = Tafawoq.SittingKey.exam(event.exam)
            guard state.sittings.contains(key) else { return }
            state.change(key, metadata) { $0.flags.append(event.pattern) }
            var flag = Tafawoq.FlagRow()
            flag.exam = event.exam
            flag.student = event.student
            flag.pattern = event.pattern
            flag.value = event.value
            flag.at = metadata.at
            state.flags.append(flag, to: .only, at: state.count(\.flags))
        }
    }
}
