/// What counts as blank, and how lengths are counted (ExamRoom R2, QuranFlow Policy).
extension String {
    /// No scalar outside Unicode white space.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Length in Unicode scalars.
    var scalarCount: Int { unicodeScalars.count }
}
