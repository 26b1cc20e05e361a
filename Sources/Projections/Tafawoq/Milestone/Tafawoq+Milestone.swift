import Core
import Folding
import Projections
import TafawoqEvents
import TafawoqFacts

extension Tafawoq {
    /// The milestones of a student, in the order reached (R41).
    static let milestonesView = ReadModel<State>(
        "tafawoq.milestones", "What did the student reach?", key: "student",
        keys: { $0.studentKeys }, basis: .on(Grounds.life, Grounds.rules)
    ) { state, request, output in
        guard let (student, row) = state.student(request.key) else { return false }
        let reached = state.milestones.elements(of: student, count: row.milestones.count)
        output.object { output in
            output.member("student", student)
            output.array("milestones", reached) { output, milestone in
                output.object { output in
                    output.member("milestone", milestone.milestone)
                    output.member("at", milestone.at)
                    output.member("value", milestone.value)
                }
            }
        }
        return true
    }
}

extension Tafawoq.Texts {
    /// `exams-10`, `perfect-geometry`, `improved-10`, `practice-hours-10`.
    static func milestone(_ name: String) -> Bilingual {
        let parts = name.split(separator: "-", maxSplits: 1)
        guard parts.count == 2 else { return Bilingual(name, name) }
        let rest = String(parts[1])
        switch parts[0] {
        case "exams":
            return Bilingual("{exams}", "إكمال {exams}").filling(.exams, Int(rest) ?? 0)
        case "perfect":
            return Bilingual("a perfect score in {category}", "العلامة الكاملة في {category}")
                .filling("category", with: label(rest))
        case "improved":
            return Bilingual("an improvement of {points}", "تحسّن بمقدار {points}")
                .filling(.points, Int(rest) ?? 0)
        default:
            let hours = rest.split(separator: "-").last.map { String($0) } ?? rest
            return Bilingual("{hours} of practice", "{hours} من التدريب")
                .filling(.hours, Int(hours) ?? 0)
        }
    }
}
