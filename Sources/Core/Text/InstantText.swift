/// How instants are read and written: RFC 3339 §5.6.
extension Instant {
    /// Reads `2026-02-01T12:00:00.5+03:00`.
    ///
    /// Any numeric offset, `Z` or `z`, `T` or `t`; 1 to 9 digits of fraction, cut (not rounded) to
    /// milliseconds; dates that the calendar has. Nil for all else: a leap second (`:60`), which
    /// POSIX time has no number for; 24:00; an instant outside of the years 1970 to 2199 in UTC.
    public init?(rfc3339 text: String) {
        self.init(rfc3339: text.utf8.span)
    }

    /// Reads the same from bytes.
    public init?(rfc3339 bytes: ArraySlice<UInt8>) {
        self.init(rfc3339: bytes.span)
    }

    /// Reads the same from bytes.
    public init?(rfc3339 bytes: Span<UInt8>) {
        self.init(recorded: bytes)
        guard Self.readable.contains(milliseconds) else { return nil }
    }

    /// Reads one that an event recorded: arithmetic may have led out of these years.
    public init?(recorded text: String) {
        self.init(recorded: text.utf8.span)
    }

    private init?(recorded bytes: Span<UInt8>) {
        // 1970-01-01T00:00:00Z is the shortest form; all but fraction and offset has its place.
        guard bytes.count >= 20,
            let date = CivilDate(text: bytes, from: 0),
            bytes[10] | 0x20 == UInt8(ascii: "t"),
            let hour = bytes.decimal(from: 11, count: 2), hour < 24,
            bytes[13] == UInt8(ascii: ":"),
            let minute = bytes.decimal(from: 14, count: 2), minute < 60,
            bytes[16] == UInt8(ascii: ":"),
            let second = bytes.decimal(from: 17, count: 2), second < 60
        else { return nil }
        var index = 19
        var fraction = 0
        if bytes[index] == UInt8(ascii: ".") {
            index += 1
            let start = index
            var weight = 100
            while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"),
                digit < 10
            {
                fraction += weight * Int(digit)
                weight /= 10
                index += 1
                guard index - start <= 9 else { return nil }
            }
            guard index > start else { return nil }
        }
        guard let offset = Self.offset(in: bytes, from: index) else { return nil }
        let seconds = date.days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        self.init(milliseconds: Int64(seconds * 1000 + fraction))
    }

    /// Milliseconds of the years 1970 to 2199.
    private static let readable = Int64(0)..<7_258_118_400_000

    /// Seconds that the local time is ahead of UTC, from an offset that ends the text.
    private static func offset(in bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        if bytes[start] | 0x20 == UInt8(ascii: "z") {
            return start + 1 == bytes.count ? 0 : nil
        }
        guard bytes.count == start + 6,
            bytes[start] == UInt8(ascii: "+") || bytes[start] == UInt8(ascii: "-"),
            let hours = bytes.decimal(from: start + 1, count: 2), hours < 24,
            bytes[start + 3] == UInt8(ascii: ":"),
            let minutes = bytes.decimal(from: start + 4, count: 2), minutes < 60
        else { return nil }
        let offset = hours * 3_600 + minutes * 60
        return bytes[start] == UInt8(ascii: "-") ? -offset : offset
    }

    /// Appends the instant in UTC: whole seconds as `2026-02-01T09:00:00Z`, all others with three
    /// digits of fraction.
    public func append(to bytes: inout [UInt8]) {
        let seconds = Int(seconds)
        let remainder = Int(milliseconds % 1000)
        let fraction = remainder < 0 ? remainder + 1000 : remainder
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let second = seconds - days * 86_400
        let date = CivilDate(days: days)
        // Put together aside and appended in one move: twice as fast as in place.
        var text = InlineArray<24, UInt8>(repeating: UInt8(ascii: "0"))
        var span = text.mutableSpan
        let isOrdinary = span.write(date)
        span[10] = UInt8(ascii: "T")
        span.write(twoDigits: second / 3_600, at: 11)
        span[13] = UInt8(ascii: ":")
        span.write(twoDigits: second / 60 % 60, at: 14)
        span[16] = UInt8(ascii: ":")
        span.write(twoDigits: second % 60, at: 17)
        var count = 20
        if fraction != 0 {
            span[19] = UInt8(ascii: ".")
            span.write(twoDigits: fraction / 10, at: 20)
            span[22] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: fraction % 10)
            count = 24
        }
        span[count - 1] = UInt8(ascii: "Z")
        if !isOrdinary { date.appendLongYear(to: &bytes) }
        bytes.append(text.span.extracting((isOrdinary ? 0 : 4)..<count))
    }
}

extension Instant: CustomStringConvertible {
    /// The instant in UTC: whole seconds as `2026-02-01T09:00:00Z`, all others with three digits of fraction.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension CivilDate {
    /// Reads the ten bytes of `YYYY-MM-DD` from `start` on; nil for dates that no calendar has.
    @inline(__always)
    init?(text bytes: Span<UInt8>, from start: Int) {
        guard start + 10 <= bytes.count,
            let year = bytes.decimal(from: start, count: 4),
            bytes[start + 4] == UInt8(ascii: "-"),
            let month = bytes.decimal(from: start + 5, count: 2),
            bytes[start + 7] == UInt8(ascii: "-"),
            let day = bytes.decimal(from: start + 8, count: 2)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard isValid else { return nil }
    }

    /// Appends `YYYY-MM-DD`.
    func append(to bytes: inout [UInt8]) {
        var text = InlineArray<10, UInt8>(repeating: UInt8(ascii: "0"))
        var span = text.mutableSpan
        let isOrdinary = span.write(self)
        if !isOrdinary { appendLongYear(to: &bytes) }
        bytes.append(text.span.extracting((isOrdinary ? 0 : 4)..<10))
    }

    /// Appends a year that four digits cannot show (arithmetic may lead there, texts do not): the
    /// sign and all digits, at least four.
    func appendLongYear(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: year < 0 ? "-" : "+"))
        var least: UInt = 1_000
        while year.magnitude < least {
            bytes.append(UInt8(ascii: "0"))
            least /= 10
        }
        if year != 0 { bytes.append(decimal: UInt64(year.magnitude)) }
    }
}

extension MutableSpan<UInt8> {
    /// Writes `YYYY-MM-DD` over the first ten bytes; false if four digits cannot show the year,
    /// whose place then holds nothing of use.
    @inline(__always)
    fileprivate mutating func write(_ date: CivilDate) -> Bool {
        let isOrdinary = (0...9_999).contains(date.year)
        let year = isOrdinary ? date.year : 0
        write(twoDigits: year / 100, at: 0)
        write(twoDigits: year % 100, at: 2)
        self[4] = UInt8(ascii: "-")
        write(twoDigits: date.month, at: 5)
        self[7] = UInt8(ascii: "-")
        write(twoDigits: date.day, at: 8)
        return isOrdinary
    }

    /// Writes 0 to 99.
    @inline(__always)
    fileprivate mutating func write(twoDigits value: Int, at index: Int) {
        let value = UInt8(truncatingIfNeeded: value)
        self[index] = UInt8(ascii: "0") &+ value / 10
        self[index &+ 1] = UInt8(ascii: "0") &+ value % 10
    }
}
