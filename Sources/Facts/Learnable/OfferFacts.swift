import Core
import Folding
import LearnableEvents

extension Learnable.State {
    static func offerRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.fold(Learnable.Offer.Published.self) { $0.published($1, $2) }
        routes.fold(Learnable.Offer.Unpublished.self) { state, event, _ in
            state.close(event.offer, event.reason)
            state.students.updateExisting(event.student) { row in
                row.openOffers.removeAll { $0 == event.offer }
            }
        }
        routes.fold(Learnable.Offer.Acquired.self) { $0.acquired($1, $2) }
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

    /// R42: with the title of that moment.
    private func published(_ event: Learnable.Offer.Published, _ metadata: EventMetadata) {
        guard let subject = subjects[event.subject], students.contains(event.student) else {
            return
        }
        offers.update(event.offer) {
            $0.student = event.student
            $0.epoch = subject.epoch
            $0.subject = event.subject
            $0.content = subject.content
            $0.title = event.title
            $0.chapters = subject.chapters
            $0.addOns = subject.addOns
            $0.price = event.price
            $0.summary = event.summary
            $0.publishedAt = metadata.at
            $0.position = metadata.position
        }
        subjects.updateExisting(event.subject) { $0.openOffer = event.offer }
        let place = students.update(event.student) { row in
            row.openOffers.append(event.offer)
            row.offers += 1
            return row.offers - 1
        }
        offerLists.append(event.offer, to: event.student, at: place)
    }

    func close(_ offer: Learnable.OfferID, _ reason: Learnable.Offer.Reason) {
        guard let subject = offers.read(offer, { $0.subject }) else { return }
        offers.updateExisting(offer) { $0.closed = $0.closed ?? reason }
        subjects.updateExisting(subject) { if $0.openOffer == offer { $0.openOffer = nil } }
    }

    private func acquired(_ event: Learnable.Offer.Acquired, _ metadata: EventMetadata) {
        guard offers.contains(event.offer) else { return }
        offers.updateExisting(event.offer) { $0.acquired += 1 }
        guard event.price.amount > 0, students.contains(event.student) else { return }
        let place = students.update(event.student) { row in
            row.sales += 1
            return row.sales - 1
        }
        sales.append(
            .with {
                $0.at = metadata.at
                $0.offer = event.offer
                $0.buyer = event.buyer
                $0.price = event.price
                $0.authorAmount = event.authorAmount
            }, to: event.student, at: place)
    }
}
