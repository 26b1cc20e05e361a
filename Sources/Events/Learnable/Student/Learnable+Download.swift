package import Core

extension Learnable {
    /// The download of a student's data. On the student's stream.
    package enum Download {
        /// The student's data was asked for (FR-012).
        package struct Made: StudentEvent {
            package static let type = "learnable.data.downloaded"
            package static let streams = ["student"]
            package static let sentence = "A student's data was downloaded."
            package internal(set) var student = StudentID.none
            package internal(set) var day = LocalDate.epoch

            package init() {}
        }
    }
}
