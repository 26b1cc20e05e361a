package import Core

extension Tafawoq {
    /// How much of the generation quota is used, and when it resets (R24, R46). Stream
    /// `tafawoq/quota/generation`.
    package struct QuotaReported: Payload {
        package static let type = "tafawoq.quota.reported"
        package static let streams = ["quota"]
        package static let sentence = "The quota of generation was reported."
        package static let rules = [24, 46]
        package internal(set) var usedPercent = Percent.zero
        package internal(set) var resetsAt = Instant.epoch

        package init() {}
    }
}
