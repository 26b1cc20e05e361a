import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension DecisionContext<Learnable> {
    /// Starts the trial of a student who has not had theirs, unless the device has had one; where devices are
    /// tracked it waits for a command that names one (R7).
    func startTrial(of student: Learnable.StudentID) {
        guard state.students.read(student, { $0.awaitsTrial }) ?? false else { return }
        let policy = state.policy
        let device = device.isNone ? nil : InternedText(self.device)
        if policy.trialTracking == .accountOrDevice {
            guard let device else { return }
            if state.trialDevices.contains(.init(device.symbol)) {
                record(
                    Learnable.Trial.Refused(
                        student: student,
                        reason: .deviceHadTrial,
                        device: device), on: student)
                return
            }
        }
        let endsAt = at + policy.trialDays
        let remindAt = endsAt - policy.trialRemindDaysBefore
        let isReminding = policy.trialRemindDaysBefore > 0 && remindAt > at
        record(
            Learnable.Trial.Started(
                student: student,
                endsAt: endsAt,
                remindAt: isReminding ? remindAt : nil,
                days: policy.trialDays.count,
                device: device), on: student)
    }
}
