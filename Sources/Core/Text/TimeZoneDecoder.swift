/// Reads the text of `TimeZoneTable`, which Scripts/timezones.py writes.
///
/// White space between names, and anywhere between digits, means nothing. For each zone: its names,
/// `=`, numbers, `!`. The numbers: how many offsets, the offsets; which one (from 0) held at the
/// start of 1970; how many changes, and for each the time since the one before (the first: since
/// 1970) and which offset began; 1 if a yearly rule follows, else 0; for the rule the two offsets,
/// standard and summer, and for begin and end of summer time month, week, weekday (from 0, Sunday)
/// and time of day. All times and offsets are in units of 30 s.
///
/// A number is a run of digits, the least significant first: each is a character from `0` (48) to
/// `o` (111) that stands for five bits, and for 32 more if another digit follows. Offsets and times
/// of day may be negative and are folded: 0, -1, 1, -2, 2 …
enum TimeZoneDecoder {
    /// Calls `found` for each zone in turn; stops at what is no table.
    static func decode(_ text: Span<UInt8>, found: ([String], TimeZoneRules) -> Void) {
        var cursor = Cursor()
        while let names = cursor.names(in: text), let rules = cursor.rules(in: text) {
            found(names, rules)
        }
    }

    /// Seconds.
    private static let unit = 30

    private struct Cursor {
        private var index = 0

        /// Reads up to `=`; nil at the end.
        mutating func names(in text: Span<UInt8>) -> [String]? {
            var names: [String] = []
            var name = ""
            while index < text.count {
                let byte = text[index]
                index += 1
                if byte > 0x20, byte != UInt8(ascii: "=") {
                    name.unicodeScalars.append(Unicode.Scalar(byte))
                    continue
                }
                if !name.isEmpty {
                    names.append(name)
                    name = ""
                }
                if byte == UInt8(ascii: "=") { return names }
            }
            return nil
        }

        mutating func rules(in text: Span<UInt8>) -> TimeZoneRules? {
            var offsets: [Int32] = []
            for _ in 0..<number(in: text) { offsets.append(Int32(clamping: seconds(in: text))) }
            guard let initial = offset(of: offsets, in: text) else { return nil }
            var changes: [TimeZoneRules.Change] = []
            let count = number(in: text)
            changes.reserveCapacity(min(count, text.count))
            var time = 0
            for _ in 0..<count {
                time += number(in: text) &* unit
                guard let offset = offset(of: offsets, in: text) else { return nil }
                changes.append(.init(seconds: Int64(time), offset: offset))
            }
            let rule = number(in: text) == 0 ? nil : rule(in: text)
            skipSpace(in: text)
            guard index < text.count, text[index] == UInt8(ascii: "!") else { return nil }
            index += 1
            return TimeZoneRules(initial: initial, changes: changes, rule: rule)
        }

        private mutating func rule(in text: Span<UInt8>) -> YearlyClockChange {
            YearlyClockChange(
                standard: Int32(clamping: seconds(in: text)),
                summer: Int32(clamping: seconds(in: text)),
                summerBegins: day(in: text), summerEnds: day(in: text))
        }

        private mutating func day(in text: Span<UInt8>) -> YearlyClockChange.Day {
            YearlyClockChange.Day(
                month: number(in: text), week: number(in: text), weekday: number(in: text),
                seconds: seconds(in: text))
        }

        private mutating func offset(of offsets: [Int32], in text: Span<UInt8>) -> Int32? {
            let place = number(in: text)
            return offsets.indices.contains(place) ? offsets[place] : nil
        }

        private mutating func skipSpace(in text: Span<UInt8>) {
            while index < text.count, text[index] <= 0x20 { index += 1 }
        }

        /// A number; 0 where there is no digit, which the `!` that is then missing gives away.
        private mutating func number(in text: Span<UInt8>) -> Int {
            var value = 0
            var shift = 0
            repeat {
                skipSpace(in: text)
                guard index < text.count else { return 0 }
                let digit = Int(text[index]) - 48
                guard (0..<64).contains(digit), shift < 60 else { return 0 }
                index += 1
                value |= (digit & 31) << shift
                shift += 5
                if digit < 32 { return value }
            } while true
        }

        /// A folded number of units, in seconds.
        private mutating func seconds(in text: Span<UInt8>) -> Int {
            let folded = number(in: text)
            return (folded & 1 == 0 ? folded / 2 : -(folded / 2) - 1) &* unit
        }
    }
}
