package import Core
import Folding
package import QuranFlowEvents

extension QuranFlow {
    /// A payment of a student.
    package struct PaymentRow: Record {
        package var at = Instant.epoch
        package var amount = 0
        package var currency = InternedText.empty
        fileprivate var person = InternedText.empty
        package var description: String?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("at", &at)
            coder.field("amount", &amount)
            coder.field("currency", &currency)
            coder.field("person", &person)
            coder.kept("description", &description, of: person.symbol)
        }
    }
}

extension QuranFlow.State {
    static func billingRoutes(_ routes: inout Routes<QuranFlow.State>) {
        routes.on(QuranFlow.Subscription.Reported.self) { state, event, metadata in
            state.updateStudent(metadata) {
                $0.plan = event.plan
                $0.status = event.status
                $0.renewsOn = event.renewsOn
            }
        }
        routes.on(QuranFlow.Payment.Recorded.self) { $0.paid($1, $2) }
    }

    private func paid(_ event: QuranFlow.Payment.Recorded, _ metadata: EventMetadata) {
        let student: QuranFlow.StudentID = thing(of: metadata)
        guard let count = students.read(student, { $0.payments }) else { return }
        students.update(student) { $0.payments += 1 }
        payments.update(.init(student, event.payment)) {
            $0.at = metadata.at
            $0.amount = event.amount
            $0.currency = event.currency
            $0.person = InternedText(metadata.subject)
            $0.description = event.description
        }
        paymentLists.append(event.payment, to: student, at: count)
    }
}
