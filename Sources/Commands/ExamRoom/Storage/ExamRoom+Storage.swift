import Commands
import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding

extension ExamRoom {
    /// Measures a device's disk (R50, 11.1).
    struct MeasureStorage: Command {
        static let type = "examroom.storage.measure"
        var device = DeviceID.none
        var capacityBytes = 1
        var usedBytes = Storage.Used()

        mutating func fields<C: Coder>(_ coder: inout C) {
            coder.field("device", &device)
            coder.number("capacityBytes", &capacityBytes, in: 1...Storage.sizes.upperBound)
            coder.field("usedBytes", &usedBytes)
        }

        func senders(in state: State) -> Senders { .accountOrService() }

        func decide(in context: Context) throws(Rejection) {
            try context.checkSpeaks(for: device)
            let former = context.state.devices[device]?.storage?.level ?? .normal
            let share = Share(of: usedBytes.total, in: capacityBytes)
            let level = share.level(by: context.state.policy)
            context.record(
                Storage.Measured(
                    device: device, capacityBytes: capacityBytes, usedBytes: usedBytes,
                    percent: share.percent, level: level),
                on: device)
            guard level != former, let member = context.member else { return }
            let data: [(String, JSON)] = [
                ("device", context.json(device)),
                ("percent", .hundredths(share.percent.hundredths)),
            ]
            let link = "examroom://settings/storage"
            switch level {
            case .normal: break
            case .warning: context.notify(member, .storageWarning, data, link: link)
            case .critical:
                context.notify(member, .storageCritical, isAlways: true, data, link: link)
            }
        }
    }

    /// How much of a whole is used, exactly: the numbers given may be large.
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

        /// Critical from the one percentage on, warning above the other (R50).
        func level(by policy: Policy) -> Storage.Level {
            if part >= Int128(policy.storageCriticalPercent.hundredths) * whole { return .critical }
            if part > Int128(policy.storageWarningPercent.hundredths) * whole { return .warning }
            return .normal
        }
    }
}

extension DecisionContext<ExamRoom> {
    /// `storage-critical` while the last measurement of the command's device is critical: it creates,
    /// duplicates and imports no exam (R50). A merge does not ask (R39).
    func checkStorage() throws(ExamRoom.Rejection) {
        guard !isMerging, !device.isNone else { return }
        let level = state.devices[ExamRoom.DeviceID(device)]?.storage?.level
        try check(level != .critical, else: .storageCritical)
    }
}
