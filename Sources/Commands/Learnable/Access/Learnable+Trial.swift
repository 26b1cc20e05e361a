import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension DecisionContext<Learnable> {
    /// Starts the student's trial, unless the device has had one (R7).
    func startTrial(of student: Learnable.StudentID) {
        let policy = state.policy
        let device = device.isNone ? nil : InternedText(self.device)
        if policy.trialTracking == .accountOrDevice, let device,
            state.trialDevices.contains(.init(device.symbol))
        {
            record(
                Learnable.Trial.Refused(
                    student: student,
                    reason: .deviceHadTrial,
                    device: device), on: student)
            return
        }
        let endsAt = at + Int64(policy.trialDays).multipliedClamping(86_400)
        let remindAt = endsAt - Int64(policy.trialRemindDaysBefore).multipliedClamping(86_400)
        let isReminding = policy.trialRemindDaysBefore > 0 && remindAt > at
        record(
            Learnable.Trial.Started(
                student: student,
                endsAt: endsAt,
                remindAt: isReminding ? remindAt : nil,
                days: policy.trialDays,
                device: device), on: student)
    }
}
