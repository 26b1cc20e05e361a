package import Commands
package import Core
package import ExamRoomEvents
package import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Tells how full a device's disk is (R50, 11.1).
    package struct MeasureStorage: Command {
        package static let type = "examroom.storage.measure"
        var device = DeviceID.none
        var capacityBytes = 1
        var usedBytes = Storage.Used()

        package init() {}

        package mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.field("capacityBytes", &capacityBytes)
            coder.field("usedBytes", &usedBytes)
        }

        package func problem(_ names: Names) -> String? {
            if capacityBytes < 1 { return "\"capacityBytes\" is a whole number from 1" }
            return usedBytes.total > Int.largest
                ? "\"usedBytes\" add up to more than \(Int.largest)" : nil
        }

        package func who(in room: Room) -> Who { .memberOrService() }

        package func apply(in scene: Scene<Room>) throws(Rejection) {
            let former = scene.state.devices[device]?.storage?.level ?? .normal
            let share = Share(of: usedBytes.total, in: capacityBytes)
            let level = share.level(by: scene.state.policy)
            scene.record(
                Storage.Measured(
                    device: device, capacityBytes: capacityBytes, usedBytes: usedBytes,
                    percent: share.percent, level: level),
                on: scene.deviceStream(device))
            guard level != former, let member = scene.member else { return }
            let data: [(String, JSON)] = [
                ("device", scene.json(device)), ("percent", .hundredths(share.percent.hundredths)),
            ]
            let link = "examroom://settings/storage"
            switch level {
            case .normal: break
            case .warning: scene.notify(member, .storageWarning, data, link: link)
            case .critical:
                scene.notify(member, .storageCritical, isAlways: true, data, link: link)
            }
        }
    }

    /// How much of a whole is used, exactly: told numbers are large.
    private struct Share {
        /// In hundredths of a per cent, multiplied by the whole.
        private let part: Int128
        private let whole: Int128

        init(of part: Int, in whole: Int) {
            self.part = Int128(part) * 10_000
            self.whole = Int128(whole)
        }

        /// Rounded half away from zero, as percentages are printed.
        var percent: Percent {
            Percent(hundredths: Int64(clamping: (2 * part + whole) / (2 * whole)))
        }

        /// R50: critical from its percentage on, warning above its own.
        func level(by policy: Policy) -> Storage.Level {
            if part >= Int128(policy.storageCriticalPercent.hundredths) * whole { return .critical }
            if part > Int128(policy.storageWarningPercent.hundredths) * whole { return .warning }
            return .normal
        }
    }
}

extension Scene<ExamRoom.Room> {
    /// R50: while the last measurement of the command's device is critical, no exam is created,
    /// duplicated or imported on it. What another device did is not asked (R39).
    func checkStorage() throws(ExamRoom.Rejection) {
        guard !isMerging, !device.isNone else { return }
        if state.devices[ExamRoom.DeviceID(device)]?.storage?.level == .critical {
            throw .storageCritical
        }
    }
}
