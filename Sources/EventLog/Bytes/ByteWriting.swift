/// Writing the forms that `ByteReading` reads.
extension [UInt8] {
    @inline(__always)
    mutating func appendVarint(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }

    @inline(__always)
    mutating func appendVarint(_ number: UInt32) { appendVarint(UInt64(number)) }

    @inline(__always)
    mutating func appendVarint(_ count: Int) { appendVarint(UInt64(count.magnitude)) }

    @inline(__always)
    mutating func appendZigzag(_ number: Int64) {
        appendVarint(UInt64(bitPattern: (number &<< 1) ^ (number &>> 63)))
    }

    /// A length and then the bytes.
    mutating func appendBlock(_ bytes: some Collection<UInt8>) {
        appendVarint(bytes.count)
        append(contentsOf: bytes)
    }

    /// The number's bytes, most significant first.
    mutating func appendFixed(_ number: some FixedWidthInteger) {
        var shift = number.bitWidth - 8
        while shift >= 0 {
            append(UInt8(truncatingIfNeeded: number >> shift))
            shift -= 8
        }
    }

    mutating func appendChecksum(_ checksum: Checksum) {
        appendFixed(checksum.high)
        appendFixed(checksum.low)
    }
}
