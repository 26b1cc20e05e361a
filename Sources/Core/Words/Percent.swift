/// A percentage in hundredths: 6667 is 66.67 %. Never a floating-point number.
public struct Percent: FieldValue, Comparable {
    /// Hundredths of a percent: 12.34 % is 1234.
    public var hundredths: Int64

    @inlinable
    public init(hundredths: Int64) {
        self.hundredths = hundredths
    }

    public init(whole: Int) {
        hundredths = Int64(whole) * 100
    }

    /// `part` of `whole` in per cent, rounded half away from zero to two decimals.
    public init(_ part: Int, of whole: Int) {
        let exact = Int128(part) * 10_000
        hundredths = Int64(clamping: Rounding.halfAway(exact, by: Int128(whole)))
    }

    /// The mean of `count` percents, given their sum in hundredths; rounded in the same way.
    public init(meanOf sum: Int, by count: Int) {
        hundredths = Rounding.halfAway(Int64(sum), by: Int64(count))
    }

    /// Whether a score reaches this part of the whole, exactly: `score` × 100 ≥ percent × `whole`.
    public func isReached(by score: Int, of whole: Int) -> Bool {
        Int128(score) * 10_000 >= Int128(hundredths) * Int128(whole)
    }

    /// 0 %.
    public static let zero = Percent(hundredths: 0)
    /// 100 %.
    public static let hundred = Percent(whole: 100)
    public static var empty: Percent { .zero }
    public static var schema: String { "percent" }
    public static var jsonForm: JSONForm { .percent }

    public static func < (left: Percent, right: Percent) -> Bool {
        left.hundredths < right.hundredths
    }

    @inlinable
    public func write(to writer: inout BinaryWriter) { writer.zigzag(hundredths) }

    @inlinable
    public static func read(from reader: inout BinaryReader) -> Percent {
        Percent(hundredths: reader.zigzag())
    }

    public func write(to output: inout JSONOutput) { output.json.hundredths(hundredths) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Percent? {
        if case .number(let number) = json, let hundredths = number.hundredths {
            return Percent(hundredths: hundredths)
        }
        input.fail("expected a number")
        return nil
    }
}

/// Integer division as the contract rounds, without overflow.
public enum Rounding: Sendable {
    /// Rounded to the nearest whole, halves away from zero; 0 for a divisor of 0.
    public static func halfAway<N: FixedWidthInteger & SignedInteger>(
        _ number: N, by divisor: N
    ) -> N {
        guard divisor != 0, divisor != .min, number != .min else { return 0 }
        let quotient = number.magnitude.quotientAndRemainder(dividingBy: divisor.magnitude)
        let up: N.Magnitude = quotient.remainder >= divisor.magnitude - quotient.remainder ? 1 : 0
        let magnitude = N(clamping: quotient.quotient + up)
        return (number < 0) == (divisor < 0) ? magnitude : -magnitude
    }
}

extension FixedWidthInteger {
    /// The sum, or the nearest value that fits: numbers in input can be large, and input never traps.
    public func addingClamping(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    /// The product, or the nearest value that fits.
    public func multipliedClamping(_ other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}
