/// What counts as blank, and how lengths are counted (ExamRoom R2; Learnable, Commands).
extension String {
    /// No scalar outside Unicode white space.
    public var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Length in Unicode scalars.
    public var scalarCount: Int { unicodeScalars.count }
}
