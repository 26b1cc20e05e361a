package import Core

extension ExamRoom {
    /// The space on a device's disk, as the device measured it (R50).
    package enum Storage {
        /// How full a disk is, by the policy's two percentages (R50).
        package enum Level: String, Choice {
            case normal, warning, critical
        }

        /// A petabyte, in bytes: more than a device has.
        package static let sizes = 0...1_000_000_000_000_000

        /// What the space is used for, in bytes.
        package struct Used: Record {
            package var answers = 0
            package var cache = 0
            package var database = 0
            package var exports = 0
            package var images = 0

            package init() {}

            package mutating func fields<C: Coder>(_ coder: inout C) {
                coder.number("answers", &answers, in: sizes)
                coder.number("cache", &cache, in: sizes)
                coder.number("database", &database, in: sizes)
                coder.number("exports", &exports, in: sizes)
                coder.number("images", &images, in: sizes)
            }

            package var total: Int {
                [answers, cache, database, exports, images].reduce(0) { $0.addingClamping($1) }
            }
        }

        /// A device measured its disk (R50).
        package struct Measured: Payload {
            package static let type = "examroom.storage.measured"
            package static let streams = ["device"]
            package static let sentence = "A device's storage was measured."
            package static let rules = [50]
            package internal(set) var device = DeviceID.none
            package internal(set) var capacityBytes = 1
            package internal(set) var usedBytes = Used()
            package internal(set) var totalBytes = 0
            package internal(set) var percent = Percent.zero
            package internal(set) var level = Level.normal

            package init() {}

            package init(
                device: DeviceID, capacityBytes: Int, usedBytes: Used, percent: Percent,
                level: Level
            ) {
                self.device = device
                self.capacityBytes = capacityBytes
                self.usedBytes = usedBytes
                totalBytes = usedBytes.total
                self.percent = percent
                self.level = level
            }
        }
    }
}
