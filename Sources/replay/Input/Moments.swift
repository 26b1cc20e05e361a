internal import Engine

/// Positions and instants, as options give them.
enum Moments {
    static func instant(
        _ text: String?, _ option: String, example: String = ""
    ) throws(EngineError) -> Instant? {
        guard let text else { return nil }
        guard let instant = Instant(rfc3339: text) else {
            throw EngineError(
                .wrongUse,
                "\(option): \"\(text)\" is not an RFC 3339 instant with an offset\(example)")
        }
        return instant
    }

    static func moment(_ text: String?, _ option: String) throws(EngineError) -> Moment? {
        guard let text else { return nil }
        guard let moment = Moment(text) else {
            throw EngineError(
                .wrongUse,
                "\(option): \"\(text)\" is neither a position nor an RFC 3339 instant with an offset"
            )
        }
        return moment
    }
}
