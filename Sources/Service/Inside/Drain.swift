/// Whether the service is shutting down.
final class Drain: Sendable {
    private let flag = Flag()

    var isDraining: Bool { flag.isSet }

    func begin() { flag.set() }
}
