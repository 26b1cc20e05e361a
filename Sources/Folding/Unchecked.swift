/// A variable of an object whose accesses the run time does not check for overlaps.
///
/// The check costs a fold more than what it guards: some 5 ns, many times with every event. Whoever
/// uses this lends its value to nobody, or keeps account of it as `Table` does.
@safe
public final class Unchecked<Value> {
    @exclusivity(unchecked) @usableFromInline var stored: Value

    @inlinable
    public init(_ value: Value) {
        unsafe stored = value
    }

    /// The value, without a check for overlapping accesses.
    public var value: Value {
        @inlinable @inline(__always) _read { yield unsafe stored }
        @inlinable @inline(__always) _modify { yield unsafe &stored }
    }
}
