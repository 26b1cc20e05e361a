import Cryptography
import Core
import Testing

/// The bytes that digits stand for; none for what is no digits, which no vector is.
func bytes(_ digits: String) -> [UInt8] { Hex.bytes(digits) ?? [] }

@Suite struct `The hash SHA-256` {
    /// FIPS 180-4 and its published examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq"
                + "klmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func `is what FIPS 180-4 says`(text: String, digest: String) {
        #expect(Hex.text(Array(SHA256.digest(of: Array(text.utf8).span))) == digest)
    }

    @Test func `is the same however the bytes are cut`() {
        let text = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let whole = Array(SHA256.digest(of: text.span))
        for cut in 0...text.count {
            var hash = SHA256()
            hash.update(text.span.extracting(first: cut))
            hash.update(text.span.extracting(droppingFirst: cut))
            #expect(Array(hash.digest) == whole, "cut at \(cut)")
        }
    }

    @Test func `goes on after it was asked, and a copy by itself`() {
        var hash = SHA256()
        hash.update(Array("ab".utf8).span)
        let before = Array(hash.digest)
        var copy = hash
        copy.update(Array("x".utf8).span)
        hash.update(Array("c".utf8).span)
        #expect(before == Array(SHA256.digest(of: Array("ab".utf8).span)))
        #expect(Array(copy.digest) == Array(SHA256.digest(of: Array("abx".utf8).span)))
        #expect(Array(hash.digest) == Array(SHA256.digest(of: Array("abc".utf8).span)))
    }
}

@Suite struct `The code HMAC-SHA-256` {
    /// RFC 4231 section 4; of the fifth, which is cut short, the 16 bytes that are published.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            "4a656665", "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            String(repeating: "0c", count: 20), "Test With Truncation",
            "a3b6167473100ee06e0c796c2955552b"
        ),
        (
            String(repeating: "aa", count: 131),
            "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            String(repeating: "aa", count: 131),
            "This is a test using a larger than block-size key and a larger than block-size data. "
                + "The key needs to be hashed before being used by the HMAC algorithm.",
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func `is what RFC 4231 says`(key: String, message: String, code: String) {
        let made = HMAC.code(of: Array(message.utf8).span, with: SecretKey(bytes(key)))
        #expect(Hex.text(Array(made)).hasPrefix(code))
    }

    /// RFC 4231 sections 4.4 and 4.5.
    @Test func `is what RFC 4231 says of bytes that are no text`() {
        let third = HMAC.code(
            of: [UInt8](repeating: 0xDD, count: 50).span,
            with: SecretKey([UInt8](repeating: 0xAA, count: 20)))
        #expect(
            Hex.text(Array(third))
                == "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe")
        let fourth = HMAC.code(
            of: [UInt8](repeating: 0xCD, count: 50).span, with: SecretKey(Array(1...25)))
        #expect(
            Hex.text(Array(fourth))
                == "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b")
    }

    @Test func `fills a short key up with zeros, and hashes one that is longer than a block`() {
        let message = Array("message".utf8)
        func code(_ key: [UInt8]) -> [UInt8] {
            Array(HMAC.code(of: message.span, with: SecretKey(key)))
        }
        let block = [UInt8](repeating: 7, count: 64)
        let longer = block + [7]
        #expect(code([]) == code([UInt8](repeating: 0, count: 64)))
        #expect(code(longer) == code(Array(SHA256.digest(of: longer.span))))
        #expect(code(block) != code(Array(SHA256.digest(of: block.span))))
    }
}

@Suite struct `The derivation HKDF-SHA-256` {
    /// RFC 5869 appendix A.1 to A.3.
    @Test(
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 22), Array(0x00...0x0C), Array(0xF0...0xF9),
                "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
            ),
            (
                Array(0x00...0x4F), Array(0x60...0xAF), Array(0xB0...0xFF),
                "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac78272"
                    + "71cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f"
                    + "1d87"
            ),
            (
                [UInt8](repeating: 0x0B, count: 22), [], [],
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
            ),
        ] as [([UInt8], [UInt8], [UInt8], String)])
    func `is what RFC 5869 says`(
        secret: [UInt8], salt: [UInt8], info: [UInt8], key: String
    ) throws {
        let made = try HKDF.key(
            from: SecretKey(secret), salt: salt, info: info, byteCount: key.utf8.count / 2)
        #expect(Hex.text(made.copy) == key)
    }

    @Test func `gives 32 bytes without a salt, and refuses more than there are`() throws {
        let secret = SecretKey(Array(1...32))
        let short = HKDF.key(from: secret, info: [1, 2])
        let long = try HKDF.key(
            from: secret, salt: [], info: [1, 2], byteCount: HKDF.mostBytes)
        #expect(short.copy == Array(long.copy.prefix(32)))
        #expect(throws: CryptographyError.length("a derived key")) {
            _ = try HKDF.key(
                from: secret, salt: [], info: [1, 2], byteCount: HKDF.mostBytes + 1)
        }
    }
}

extension SecretKey {
    var copy: [UInt8] { withBytes { bytes in bytes.indices.map { bytes[$0] } } }
}
