import Commands
import Core
import Folding
import LearnableEvents
import LearnableFacts

extension Learnable {
    /// Offers a subject of the student's own making in the shop (R42).
    struct PublishOffer: Command {
        static let type = "learnable.offer.publish"
        func senders(in state: State) -> Senders { .student }
        var offer = OfferID.none
        var subject = SubjectID.none
        var price = Money()
        var summary = Body.empty

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(subject, need: .publish)
            try context.checkIsFree(offer, unless: context.state.offers.contains(offer))
            if row.state != .ready { throw .subjectNotReady }
            if row.origin != .made { throw .notAuthor }
            if row.openOffer != nil { throw .alreadyOffered }
            context.record(
                Offer.Published(
                    student: row.student,
                    offer: offer,
                    subject: subject,
                    title: context.state.title(of: subject, row),
                    chapters: row.chapterTopics.count,
                    topics: row.topics,
                    price: price,
                    summary: summary), on: offer)
        }
    }

    /// Takes an offer out of the shop (R42).
    struct UnpublishOffer: Command {
        static let type = "learnable.offer.unpublish"
        func senders(in state: State) -> Senders { .student }
        var offer = OfferID.none

        func decide(in context: Context) throws(Rejection) {
            let row = try context.findOwn(offer, need: .app)
            if row.closed != nil { throw .offerClosed }
            context.unpublish(offer, of: row.student, .author)
        }
    }

    /// What the payment provider says was paid (R41).
    struct OfferPayment: Record {
        private(set) var reference = PaymentID.none
        private(set) var amount = SignedInt(0)
        private(set) var currency = AnyString.empty

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("reference", &reference)
            coder.field("amount", &amount)
            coder.field("currency", &currency)
        }
    }

    /// Acquires a copy of what is offered (R41).
    struct AcquireOffer: Command {
        static let type = "learnable.offer.acquire"
        func senders(in state: State) -> Senders { .any(.student, .service) }
        var offer = OfferID.none
        var student = StudentID.none
        var subject = SubjectID.none
        var payment: OfferPayment?

        func decide(in context: Context) throws(Rejection) {
            let row = try context.find(offer)
            try context.findOwn(student, need: .app)
            let state = context.state
            try context.checkIsFree(subject, unless: state.subjects.contains(subject))
            if row.closed != nil { throw .offerClosed }
            if row.student == student { throw .ownOffer }
            if state.holdsCopy(student, of: offer) { throw .alreadyAcquired }
            try checkPayment(row.price, context.actor)
            context.record(
                Offer.Acquired(
                    student: row.student,
                    offer: offer,
                    buyer: student,
                    subject: subject,
                    price: row.price,
                    payment: payment?.reference,
                    authorAmount: state.policy.authorAmount(of: row.price)), on: offer)
            let words = state.words(of: offer)
            context.record(
                Subject.Acquired(
                    student: student,
                    subject: subject,
                    offer: offer,
                    source: row.subject,
                    chapters: words?.chapters,
                    chapterTopics: row.chapterTopics,
                    topics: row.topics,
                    addOns: row.addOns), on: subject)
            guard state.students.read(row.student, { $0.isActive }) == true else { return }
            context.notify(
                row.student, .offerAcquired,
                [
                    ("offer", context.text(offer)),
                    ("title", words?.title.map { .string($0.text) } ?? .null),
                ],
                target: Target.offer(context.names.text(offer)))
        }

        /// Exactly the price must be paid, through a service; nothing for what is free (R41).
        private func checkPayment(_ price: Money, _ actor: Actor) throws(Rejection) {
            if price.amount == 0 {
                if payment != nil { throw .paymentMismatch }
                return
            }
            guard let payment, actor.kind != .student else { throw .paymentRequired }
            if payment.amount.value != price.amount
                || !payment.currency.text.isExactly(price.currency)
            {
                throw .paymentMismatch
            }
        }
    }
}

extension Learnable.Policy {
    /// The author's share, half away from zero to a whole minor unit (R41).
    fileprivate func authorAmount(of price: Learnable.Money) -> Int {
        let exact = Int128(price.amount) * Int128(authorPercent)
        return Int(clamping: Rounding.halfAway(exact, by: 100))
    }
}

extension Learnable.State {
    /// Whether the student has a copy; nobody holds two of an offer at a time (R41).
    fileprivate func holdsCopy(
        _ student: Learnable.StudentID, of offer: Learnable.OfferID
    ) -> Bool {
        (epoch(of: student)?.subjects ?? []).contains { subject in
            subjects.read(subject) { $0.offer == offer } ?? false
        }
    }
}

extension DecisionContext<Learnable> {
    /// Takes an offer out of the shop (R42).
    func unpublish(
        _ offer: Learnable.OfferID, of student: Learnable.StudentID,
        _ reason: Learnable.Offer.Reason
    ) {
        record(
            Learnable.Offer.Unpublished(
                student: student,
                offer: offer,
                reason: reason), on: offer)
    }

    /// Takes every open offer of a student out of the shop, who starts over or leaves (R42).
    func unpublishAll(
        of student: Learnable.StudentID, _ row: Learnable.StudentRow,
        _ reason: Learnable.Offer.Reason
    ) {
        for offer in row.openOffers { unpublish(offer, of: student, reason) }
    }
}
