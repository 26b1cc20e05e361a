import Core
import ExamRoomEvents
import Folding

extension ExamRoom.State {
    static func extensionRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Extension.Granted.self) { state, event, metadata in
            state.write(ExamRoom.Register.extraTime, of: event.exam, event.student, by: metadata) {
                $0.granted = event.granted
                $0.request = event.request
                $0.grantedAt = metadata.moment
            }
        }
        routes.on(ExamRoom.Extension.Modified.self) { state, event, metadata in
            state.write(ExamRoom.Register.extraTime, of: event.exam, event.student, by: metadata) {
                $0.granted = event.to
                $0.request = event.request
                $0.grantedAt = metadata.moment
            }
        }
        routes.on(ExamRoom.Extension.Revoked.self) { state, event, metadata in
            state.write(ExamRoom.Register.extraTime, of: event.exam, event.student, by: metadata) {
                $0.granted = nil
                $0.request = nil
            }
        }
    }
}
