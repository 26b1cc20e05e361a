/// Which logs and witnesses are known, where witnesses are asked, and whose word is enough (C2SP tlog-policy).
package struct LogPolicy: Sendable {
    /// A witness, with the prefix of its addresses where the policy gives one.
    package struct Witness: Hashable, Sendable {
        /// Has no meaning outside of the policy.
        package let name: String
        package let key: NoteVerifier
        package let url: String?
    }

    /// What a name in the policy stands for.
    private indirect enum Member: Sendable {
        case witness(NoteVerifier)
        case group(least: Int, of: [Member])

        func isMet(by signed: Set<NoteVerifier>) -> Bool {
            switch self {
            case .witness(let key): signed.contains(key)
            case .group(let least, let members):
                members.count { $0.isMet(by: signed) } >= least
            }
        }
    }

    package private(set) var logs: [NoteVerifier] = []
    package private(set) var witnesses: [Witness] = []
    /// Nil where nobody need have signed.
    private var quorum: Member?

    /// Reads a policy; every error names its line.
    package init(text: String) throws(ProofError) {
        var names: [String: Member] = [:]
        var used: Set<String> = []
        var hasQuorum = false
        func member(_ name: String, _ line: Int) throws(ProofError) -> Member {
            guard let member = names[name] else {
                throw .malformed(
                    "line \(line) of the policy: \(name) is named before it is defined")
            }
            return member
        }
        func define(_ name: String, _ member: Member, _ line: Int) throws(ProofError) {
            guard name != "none", names.updateValue(member, forKey: name) == nil else {
                throw .malformed("line \(line) of the policy: \(name) is defined already")
            }
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let number = index + 1
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let kind = words.first, !kind.hasPrefix("#") else { continue }
            switch (kind, words.count) {
            case ("log", 2...3):
                let key = try NoteVerifier(text: words[1])
                guard key.kind == .signature,
                    !logs.contains(where: { $0.publicKey == key.publicKey })
                else {
                    throw .malformed(
                        "line \(number) of the policy: a log's key, which is on no line before it")
                }
                logs.append(key)
            case ("witness", 3...4):
                let key = try NoteVerifier(text: words[2])
                guard key.kind == .cosignature,
                    !witnesses.contains(where: { $0.key.publicKey == key.publicKey })
                else {
                    throw .malformed(
                        "line \(number) of the policy: a witness's key, which is on no line before it"
                    )
                }
                try define(words[1], .witness(key), number)
                witnesses.append(
                    Witness(name: words[1], key: key, url: words.count == 4 ? words[3] : nil))
            case ("group", 4...):
                var members: [Member] = []
                for name in words.dropFirst(3) {
                    guard used.insert(name).inserted else {
                        throw .malformed(
                            "line \(number) of the policy: \(name) is a member already, and counts once"
                        )
                    }
                    members.append(try member(name, number))
                }
                let least =
                    words[2] == "all"
                    ? members.count : words[2] == "any" ? 1 : PlainText.number(words[2]) ?? 0
                guard (1...members.count).contains(least) else {
                    throw .malformed(
                        "line \(number) of the policy: all, any or a number from 1 to \(members.count) is wanted, not \(words[2])"
                    )
                }
                try define(words[1], .group(least: least, of: members), number)
            case ("quorum", 2):
                guard !hasQuorum else {
                    throw .malformed("line \(number) of the policy: there is a quorum already")
                }
                hasQuorum = true
                quorum = words[1] == "none" ? nil : try member(words[1], number)
            default:
                throw .malformed(
                    "line \(number) of the policy: it reads log VKEY [URL], witness NAME VKEY [URL], group NAME all|any|K NAME… or quorum NAME|none"
                )
            }
        }
        guard hasQuorum else { throw .malformed("the policy has no line: quorum NAME|none") }
    }

    /// Whether enough witnesses signed a checkpoint. A signature by one of them that is wrong refuses it.
    package func isMet(by checkpoint: SignedCheckpoint) throws(ProofError) -> Bool {
        let signed = Set(try checkpoint.note.verified(by: witnesses.map(\.key)).map(\.key))
        return quorum?.isMet(by: signed) ?? true
    }
}
