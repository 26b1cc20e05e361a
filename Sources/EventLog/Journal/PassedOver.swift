package import Core

/// What lies between an event that is visited and the one visited before it: events that nobody looks at.
package struct PassedOver {
    /// How many events were passed, the visited one included.
    package private(set) var events: UInt64 = 0
    /// The latest instant at which the clock stood where another command began, or a timer fired; nil where the visited event
    /// goes on with what was there before it.
    package private(set) var clock: Instant?
    private var at = Instant(milliseconds: .min)
    private var command: Int?

    @inline(__always)
    mutating func take(at: Instant, command: Int?) {
        events += 1
        guard at != self.at || command != self.command else { return }
        clock = clock.map { max($0, at) } ?? at
        self.at = at
        self.command = command
    }

    mutating func didVisit() {
        events = 0
        clock = nil
    }
}
