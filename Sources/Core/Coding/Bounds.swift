/// What numbers and texts may be, where a page does not say less (contract, Commands in).
public enum Bounds: Sendable {
    /// A hundred years: the longest span, so that what follows from an instant can still be written.
    public static let seconds = 0...3_155_760_000
    /// The same span in minutes.
    public static let minutes = 0...52_596_000
    /// The same span in days.
    public static let days = 0...36_525
    /// Anything that is counted.
    public static let count = 0...1_000_000_000
    /// What counts in both directions.
    public static let signed = -1_000_000_000...1_000_000_000
    /// Unicode scalars of a text.
    public static let text = 0...20_000
    /// Unicode scalars of a name, a title or a reference.
    public static let name = 0...200
    /// Unicode scalars of a command's id.
    public static let commandID = 1...128
}

extension Coder {
    /// A whole number of a range.
    public mutating func number(
        _ name: String, _ value: inout Int, in range: ClosedRange<Int> = Bounds.count
    ) {
        field(name, &value)
        expect(name, range.wholeNumbers, range ~= value)
    }

    /// A whole number of a range, or nothing.
    public mutating func number(
        _ name: String, _ value: inout Int?, in range: ClosedRange<Int> = Bounds.count
    ) {
        field(name, &value)
        expect(name, range.wholeNumbers, value.map { range ~= $0 } ?? true)
    }

    /// A whole number of a range that may be left out.
    public mutating func optionalNumber(
        _ name: String, _ value: inout Int?, in range: ClosedRange<Int> = Bounds.count
    ) {
        optional(name, &value)
        expect(name, range.wholeNumbers, value.map { range ~= $0 } ?? true)
    }

    /// A text of this many Unicode scalars.
    public mutating func text(
        _ name: String, _ value: inout String, of length: ClosedRange<Int> = Bounds.text
    ) {
        field(name, &value)
        expect(name, length.characters, length ~= value.unicodeScalars.count)
    }

    /// A text of this many Unicode scalars, or nothing.
    public mutating func text(
        _ name: String, _ value: inout String?, of length: ClosedRange<Int> = Bounds.text
    ) {
        field(name, &value)
        expect(name, length.characters, value.map { length ~= $0.unicodeScalars.count } ?? true)
    }

    /// A text of this many Unicode scalars that may be left out.
    public mutating func optionalText(
        _ name: String, _ value: inout String?, of length: ClosedRange<Int> = Bounds.text
    ) {
        optional(name, &value)
        expect(name, length.characters, value.map { length ~= $0.unicodeScalars.count } ?? true)
    }

    /// An e-mail address (`EmailForm`).
    public mutating func email(_ name: String, _ value: inout String) {
        field(name, &value)
        expect(name, EmailForm.expectation, EmailForm.accepts(value))
    }

    /// An e-mail address that may be left out.
    public mutating func optionalEmail(_ name: String, _ value: inout String?) {
        optional(name, &value)
        expect(name, EmailForm.expectation, value.map { EmailForm.accepts($0) } ?? true)
    }
}

extension ClosedRange<Int> {
    /// As an expectation says it: `a whole number from 1 to 365`.
    public var wholeNumbers: String { "a whole number from \(lowerBound) to \(upperBound)" }

    /// As an expectation says it: `a text of 1 to 200 characters`.
    public var characters: String {
        lowerBound == 0
            ? "a text of at most \(upperBound) characters"
            : "a text of \(lowerBound) to \(upperBound) characters"
    }
}
