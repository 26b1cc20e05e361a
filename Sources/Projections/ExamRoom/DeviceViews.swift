import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// Should this device sync, and what waits? Answers for any device.
    static let syncView = ReadModel<State>(
        "examroom.sync", "Should this device sync, and what waits?", key: "device",
        keys: { $0.texts($0.devices.allKeys) }
    ) { state, request, output in
        let device: DeviceID? = state.id(request.key)
        let row = device.flatMap { state.devices[$0] } ?? DeviceRow()
        let pending = state.commands(after: row.through, through: request.through)
        let mayRetry = row.retryAt.map { request.now >= $0 } ?? true
        output.object { output in
            output.member("device", request.key)
            output.object("entities") { output in
                for entity in row.entities { output.member(entity.noun, entity.at) }
            }
            output.member(
                "estimatedBytes", state.estimatedBytes(ofCommands: pending, after: row.through))
            output.member("failures", row.failures)
            output.member("indicator", row.network == .offline ? "offline" : "online")
            output.member("lastCompletedAt", row.lastCompletedAt)
            output.member("network", row.network)
            output.member("pending", pending)
            output.member(
                "preference",
                device.map { state.syncPreference(on: $0) } ?? state.policy.defaultSync)
            output.member("retryAt", row.retryAt)
            output.member("running", row.isRunning)
            output.member(
                "shouldSync",
                pending > 0 && !row.isRunning && mayRetry
                    && device.map { state.mayAutomaticallySync($0) } ?? false)
            output.member("through", row.through)
        }
        return true
    }

    /// What does a device still lack? Answers for any device; lists those that sync from here.
    static let changesView = ReadModel<State>(
        "examroom.changes", "What does a device still lack?", key: "device",
        arguments: ["page", "since"],
        keys: { state in
            state.texts(
                state.devices.allKeys.filter { state.devices.read($0) { $0.hasSynced } ?? false })
        },
        digestsWholeLists: false
    ) { state, request, output throws(WrongArgument) in
        let page = try Page(request)
        let since = try request.position("since") ?? .zero
        let device: DeviceID = state.names.id(request.key)
        let last = request.through
        let found = state.changes(after: since, through: last, notBy: device) {
            page.range(of: $0)
        }
        output.object { output in
            output.json.key("changes")
            output.json.beginArray()
            request.history.forEach(at: found.positions) { event in
                output.object { output in
                    output.member("at", event.metadata.at)
                    output.member("position", event.metadata.position)
                    output.member("stream", Word(event.metadata.stream))
                    output.member("type", event.type.name)
                }
                return true
            }
            output.json.endArray()
            output.member("device", request.key)
            output.member("last", last)
            output.member("since", since)
            page.write(total: found.total, to: &output)
        }
        return true
    }

    /// Is there room? Null for a device that was never measured.
    static let storageView = ReadModel<State>(
        "examroom.storage", "Is there room?", key: "device",
        keys: { state in
            state.texts(
                state.devices.allKeys.filter {
                    state.devices.read($0) { $0.storage != nil } ?? false
                }
            )
        },
        basis: .on(.stream("device"))
    ) { state, request, output in
        guard let device: DeviceID = state.id(request.key), let row = state.devices[device]?.storage
        else { return false }
        output.object { output in
            output.member("capacityBytes", row.capacityBytes)
            output.member("device", device)
            output.member("examCreation", row.level != .critical)
            output.member("level", row.level)
            output.member("measuredAt", row.measuredAt)
            output.member("percent", row.percent)
            output.member("totalBytes", row.totalBytes)
            output.member("usedBytes", row.usedBytes)
        }
        return true
    }
}

extension ViewRequest {
    /// The argument as a position; nil when it is not given.
    fileprivate func position(_ name: String) throws(WrongArgument) -> Position? {
        guard let text = arguments[name] else { return nil }
        guard let number = UInt64(text), number <= UInt64(Int64.max) else {
            throw WrongArgument(name, "expected a position, a whole number from 0")
        }
        return Position(number)
    }
}
