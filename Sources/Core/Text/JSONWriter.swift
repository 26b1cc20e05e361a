/// The one JSON writer of the house: keys sorted by code point, no white space, at most two
/// decimals, escapes only where JSON requires them (contract, "Numbers in JSON"; RFC 8259).
///
/// Commas come by themselves. Members may be written in any order; an object whose members came
/// sorted costs nothing extra, any other is rearranged when it ends. Calls must nest as JSON does,
/// and no key may be written twice in an object: promises of the caller, asserted in debug builds.
public struct JSONWriter: Sendable {
    /// What was written so far; with a ``sink`` behind `heldBytes` others.
    public internal(set) var bytes: [UInt8] = []

    /// Takes what was written before the document is at its end, so that a long one is never held as a whole.
    public var sink: Sink?
    /// Bytes at the front that are no part of the document: the last keys of objects that were begun.
    var heldBytes = 0
    /// An object had to be put in order when the sink had a part of it: what the sink got is not the document.
    public private(set) var isSpoiled = false

    /// The names of members in the order in which they were first written, if that is wanted.
    public var nameOrder: [String]?

    /// Numbers of documents keep all their decimals: what was said, not what is printed.
    public var keepsDecimals = false

    /// Members of all open objects, outermost first.
    var members: [Member] = []
    var open: [Frame] = []
    /// Whether the next thing stands behind another in its array or object.
    private var needsComma = false
    /// Room in which members are put in order.
    private var sorting = JSONKeyOrder.Room()

    /// Where a member's `"key":value` lies; its value ends where the next member begins.
    struct Member {
        /// Of the key's opening quote.
        let start: Int
        /// Of the key's closing quote.
        let keyEnd: Int
    }

    struct Frame {
        var firstMember: Int
        var isSorted = true
        let isObject: Bool
        /// The sink has a part of it.
        var isDrained = false
    }

    public init(reservingCapacity capacity: Int = 256) {
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written, keeps the storage.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        members.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        heldBytes = 0
        isSpoiled = false
        needsComma = false
    }

    /// Appends one byte outside of any document: the newline that ends a line of output.
    public mutating func newline() {
        assert(open.isEmpty, "a newline inside a document")
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    // MARK: Objects and arrays

    /// Opens an object; `endObject` closes it.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        open.append(Frame(firstMember: members.count, isObject: true))
        needsComma = false
    }

    /// Begins a member; its value must follow.
    public mutating func key(_ name: String) {
        if nameOrder?.contains(name) == false { nameOrder?.append(name) }
        let start = bytes.count + (needsComma ? 1 : 0)
        quote(name.utf8.span, isKey: true)
        let member = Member(start: start, keyEnd: bytes.count - 2)
        needsComma = false
        guard let frame = open.indices.last else {
            assertionFailure("a key outside of any object")
            return
        }
        assert(open[frame].isObject, "a key in an array")
        if members.count > open[frame].firstMember, let last = members.last {
            if open[frame].isSorted, !JSONKeyOrder.precedes(last, member, in: bytes.span) {
                open[frame].isSorted = false
            }
        }
        members.append(member)
    }

    /// Closes the object and puts its members in canonical order.
    public mutating func endObject() {
        guard let frame = open.popLast() else {
            assertionFailure("an end without a beginning")
            return
        }
        assert(frame.isObject, "endObject for an array")
        if !frame.isSorted, frame.isDrained {
            isSpoiled = true
        } else if !frame.isSorted {
            sorting.rearrange(members[frame.firstMember...], in: &bytes)
        }
        members.removeLast(members.count - frame.firstMember)
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array; `endArray` closes it.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        open.append(Frame(firstMember: members.count, isObject: false))
        needsComma = false
    }

    /// Closes the array.
    public mutating func endArray() {
        let frame = open.popLast()
        assert(frame?.isObject == false, "an end without a beginning")
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    // MARK: Members that come sorted

    /// Begins an object whose members come in the order of their keys, each with its key already
    /// written as JSON and a colon behind it. Ends with `closeObject`.
    @inline(__always)
    public mutating func openObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Writes a key that is in its quoted form already.
    @inline(__always)
    public mutating func key(written key: Span<UInt8>) {
        appendValue(key)
        needsComma = false
    }

    /// A key given as a literal without anything that JSON would escape.
    public mutating func key(literal name: StaticString) {
        // Safe: a literal with a pointer lives for ever, and no key is a single scalar without one.
        let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        quote(clean: unsafe Span(_unsafeElements: name), isKey: true)
        needsComma = false
    }

    /// Closes an object whose members came in canonical order.
    @inline(__always)
    public mutating func closeObject() {
        bytes.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// An array in such an object, or in such an array; ends with `closeArray`.
    @inline(__always)
    public mutating func openArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes an array.
    @inline(__always)
    public mutating func closeArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// Where a value begins, to come back to when it cannot be written.
    public var mark: (count: Int, needsComma: Bool) { (bytes.count, needsComma) }

    /// Takes back what was written since the mark.
    public mutating func rewind(to mark: (count: Int, needsComma: Bool)) {
        bytes.removeSubrange(mark.count...)
        needsComma = mark.needsComma
    }

    @inline(__always)
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    // MARK: Values

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.append("null".utf8.span)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) {
        separate()
        bytes.append((value ? "true" : "false").utf8.span)
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: value.magnitude)
    }

