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
                "\(option): \"\(text)\" is not an RFC 3339 instant with an offset, in the years 1970 to 2199\(example)"
            )
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

    /// A moment that is an argument.
    static func needed(_ text: String) throws(EngineError) -> Moment {
        guard let moment = Moment(text) else {
            throw EngineError(
                .wrongUse,
                "\"\(text)\" is neither a position nor an RFC 3339 instant with an offset")
        }
        return moment
    }

    /// A position that is an argument.
    static func position(_ text: String) throws(EngineError) -> Position {
        guard case .position(let position) = Moment(text) else {
            throw EngineError(.wrongUse, "\"\(text)\" is no position: a number from 0")
        }
        return position
    }
}
