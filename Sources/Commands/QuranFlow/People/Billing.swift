package import Commands
package import Core
import Folding
package import QuranFlowEvents
package import QuranFlowFacts

extension QuranFlow {
    package struct ReportSubscription: Command {
        package static let type = "quranflow.subscription.report"
        var student = StudentID.none
        var plan = ""
        var status = Subscription.Status.trial
        var renewsOn: LocalDate?

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.filled("plan", &plan)
            coder.field("status", &status)
            coder.optional("renewsOn", &renewsOn)
        }

        package func who(in programme: Programme) -> Who { .service }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            scene.record(
                Subscription.Reported.with {
                    $0.plan = plan
                    $0.status = status
                    $0.renewsOn = renewsOn
                }, student: student)
        }
    }

    package struct RecordPayment: Command {
        package static let type = "quranflow.payment.record"
        var student = StudentID.none
        var payment = PaymentID.none
        var amount = 0
        var currency = ""
        var description = ""

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("student", &student)
            coder.field("payment", &payment)
            coder.field("amount", &amount)
            coder.field("currency", &currency)
            coder.filled("description", &description)
        }

        package func problem(_ names: Names) -> String? {
            currency.utf8.count == 3 && currency.utf8.allSatisfy { 65...90 ~= $0 }
                ? nil : "currency: expected an ISO 4217 code"
        }

        package func who(in programme: Programme) -> Who { .service }

        package func apply(in scene: Scene<Programme>) throws(Rejection) {
            _ = try scene.state.student(student)
            if scene.state.payments.contains(.init(student, payment)) { throw .alreadyExists }
            scene.record(
                Payment.Recorded.with {
                    $0.payment = payment
                    $0.amount = amount
                    $0.currency = Word(scene.names.intern(currency))
                    $0.description = description
                }, student: student)
        }
    }
}
