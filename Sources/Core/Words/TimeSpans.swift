/// A number of one unit of time, as policies and rules count it. What is added to an instant has its unit in
/// its type, so nothing multiplies by 3600.
public protocol TimeSpan: WholeNumber, Comparable, ExpressibleByIntegerLiteral {
    /// How many seconds the unit has.
    static var secondsOfUnit: Int64 { get }

    /// How many of the unit.
    var count: Int { get }

    /// The number of units.
    init(_ count: Int)
}

/// A value that JSON writes as a whole number from 0 on.
public protocol WholeNumber: FieldValue {
    /// The number as JSON writes it.
    var wholeNumber: Int { get }
}

extension Int: WholeNumber {
    public var wholeNumber: Int { self }
}

/// A number of seconds.
public struct Seconds: TimeSpan {
    public static let secondsOfUnit: Int64 = 1
    public let count: Int
    public init(_ count: Int) { self.count = count }
}

/// A number of minutes.
public struct Minutes: TimeSpan {
    public static let secondsOfUnit: Int64 = 60
    public let count: Int
    public init(_ count: Int) { self.count = count }
}

/// A number of hours.
public struct Hours: TimeSpan {
    public static let secondsOfUnit: Int64 = 3600
    public let count: Int
    public init(_ count: Int) { self.count = count }
}

/// Days of 24 hours; those of a calendar are counted by `LocalDate`.
public struct Days: TimeSpan {
    public static let secondsOfUnit: Int64 = 86_400
    public let count: Int
    public init(_ count: Int) { self.count = count }
}

extension TimeSpan {
    public init(integerLiteral count: Int) { self.init(count) }

    public var wholeNumber: Int { count }

    /// The same in seconds; stops at the ends of Int64.
    public var seconds: Int64 { Int64(count).multipliedClamping(Self.secondsOfUnit) }

    /// The same in milliseconds; stops at the ends of Int64.
    public var milliseconds: Int64 { seconds.multipliedClamping(1000) }

    public static func < (left: Self, right: Self) -> Bool { left.count < right.count }

    public static var empty: Self { Self(.empty) }
    public static var schema: String { Int.schema }
    public static var jsonForm: JSONForm { Int.jsonForm }

    public func write(to writer: inout BinaryWriter) { count.write(to: &writer) }

    public static func read(from reader: inout BinaryReader) -> Self { Self(.read(from: &reader)) }

    public func write(to output: inout JSONOutput) { count.write(to: &output) }

    public static func read(_ json: JSON, from input: inout JSONInput) -> Self? {
        Int.read(json, from: &input).map { Self($0) }
    }
}

extension Instant {
    /// The instant so much later; stops at the ends of Int64.
    public static func + <S: TimeSpan>(instant: Instant, span: S) -> Instant {
        instant + span.seconds
    }

    /// The instant so much earlier; stops at the ends of Int64.
    public static func - <S: TimeSpan>(instant: Instant, span: S) -> Instant {
        instant - span.seconds
    }
}
