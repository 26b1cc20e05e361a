import Proofs
import Testing

/// Notes that others have made, and where they were published.
enum PublishedNote {
    /// The example of https://c2sp.org/signed-note.
    static let exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
    static let example = """
        This is an example message.

        — example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=

        """

    /// golang.org/x/mod, sumdb/note/note_test.go.
    static let peterPrivateKey =
        "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    static let peterKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    static let enochKey = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
    static let text = """
        If you think cryptography is the answer to your problem,
        then you don't know what your problem is.

        """
    static let peterLine =
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    static let enochLine =
        "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n"

    /// The Go checksum database: the key of the go command, and a tree head of sum.golang.org/latest
    /// as github.com/transparency-dev/formats, log/note_test.go, quotes it.
    static let goKey = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
    static let goOrigin = "go.sum database tree"
    static let goCheckpoint = """
        go.sum database tree
        6476701
        mb8QLQIs0Z0yP5Cstq6guj87oXWeC9gEM8oVikmm9Wk=

        — sum.golang.org Az3grsLX85Gz+s1SiTbgkuqxgItqFq7gsMUEyVnrsa9LM7Us9S+1xbFIGu95949rj4nPRYfvimWEPWL+o3GeoWwOoAw=

        """

    /// A Certificate Transparency log with the cosignatures of witnesses, as
    /// github.com/florolf/tlog-scales quotes it; the keys are from its tests and
    /// https://witness.stagemole.eu/about, https://witness1.smartit.nu/witness1/about.txt.
    static let arche = "arche2025h1.staging.ct.transparency.dev"
    static let archeKey = arche + "+ba2f06c0+AU0vHmlGCS/PdN8b2OaGmKprLI8HKM+dJ472xgFYh15f"
    static let witnessKeys = [
        "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2",
        "witness.stagemole.eu+67f7aea0+BEqSG3yu9YrmcM3BHvQYTxwFj3uSWakQepafafpUqklv",
        "witness1.smartit.nu/witness1+a48c820f+BPSFWg9G6KPiO7QPryYO5Xq4oYJJ+kAvLKLSimDhoxMO",
        "transparency.dev/DEV:witness-little-garden+d8042a87+BCtusOxINQNUTN5Oj8HObRkh2yHf/MwYaGX4CPdiVEPM",
    ]
    static let archeCheckpoint = """
        arche2025h1.staging.ct.transparency.dev
        1432088532
        U7WM79jrzyhGZ5/GUBTpM7NzwdyfFx61t3RovgcC4Ro=

        — arche2025h1.staging.ct.transparency.dev zTM8sQAAAZ5W0WdjBAMARjBEAiBjW5IQf9pvsYLfQFX6hoGREPMHbdQ3urbllzalApkptQIgIpwtEroeW2BXaHAI4kJXFbon5Ch9MNL5zRNZ55lvGt0=
        — arche2025h1.staging.ct.transparency.dev ui8GwCF1+kWqZrxGdhj4aX3gcw7XUlXQQabg/27lefwhUkzbC3NygNI75MdhL1bfTW9g8Ei59RA23oHP7Ry1k3ZFWwQ=
        — transparency.dev/DEV:witness-little-garden 2AQqhwAAAABqEiEgzgFIqqhbUoDwjMWE6UP8nd8/KYTzwZ2rhIgcqoXHAwVkjZr4AscylP3v7sEodkRAErumC2q44vdgJY096st5BQ==
        — witness1.smartit.nu/witness1 pIyCDwAAAABqEiEghIp82KWebrw7/oHQwlTAm3g2RKS4+eebl8eO0WH+/iEcxZ75W3u5hNI7TOQtmJbqmNWVuE0tgh0XwzdZsDsUAQ==
        — remora.n621.de 2net5wAAAABqEiEgPlfF3V06o0Y+fHM+J5J9s27wgxxcOVSpZ/2g/KSiXCg9DEZI+aVCIobWX9sXTynk5XeU/zZ0WBxtqB0DrAWfBw==
        — witness.stagemole.eu Z/euoAAAAABqEiEgw0i+7g2ENfDAWHmtRzCfKTHSDwYDJA2NmKeGi9Y8FtEyOUvVr+AJmIY/2TUFucgKi7lI7cUiOvKFYe/TmN9DAg==

        """
}

@Suite struct `A signed note` {
    private let peter: NoteVerifier
    private let enoch: NoteVerifier

    init() throws {
        peter = try NoteVerifier(text: PublishedNote.peterKey)
        enoch = try NoteVerifier(text: PublishedNote.enochKey)
    }

    private func note(_ parts: String...) throws -> SignedNote {
        try SignedNote(PublishedNote.text + "\n" + parts.joined())
    }

    @Test func `is not checked with a private key, of which no message shows anything`() {
        let secret = PublishedNote.peterPrivateKey
        for text in [secret, " \(secret)\n", "\u{FEFF}" + secret, String(secret.dropLast(9))] {
            let error = #expect(throws: ProofError.self) { try NoteVerifier(text: text) }
            #expect(error?.description.contains("this is a private key") == true)
            #expect(error?.description.contains("Peter") == false)
        }
    }

