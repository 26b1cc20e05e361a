import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Announces something on the home page, to all or to those without a subscription (R39).
    struct AnnouncePromotion: Command {
        static let type = "learnable.promotion.announce"
        func senders(in state: State) -> Senders { .admin }
        var promotion = PromotionID.none
        var message = Body.empty
        var target = Body.empty
        var audience = Promotion.Audience.all
        var from = Instant.epoch
        var until = Instant.epoch

        func decide(in context: Context) throws(Rejection) {
            try context.checkIsFree(promotion, unless: context.state.promotions.contains(promotion))
            if from >= until { throw .spanInvalid }
            context.record(
                Promotion.Announced(
                    promotion: promotion,
                    message: message,
                    target: target,
                    audience: audience,
                    from: from,
                    until: until), on: promotion)
        }
    }

    /// Withdraws a promotion (R39).
    struct WithdrawPromotion: Command {
        static let type = "learnable.promotion.withdraw"
        func senders(in state: State) -> Senders { .admin }
        var promotion = PromotionID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(promotion)
            if row.isWithdrawn { throw .alreadyWithdrawn }
            context.record(
                Promotion.Withdrawn(
                    promotion: promotion), on: promotion
            )
        }
    }
}
