package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    /// Takes a step of the set-up (R13).
    package struct TakeStep: Command {
        package static let type = "quranflow.onboarding.take-step"
        var student = StudentID.none
        var step = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("step", &step)
        }

        package func problem(_ names: Names) -> String? { problemOfStep(step) }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            try scene.state.checkStep(step, of: student)
            guard let name = Onboarding.Step(number: step) else { return }
            if name == .font { throw .fontRequired }
            scene.take(step, name, of: student)
            scene.completeOnboarding(of: student)
        }
    }

    /// Leaves a step of the set-up out (R13).
    package struct SkipStep: Command {
        package static let type = "quranflow.onboarding.skip-step"
        var student = StudentID.none
        var step = 0

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("step", &step)
        }

        package func problem(_ names: Names) -> String? { problemOfStep(step) }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            try scene.state.checkStep(step, of: student)
            guard let name = Onboarding.Step(number: step) else { return }
            if !scene.state.policy.onboardingSkippable.contains(step) { throw .stepMandatory }
            scene.record(
                Onboarding.StepSkipped.with {
                    $0.step = step
                    $0.name = name
                }, student: student)
            scene.completeOnboarding(of: student)
        }
    }

    /// Chooses a Quranic font and its size (R14).
    package struct ChooseFont: Command {
        package static let type = "quranflow.font.choose"
        var student = StudentID.none
        var font = ""
        var size: Int?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("font", &font)
            coder.optional("size", &size)
        }

        package func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("size", size, 12...72))
        }

        package func who(in programme: Programme) -> Who { .student(student) }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            let row = try scene.state.student(student)
            guard scene.state.policy.fonts.contains(where: { $0.isExactly(font) }) else {
                throw .unknownFont
            }
            scene.record(
                Settings.FontChosen.with {
                    $0.font = font
                    $0.size = size
                }, student: student)
            // R13: takes step 3 while that is next.
            if row.isPlaced, !row.onboarding.isComplete, let next = row.onboarding.next,
                Onboarding.Step(number: next) == .font
            {
                scene.take(next, .font, of: student)
            }
        }
    }
}

private func problemOfStep(_ step: Int) -> String? {
    problem(("step", step, 1...QuranFlow.Onboarding.Step.allCases.count))
}

extension QuranFlow.Programme {
    fileprivate func checkStep(
        _ step: Int, of id: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) {
        let row = try student(id)
        if !row.isPlaced { throw .notPlaced }
        if row.onboarding.isComplete { throw .onboardingComplete }
        if row.onboarding.next != step { throw .stepOutOfOrder }
    }
}

extension Scene<QuranFlow.Programme> {
    fileprivate func take(
        _ step: Int, _ name: QuranFlow.Onboarding.Step, of student: QuranFlow.StudentID
    ) {
        record(
            QuranFlow.Onboarding.StepTaken.with {
                $0.step = step
                $0.name = name
            }, student: student)
    }

    /// With the last step the set-up is done, once per student.
    fileprivate func completeOnboarding(of student: QuranFlow.StudentID) {
        guard let onboarding = state.students[student]?.onboarding, onboarding.next == nil else {
            return
        }
        record(
            QuranFlow.Onboarding.Completed.with { $0.skipped = onboarding.skipped },
            student: student)
    }
}
