/// A number of a JSON document, exact in decimal: digits times a power of ten, never binary
/// floating point (what is printed must not depend on rounding that nobody wrote down).
///
/// Any number whose significant digits fit into 64 bits (19 digits do, some of 20) and whose
/// power of ten lies within -400...400, which includes all that a `Double` prints as.
public struct JSONNumber: Hashable, Sendable {
    /// The digits; value = ± magnitude × 10^exponent.
    private let magnitude: UInt64
    /// Zero as long as a whole number's magnitude fits, else (and always for numbers written with
    /// a fraction or exponent) as large as it can be. So the same value has the same fields.
    private let exponent: Int16
    /// Never for zero: `-0` is `0`.
    private let isNegative: Bool
    /// Whether it was written without fraction and exponent.
    public let isWritten: Form

    /// How the number is kept.
    public enum Form: Hashable, Sendable {
        /// `5`, `-0`, `1000`.
        case asWholeNumber
        /// `5.0`, `5e0`, `0.25`.
        case withFractionOrExponent
    }

    public init(_ value: Int64) {
        self.init(magnitude: value.magnitude, isNegative: value < 0)
    }

    public init(_ value: UInt64) {
        self.init(magnitude: value, isNegative: false)
    }

    private init(magnitude: UInt64, isNegative: Bool) {
        self.magnitude = magnitude
        self.exponent = 0
        self.isNegative = isNegative
        self.isWritten = .asWholeNumber
    }

    /// The number of this many hundredths: 6667 is 66.67. A whole number is the same as if it
    /// had been written whole.
    public init(hundredths: Int64) {
        let isWhole = hundredths % 100 == 0
        let isTenths = hundredths % 10 == 0
        magnitude = hundredths.magnitude / (isWhole ? 100 : isTenths ? 10 : 1)
        exponent = isWhole ? 0 : isTenths ? -1 : -2
        isNegative = hundredths < 0
        isWritten = isWhole ? .asWholeNumber : .withFractionOrExponent
    }

    /// The number with these digits; nil if its power of ten is out of range.
    init?(magnitude: UInt64, exponent: Int, isNegative: Bool, isWritten: Form) {
        var magnitude = magnitude
        var exponent = magnitude == 0 ? 0 : exponent
        if isWritten == .withFractionOrExponent {
            while magnitude != 0, magnitude % 10 == 0 {
                magnitude /= 10
                exponent += 1
            }
        }
        guard (-400...400).contains(exponent) else { return nil }
        self.magnitude = magnitude
        self.exponent = Int16(exponent)
        self.isNegative = isNegative && magnitude != 0
        self.isWritten = isWritten
    }

    /// The value, if it was written without fraction and exponent and fits: `5.0` and `5e0` are
    /// not whole numbers to the contract, `-0` is 0.
    public var wholeNumber: Int64? {
        guard isWritten == .asWholeNumber, exponent == 0 else { return nil }
        return Self.signed(magnitude, isNegative: isNegative)
    }

    /// The value times 100, rounded half away from zero; nil if that does not fit.
    public var hundredths: Int64? {
        let rounded = roundedHundredths
        guard let rounded, rounded <= UInt128(UInt64.max) else { return nil }
        return Self.signed(UInt64(rounded), isNegative: isNegative)
    }

    /// The value times 100; nil if it has more than two decimals or does not fit.
    public var exactHundredths: Int64? { exponent < -2 ? nil : hundredths }

    /// The magnitude times 100, rounded half up; nil if that has more than 128 bits.
    private var roundedHundredths: UInt128? {
        let shift = Int(exponent) + 2
        guard shift < 0 else {
            guard magnitude != 0, shift > 0 else { return UInt128(magnitude) }
            guard shift <= 19 else { return nil }
            // 2^64 × 10^19 is less than 2^128.
            return UInt128(magnitude) * UInt128(Self.power(shift))
        }
        // Less than 10^20 × 10^-21 rounds to nothing.
        guard shift >= -20 else { return 0 }
        let divisor = UInt128(Self.power(-shift - 1)) * 10
        return (UInt128(magnitude) + divisor / 2) / divisor
    }

    /// 10^exponent, for 0 to 19.
    private static func power(_ exponent: Int) -> UInt64 {
        var power: UInt64 = 1
        for _ in 0..<exponent { power &*= 10 }
        return power
    }

    /// Less than zero if the value is less than the other's, zero if they are equal, however they were written.
    func compare(_ other: JSONNumber) -> Int {
        if isNegative != other.isNegative { return isNegative ? -1 : 1 }
        let order = compareMagnitude(other)
        return isNegative ? -order : order
    }

    private func compareMagnitude(_ other: JSONNumber) -> Int {
        if magnitude == 0 || other.magnitude == 0 {
            return magnitude == other.magnitude ? 0 : magnitude == 0 ? -1 : 1
        }
        let difference = Int(exponent) - Int(other.exponent)
        // Beyond 19 powers of ten the larger power decides: a magnitude has at most 20 digits.
        if difference > 19 { return 1 }
        if difference < -19 { return -1 }
        let left = UInt128(magnitude) * UInt128(Self.power(max(0, difference)))
        let right = UInt128(other.magnitude) * UInt128(Self.power(max(0, -difference)))
        return left < right ? -1 : left > right ? 1 : 0
    }

    private static func signed(_ magnitude: UInt64, isNegative: Bool) -> Int64? {
        guard isNegative else { return Int64(exactly: magnitude) }
        guard magnitude <= Int64.min.magnitude else { return nil }
        return Int64(truncatingIfNeeded: 0 &- magnitude)
    }

    /// Appends the number with all its digits: as `append` does unless it has more than two decimals.
    func appendExact(to bytes: inout [UInt8]) {
        guard exponent < -2 else { return append(to: &bytes) }
        if isNegative { bytes.append(UInt8(ascii: "-")) }
        let digits = Array(String(magnitude).utf8)
        let whole = digits.count + Int(exponent)
        guard whole > -Self.mostZeros else {
            bytes += digits
            bytes += "e\(exponent)".utf8
            return
        }
        bytes += whole > 0 ? digits[..<whole] : [UInt8(ascii: "0")]
        bytes.append(UInt8(ascii: "."))
        bytes += repeatElement(UInt8(ascii: "0"), count: max(0, -whole))
        bytes += digits[max(0, whole)...]
    }

    /// With so many zeros behind the point a number is written with an exponent.
    private static let mostZeros = 6

    /// Appends the number as the contract prints numbers: whole if its value is, else rounded half
    /// away from zero to two decimals, without trailing zeros.
    func append(to bytes: inout [UInt8]) {
        guard exponent < 0 else {
            if isNegative { bytes.append(UInt8(ascii: "-")) }
            bytes.append(decimal: magnitude)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Int(exponent)))
            return
        }
        // A negative exponent leaves less than 2^64 × 10, so there is always an answer.
        guard let rounded = roundedHundredths else { return }
        if isNegative, rounded != 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: UInt64(truncatingIfNeeded: rounded / 100))
        bytes.appendFraction(hundredths: Int(rounded % 100))
    }
}

extension [UInt8] {
    /// Appends nothing for 0, `.5` for 50, `.05` for 5.
    @inline(__always)
    mutating func appendFraction(hundredths: Int) {
        guard hundredths != 0 else { return }
        append(UInt8(ascii: "."))
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: hundredths / 10))
        guard hundredths % 10 != 0 else { return }
        append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: hundredths % 10))
    }
}