    @Test func `of the specification verifies`() throws {
        let key = try NoteVerifier(text: PublishedNote.exampleKey)
        let note = try SignedNote(PublishedNote.example)
        #expect(note.text == "This is an example message.\n")
        #expect(try note.verified(by: [key]).map(\.key) == [key])
        #expect(note.description == PublishedNote.example)
    }

    @Test func `is made byte for byte as the Go package makes it`() throws {
        let signer = try NoteSigner(text: PublishedNote.peterPrivateKey)
        #expect(signer.verifier == peter)
        #expect(signer.privateText == PublishedNote.peterPrivateKey)
        var note = try SignedNote(unsigned: PublishedNote.text)
        try note.sign(with: signer)
        let signed = PublishedNote.text + "\n" + PublishedNote.peterLine
        #expect(note.description == signed)
        // A second signature by the same key takes the first one's place.
        try note.sign(with: signer)
        #expect(note.description == signed)
    }

    @Test func `counts the signatures of known keys, each once`() throws {
        let both = try note(PublishedNote.peterLine, PublishedNote.enochLine)
        #expect(try both.verified(by: [peter]).map(\.key) == [peter])
        #expect(try both.verified(by: [peter, enoch]).map(\.key) == [peter, enoch])
        #expect(try both.verified(by: []).isEmpty)
        let twice = try note(PublishedNote.peterLine, PublishedNote.peterLine)
        #expect(try twice.verified(by: [peter, peter]).count == 1)
    }

    @Test func `is refused as a whole if a known key's signature is not right`() throws {
        let line = PublishedNote.enochLine.replacing("WWd1RvMc", with: "WWd1RvMd")
        let spoilt = try note(PublishedNote.peterLine, line)
        #expect(try spoilt.verified(by: [peter]).count == 1)
        #expect(throws: ProofError.self) { try spoilt.verified(by: [peter, enoch]) }
        let other = try SignedNote("Another text.\n\n" + PublishedNote.peterLine)
        #expect(throws: ProofError.self) { try other.verified(by: [peter]) }
    }

    @Test func `that is malformed is refused`() {
        let text = PublishedNote.text
        let line = PublishedNote.peterLine
        let cases = [
            "", "\n", "\n\n", text, text + "\n", text + line,
            String((text + "\n" + line).dropLast()),
            "\u{1}" + text + "\n" + line, text.replacing("\n", with: "\r\n") + "\n" + line,
            text + "\n— Bad Name x08go/ZJ\n", text + "\n" + line + "Unexpected line.\n",
            text + "\n" + line.replacing("—", with: "-"),
            text + "\n" + line.replacing("— ", with: "—"),
            text + "\n" + line.replacing("PeterNeumann", with: "Peter+Neumann"),
            text + "\n" + line.replacing("PeterNeumann", with: "Peter\u{A0}Neumann"),
            text + "\n" + line.replacing("=", with: ""), text + "\n— PeterNeumann x08gow==\n",
            text + "\n— PeterNeumann \n", text + "\n" + line + "\n",
            text + "\n" + String(repeating: line, count: 101),
        ]
        for whole in cases {
            #expect(throws: ProofError.self, "\(whole.debugDescription)") { try SignedNote(whole) }
        }
        let bytes = Array((text + "\n" + line).utf8)
        #expect(throws: ProofError.self) { try SignedNote([0xFF] + bytes) }
        #expect((try? SignedNote(bytes)) != nil)
        #expect((try? SignedNote(text + "\n" + String(repeating: line, count: 100))) != nil)
    }

    @Test func `has a verifier key that is read only whole`() {
        let key = Array(PublishedNote.peterKey.utf8)
        for start in key.indices {
            for end in start...key.count where start > 0 || end < key.count {
                let part = String(decoding: key[start..<end], as: UTF8.self)
                #expect((try? NoteVerifier(text: part)) == nil, "\(part)")
            }
            var changed = key
            changed[start] += 1
            #expect((try? NoteVerifier(text: String(decoding: changed, as: UTF8.self))) == nil)
        }
        // Hashes that fit, of a key that is too long and of an unknown type (Go's tests).
        for text in [
            "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
            "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        ] {
            #expect(throws: ProofError.self) { try NoteVerifier(text: text) }
        }
    }

    @Test func `has a private key that is read only whole, and whose messages keep it secret`() {
        let key = Array(PublishedNote.peterPrivateKey.utf8)
        for start in key.indices {
            for end in start...key.count where start > 0 || end < key.count {
                let part = String(decoding: key[start..<end], as: UTF8.self)
                do {
                    _ = try NoteSigner(text: part)
                    Issue.record("\(part)")
                } catch {
                    #expect(!"\(error)".contains("AYEKFALVFG"))
                }
            }
            var changed = key
            changed[start] += 1
            #expect((try? NoteSigner(text: String(decoding: changed, as: UTF8.self))) == nil)
        }
    }

    @Test func `can be signed by a new key, under any name without spaces and plus signs`() throws {
        let signer = try NoteSigner.generate(name: "مدرسة.example/سجل")
        var note = try SignedNote(unsigned: "Text.\n")
        try note.sign(with: signer)
        let key = try NoteVerifier(text: signer.verifier.text)
        #expect(try SignedNote(note.bytes).verified(by: [key]).count == 1)
        for name in ["", "a b", "a+b", "a\u{3000}b", "a\nb"] {
            #expect(throws: ProofError.self) { try NoteSigner.generate(name: name) }
        }
    }
}
