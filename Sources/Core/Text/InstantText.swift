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
        let text = quoted
        if !text.isOrdinary { CivilDate(days: days).appendLongYear(to: &bytes) }
        bytes.append(text.bytes.span.extracting((text.isOrdinary ? 1 : 5)..<(text.count - 1)))
    }

    /// Since 1970-01-01, in UTC.
    private var days: Int {
        let seconds = Int(seconds)
        return (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    }

    /// The instant in its quotes: put together aside, to be appended in one move. What stands for the year is of no
    /// use unless four digits can show it.
    var quoted: (bytes: InlineArray<26, UInt8>, count: Int, isOrdinary: Bool) {
        let remainder = Int(milliseconds % 1000)
        let fraction = remainder < 0 ? remainder + 1000 : remainder
        let days = days
        let second = Int(seconds) - days * 86_400
        var text = InlineArray<26, UInt8>(repeating: UInt8(ascii: "\""))
        var span = text.mutableSpan
        let isOrdinary = span.write(CivilDate(days: days), at: 1)
        span[11] = UInt8(ascii: "T")
        span.write(twoDigits: second / 3_600, at: 12)
        span[14] = UInt8(ascii: ":")
        span.write(twoDigits: second / 60 % 60, at: 15)
        span[17] = UInt8(ascii: ":")
        span.write(twoDigits: second % 60, at: 18)
        var count = 22
        if fraction != 0 {
            span[20] = UInt8(ascii: ".")
            span.write(twoDigits: fraction / 10, at: 21)
            span[23] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: fraction % 10)
            count = 26
        }
        span[count - 2] = UInt8(ascii: "Z")
        return (text, count, isOrdinary)
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
        let isOrdinary = span.write(self, at: 0)
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

extension [UInt8] {
    /// Appends a character and `HH:MM`.
    mutating func append(hour: Int, minute: Int, behind character: UInt8) {
        var text = InlineArray<6, UInt8>(repeating: character)
        var span = text.mutableSpan
        span.write(twoDigits: hour, at: 1)
        span[3] = UInt8(ascii: ":")
        span.write(twoDigits: minute, at: 4)
        append(text.span)
    }
}

extension MutableSpan<UInt8> {
    /// Writes the ten bytes of `YYYY-MM-DD`; false if four digits cannot show the year, whose place then holds nothing
    /// of use.
    @inline(__always)
    fileprivate mutating func write(_ date: CivilDate, at index: Int) -> Bool {
        let isOrdinary = (0...9_999).contains(date.year)
        let year = isOrdinary ? date.year : 0
        write(twoDigits: year / 100, at: index)
        write(twoDigits: year % 100, at: index + 2)
        self[index + 4] = UInt8(ascii: "-")
        write(twoDigits: date.month, at: index + 5)
        self[index + 7] = UInt8(ascii: "-")
        write(twoDigits: date.day, at: index + 8)
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
