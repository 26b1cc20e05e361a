import HTTPTypes

/// Where a request belongs, as its sender says: `traceparent` and `tracestate` (W3C Trace Context, level 1).
struct TraceContext: Sendable, Equatable {
    /// 32 hexadecimal digits.
    let trace: String
    /// The sender's span: 16 hexadecimal digits.
    let parent: String
    let isSampled: Bool
    /// What others noted, as it came.
    let state: String?

    /// Nil where nothing of the form came: a new trace begins there.
    init?(_ headers: HTTPFields) {
        // Several fields are one with commas, which has no such form.
        guard let field = headers[.traceparent] else { return nil }
        self.init(parent: field, state: headers[.tracestate])
    }

    init?(parent field: String, state: String?) {
        let bytes = Array(field.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.hex(bytes[0..<2]), version != "ff",
            // A later version may say more behind another dash.
            bytes.count == 55 || (version != "00" && bytes[55] == dash),
            let trace = Self.hex(bytes[3..<35]), trace.contains(where: { $0 != "0" }),
            let parent = Self.hex(bytes[36..<52]), parent.contains(where: { $0 != "0" }),
            let flags = Self.hex(bytes[53..<55]).flatMap({ UInt8($0, radix: 16) })
        else { return nil }
        self.trace = trace
        self.parent = parent
        isSampled = flags & 1 == 1
        self.state = state.flatMap { Self.isState($0) ? $0 : nil }
    }

    /// Digits and lower-case letters alone.
    private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
        let isHex = bytes.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        return isHex ? String(decoding: bytes, as: UTF8.self) : nil
    }

    // MARK: State

    /// At most 32 members `key=value`, each key once (3.3.1).
    private static func isState(_ text: String) -> Bool {
        var keys: Set<Substring> = []
        for member in text.split(separator: ",") where !member.trimmed.isEmpty {
            let parts = member.trimmed.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, isKey(parts[0]), isValue(parts[1]),
                keys.insert(parts[0]).inserted
            else { return false }
        }
        return (1...32).contains(keys.count)
    }

    /// `simple`, or `tenant@system`.
    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let name = parts.last?.first, isLetter(name),
            parts.allSatisfy({ $0.allSatisfy(isOfKey) }), let first = parts[0].first
        else { return false }
        if parts.count == 1 { return parts[0].count <= 256 }
        return (isLetter(first) || isDigit(first)) && parts[0].count <= 241 && parts[1].count <= 14
    }

    private static func isOfKey(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "_-*/".utf8.contains(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isValue(_ value: Substring) -> Bool {
        (1...256).contains(value.utf8.count)
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }
}
