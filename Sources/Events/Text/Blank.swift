/// What counts as blank, and how lengths are counted (ExamRoom R2; Learnable, Commands).
extension String {
    /// No scalar outside Unicode white space.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Length in Unicode scalars.
    package var scalarCount: Int { unicodeScalars.count }
}
