package import Commands
package import Core
import Folding
package import LearnableEvents
package import LearnableFacts

extension Learnable {
    /// R42: a subject of the student's own making is offered in the shop.
    package struct PublishOffer: Command {
        package static let type = "learnable.offer.publish"
        package static let senders: [Actor.Kind] = [.student]
        var offer = OfferID.none
        var subject = SubjectID.none
        var price = Money()
        var summary = Body.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("offer", &offer)
            coder.field("subject", &subject)
            coder.field("price", &price)
            coder.field("summary", &summary)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.ownSubject(subject, need: .publish)
            if scene.state.offers.contains(offer) { throw .alreadyExists }
            if row.state != .ready { throw .subjectNotReady }
            if row.origin != .made { throw .notAuthor }
            if row.openOffer != nil { throw .alreadyOffered }
            scene.record(
                Offer.Published.with {
                    $0.student = row.student
                    $0.offer = offer
                    $0.subject = subject
                    $0.title = row.title
                    $0.chapters = row.chapters.count
                    $0.topics = row.topics
                    $0.price = price
                    $0.summary = summary
                }, on: scene.stream(offer))
        }
    }

    package struct UnpublishOffer: Command {
        package static let type = "learnable.offer.unpublish"
        package static let senders: [Actor.Kind] = [.student]
        var offer = OfferID.none

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("offer", &offer)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(offer)
            try scene.own(row.student)
            try scene.need(.app, of: row.student)
            if row.closed != nil { throw .offerClosed }
            scene.unpublish(offer, of: row.student, .author)
        }
    }

    /// What the payment provider says was paid.
    package struct OfferPayment: Record {
        package private(set) var reference = PaymentID.none
        package private(set) var amount = SignedInt(0)
        package private(set) var currency = AnyString.empty

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("reference", &reference)
            coder.field("amount", &amount)
            coder.field("currency", &currency)
        }
    }

    /// R41: a copy of what is offered.
    package struct AcquireOffer: Command {
        package static let type = "learnable.offer.acquire"
        package static let senders: [Actor.Kind] = [.student, .service]
        var offer = OfferID.none
        var student = StudentID.none
        var subject = SubjectID.none
        var payment: OfferPayment?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("offer", &offer)
            coder.field("student", &student)
            coder.field("subject", &subject)
            coder.optional("payment", &payment)
        }

        package func apply(in scene: Scene<Academy>) throws(Rejection) {
            let row = try scene.find(offer)
            _ = try scene.find(student)
            try scene.own(student)
            try scene.need(.app, of: student)
            let state = scene.state
            if state.subjects.contains(subject) { throw .alreadyExists }
            if row.closed != nil { throw .offerClosed }
            if row.student == student { throw .ownOffer }
            if state.holdsCopy(student, of: offer) { throw .alreadyAcquired }
            try checkPayment(row.price, scene.actor)
            scene.record(
                Offer.Acquired.with {
                    $0.student = row.student
                    $0.offer = offer
                    $0.buyer = student
                    $0.subject = subject
                    $0.price = row.price
                    $0.payment = payment?.reference
                    $0.authorAmount = state.policy.authorAmount(of: row.price)
                }, on: scene.stream(offer))
            scene.record(
                Subject.Acquired.with {
                    $0.student = student
                    $0.subject = subject
                    $0.offer = offer
                    $0.source = row.subject
                    $0.title = row.title
                    $0.chapters = row.chapters
                    $0.topics = row.topics
                    $0.addOns = row.addOns
                }, on: scene.stream(subject))
            guard state.students.read(row.student, { $0.isActive }) == true else { return }
            scene.notify(
                row.student, .offerAcquired,
                [("offer", scene.text(offer)), ("title", .string(row.title.text))],
                target: Target.offer(scene.names.text(offer)))
        }

        /// R41: exactly the price, told by a service; nothing where nothing is asked.
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
    /// R41: the author's share, half away from zero to a whole minor unit.
    fileprivate func authorAmount(of price: Learnable.Money) -> Int {
        let exact = Int128(price.amount) * Int128(authorPercent)
        return Int(clamping: Rounding.halfAway(exact, by: 100))
    }
}

extension Learnable.Academy {
    /// R41: one copy at a time a student and offer.
    fileprivate func holdsCopy(
        _ student: Learnable.StudentID, of offer: Learnable.OfferID
    ) -> Bool {
        (epoch(of: student)?.subjects ?? []).contains { subject in
            subjects.read(subject) { $0.offer == offer } ?? false
        }
    }
}
