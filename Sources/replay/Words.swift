internal import Engine

/// What the engine says, with the names of our options and sub-commands.
enum Words {
    static func of(_ error: EngineError) -> String {
        error.reason.flatMap(of) ?? error.message
    }

    /// Nil where the engine's own words will do.
    private static func of(_ reason: EngineError.Reason) -> String? {
        switch reason {
        case .unknownModel(let name, nil):
            "there is no read model \"\(name)\"; `replay models` lists them"
        case .followsBackwards: "--follow goes forward; leave out --reverse"
        case .negativeLimit: "--limit: expected a number from 0"
        case .endsBeforeItBegins(let from, let to):
            "--from \(from) is later than --to \(to); swap them"
        case .noSigningKey(let path):
            "\(path): there is no signing key; make one: replay key new \(path) --name NAME"
        case .noCheckpointCovers(let position):
            "no checkpoint covers position \(position); make one: replay checkpoint --key FILE"
        case .noCheckpointOfSize(let size, let kept) where kept.isEmpty:
            "no kept checkpoint has \(size) events; make one: replay checkpoint --key FILE"
        case .needsOneLogKey: "name the log's verifier key, one, with --log-key"
        case .nothingToContinue(let path, let witness, let origin):
            "\(path): \(witness) signed nothing of \(origin) yet; leave out --proof, or name what it signed with --after"
        case .proofMissing(let path, let size, let origin):
            "\(path): this witness signed \(size) events of \(origin); name the proof from there: replay prove --from \(size), and --proof"
        case .keysWouldBeLost(let count):
            "\(count) keys would be lost for good; if the master key is nowhere else, say so with --losing \(count)"
        case .keysMissing(let journal):
            "\(journal): the persons' keys are missing; leave out --keys"
        case .noKeys(let path): "\(path): there are no keys; leave out --keys, or name another"
        case .noVerifierKey: "\(reason.message), as `replay key` prints it"
        case .noPrivateKey: "\(reason.message), as `replay key` makes it"
        case .finding(let finding): of(finding)
        default: nil
        }
    }

    static func of(_ finding: Finding) -> String {
        switch finding.advice {
        case .rebuildTree: "\(finding.what); run rebuild --tree, which makes it again"
        case .nameLogKey: "\(finding.what); name one with --log-key"
        case .repair: "\(finding.what); the next commit mends it, or verify --repair"
        case nil: finding.what
        }
    }
}
