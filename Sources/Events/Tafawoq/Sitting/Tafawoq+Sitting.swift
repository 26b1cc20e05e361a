import Core

extension Tafawoq {
    /// An exam or a practice, where either may be meant.
    package enum Sitting: Thing {
        package static let noun = "sitting"; package static let isTagged = false
    }

    /// Whether it is an exam or a practice.
    package enum SittingKind: String, Choice {
        case exam, practice
    }
}
