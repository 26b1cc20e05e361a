package import Core

extension ExamRoom {
    /// The network as a device finds it (15.1, 15.2).
    package enum Connection {
        package enum Network: String, Choice {
            case wifi, cellular, offline
        }

        /// The device found another network, or lost it (R48).
        package struct Changed: Payload {
            package static let type = "examroom.connection.changed"
            package static let streams = ["device"]
            package static let sentence = "A device's network changed."
            package static let rules = [48]
            package internal(set) var device = DeviceID.none
            package internal(set) var network = Network.offline

            package init() {}
        }
    }

    /// A transfer of what a device's journal holds to the other side (R48, R49).
    package enum Sync {
        /// Whether a sync began by itself or by hand (R48).
        package enum Trigger: String, Choice {
            case automatic, manual
        }

        /// The device began to hand over what the other side lacks (R48).
        package struct Begun: Payload {
            package static let type = "examroom.sync.begun"
            package static let streams = ["device"]
            package static let sentence = "A device began to sync."
            package static let rules = [48]
            package internal(set) var device = DeviceID.none
            package internal(set) var network = Connection.Network.wifi
            package internal(set) var trigger = Trigger.automatic
            /// How many commands the other side lacks.
            package internal(set) var pending = 0
            package internal(set) var estimatedBytes = 0

            package init() {}
        }

        /// So much of the transfer is done (8.6).
        package struct Progressed: Payload {
            package static let type = "examroom.sync.progressed"
            package static let streams = ["device"]
            package static let sentence = "A device's sync went on."
            package internal(set) var device = DeviceID.none
            /// Of the commands that the other side lacked.
            package internal(set) var items = 0
            package internal(set) var bytes = 0

            package init() {}
        }

        /// The other side holds the journal up to a position (R48).
        package struct Completed: Payload {
            package static let type = "examroom.sync.completed"
            package static let streams = ["device"]
            package static let sentence = "A device's sync was completed."
            package static let rules = [48]
            package internal(set) var device = DeviceID.none
            /// The last position of this journal that the other side holds.
            package internal(set) var through = Position.zero
            /// Commands that were pending and are not any more.
            package internal(set) var uploaded = 0

            package init() {}
        }

        /// The transfer broke off; the next automatic one waits (R49).
        package struct Failed: Payload {
            package static let type = "examroom.sync.failed"
            package static let streams = ["device"]
            package static let sentence = "A device's sync failed."
            package static let rules = [49]
            package internal(set) var device = DeviceID.none
            package internal(set) var reason = ""
            /// In a row.
            package internal(set) var failures = 0
            /// No automatic sync before it.
            package internal(set) var retryAt = Instant.epoch

            package init() {}
        }
    }
}
