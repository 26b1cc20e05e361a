/// A proof of either kind, told apart by its first line.
package enum ProofFile: Hashable, Sendable {
    case inclusion(InclusionProofFile)
    case consistency(ConsistencyProofFile)

    /// Reads a proof; nothing is checked.
    ///
    /// - Parameter leaf: the event's leaf, if the file does not hold it or is not to be trusted
    ///   with it.
    package init(_ bytes: [UInt8], leaf: [UInt8]? = nil) throws(ProofError) {
        if bytes.starts(with: Array(ConsistencyProofFile.header.utf8)) {
            self = .consistency(try ConsistencyProofFile(bytes))
        } else {
            self = .inclusion(try InclusionProofFile(bytes, leaf: leaf))
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .inclusion(let file): file.bytes
        case .consistency(let file): file.bytes
        }
    }

    /// Checks signatures and hashes.
    ///
    /// - Parameter origin: the origin line to expect; the key's name if nil.
    /// - Returns: what is proved, in a sentence.
    package func check(
        log: NoteVerifier, origin: String? = nil, witnesses: WitnessPolicy = .none
    ) throws(ProofError) -> String {
        switch self {
        case .inclusion(let file):
            try file.check(log: log, origin: origin, witnesses: witnesses)
        case .consistency(let file):
            try file.check(log: log, origin: origin, witnesses: witnesses)
        }
    }
}

/// Cuts a proof at its empty lines.
struct ProofParts {
    /// What has not been read yet.
    private(set) var rest: [UInt8]

    init(_ bytes: [UInt8]) {
        rest = bytes
    }

    /// The lines up to the next empty line, their newlines included; that line is passed over.
    mutating func paragraph() throws(ProofError) -> [UInt8] {
        let newline = PlainText.newline
        var end = rest.startIndex
        while end + 1 < rest.count {
            if rest[end] == newline, rest[end + 1] == newline {
                let paragraph = Array(rest[...end])
                rest = Array(rest[(end + 2)...])
                return paragraph
            }
            end += 1
        }
        throw .malformed("the proof ends before its checkpoint; perhaps it was cut short")
    }

    /// The lines of the first paragraph behind the header.
    mutating func lines(header: String) throws(ProofError) -> ArraySlice<String> {
        guard rest.starts(with: Array((header + "\n").utf8)) else {
            throw .malformed(
                "this is no proof; one begins with the line \(InclusionProofFile.header) or "
                    + ConsistencyProofFile.header)
        }
        guard let text = PlainText.decoded(try paragraph()), let lines = PlainText.lines(text)
        else {
            throw .malformed("the proof is not UTF-8 text")
        }
        return lines.dropFirst()
    }

    /// One hash a line. No tree of 63 bits has a longer proof than twice its height.
    static func hashes(_ lines: ArraySlice<String>) throws(ProofError) -> [TreeHash] {
        guard lines.count <= 126 else { throw .malformed("the proof has more than 126 hashes") }
        var hashes: [TreeHash] = []
        for line in lines {
            guard let bytes = Base64.bytes(line), let hash = TreeHash(bytes) else {
                throw .malformed(
                    "\(PlainText.quoted(line)) in the proof is not a hash of 32 bytes in base 64")
            }
            hashes.append(hash)
        }
        return hashes
    }
}

extension WitnessPolicy {
    /// What to add about the witnesses, behind who signed.
    func sentence(_ signed: [Cosignature]) -> String {
        guard !witnesses.isEmpty else { return "" }
        return ", with \(signed.count) of \(witnesses.count) witnesses (\(threshold) must sign)"
    }
}
