package import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// A document that was taken in; its id is in use.
    package struct ImportRow: Record {
        package var position = Position.zero

        package init() {}
    }
}

extension ExamRoom.State {
    static func importRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Import.Applied.self) { state, event, metadata in
            state.imports.update(event.application) { $0.position = metadata.position }
        }
    }
}
