/// Reads JSON numbers (RFC 8259 §6) without rounding them.
enum JSONNumberScanner {
    /// Reads a number whose `-` or first digit is at `index`.
    @inline(__always)
    static func number(
        in bytes: Span<UInt8>, at index: inout Int
    ) throws(JSONError) -> JSONNumber {
        // Nearly all numbers are short whole ones; 18 digits cannot overflow.
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        let first = isNegative ? index &+ 1 : index
        var end = first
        var value: Int64 = 0
        while end < bytes.count, end &- first < 18, case let digit = bytes[end] &- 48, digit < 10 {
            value = value &* 10 &+ Int64(digit)
            end &+= 1
        }
        let isLong = end < bytes.count && continues(bytes[end])
        guard !isLong, end > first, end == first &+ 1 || bytes[first] != 48 else {
            return try anyNumber(in: bytes, from: start, isNegative: isNegative, at: &index)
        }
        index = end
        return JSONNumber(isNegative ? -value : value)
    }

    /// Whether a number goes on with this byte.
    @inline(__always)
    private static func continues(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static func anyNumber(
        in bytes: Span<UInt8>, from start: Int, isNegative: Bool, at index: inout Int
    ) throws(JSONError) -> JSONNumber {
        var digits = Digits()
        index = isNegative ? start + 1 : start
        let first = index
        try run(in: bytes, at: &index) { digits.append($0, isFraction: false) }
        guard index == first + 1 || bytes[first] != UInt8(ascii: "0") else {
            throw JSONError(offset: first, reason: "leading zero")
        }
        var form = JSONNumber.Form.asWholeNumber
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            form = .withFractionOrExponent
            index += 1
            try run(in: bytes, at: &index) { digits.append($0, isFraction: true) }
        }
        var exponent = 0
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            form = .withFractionOrExponent
            index += 1
            exponent = try self.exponent(in: bytes, at: &index)
        }
        guard
            let number = digits.number(exponent: exponent, isNegative: isNegative, isWritten: form)
        else { throw JSONError(offset: start, reason: "number out of range") }
        return number
    }

    /// Reads one digit or more.
    @inline(__always)
    private static func run(
        in bytes: Span<UInt8>, at index: inout Int, _ take: (UInt8) -> Void
    ) throws(JSONError) {
        let start = index
        while index < bytes.count, case let digit = bytes[index] &- 48, digit < 10 {
            take(digit)
            index += 1
        }
        guard index > start else {
            let isEnd = index == bytes.count
            throw JSONError(
                offset: index, reason: isEnd ? "the document ends too early" : "a digit expected")
        }
    }

    /// Reads what follows an `e`; far beyond the range it stops counting.
    private static func exponent(
        in bytes: Span<UInt8>, at index: inout Int
    ) throws(JSONError) -> Int {
        var isNegative = false
        if index < bytes.count {
            isNegative = bytes[index] == UInt8(ascii: "-")
            if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        }
        var value = 0
        // An exponent may make up for digits, of which there are no more than bytes in memory.
        try run(in: bytes, at: &index) { digit in
            value = min(value * 10 + Int(digit), 1 << 56)
        }
        return isNegative ? -value : value
    }

    /// Significant digits as they come in.
    private struct Digits {
        private var magnitude: UInt64 = 0
        /// Zeros that count only if another digit follows.
        private var zeros = 0
        private var places = 0
        private var isTooLong = false

        mutating func append(_ digit: UInt8, isFraction: Bool) {
            if isFraction { places += 1 }
            guard digit != 0 else {
                if magnitude != 0 { zeros += 1 }
                return
            }
            guard let scaled = scaled(by: zeros + 1) else {
                isTooLong = true
                return
            }
            let (sum, overflow) = scaled.addingReportingOverflow(UInt64(digit))
            isTooLong = isTooLong || overflow
            magnitude = sum
            zeros = 0
        }

        /// The magnitude times a power of ten, if that fits.
        private func scaled(by power: Int) -> UInt64? {
            guard magnitude != 0 else { return 0 }
            guard power <= 19 else { return nil }
            var scaled = magnitude
            for _ in 0..<power {
                let (product, overflow) = scaled.multipliedReportingOverflow(by: 10)
                guard !overflow else { return nil }
                scaled = product
            }
            return scaled
        }

        func number(
            exponent: Int, isNegative: Bool, isWritten form: JSONNumber.Form
        ) -> JSONNumber? {
            guard !isTooLong else { return nil }
            if form == .asWholeNumber, let whole = scaled(by: zeros) {
                return JSONNumber(
                    magnitude: whole, exponent: 0, isNegative: isNegative, isWritten: form)
            }
            return JSONNumber(
                magnitude: magnitude, exponent: exponent + zeros - places,
                isNegative: isNegative, isWritten: form)
        }
    }
}
