import Core

extension EngineError {
    /// What kept the engine from doing something, as a value.
    ///
    /// More may come: a `switch` over reasons needs a `default`.
    public enum Reason: Sendable, Hashable {
        /// The engine was closed before it was asked.
        case closed
        /// There is no read model of this name; the one that was probably meant.
        case unknownModel(String, nearest: String?)
        /// The viewer may not ask this model, or not about this.
        case mayNotSee(Viewer, String)
        /// There is no event yet at this position; the last one is at the other.
        case pastTheEnd(Position, last: Position)
        /// A reversed list of events cannot be followed.
        case followsBackwards
        /// A limit below 0.
        case negativeLimit
        /// A period that ends before it begins.
        case endsBeforeItBegins(from: Instant, to: Instant)
        /// There is no file with a signing key at the path.
        case noSigningKey(path: String)
        /// No checkpoint that is kept covers the event at this position.
        case noCheckpointCovers(Position)
        /// No kept checkpoint has this many events; these are the sizes there are.
        case noCheckpointOfSize(UInt64, kept: [Int])
        /// Not one verifier key of a log was named, but none or several.
        case needsOneLogKey
        /// A proof was given, and the witness has signed nothing yet that it could begin at.
        case nothingToContinue(path: String, witness: String, origin: String)
        /// The way from what a witness signed last is missing.
        case proofMissing(path: String, size: Int, origin: String)
        /// This many keys would be lost for good, and the caller did not confirm it.
        case keysWouldBeLost(Int)
        /// The file with the persons' keys is not in this journal.
        case keysMissing(journal: String)
        /// There is no copy of the persons' keys at the path.
        case noKeys(path: String)
        /// A text, here in quotes, is no verifier key.
        case noVerifierKey(String)
        /// A text is no private key.
        case noPrivateKey
        /// The values of a product's policy that were asked about cannot be in force; why.
        case policyNotPossible(product: String, String)
        /// Verification found this.
        case finding(Finding)

        var kind: Kind {
            switch self {
            case .closed: .closed
            case .unknownModel, .pastTheEnd, .followsBackwards, .negativeLimit, .endsBeforeItBegins,
                .noSigningKey, .noCheckpointCovers, .noCheckpointOfSize, .needsOneLogKey,
                .nothingToContinue, .keysWouldBeLost:
                .wrongUse
            case .mayNotSee: .refused
            case .proofMissing, .finding: .checkFailed
            case .keysMissing, .noKeys: .inputOutput
            case .noVerifierKey, .noPrivateKey, .policyNotPossible: .badInput
            }
        }

        /// In one line, as ``EngineError/message`` has it.
        public var message: String {
            switch self {
            case .closed: "the engine was closed; open another one"
            case .unknownModel(let name, let nearest):
                "there is no read model \"\(name)\"; "
                    + (nearest.map { "did you mean \($0)?" } ?? "see the list of models")
            case .mayNotSee(let viewer, let thing): "\(viewer) may not see \(thing)"
            case .pastTheEnd(let position, let last):
                "position \(position) is not reached yet; the last event is at \(last)"
            case .followsBackwards: "a reversed list of events ends; follow it forward"
            case .negativeLimit: "a limit is a number from 0"
            case .endsBeforeItBegins(let from, let to): "\(from) is later than \(to); swap them"
            case .noSigningKey(let path): "\(path): there is no signing key; make one"
            case .noCheckpointCovers(let position):
                "no checkpoint covers position \(position); make one"
            case .noCheckpointOfSize(let size, let kept):
                "no kept checkpoint has \(size) events; "
                    + (kept.isEmpty
                        ? "make one"
                        : "there are some of \(kept.map { "\($0)" }.joined(separator: ", "))")
            case .needsOneLogKey: "name the log's verifier key, one"
            case .nothingToContinue(let path, let witness, let origin):
                "\(path): \(witness) signed nothing of \(origin) yet; leave out the proof, or name what "
                    + "it signed"
            case .proofMissing(let path, let size, let origin):
                "\(path): this witness signed \(size) events of \(origin); give the proof from there"
            case .keysWouldBeLost(let count):
                "\(count) keys would be lost for good; if the master key is nowhere else, say so with "
                    + "their number"
            case .keysMissing(let journal):
                "\(journal): the persons' keys are missing; leave them out"
            case .noKeys(let path):
                "\(path): there are no keys; restore without them, or name another"
            case .noVerifierKey(let text):
                "\(text) is no verifier key; one reads NAME+HASH+KEY"
            case .noPrivateKey: "this is no private key; one reads PRIVATE+KEY+NAME+HASH+KEY"
            case .policyNotPossible(let product, let why): "the policy of \(product): \(why)"
            case .finding(let finding): finding.text
            }
        }
    }
}

/// Something that does not hold, as a verification says it.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// What can be done about it, where the engine has a word for that.
    public enum Advice: Sendable, Hashable, CaseIterable {
        /// ``EventEngine/rebuildTree()`` makes it again.
        case rebuildTree
        /// Name whose signatures count, in ``Trust/logKeys``.
        case nameLogKey
        /// The next commit mends it, or ``EventEngine/repair(at:)``.
        case repair
    }

    /// What does not hold, and where; with what to do, unless there is an advice.
    public let what: String
    /// What can be done about it.
    public let advice: Advice?

    init(_ what: String, advice: Advice? = nil) {
        self.what = what
        self.advice = advice
    }

    /// In one line.
    public var text: String {
        switch advice {
        case .rebuildTree: "\(what); make the tree anew, which makes it again"
        case .nameLogKey: "\(what); name one"
        case .repair: "\(what); the next commit mends it, or a repair"
        case nil: what
        }
    }

    /// In one line.
    public var description: String { text }
}
