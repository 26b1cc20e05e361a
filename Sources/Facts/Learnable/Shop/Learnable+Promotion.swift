package import Core
import Folding
package import LearnableEvents

extension Learnable {
    /// A promotion on the home page (R39).
    package struct PromotionRow: Record {
        package var message = Body.empty
        package var target = Body.empty
        package var audience = Promotion.Audience.all
        package var from = Instant.epoch
        package var until = Instant.epoch
        package var isWithdrawn = false

        package init() {}
    }
}

extension Learnable.State {
    static func promotionRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Promotion.Announced.self) { state, event, _ in
            state.promotions.update(event.promotion) {
                $0.message = event.message
                $0.target = event.target
                $0.audience = event.audience
                $0.from = event.from
                $0.until = event.until
            }
        }
        routes.on(Learnable.Promotion.Withdrawn.self) { state, event, _ in
            state.promotions.updateExisting(event.promotion) { $0.isWithdrawn = true }
        }
    }
}
