/// 12 random bytes of a commit, of which the nonces of what it seals are made.
public struct SealingSalt: Hashable, Sendable {
    /// The length of a salt.
    public static let byteCount = 12
    /// No salt: of frames from before there were salts.
    public static let zero = SealingSalt(high: 0, low: 0)

    let high: UInt32
    let low: UInt64

    /// The first 4 bytes and the 8 behind them, each as a number, most significant byte first.
    public init(high: UInt32, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil for another number of bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
        low = bytes.dropFirst(4).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The 12 bytes, most significant first.
    public var bytes: [12 of UInt8] { self.bytes(at: .zero) }

    /// The nonce of the event at a position, as RFC 8446 section 5.3 makes it of a sequence number: no two
    /// events of a commit have the same, and the salts of commits are fresh.
    func bytes(at position: Position) -> [12 of UInt8] {
        let low = low ^ position.number
        return [12 of UInt8] { index in
            index < 4
                ? UInt8(truncatingIfNeeded: high >> (24 - 8 * UInt32(index)))
                : UInt8(truncatingIfNeeded: low >> (88 - 8 * UInt64(index)))
        }
    }

    /// The salt with which the event at a position has this nonce.
    public init?(nonce: some Collection<UInt8>, at position: Position) {
        guard let salt = SealingSalt(nonce) else { return nil }
        self.init(high: salt.high, low: salt.low ^ position.number)
    }
}

/// Which event a sealed part belongs to: what it is sealed with.
public struct SealingContext: Hashable, Sendable {
    /// The position of the event.
    public var position: Position
    /// When its frame was recorded.
    public var recordedAt: Instant
    /// The journal's number of the event's type.
    public var type: UInt16
    /// The term of its frame.
    public var term: UInt32
    /// The salt of its frame.
    public var salt: SealingSalt
    /// Sealed before format 4: with the person's key itself, a nonce of position and instant, no padding.
    public var isFormer: Bool

    public init(
        position: Position, recordedAt: Instant, type: UInt16 = 0, term: UInt32 = 0,
        salt: SealingSalt = .zero, isFormer: Bool = false
    ) {
        self.position = position
        self.recordedAt = recordedAt
        self.type = type
        self.term = term
        self.salt = salt
        self.isFormer = isFormer
    }

    /// 12 bytes, used once for a key.
    public var nonce: [12 of UInt8] {
        guard isFormer else { return salt.bytes(at: position) }
        let instant = UInt32(truncatingIfNeeded: recordedAt.milliseconds)
        return [12 of UInt8] { index in
            index < 4
                ? UInt8(truncatingIfNeeded: instant >> (24 - 8 * UInt32(index)))
                : UInt8(truncatingIfNeeded: position.number >> (88 - 8 * UInt64(index)))
        }
    }

    /// A box as documents show it: behind its nonce, but for one that was sealed before format 4.
    public func shown(_ box: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if isFormer { return box }
        let nonce = nonce
        var shown: [UInt8] = []
        shown.append(addingCapacity: nonce.count + box.count) { output in
            for index in nonce.indices { output.append(nonce[index]) }
            output.append(copyOf: box.span)
        }
        return shown[...]
    }

    /// What a part is authenticated with, besides its key, in place of what a buffer holds; `binding` is that of the event's
    /// type.
    public func authenticated(_ binding: [UInt8], in bytes: inout [UInt8]) {
        bytes.removeAll(keepingCapacity: true)
        if isFormer { return }
        bytes.append(contentsOf: binding)
        Self.append(position.number, to: &bytes)
        Self.append(UInt64(bitPattern: recordedAt.milliseconds), to: &bytes)
    }

    /// What a part is authenticated with, besides its key; `binding` is that of the event's type.
    public func authenticated(_ binding: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        authenticated(binding, in: &bytes)
        return bytes
    }

    /// Appends a number, most significant byte first.
    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for place in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64(place))))
        }
    }
}
