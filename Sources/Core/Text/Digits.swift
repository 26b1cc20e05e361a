extension Span<UInt8> {
    /// The value of `count` decimal digits from `start` on; nil when one is no digit or they are
    /// not all there. At most 18 digits, so the value cannot overflow.
    @inline(__always)
    func decimal(from start: Int, count: Int) -> Int? {
        guard start >= 0, count <= 18, start + count <= self.count else { return nil }
        var value = 0
        for index in start..<(start + count) {
            let digit = self[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int(digit)
        }
        return value
    }
}

extension [UInt8] {
    /// Appends a whole number in decimal digits, without leading zeros.
    @inline(__always)
    mutating func append(decimal value: UInt64) {
        guard value >= 10 else {
            append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
            return
        }
        appendLong(decimal: value)
    }

    private mutating func appendLong(decimal value: UInt64) {
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var rest = value
        var start = 20
        while rest > 0 {
            let quotient = rest / 10
            start -= 1
            digits[start] &+= UInt8(truncatingIfNeeded: rest &- quotient &* 10)
            rest = quotient
        }
        append(digits.span.extracting(start..<20))
    }

    /// Appends a copy of `span`, in one move.
    @inline(__always)
    mutating func append(_ span: Span<UInt8>) {
        // Safe: the buffer is read before the closure returns and does not leave it.
        unsafe span.withUnsafeBufferPointer { buffer in
            unsafe append(contentsOf: buffer)
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a copy of `span`, for which there must be room.
    @inline(__always)
    mutating func append(copyOf span: Span<UInt8>) {
        precondition(span.count <= freeCapacity, "more bytes than there is room for")
        // Safe: both are long enough, and the free capacity of an array that is written is lent to nobody else.
        unsafe withUnsafeMutableBufferPointer { target, filled in
            unsafe span.withUnsafeBufferPointer { source in
                guard let source = source.baseAddress, let target = target.baseAddress else {
                    return
                }
                unsafe (target + filled).initialize(from: source, count: span.count)
            }
            filled += span.count
        }
    }
}

extension String {
    /// Whether both consist of the same bytes. `==` would also take canonically equivalent texts
    /// ("é" as one scalar or as two) for equal, and the contract compares code points.
    @inline(__always)
    public func isExactly(_ other: String) -> Bool {
        let left = utf8.span
        let right = other.utf8.span
        guard left.count == right.count else { return false }
        for index in left.indices where left[index] != right[index] { return false }
        return true
    }

    /// Whether this comes before `other` by Unicode code point, which is the order of the UTF-8
    /// bytes (Unicode §2.5). `<` would compare normal forms.
    @inline(__always)
    public func precedes(_ other: String) -> Bool {
        let left = utf8.span
        let right = other.utf8.span
        let common = min(left.count, right.count)
        for index in 0..<common where left[index] != right[index] {
            return left[index] < right[index]
        }
        return left.count < right.count
    }
}
