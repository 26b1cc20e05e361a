import Cryptography
import Testing

@testable import EventLog

@Suite struct `Ciphers that are used again` {
    @Test func `are let go of with their keys when they are to forget`() throws {
        let pool = CipherPool()
        weak var idle: AESGCM.Cipher?
        try pool.with { idle = $0 }
        #expect(idle != nil)
        try pool.with { #expect($0 === idle) }
        pool.forget()
        #expect(idle == nil)
    }

    @Test func `are not used again where they were in use when they were to forget`() throws {
        let pool = CipherPool()
        weak var busy: AESGCM.Cipher?
        try pool.with { cipher in
            busy = cipher
            pool.forget()
        }
        #expect(busy == nil)
    }

    @Test func `are used by one at a time`() throws {
        let pool = CipherPool()
        try pool.with { first throws(CryptographyError) in
            try pool.with { second in #expect(first !== second) }
        }
    }
}
