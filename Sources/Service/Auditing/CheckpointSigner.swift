import AsyncHTTPClient
import Core
import Engine
import Logging
import Metrics
import NIOCore
import NIOHTTP1
import ServiceLifecycle

/// Signs checkpoints of the default journal, when asked and by the clock, and has witnesses cosign them
/// (C2SP tlog-witness).
struct CheckpointSigner: Service {
    private let journal: HostedJournal
    private let key: String
    private let every: Duration?
    private let witnesses: Witnesses?
    private let client: OutgoingClient?
    private let logger: Logger

    /// Nil where no key is set to sign with.
    init?(_ journal: HostedJournal, _ configuration: ServiceConfiguration, _ logger: Logger) throws
    {
        guard let key = configuration.logKey else { return nil }
        self.journal = journal
        self.key = key
        self.logger = logger
        let seconds = configuration.checkpointSeconds
        every = seconds == 0 ? nil : .seconds(seconds)
        witnesses = try configuration.witnesses.map { try Witnesses(policyFile: $0) }
        guard witnesses != nil else {
            client = nil
            return
        }
        var settings = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(10)))
        settings.httpVersion = .automatic
        client = OutgoingClient(settings)
    }

    /// What checks its signatures: the verifier key (docs/audit.md); nil where it does not lie beside the private one.
    var verifierKey: String? { try? KeyFiles.verifier(key + ".vkey") }

    /// Signs the journal as it is, keeps that, and asks the witnesses.
    ///
    /// - Returns: what is kept, with the signatures of the witnesses that answered in time.
    func sign(attesting: Bool, within deadline: Duration) async throws -> KeptCheckpoint {
        let engine = journal.engine
        let key = key
        let kept = try await journal.past.run(within: deadline) {
            let note = try engine.checkpoint(
                key: KeyFiles.privateKey(key), attesting: attesting, keyFile: key)
            return try engine.keptCheckpoints().last { $0.bytes == note }
        }
        guard let kept else {
            throw Problem.unavailable("storage", "the checkpoint that was signed is not there")
        }
        return await cosigned(kept)
    }

    /// The newest checkpoint that may be shown: one that enough witnesses signed, if a policy says who.
    func newest(of kept: [KeptCheckpoint]) -> KeptCheckpoint? {
        guard let witnesses else { return kept.last }
        return kept.last { witnesses.suffice(for: $0) }
    }

    /// How many events no checkpoint covers.
    func unsignedEvents() async throws -> Int {
        let engine = journal.engine
        return try await journal.proving.run(within: .seconds(30)) {
            Int(try engine.head().number - (try engine.keptCheckpoints().last?.size ?? 0))
        }
    }

    // MARK: By the clock

    func run() async throws {
        if every != nil || witnesses != nil {
            let pause = every ?? .seconds(60)
            await cancelWhenGracefulShutdown {
                while true {
                    do { try await Task.sleep(for: pause) } catch { return }
                    await catchUp()
                }
            }
        } else {
            try? await gracefulShutdown()
        }
        await client?.shutdown()
    }

    /// Signs what is new, if the settings say so, and asks witnesses again that did not answer.
    private func catchUp() async {
        do {
            let engine = journal.engine
            let newest = try await journal.proving.run(within: .seconds(60)) {
                try engine.keptCheckpoints().last
            }
            if every != nil, try engine.head().number > newest?.size ?? 0 {
                _ = try await sign(attesting: false, within: .seconds(3_600))
                logger.info("signed a checkpoint")
            } else if let newest {
                _ = await cosigned(newest)
            }
        } catch {
            logger.error("no checkpoint was signed", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Witnesses

    /// The checkpoint with the signatures of all witnesses that answer now; they are asked at the same time.
    private func cosigned(_ checkpoint: KeptCheckpoint) async -> KeptCheckpoint {
        guard let witnesses, let client else { return checkpoint }
        return await withTaskGroup(of: KeptCheckpoint?.self) { group in
            for witness in witnesses.missing(under: checkpoint) {
                group.addTask {
                    do {
                        let kept = try await ask(witness, checkpoint, client)
                        count(witness, "cosigned")
                        return kept
                    } catch {
                        count(witness, "failed")
                        logger.warning(
                            "a witness did not cosign",
                            metadata: [
                                "witness": "\(witness.name)", "size": "\(checkpoint.size)",
                                "error": "\(error)",
                            ])
                        return nil
                    }
                }
            }
            var newest = checkpoint
            // What was kept last has the most signatures.
            for await kept in group {
                if let kept, kept.bytes.count > newest.bytes.count { newest = kept }
            }
            return newest
        }
    }

    private func count(_ witness: Witnesses.Witness, _ outcome: String) {
        Counter(
            label: "sijill_witness_requests",
            dimensions: [("outcome", outcome), ("witness", witness.name)]
        ).increment()
    }

    private struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Asks one; it says itself which tree it signed last where that is not the empty one.
    private func ask(
        _ witness: Witnesses.Witness, _ checkpoint: KeptCheckpoint, _ client: OutgoingClient
    ) async throws -> KeptCheckpoint {
        let engine = journal.engine
        var size: UInt64 = 0
        for _ in 0..<3 {
            let former = size
            let body = try await journal.proving.run(within: .seconds(30)) {
                try engine.witnessRequest(for: checkpoint, after: former)
            }
            var request = HTTPClientRequest(
                url: (witness.url.hasSuffix("/") ? String(witness.url.dropLast()) : witness.url)
                    + "/add-checkpoint")
            request.method = .POST
            request.body = .bytes(body)
            let response = try await client.open().execute(request, timeout: .seconds(20))
            let answer = Array(try await response.body.collect(upTo: 64 << 10).readableBytesView)
            switch response.status.code {
            case 200:
                return try await journal.proving.run(within: .seconds(30)) {
                    try engine.keep(answer, of: witness, under: checkpoint)
                }
            case 409 where response.headers.first(name: "content-type") == "text/x.tlog.size":
                let text = String(decoding: answer, as: UTF8.self)
                guard let signed = UInt64(text.dropLast()), text.last == "\n", signed != former
                else { throw Refusal(description: "it answered 409 with no other size") }
                size = signed
            default:
                throw Refusal(description: "it answered \(response.status.code)")
            }
        }
        throw Refusal(description: "it names another size each time")
    }
}
