package import Core

extension Learnable {
    /// An entry of the home page's notification bar for many students (R39). Stream `learnable/promotion/PROMOTION`.
    package enum Promotion: Thing {
        package static let noun = "promotion"; package static let isTagged = false

        package enum Audience: String, Choice {
            case all
            case withoutSubscription = "without-subscription"
        }

        /// A promotion shows on the home page from one instant to another (R39).
        package struct Announced: Payload {
            package static let type = "learnable.promotion.announced"
            package static let streams = ["promotion"]
            package static let sentence = "A promotion was announced."
            package static let rules = [39]
            package static let significance = Significance.administrative
            package internal(set) var promotion: Own<PromotionID> = .none
            package internal(set) var message = Body.empty
            package internal(set) var target = Body.empty
            package internal(set) var audience = Audience.all
            package internal(set) var from = Instant.epoch
            package internal(set) var until = Instant.epoch

            package init() {}
        }

        /// The promotion no longer shows (R39).
        package struct Withdrawn: Payload {
            package static let type = "learnable.promotion.withdrawn"
            package static let streams = ["promotion"]
            package static let sentence = "A promotion was withdrawn."
            package static let rules = [39]
            package static let significance = Significance.administrative
            package internal(set) var promotion: Own<PromotionID> = .none

            package init() {}
        }
    }
}
