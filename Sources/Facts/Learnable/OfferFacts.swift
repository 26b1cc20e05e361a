import Core
import Folding
import LearnableEvents

extension Learnable.Academy {
    static func offerRoutes(_ routes: inout Routes<Learnable.Academy>) {
        routes.fold(Learnable.Offer.Published.self) { $0.published($1, $2) }
        routes.fold(Learnable.Offer.Unpublished.self) { academy, fact, _ in
            academy.close(fact.offer, fact.reason)
            academy.students.updateExisting(fact.student) { row in
                row.openOffers.removeAll { $0 == fact.offer }
            }
        }
        routes.fold(Learnable.Offer.Acquired.self) { $0.acquired($1, $2) }
        routes.on(Learnable.Promotion.Announced.self) { academy, fact, _ in
            academy.promotions.update(fact.promotion) {
                $0.message = fact.message
                $0.target = fact.target
                $0.audience = fact.audience
                $0.from = fact.from
                $0.until = fact.until
            }
        }
        routes.on(Learnable.Promotion.Withdrawn.self) { academy, fact, _ in
            academy.promotions.updateExisting(fact.promotion) { $0.isWithdrawn = true }
        }
    }

    /// R42: with the title of that moment.
    private func published(_ fact: Learnable.Offer.Published, _ event: Circumstances) {
        guard let subject = subjects[fact.subject], students.contains(fact.student) else { return }
        offers.update(fact.offer) {
            $0.student = fact.student
            $0.epoch = subject.epoch
            $0.subject = fact.subject
            $0.content = subject.content
            $0.title = fact.title
            $0.chapters = subject.chapters
            $0.addOns = subject.addOns
            $0.price = fact.price
            $0.summary = fact.summary
            $0.publishedAt = event.at
            $0.position = event.position
        }
        subjects.updateExisting(fact.subject) { $0.openOffer = fact.offer }
        let place = students.update(fact.student) { row in
            row.openOffers.append(fact.offer)
            row.offers += 1
            return row.offers - 1
        }
        offerLists.append(fact.offer, to: fact.student, at: place)
    }

    func close(_ offer: Learnable.OfferID, _ reason: Learnable.Offer.Reason) {
        guard let subject = offers.read(offer, { $0.subject }) else { return }
        offers.updateExisting(offer) { $0.closed = $0.closed ?? reason }
        subjects.updateExisting(subject) { if $0.openOffer == offer { $0.openOffer = nil } }
    }

    private func acquired(_ fact: Learnable.Offer.Acquired, _ event: Circumstances) {
        guard offers.contains(fact.offer) else { return }
        offers.updateExisting(fact.offer) { $0.acquired += 1 }
        guard fact.price.amount > 0, students.contains(fact.student) else { return }
        let place = students.update(fact.student) { row in
            row.sales += 1
            return row.sales - 1
        }
        sales.append(
            .with {
                $0.at = event.at
                $0.offer = fact.offer
                $0.buyer = fact.buyer
                $0.price = fact.price
                $0.authorAmount = fact.authorAmount
            }, to: fact.student, at: place)
    }
}
