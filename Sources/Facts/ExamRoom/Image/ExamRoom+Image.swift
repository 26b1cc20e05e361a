import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// What the last event that brought the image said, and how many questions refer to it (R11).
    package struct ImageRow: Record {
        package var format = ""
        package var bytes = 0
        package var references = 0

        package init() {}
    }
}

extension ExamRoom.State {
    static func imageRoutes(_ routes: inout Routes<ExamRoom.State>) {
        routes.on(ExamRoom.Image.Attached.self) { state, event, metadata in
            state.put(event.image, on: event.question, of: event.exam, by: metadata)
            state.countAttached(event.image, by: metadata)
        }
        routes.on(ExamRoom.Image.Detached.self) { state, event, metadata in
            state.put(nil, on: event.question, of: event.exam, by: metadata)
        }
        // What is orphaned follows from the references; the event is for the client.
        routes.on(ExamRoom.Image.Orphaned.self) { _, _, _ in }
    }

    /// The question refers to the image, or to none, from here on (R11).
    private func put(
        _ image: ExamRoom.Image.File?, on question: ExamRoom.QuestionID,
        of exam: ExamRoom.ExamID, by metadata: EventMetadata
    ) {
        write(ExamRoom.Register.image, of: question, in: exam, by: metadata) { row in
            if let former = row.image { release(former) }
            if let image { bring(image) }
            row.image = image
        }
    }

    /// The event brings the image to a question, in this format and size (R11).
    func bring(_ image: ExamRoom.Image.File) {
        images.update(image.hash) {
            $0.format = image.format
            $0.bytes = image.bytes
            $0.references += 1
        }
    }

    /// A question refers again to an image that was brought before. What is restored brings none:
    /// format and size stay those of the last event that did (R11).
    func refer(to image: ExamRoom.Image.File) {
        images.updateExisting(image.hash) { $0.references += 1 }
    }

    func release(_ image: ExamRoom.Image.File) {
        images.updateExisting(image.hash) { $0.references -= 1 }
    }
}
