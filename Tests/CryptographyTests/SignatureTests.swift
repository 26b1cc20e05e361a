import Cryptography
import Core
import Testing

@Suite struct `The signature Ed25519` {
    /// One of the published tests.
    struct Published: Sendable, CustomTestStringConvertible {
        let name: String
        let seed: String
        let publicKey: String
        let message: String
        let signature: String

        var testDescription: String { "test \(name)" }
    }

    /// RFC 8032 section 7.1.
    static let published = [
        Published(
            name: "1", seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590"
                + "a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
        Published(
            name: "2", seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e"
                + "15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
        Published(
            name: "3", seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d"
                + "16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
        Published(
            name: "1024", seed: "f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5",
            publicKey: "278117fc144c72340f67d0f2316e8386ceffbf2b2428c9c51fef7c597f1d426e",
            message: message1024,
            signature: "0aab4c900501b3e24d7cdf4663326a3a87df5e4843b2cbdb67cbf6e460fec350aa5371b150"
                + "8f9f4528ecea23c436d94b5e8fcd4f681e30a6ac00a9704a188a03"),
    ]

    @Test(arguments: published) func `signs as RFC 8032 says`(one: Published) throws {
        let key = try Ed25519.PrivateKey(seed: SecretKey(bytes(one.seed)))
        #expect(Hex.text(key.publicKey.bytes) == one.publicKey)
        #expect(Hex.text(try key.signature(of: bytes(one.message))) == one.signature)
    }

    @Test(arguments: published) func `verifies what RFC 8032 signed`(one: Published) throws {
        let key = try Ed25519.PublicKey(bytes(one.publicKey))
        #expect(try key.verifies(bytes(one.signature), of: bytes(one.message)))
    }

    @Test func `refuses a signature, message or key with another bit`() throws {
        let one = Self.published[2]
        let signature = bytes(one.signature)
        let message = bytes(one.message)
        let key = bytes(one.publicKey)
        for bit in 0..<signature.count * 8 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !Ed25519.PublicKey(key).verifies(changed, of: message), "bit \(bit)")
        }
        for bit in 0..<message.count * 8 {
            var changed = message
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !Ed25519.PublicKey(key).verifies(signature, of: changed), "bit \(bit)")
        }
        for bit in 0..<key.count * 8 {
            var changed = key
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try !Ed25519.PublicKey(changed).verifies(signature, of: message), "bit \(bit)")
        }
    }

    @Test func `refuses signatures of another length`() throws {
        let one = Self.published[0]
        let key = try Ed25519.PublicKey(bytes(one.publicKey))
        let signature = bytes(one.signature)
        for other in [[], Array(signature.dropLast()), signature + [0]] {
            #expect(try !key.verifies(other, of: []))
        }
    }

    /// RFC 8032 section 5.1.7: S lies below the order of the base point, so that nobody makes a second
    /// signature of one that he has seen.
    @Test func `refuses a signature whose S was raised by the order`() throws {
        let one = Self.published[1]
        let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var signature = bytes(one.signature)
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        #expect(carry == 0)
        let key = try Ed25519.PublicKey(bytes(one.publicKey))
        #expect(try key.verifies(bytes(one.signature), of: bytes(one.message)))
        #expect(try !key.verifies(signature, of: bytes(one.message)))
    }

    @Test func `takes keys of 32 bytes only; those that are no point verify nothing`() throws {
        for count in [0, 31, 33, 64] {
            let other = [UInt8](repeating: 1, count: count)
            #expect(throws: CryptographyError.length("a private key")) {
                _ = try Ed25519.PrivateKey(seed: SecretKey(other))
            }
            #expect(throws: CryptographyError.length("a public key")) {
                _ = try Ed25519.PublicKey(other)
            }
        }
        // y = 2 is on no point of the curve.
        let none = try Ed25519.PublicKey([2] + [UInt8](repeating: 0, count: 31))
        #expect(try !none.verifies(bytes(Self.published[0].signature), of: []))
    }

    @Test func `makes another key each time, whose signatures hold`() throws {
        let first = try Ed25519.PrivateKey.generate()
        let second = try Ed25519.PrivateKey.generate()
        #expect(first.publicKey != second.publicKey)
        let signature = try first.signature(of: [1, 2, 3])
        #expect(try first.publicKey.verifies(signature, of: [1, 2, 3]))
        #expect(try !second.publicKey.verifies(signature, of: [1, 2, 3]))
    }

    private static let message1024 = """
        08b8b2b733424243760fe426a4b54908632110a66c2f6591eabd3345e3e4eb98fa6e264bf09efe12ee50f8f5\
        4e9f77b1e355f6c50544e23fb1433ddf73be84d879de7c0046dc4996d9e773f4bc9efe5738829adb26c81b37\
        c93a1b270b20329d658675fc6ea534e0810a4432826bf58c941efb65d57a338bbd2e26640f89ffbc1a858efc\
        b8550ee3a5e1998bd177e93a7363c344fe6b199ee5d02e82d522c4feba15452f80288a821a579116ec6dad2b\
        3b310da903401aa62100ab5d1a36553e06203b33890cc9b832f79ef80560ccb9a39ce767967ed628c6ad573c\
        b116dbefefd75499da96bd68a8a97b928a8bbc103b6621fcde2beca1231d206be6cd9ec7aff6f6c94fcd7204\
        ed3455c68c83f4a41da4af2b74ef5c53f1d8ac70bdcb7ed185ce81bd84359d44254d95629e9855a94a7c1958\
        d1f8ada5d0532ed8a5aa3fb2d17ba70eb6248e594e1a2297acbbb39d502f1a8c6eb6f1ce22b3de1a1f40cc24\
        554119a831a9aad6079cad88425de6bde1a9187ebb6092cf67bf2b13fd65f27088d78b7e883c8759d2c4f5c6\
        5adb7553878ad575f9fad878e80a0c9ba63bcbcc2732e69485bbc9c90bfbd62481d9089beccf80cfe2df16a2\
        cf65bd92dd597b0707e0917af48bbb75fed413d238f5555a7a569d80c3414a8d0859dc65a46128bab27af87a\
        71314f318c782b23ebfe808b82b0ce26401d2e22f04d83d1255dc51addd3b75a2b1ae0784504df543af8969b\
        e3ea7082ff7fc9888c144da2af58429ec96031dbcad3dad9af0dcbaaaf268cb8fcffead94f3c7ca495e056a9\
        b47acdb751fb73e666c6c655ade8297297d07ad1ba5e43f1bca32301651339e22904cc8c42f58c30c04aafdb\
        038dda0847dd988dcda6f3bfd15c4b4c4525004aa06eeff8ca61783aacec57fb3d1f92b0fe2fd1a85f672451\
        7b65e614ad6808d6f6ee34dff7310fdc82aebfd904b01e1dc54b2927094b2db68d6f903b68401adebf5a7e08\
        d78ff4ef5d63653a65040cf9bfd4aca7984a74d37145986780fc0b16ac451649de6188a7dbdf191f64b5fc5e\
        2ab47b57f7f7276cd419c17a3ca8e1b939ae49e488acba6b965610b5480109c8b17b80e1b7b750dfc7598d5d\
        5011fd2dcc5600a32ef5b52a1ecc820e308aa342721aac0943bf6686b64b2579376504ccc493d97e6aed3fb0\
        f9cd71a43dd497f01f17c0e2cb3797aa2a2f256656168e6c496afc5fb93246f6b1116398a346f1a641f3b041\
        e989f7914f90cc2c7fff357876e506b50d334ba77c225bc307ba537152f3f1610e4eafe595f6d9d90d11faa9\
        33a15ef1369546868a7f3a45a96768d40fd9d03412c091c6315cf4fde7cb68606937380db2eaaa707b4c4185\
        c32eddcdd306705e4dc1ffc872eeee475a64dfac86aba41c0618983f8741c5ef68d3a101e8a3b8cac60c905c\
        15fc910840b94c00a0b9d0
        """
}
