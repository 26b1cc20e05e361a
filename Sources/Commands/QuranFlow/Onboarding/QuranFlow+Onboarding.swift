import Commands
import Core
import Folding
import QuranFlowEvents
import QuranFlowFacts

extension QuranFlow {
    /// A student's command about the next step of their set-up (R13).
    protocol StepCommand: Command {
        var student: StudentID { get set }
        var step: Int { get set }
    }

    /// Takes a step of the set-up (R13).
    struct TakeStep: StepCommand {
        static let type = "quranflow.onboarding.take-step"
        var student = StudentID.none
        var step = 0

        func decide(in context: Context) throws(Rejection) {
            try checkIsNext(in: context)
            guard let name = Onboarding.Step(number: step) else { return }
            if name == .font { throw .fontRequired }
            context.take(step, name, of: student)
            context.completeOnboarding(of: student)
        }
    }

    /// Leaves a step of the set-up out (R13).
    struct SkipStep: StepCommand {
        static let type = "quranflow.onboarding.skip-step"
        var student = StudentID.none
        var step = 0

        func decide(in context: Context) throws(Rejection) {
            try checkIsNext(in: context)
            guard let name = Onboarding.Step(number: step) else { return }
            if !context.state.policy.onboardingSkippable.contains(step) { throw .stepMandatory }
            context.record(
                Onboarding.StepSkipped(
                    step: step,
                    name: name), on: student)
            context.completeOnboarding(of: student)
        }
    }
}

extension QuranFlow.StepCommand {
    mutating func fields<C: Coder>(_ coder: inout C) {
        coder.field("student", &student)
        coder.field("step", &step)
    }

    func problem(_ names: Names) -> String? {
        rangeProblem(("step", step, 1...QuranFlow.Onboarding.Step.allCases.count))
    }

    func senders(in state: QuranFlow.State) -> Senders { .student(student) }

    /// The set-up is open, and this step is next.
    fileprivate func checkIsNext(in context: QuranFlow.Context) throws(QuranFlow.Rejection) {
        let row = try context.find(student)
        if !row.isPlaced { throw .notPlaced }
        if row.onboarding.isComplete { throw .onboardingComplete }
        if row.onboarding.next != step { throw .stepOutOfOrder }
    }
}

extension DecisionContext<QuranFlow> {
    /// Records that a step was taken.
    func take(
        _ step: Int, _ name: QuranFlow.Onboarding.Step, of student: QuranFlow.StudentID
    ) {
        record(
            QuranFlow.Onboarding.StepTaken(
                step: step,
                name: name), on: student)
    }

    /// Completes the set-up when no step is left; that happens once per student.
    fileprivate func completeOnboarding(of student: QuranFlow.StudentID) {
        guard let onboarding = state.students[student]?.onboarding, onboarding.next == nil else {
            return
        }
        record(
            QuranFlow.Onboarding.Completed(
                skipped: onboarding.skipped),
            on: student)
    }
}
