package import Core
package import Folding
package import LearnableEvents

extension Learnable {
    /// A subject offered in the shop, as it was when it was published (R42); what it is called is in
    /// `OfferWords`.
    package struct OfferRow: Record {
        package var student = StudentID.none
        /// The author's epoch at that time.
        package var epoch = Ordinal(0)
        package var subject = SubjectID.none
        package var content = SubjectID.none
        package var chapterTopics: [Int] = []
        package var addOns = AddOns()
        package var price = Money()
        package var publishedAt = Instant.epoch
        package var position = Position.zero
        package var closed: Offer.Reason?
        package var acquired = 0

        package init() {}

        package var topics: Int { chapterTopics.reduce(0, +) }
    }

    /// One acquisition for money, as its author sees it.
    package struct Sale: Record {
        package var at = Instant.epoch
        package var offer = OfferID.none
        package var buyer = StudentID.none
        package var price = Money()
        package var authorAmount = 0

        package init() {}
    }
}

extension Learnable.State {
    static func offerRoutes(_ routes: inout Routes<Learnable.State>) {
        routes.on(Learnable.Offer.Published.self) { $0.published($1, $2) }
        routes.on(Learnable.Offer.Unpublished.self) { state, event, _ in
            state.close(event.offer, event.reason)
            state.students.updateExisting(event.student) { row in
                row.openOffers.removeAll { $0 == event.offer }
            }
        }
        routes.on(Learnable.Offer.Acquired.self) { $0.acquired($1, $2) }
    }

    /// The offer keeps the subject's title of that moment (R42).
    private func published(_ event: Learnable.Offer.Published, _ metadata: EventMetadata) {
        guard let subject = subjects[event.subject], students.contains(event.student) else {
            return
        }
        let chapters = subjectWords.read(event.subject) { $0.chapters } ?? nil
        offerWords.update(event.offer) {
            $0.person = InternedText(metadata.subject)
            $0.title = event.title
            $0.summary = event.summary
            $0.chapters = chapters
        }
        offers.update(event.offer) {
            $0.student = event.student
            $0.epoch = subject.epoch
            $0.subject = event.subject
            $0.content = subject.content
            $0.chapterTopics = subject.chapterTopics
            $0.addOns = subject.addOns
            $0.price = event.price
            $0.publishedAt = metadata.at
            $0.position = metadata.position
        }
        subjects.updateExisting(event.subject) { $0.openOffer = event.offer }
        let index = students.update(event.student) { row in
            row.openOffers.append(event.offer)
            row.offers += 1
            return row.offers - 1
        }
        offerLists.append(event.offer, to: event.student, at: index)
    }

    /// Unpublishes an offer (R42).
    func close(_ offer: Learnable.OfferID, _ reason: Learnable.Offer.Reason) {
        guard let subject = offers.read(offer, { $0.subject }) else { return }
        offers.updateExisting(offer) { $0.closed = $0.closed ?? reason }
        subjects.updateExisting(subject) { if $0.openOffer == offer { $0.openOffer = nil } }
    }

    private func acquired(_ event: Learnable.Offer.Acquired, _ metadata: EventMetadata) {
        guard offers.contains(event.offer) else { return }
        offers.updateExisting(event.offer) { $0.acquired += 1 }
        guard event.price.amount > 0, students.contains(event.student) else { return }
        let index = students.update(event.student) { row in
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
            }, to: event.student, at: index)
    }
}
