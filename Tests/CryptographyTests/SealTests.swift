import Cryptography
import Core
import Testing

@Suite struct `The cipher AES-256-GCM` {
    /// One of the published cases.
    struct Case: Sendable, CustomTestStringConvertible {
        let number: Int
        let key: String
        let nonce: String
        let clear: String
        let more: String
        let ciphertext: String
        let tag: String

        var testDescription: String { "case \(number)" }
    }

    private static let zeros = String(repeating: "00", count: 32)
    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let nonce = "cafebabefacedbaddecaf888"
    private static let clear =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c9595680953"
        + "2fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    private static let ciphertext =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3d"
        + "a7b08b1056828838c5f61e6393ba7a0abcc9f662"

    /// D. McGrew, J. Viega: The Galois/Counter Mode of Operation (submitted to NIST), appendix B,
    /// cases 13 to 16.
    static let cases = [
        Case(
            number: 13, key: zeros, nonce: "000000000000000000000000", clear: "", more: "",
            ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
        Case(
            number: 14, key: zeros, nonce: "000000000000000000000000",
            clear: "00000000000000000000000000000000", more: "",
            ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Case(
            number: 15, key: key, nonce: nonce, clear: clear + "1aafd255", more: "",
            ciphertext: ciphertext + "898015ad", tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Case(
            number: 16, key: key, nonce: nonce, clear: clear,
            more: "feedfacedeadbeeffeedfacedeadbeefabaddad2", ciphertext: ciphertext,
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: cases) func `seals and opens as published`(published: Case) throws {
        let key = SecretKey(bytes(published.key))
        let nonce = bytes(published.nonce)
        let more = bytes(published.more)
        let box = try AESGCM.seal(
            bytes(published.clear), with: key, nonce: nonce.span, authenticating: more)
        #expect(Hex.text(box) == published.ciphertext + published.tag)
        let clear = try AESGCM.open(box.span, with: key, nonce: nonce.span, authenticating: more)
        #expect(Hex.text(clear) == published.clear)
    }

    @Test func `refuses what was changed anywhere, by any bit`() throws {
        let published = Self.cases[3]
        let key = bytes(published.key)
        let nonce = bytes(published.nonce)
        let more = bytes(published.more)
        let box = bytes(published.ciphertext + published.tag)
        for (name, original) in [("key", key), ("nonce", nonce), ("more", more), ("box", box)] {
            for bit in 0..<original.count * 8 {
                var changed = original
                changed[bit / 8] ^= 1 << (bit % 8)
                #expect(throws: CryptographyError.refused, "bit \(bit) of the \(name)") {
                    _ = try AESGCM.open(
                        (name == "box" ? changed : box).span,
                        with: SecretKey(name == "key" ? changed : key),
                        nonce: (name == "nonce" ? changed : nonce).span,
                        authenticating: name == "more" ? changed : more)
                }
            }
        }
    }

    @Test func `refuses what was cut short, or grew`() throws {
        let key = SecretKey(bytes(Self.key))
        let nonce = bytes(Self.nonce)
        let box = try AESGCM.seal(Array("clear".utf8), with: key, nonce: nonce.span)
        for changed in [Array(box.dropLast()), Array(box.dropFirst()), box + [0]] {
            #expect(throws: CryptographyError.refused) {
                _ = try AESGCM.open(changed.span, with: key, nonce: nonce.span)
            }
        }
        #expect(throws: CryptographyError.refused) {
            _ = try AESGCM.open(box.span, with: key, nonce: nonce.span, authenticating: [0])
        }
        #expect(throws: CryptographyError.length("a box")) {
            _ = try AESGCM.open(box.span.extracting(first: 15), with: key, nonce: nonce.span)
        }
        #expect(throws: CryptographyError.length("a box")) {
            _ = try AESGCM.openWithNonce(box.span.extracting(first: 20), with: key)
        }
    }

    @Test(arguments: [0, 16, 24, 31, 33, 64])
    func `refuses keys and nonces of another length`(count: Int) {
        let other = [UInt8](repeating: 1, count: count)
        let nonce = bytes(Self.nonce)
        #expect(throws: CryptographyError.length("a key")) {
            _ = try AESGCM.seal([1], with: SecretKey(other), nonce: nonce.span)
        }
        #expect(throws: CryptographyError.length("a nonce")) {
            _ = try AESGCM.seal([1], with: SecretKey(bytes(Self.key)), nonce: other.span)
        }
    }

    @Test func `opens what it sealed with a nonce of its own, which is another each time`() throws {
        let key = SecretKey(randomByteCount: AESGCM.keyByteCount)
        var nonces: Set<[UInt8]> = []
        for count in 0..<100 {
            let clear = [UInt8](repeating: 9, count: count)
            let box = try AESGCM.sealWithNonce(clear, with: key, authenticating: [1, 2])
            #expect(box.count == 12 + count + 16)
            #expect(
                try AESGCM.openWithNonce(box.span, with: key, authenticating: [1, 2]) == clear)
            nonces.insert(Array(box.prefix(12)))
        }
        #expect(nonces.count == 100)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `used again gives what a fresh one gives, whatever came before`(seed: UInt64) throws {
        var random = Xorshift(seed)
        let keys = (0..<3).map { SecretKey([UInt8](repeating: UInt8($0), count: 32)) }
        let cipher = AESGCM.Cipher()
        for round in 0..<400 {
            let key = keys[random.below(keys.count)]
            let nonce = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 12)
            let more = [UInt8](repeating: 3, count: random.below(40))
            let clear = (0..<random.below(70)).map { _ in UInt8(random.below(256)) }
            let box = try AESGCM.seal(clear, with: key, nonce: nonce.span, authenticating: more)
            switch random.below(4) {
            case 0:
                let again = try cipher.seal(
                    clear, with: key, nonce: nonce.span, authenticating: more)
                #expect(again == box)
            case 1:
                var changed = box
                changed[random.below(box.count)] ^= 1
                #expect(throws: CryptographyError.refused) {
                    _ = try cipher.open(
                        changed.span, with: key, nonce: nonce.span, authenticating: more)
                }
            case 2:
                #expect(throws: CryptographyError.length("a nonce")) {
                    _ = try cipher.seal(clear, with: key, nonce: more.span.extracting(first: 0))
                }
            default:
                let opened = try cipher.open(
                    box.span, with: key, nonce: nonce.span, authenticating: more)
                #expect(opened == clear)
            }
        }
    }

    @Test func `is used by many threads at once`() async throws {
        let key = SecretKey(randomByteCount: AESGCM.keyByteCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        let clear = [UInt8](repeating: UInt8(task), count: round)
                        let box = try AESGCM.sealWithNonce(clear, with: key)
                        #expect(try AESGCM.openWithNonce(box.span, with: key) == clear)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

@Suite struct `What goes with the ciphers` {
    @Test func `compares by every byte`() {
        let first = Array<UInt8>(0..<40)
        #expect(ConstantTime.areEqual(first, first))
        #expect(ConstantTime.areEqual([], []))
        #expect(!ConstantTime.areEqual(first, Array(first.dropLast())))
        for index in first.indices {
            var second = first
            second[index] ^= 0x80
            #expect(!ConstantTime.areEqual(first, second))
        }
    }

    @Test func `gives as many random bytes as were asked for, and never the same`() {
        for count in 0..<40 { #expect(RandomBytes.make(count).count == count) }
        #expect(Set((0..<100).map { _ in RandomBytes.make(16) }).count == 100)
    }
}

/// Marsaglia, Xorshift RNGs (2003).
private struct Xorshift {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
