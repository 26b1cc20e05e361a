package import Core

extension QuranFlow {
    /// A time that a coach offers. Stream `quranflow/slot/SLOT`.
    package enum Slot: Thing {
        package static let noun = "slot"

        /// A coach offered a time that can be booked (R29).
        package struct Offered: Payload {
            package static let type = "quranflow.slot.offered"
            package static let streams = ["slot"]
            package static let sentence = "A slot was offered."
            package static let rules = [29]
            package internal(set) var coach = CoachID.none
            package internal(set) var startsAt = Instant.epoch
            package internal(set) var endsAt = Instant.epoch
            package internal(set) var joinUrl = ""

            package init() {}
        }

        /// A slot that nobody holds was taken back (R29).
        package struct Withdrawn: Payload {
            package static let type = "quranflow.slot.withdrawn"
            package static let streams = ["slot"]
            package static let sentence = "A slot was withdrawn."
            package static let rules = [29]
            package init() {}
        }
    }
}
