import Core

/// Networks, syncs and disks.
extension ExamRoomHistory {
    mutating func deviceWork() {
        let device = "D-1"
        let id: (String, JSON) = ("device", .string(device))
        let by = chance(60) ? "service:sync" : chance(70) ? admin() : "student:S-1"
        switch below(8) {
        case 0, 1:
            let network = ["wifi", "wifi", "cellular", "offline"][below(4)]
            tell("examroom.connection.observe", by: by, [id, ("network", .string(network))])
        case 2, 3, 4:
            tell(
                "examroom.sync.begin", by: by,
                [id, ("trigger", .string(chance(50) ? "manual" : "automatic"))])
            if chance(40) { endSync(id, by) }
        case 5, 6: endSync(id, by)
        default:
            let used: [(String, JSON)] = ["answers", "cache", "database", "exports", "images"].map {
                ($0, .integer(Int64(below(chance(80) ? 200 : 300))))
            }
            tell(
                "examroom.storage.measure", by: by,
                [id, ("capacityBytes", .integer(800)), ("usedBytes", .object(of: used))])
        }
    }

    private mutating func endSync(_ device: (String, JSON), _ by: String) {
        if chance(40) {
            return tell("examroom.sync.fail", by: by, [device, ("reason", .string("timeout"))])
        }
        let through = below(commands.count * 3 / 2)
        tell("examroom.sync.complete", by: by, [device, ("through", .integer(Int64(through)))])
    }

    /// Long silence, after which audit entries are archived.
    mutating func silence() {
        now = now + Int64(86_400 * (1 + below(500)))
    }
}
