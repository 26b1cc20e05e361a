import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension DecisionContext<ExamRoom> {
    /// `forbidden` where a student speaks for another's device (R55): not signed in on it, and, where no session is
    /// asked for, coming from another one, or not saying from which while somebody else is signed in there.
    func checkSpeaks(for device: ExamRoom.DeviceID) throws(ExamRoom.Rejection) {
        guard actor.kind == .student, let member else { return }
        let present = state.signedIn(on: device)
        if present.contains(member) { return }
        let isTheirs = self.device.isNone ? present.isEmpty : self.device == device.symbol
        guard isTheirs, !state.policy.requireSession else { throw forbidden(device) }
    }
}
