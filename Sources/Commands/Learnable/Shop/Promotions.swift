package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R39: what the bar says to everybody, or to those without a subscription.
    package struct AnnouncePromotion: Command {
        package static let type = "learnable.promotion.announce"
        package static let senders: [Actor.Kind] = [.admin, .system]
        var promotion = PromotionID.none
        var message = Body.empty
        var target = Body.empty
        var audience = Promotion.Audience.all
        var from = Instant.epoch
        var until = Instant.epoch

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("promotion", &promotion)
            coder.field("message", &message)
            coder.field("target", &target)
            coder.field("audience", &audience)
            coder.field("from", &from)
            coder.field("until", &until)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            if scene.state.promotions.contains(promotion) { throw .alreadyExists }
            if from >= until { throw .spanInvalid }
            scene.record(
                Promotion.Announced.with {
                    $0.promotion = promotion
                    $0.message = message
                    $0.target = target
                    $0.audience = audience
                    $0.from = from
                    $0.until = until
                }, on: scene.stream(promotion))
        }
    }

    package struct WithdrawPromotion: Command {
        package static let type = "learnable.promotion.withdraw"
        package static let senders: [Actor.Kind] = [.admin, .system]
        var promotion = PromotionID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("promotion", &promotion)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            guard let row = scene.state.promotions[promotion] else { throw .notFound }
            if row.isWithdrawn { throw .alreadyWithdrawn }
            scene.record(
                Promotion.Withdrawn.with { $0.promotion = promotion }, on: scene.stream(promotion))
        }
    }
}
