extension Record {
    /// A record, its fields set by `fill`.
    @inlinable
    public static func with(_ fill: (inout Self) -> Void) -> Self {
        var record = Self()
        fill(&record)
        return record
    }
}
