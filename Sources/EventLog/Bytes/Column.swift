/// A column of numbers in whichever of five forms is shortest: one byte says which.
///
/// Signed numbers and those that fall are written as differences, modulo 2⁶⁴.
enum Column {
    private enum Form: UInt8 {
        /// All are the same: that one.
        case constant = 0
        /// Each by itself.
        case plain = 1
        /// The difference to the one before, zigzag; to 0 for the first.
        case differences = 2
        /// How many are the same, and the difference of their value to the one before.
        case runs = 3
        /// How many have the same difference to the one before, and that difference.
        case slopes = 4
    }

    static func write(_ values: [UInt64], to bytes: inout [UInt8]) {
        guard let first = values.first else { return }
        var sizes = (plain: 0, differences: 0, runs: 0, slopes: 0)
        var isConstant = true
        var last: UInt64 = 0
        var slope: UInt64 = 0
        var (run, slopeRun) = (0, 0)
        for value in values {
            if value != first { isConstant = false }
            let difference = zigzag(value &- last)
            sizes.plain += size(value)
            sizes.differences += size(difference)
            if run > 0, difference == 0 {
                run += 1
            } else {
                if run > 0 { sizes.runs += size(UInt64(run)) }
                sizes.runs += size(difference)
                run = 1
            }
            if slopeRun > 0, difference == slope {
                slopeRun += 1
            } else {
                if slopeRun > 0 { sizes.slopes += size(UInt64(slopeRun)) }
                sizes.slopes += size(difference)
                slope = difference
                slopeRun = 1
            }
            last = value
        }
        sizes.runs += size(UInt64(run))
        sizes.slopes += size(UInt64(slopeRun))
        if isConstant {
            bytes.append(Form.constant.rawValue)
            bytes.appendVarint(first)
            return
        }
        let least = min(sizes.plain, sizes.differences, sizes.runs, sizes.slopes)
        if least == sizes.plain {
            bytes.append(Form.plain.rawValue)
            for value in values { bytes.appendVarint(value) }
        } else if least == sizes.differences {
            bytes.append(Form.differences.rawValue)
            var last: UInt64 = 0
            for value in values {
                bytes.appendVarint(zigzag(value &- last))
                last = value
            }
        } else {
            writeRuns(values, ofSlopes: least == sizes.slopes, to: &bytes)
        }
    }

    private static func writeRuns(
        _ values: [UInt64], ofSlopes: Bool, to bytes: inout [UInt8]
    ) {
        bytes.append(ofSlopes ? Form.slopes.rawValue : Form.runs.rawValue)
        var last: UInt64 = 0
        var index = 0
        while index < values.count {
            let difference = values[index] &- last
            var end = index + 1
            while end < values.count,
                values[end] &- values[end - 1] == (ofSlopes ? difference : 0)
            { end += 1 }
            bytes.appendVarint(zigzag(difference))
            bytes.appendVarint(end - index)
            last = values[end - 1]
            index = end
        }
    }

    /// Reads the `count` numbers that `write` wrote into the first of `values`, which may be more.
    static func read(
        _ count: Int, _ bytes: Span<UInt8>, _ offset: inout Int, into values: inout [UInt64]
    ) throws(Malformed) {
        guard count > 0 else { return }
        guard offset < bytes.count, let form = Form(rawValue: bytes[offset]) else {
            throw Malformed("a column of unknown form")
        }
        if values.count < count {
            values = [UInt64](repeating: 0, count: max(count, 2 * values.count))
        }
        var target = values.mutableSpan
        var at = offset + 1
        var value: UInt64 = 0
        switch form {
        case .constant:
            value = try bytes.varint(&at)
            for index in 0..<count { target[index] = value }
        case .plain:
            var index = 0
            while index < count {
                if index + 8 <= count, let eight = bytes.eightShort(&at) {
                    for place in 0..<8 { target[index + place] = eight &>> (8 * place) & 0x7F }
                    index += 8
                } else {
                    target[index] = try bytes.varint(&at)
                    index += 1
                }
            }
        case .differences:
            var index = 0
            while index < count {
                if index + 8 <= count, let eight = bytes.eightShort(&at) {
                    for place in 0..<8 {
                        value = value &+ unzigzag(eight &>> (8 * place) & 0x7F)
                        target[index + place] = value
                    }
                    index += 8
                } else {
                    value = value &+ unzigzag(try bytes.varint(&at))
                    target[index] = value
                    index += 1
                }
            }
        case .runs, .slopes:
            var index = 0
            while index < count {
                let difference = unzigzag(try bytes.varint(&at))
                let run = try bytes.varint(&at)
                guard run >= 1, run <= UInt64(count - index) else {
                    throw Malformed("a run beyond its column")
                }
                let slope = form == .slopes ? difference : 0
                let end = index + Int(run)
                value = value &+ difference
                target[index] = value
                index += 1
                while index < end {
                    value = value &+ slope
                    target[index] = value
                    index += 1
                }
            }
        }
        offset = at
    }

    @inline(__always)
    private static func zigzag(_ difference: UInt64) -> UInt64 {
        difference &<< 1 ^ UInt64(bitPattern: Int64(bitPattern: difference) &>> 63)
    }

    @inline(__always)
    private static func unzigzag(_ value: UInt64) -> UInt64 {
        value &>> 1 ^ (0 &- (value & 1))
    }

    @inline(__always)
    private static func size(_ value: UInt64) -> Int {
        (70 - (value | 1).leadingZeroBitCount) / 7
    }
}
