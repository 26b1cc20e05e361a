import Core
import ExamRoomEvents
import ExamRoomFacts
import Folding
import Projections

extension ExamRoom {
    /// What does a device still lack? Answers for any device; lists those that sync from here.
    static let changesView = ReadModel<State>(
        "examroom.changes", "What does a device still lack?", key: "device",
        arguments: ["page", "since"],
        keys: { state in
            state.names.texts(
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
                    output.member("stream", InternedText(event.metadata.stream))
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
