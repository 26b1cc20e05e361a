import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// Takes a step of the set-up (R13).
    struct TakeStep: Command {
        static let type = "quranflow.onboarding.take-step"
        var student = StudentID.none
        var step = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("step", &step)
        }

        func problem(_ names: Names) -> String? { problemOfStep(step) }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            try context.state.checkStep(step, of: student)
            guard let name = Onboarding.Step(number: step) else { return }
            if name == .font { throw .fontRequired }
            context.take(step, name, of: student)
            context.completeOnboarding(of: student)
        }
    }

    /// Leaves a step of the set-up out (R13).
    struct SkipStep: Command {
        static let type = "quranflow.onboarding.skip-step"
        var student = StudentID.none
        var step = 0

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("step", &step)
        }

        func problem(_ names: Names) -> String? { problemOfStep(step) }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            try context.state.checkStep(step, of: student)
            guard let name = Onboarding.Step(number: step) else { return }
            if !context.state.policy.onboardingSkippable.contains(step) { throw .stepMandatory }
            context.record(
                Onboarding.StepSkipped.with {
                    $0.step = step
                    $0.name = name
                }, student: student)
            context.completeOnboarding(of: student)
        }
    }

    /// Chooses a Quranic font and its size (R14).
    struct ChooseFont: Command {
        static let type = "quranflow.font.choose"
        var student = StudentID.none
        var font = ""
        var size: Int?

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("font", &font)
            coder.optional("size", &size)
        }

        func problem(_ names: Names) -> String? {
            QuranFlowCommands.problem(("size", size, 12...72))
        }

        func senders(in state: State) -> Senders { .student(student) }

        func decide(in context: Context) throws(Rejection) {
            let row = try context.state.student(student)
            guard context.state.policy.fonts.contains(where: { $0.isExactly(font) }) else {
                throw .unknownFont
            }
            context.record(
                Settings.FontChosen.with {
                    $0.font = font
                    $0.size = size
                }, student: student)
            // R13: takes step 3 while that is next.
            if row.isPlaced, !row.onboarding.isComplete, let next = row.onboarding.next,
                Onboarding.Step(number: next) == .font
            {
                context.take(next, .font, of: student)
            }
        }
    }
}

private func problemOfStep(_ step: Int) -> String? {
    problem(("step", step, 1...QuranFlow.Onboarding.Step.allCases.count))
}

extension QuranFlow.State {
    fileprivate func checkStep(
        _ step: Int, of id: QuranFlow.StudentID
    ) throws(QuranFlow.Rejection) {
        let row = try student(id)
        if !row.isPlaced { throw .notPlaced }
        if row.onboarding.isComplete { throw .onboardingComplete }
        if row.onboarding.next != step { throw .stepOutOfOrder }
    }
}

extension DecisionContext<QuranFlow> {
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
