package import Core
import Folding
package import TafawoqEvents

extension Tafawoq {
    /// What `flags` lists: the patterns of `exam.flagged`, and each question that was left out (R30, R31).
    package enum Suspicion: String, Choice {
        case impossibleTime = "impossible-time"
        case deviceChange = "device-change"
        case rushed
        case timeMismatch = "time-mismatch"
        case imageVoided = "image-voided"
    }

    /// A suspicious pattern of an exam (R31).
    package struct FlagRow: Record {
        package var exam = ExamID.none
        package var student = StudentID.none
        package var pattern = Suspicion.empty
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
            state.flag(
                event.exam, of: event.student,
                Tafawoq.Suspicion(rawValue: event.pattern.rawValue) ?? .empty, event.value, metadata
            )
        }
    }

    /// Adds an entry to what `flags` lists (R30, R31).
    func flag(
        _ exam: Tafawoq.ExamID, of student: Tafawoq.StudentID, _ pattern: Tafawoq.Suspicion,
        _ value: Int, _ metadata: EventMetadata
    ) {
        var flag = Tafawoq.FlagRow()
        flag.exam = exam
        flag.student = student
        flag.pattern = pattern
        flag.value = value
        flag.at = metadata.at
        flags.append(flag, to: .only, at: count(\.flags))
    }
}
