package import Core

extension ExamRoom {
    /// An exam's results, which students see once they are published. On the exam's stream (7.3).
    package enum Results {
        /// Students see their scores; a register (R21, R40).
        package struct Published: Payload {
            package static let type = "examroom.results.published"
            package static let streams = ["exam"]
            package static let sentence = "An exam's results were published."
            package static let rules = [21, 40]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none

            package init() {}
        }

        /// Students do not see their scores any more; a register (R21, R40).
        package struct Withheld: Payload {
            package static let type = "examroom.results.withheld"
            package static let streams = ["exam"]
            package static let sentence = "An exam's results were withheld."
            package static let rules = [21, 40]
            package static let significance = Significance.administrative
            package internal(set) var exam = ExamID.none

            package init() {}
        }
    }
}
