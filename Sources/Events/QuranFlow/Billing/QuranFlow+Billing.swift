package import Core

extension QuranFlow {
    /// A student's subscription, as the payment provider reports it. Stream `quranflow/student/STUDENT`.
    package enum Subscription {
        package enum Status: String, Choice {
            case trial, active
            case pastDue = "past-due"
            case cancelled
        }

        /// The provider reported plan, status and renewal.
        package struct Reported: Payload {
            package static let type = "quranflow.subscription.reported"
            package static let streams = ["student"]
            package static let sentence = "A subscription was reported."
            package internal(set) var plan = ""
            package internal(set) var status = Status.empty
            package internal(set) var renewsOn: LocalDate?

            package init() {}
        }
    }
}

extension QuranFlow {
    /// A payment, as the provider reports it. Stream `quranflow/student/STUDENT`.
    package enum Payment {
        /// The provider reported that a student paid.
        package struct Recorded: Payload {
            package static let type = "quranflow.payment.recorded"
            package static let version: UInt16 = 2
            package static let streams = ["student"]
            package static let sentence = "A payment was recorded."
            package internal(set) var payment = PaymentID.none
            /// In minor units.
            package internal(set) var amount = 0
            package internal(set) var currency = InternedText.empty
            package internal(set) var description: Personal<String> = nil

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                fields(&coder, version: Self.version)
            }

            package mutating func fields<C: Coder>(_ coder: inout C, version: UInt16) {
                coder.field("payment", &payment)
                coder.field("amount", &amount)
                coder.field("currency", &currency)
                coder.personal("description", &description, inClear: version < 2)
            }
        }
    }
}
