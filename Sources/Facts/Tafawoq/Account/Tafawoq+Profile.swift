import Core
import Folding
import TafawoqEvents

extension Tafawoq.State {
    static func profileRoutes(_ routes: inout Routes<Tafawoq.State>) {
        routes.on(Tafawoq.Account.ProfileCompleted.self) { state, event, metadata in
            let isFirst = state.students.read(event.student) { $0.track == nil } ?? false
            state.students.updateExisting(event.student) {
                $0.track = event.track
                $0.profileCompletedAt = metadata.at
            }
            if isFirst { state.totals.update(.only) { $0.profileCompleted += 1 } }
            state.noteActivity(event.student, metadata)
            state.setReminder(of: event.student, metadata.position)
        }
        routes.on(Tafawoq.Account.TrackChanged.self) { state, event, _ in
            state.students.updateExisting(event.student) { $0.track = event.to }
        }
        routes.on(Tafawoq.Account.PictureAttached.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.picture = event.picture
                $0.hasPicture = true
            }
        }
        routes.on(Tafawoq.Account.PictureRemoved.self) { state, event, _ in
            state.students.updateExisting(event.student) {
                $0.picture = nil
                $0.hasPicture = false
            }
        }
        routes.on(Tafawoq.Account.OnboardingFinished.self) { state, event, _ in
            let isFirst = state.students.read(event.student) { !$0.isOnboarded } ?? false
            state.students.updateExisting(event.student) { $0.isOnboarded = true }
            if isFirst { state.totals.update(.only) { $0.toured += 1 } }
        }
        routes.on(Tafawoq.Account.DeviceEnrolled.self) { state, event, _ in
            state.students.updateExisting(event.student) { row in
                if !row.pushDevices.contains(event.device) { row.pushDevices.append(event.device) }
            }
        }
        routes.on(Tafawoq.Account.DeviceWithdrawn.self) { state, event, _ in
            state.students.updateExisting(event.student) { row in
                row.pushDevices.removeAll { $0 == event.device }
            }
        }
    }
}
