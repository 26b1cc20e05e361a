import Core

extension Learnable {
    /// What the student may use (R5).
    package enum Access: String, Choice {
        case trial, subscribed
        case none
    }
}
