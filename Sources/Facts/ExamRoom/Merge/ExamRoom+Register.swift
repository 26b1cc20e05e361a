import Core
package import ExamRoomEvents
import Folding

extension ExamRoom {
    /// The registers that are not named after a field (R40).
    package enum Register {
        package static let content = "content"
        package static let image = "image"
        package static let publication = "publication"
        package static let results = "results"
        package static let block = "block"
        package static let extraTime = "extension"
    }
}
