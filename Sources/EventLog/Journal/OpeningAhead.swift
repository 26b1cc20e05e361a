import Core

/// The types whose events a fold looks at, or into whose personal part.
package struct WantedTypes: Sendable {
    /// By type number.
    private let types: [Bool]

    package init(_ types: [Bool]) {
        self.types = types
    }

    /// Those that nobody knew are wanted, too: whoever visits them says so.
    @inline(__always)
    func contains(_ type: UInt16) -> Bool { Int(type) >= types.count || types[Int(type)] }
}

/// Whose events' personal fields are opened by the thread that reads ahead.
package struct OpeningAhead: Sendable {
    let keys: PersonKeys
    let types: WantedTypes

    package init(_ keys: PersonKeys, _ types: WantedTypes) {
        self.keys = keys
        self.types = types
    }

    func values(_ event: EventRecord, _ body: [UInt8]) -> PersonalValues? {
        PersonalValues(
            body, stored: event.payload, flags: event.flags, at: event.place, opener: keys)
    }
}
