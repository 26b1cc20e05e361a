package import Core

extension Tafawoq {
    /// What administrators are alerted to (R46).
    package enum AlertKind: String, Choice {
        case generationFailures = "generation-failures"
        case paymentFailures = "payment-failures"
        case quota
    }

    /// Administrators were alerted (R46). Stream `tafawoq/alert/main`.
    package struct AlertRaised: Payload {
        package static let type = "tafawoq.alert.raised"
        package static let streams = ["alert"]
        package static let sentence = "Administrators were alerted."
        package static let rules = [46]
        package internal(set) var kind = AlertKind.empty
        /// A count or per cent, in hundredths.
        package internal(set) var value = Percent.zero
        package internal(set) var threshold = Percent.zero

        package init() {}
    }
}
