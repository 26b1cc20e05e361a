internal import ArgumentParser
internal import Engine

/// Whose signatures count.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the verifier key of the log; from whom you trust, not from the journal.",
            valueName: "file"),
        completion: .file())
    var logKey: String?

    @Option(
        help: ArgumentHelp("A file with the verifier key of a witness.", valueName: "file"),
        completion: .file())
    var witness: [String] = []

    @Option(help: "How many of the witnesses must have signed (default: all that are named).")
    var threshold: Int?

    @Option(help: "The name of the log, where it is not that of its key.")
    var origin: String?

    mutating func validate() throws {
        if let threshold, !(0...witness.count).contains(threshold) {
            throw ValidationError(
                "--threshold \(threshold): \(witness.count) witnesses are named; name as many or ask for fewer"
            )
        }
    }

    func trust() throws(EngineError) -> Trust {
        var trust = Trust()
        if let logKey { trust.logKeys = [try GivenFile.verifier(logKey)] }
        trust.witnessKeys = try witness.map { path throws(EngineError) in
            try GivenFile.verifier(path)
        }
        trust.threshold = threshold
        trust.origin = origin
        return trust
    }
}