    /// Writes a whole number.
    public mutating func integer(_ value: UInt64) {
        separate()
        bytes.append(decimal: value)
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int) {
        integer(Int64(value))
    }

    /// Writes a whole number of any width.
    public mutating func integer(_ value: some BinaryInteger & FixedWidthInteger) {
        if value < 0 {
            integer(Int64(clamping: value))
        } else {
            integer(UInt64(clamping: value))
        }
    }

    /// A number given in hundredths: 6667 prints as 66.67, 5000 as 50, -50 as -0.5.
    public mutating func hundredths(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes.append(decimal: value.magnitude / 100)
        bytes.appendFraction(hundredths: Int(value.magnitude % 100))
    }

    /// Writes a text, quoted and escaped canonically (RFC 8785).
    public mutating func string(_ value: String) {
        quote(value.utf8.span)
        needsComma = true
    }

    /// A text given as its UTF-8 bytes, which the caller knows to be valid.
    public mutating func stringBytes(_ utf8: Span<UInt8>) {
        quote(utf8)
        needsComma = true
    }

    /// A text given as its UTF-8 bytes, which the caller knows to be valid.
    public mutating func stringBytes(_ utf8: ArraySlice<UInt8>) {
        stringBytes(utf8.span)
    }

    /// A text given as its UTF-8 bytes, which the caller knows to be valid.
    public mutating func stringBytes(_ utf8: [UInt8]) {
        stringBytes(utf8.span)
    }

    /// `PREFIX/REST`: the rest as it stands in JSON between its quotes.
    mutating func string(_ prefix: String, slash rest: Span<UInt8>) {
        string(prefix)
        bytes[bytes.count - 1] = UInt8(ascii: "/")
        bytes.append(rest)
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 3339 in UTC.
    public mutating func instant(_ value: Instant) {
        let text = value.quoted
        if text.isOrdinary {
            canonical(text.bytes.span.extracting(0..<text.count))
        } else {
            string(value.description)
        }
    }

    /// A local time to the minute, `YYYY-MM-DDTHH:MM` (ISO 8601).
    public mutating func localTime(_ date: LocalDate, minuteOfDay: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        date.append(to: &bytes)
        bytes.append(hour: minuteOfDay / 60, minute: minuteOfDay % 60, behind: UInt8(ascii: "T"))
        bytes.append(UInt8(ascii: "\""))
    }

    /// What a clock is ahead of UTC, `+HH:MM` (RFC 3339 §5.6).
    public mutating func zoneOffset(seconds: Int) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let minutes = abs(seconds) / 60
        bytes.append(
            hour: minutes / 60, minute: minutes % 60, behind: UInt8(ascii: seconds < 0 ? "-" : "+"))
        bytes.append(UInt8(ascii: "\""))
    }

    /// `YYYY-MM-DD`.
    public mutating func date(_ value: LocalDate) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        value.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Bytes in base 64 (RFC 4648, section 4), as a text.
    public mutating func base64(_ content: ArraySlice<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.append(base64: content)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A document, whole; as deep as it is nested (the parser stops at 64).
    public mutating func value(_ value: JSON) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .string(let value): string(value)
        case .number(let number):
            separate()
            if keepsDecimals { number.appendExact(to: &bytes) } else { number.append(to: &bytes) }
        case .array(let elements):
            beginArray()
            for element in elements { self.value(element) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                key(member.name)
                self.value(member.value)
            }
            endObject()
        }
    }

    /// A value that is canonical JSON already: the bytes of another writer.
    public mutating func canonical(_ json: ArraySlice<UInt8>) {
        canonical(json.span)
    }

    /// A value that is canonical JSON already: the bytes of another writer.
    @inline(__always)
    public mutating func canonical(_ json: Span<UInt8>) {
        appendValue(json)
        needsComma = true
    }

    /// With the comma before it, in one move.
    @inline(__always)
    private mutating func appendValue(_ written: Span<UInt8>) {
        let needsComma = needsComma
        bytes.append(addingCapacity: written.count + 1) { output in
            if needsComma { output.append(UInt8(ascii: ",")) }
            output.append(copyOf: written)
        }
    }

    /// A text in its quotes, with the comma before it; behind a key there is a colon.
    @inline(__always)
    private mutating func quote(_ text: Span<UInt8>, isKey: Bool = false) {
        let clean = JSONEscapes.prefixWithoutEscapes(of: text, from: 0)
        guard clean == text.count else {
            return quoteEscaping(text, cleanUpTo: clean, isKey: isKey)
        }
        quote(clean: text, isKey: isKey)
    }

    /// The same of a text without anything to escape, in one move.
    @inline(__always)
    private mutating func quote(clean text: Span<UInt8>, isKey: Bool) {
        let needsComma = needsComma
        bytes.append(addingCapacity: text.count + 4) { output in
            if needsComma { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            output.append(copyOf: text)
            output.append(UInt8(ascii: "\""))
            if isKey { output.append(UInt8(ascii: ":")) }
        }
    }

    private mutating func quoteEscaping(_ text: Span<UInt8>, cleanUpTo clean: Int, isKey: Bool) {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        JSONEscapes.append(text, cleanUpTo: clean, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if isKey { bytes.append(UInt8(ascii: ":")) }
    }
}
