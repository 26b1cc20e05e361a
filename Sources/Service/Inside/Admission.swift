import Synchronization

/// Lets so many in at a time and tells the others at once that they are too many: nobody is accepted and then dropped.
final class Admission: Sendable {
    private let most: Int
    private let what: String
    private let inside = Atomic<Int>(0)

    /// - Parameter what: what there are too many of, for the problem.
    init(atMost most: Int, _ what: String) {
        self.most = most
        self.what = what
    }

    var count: Int { inside.load(ordering: .relaxed) }

    func admit<R: Sendable>(_ count: Int = 1, _ body: () async throws -> R) async throws -> R {
        let now = inside.wrappingAdd(count, ordering: .relaxed).newValue
        defer { inside.wrappingSubtract(count, ordering: .relaxed) }
        // One that is larger than all there is room for is let in alone.
        guard now <= most || now == count else {
            throw Problem.unavailable(
                "too-busy", "\(most) \(what) wait already: come again in a moment")
        }
        return try await body()
    }
}
