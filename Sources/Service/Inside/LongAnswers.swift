import Core
import Dispatch
import Engine
import HTTPTypes
import Hummingbird
import Synchronization

/// Answers that may take long, for who would rather come back than wait (`Prefer: respond-async`, RFC 7240): made once for all
/// who ask meanwhile, and kept for a while once somebody was told to come back.
final class LongAnswers: Sendable {
    /// What is asked, and by whom: what one may see is not another's.
    struct Question: Hashable, Sendable {
        let target: String
        let body: String
        let identity: Identity
    }

    enum Found: Sendable {
        case answer(Answer)
        /// It is being made; nil where nobody can say how far it is.
        case underWay(Engine.Progress?)
    }

    /// Is told how far the answer is.
    typealias Teller = @Sendable (Engine.Progress) -> Void

    /// An answer in the making.
    private final class Work: Sendable {
        struct State {
            var progress: Engine.Progress?
            var result: Result<Answer, any Error>?
            var waiting: [Once] = []
            /// Somebody was told to come back.
            var isPromised = false
            var ended: ContinuousClock.Instant?
        }

        let state = Mutex(State())

        func end(_ result: Result<Answer, any Error>) {
            let waiting = state.withLock { state in
                state.result = result
                state.ended = .now
                defer { state.waiting = [] }
                return state.waiting
            }
            for each in waiting { each.give() }
        }

        /// Waits until it is there, or for so long.
        func wait(within patience: Duration) async {
            await withCheckedContinuation { continuation in
                let once = Once(continuation)
                let isThere = state.withLock { state in
                    if state.result == nil { state.waiting.append(once) }
                    return state.result != nil
                }
                if isThere {
                    once.give()
                    return
                }
                let milliseconds =
                    patience.components.seconds * 1_000
                    + patience.components.attoseconds / 1_000_000_000_000_000
                DispatchQueue.global().asyncAfter(
                    deadline: .now() + .milliseconds(Int(milliseconds))
                ) { once.give() }
            }
        }
    }

    /// Somebody who waits, and is woken once.
    private final class Once: Sendable {
        private let continuation: Mutex<CheckedContinuation<Void, Never>?>

        init(_ continuation: CheckedContinuation<Void, Never>) {
            self.continuation = Mutex(continuation)
        }

        func give() {
            let waiting = continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }
            waiting?.resume()
        }
    }

    /// Who was told to come back does so within this.
    private static let patience = Duration.seconds(60)
    private static let most = 64
    private static let mostBytes = 16 << 20

    private let works = Mutex<[Question: Work]>([:])

    /// The answer, or how far it is; `make` is begun where nobody has asked yet.
    func answer(
        to question: Question, within patience: Duration,
        _ make: @escaping @Sendable (@escaping Teller) async throws -> Answer
    ) async throws -> Found {
        let (work, isNew) = works.withLock { works -> (Work, Bool) in
            works = works.filter { !Self.isOver($0.value) }
            if let work = works[question] { return (work, false) }
            let work = Work()
            works[question] = work
            return (work, true)
        }
        if isNew {
            Task {
                do {
                    work.end(
                        .success(
                            try await make { progress in
                                work.state.withLock { $0.progress = progress }
                            }))
                } catch { work.end(.failure(error)) }
                self.keepOnlyPromised(work, question)
            }
        }
        await work.wait(within: patience)
        let found = work.state.withLock { state -> Result<Answer, any Error>? in
            if state.result == nil { state.isPromised = true }
            return state.result
        }
        guard let found else { return .underWay(work.state.withLock { $0.progress }) }
        return .answer(try found.get())
    }

    /// What nobody was told to come back for is of no use to anybody else: it may be about the present. Nor is there room for
    /// everything.
    private func keepOnlyPromised(_ work: Work, _ question: Question) {
        works.withLock { works in
            let isPromised = work.state.withLock { $0.isPromised }
            if !isPromised, works[question] === work { works[question] = nil }
            var ended = works.compactMap { question, work in
                work.state.withLock { state in
                    state.ended.map { (question, $0, Self.size(state.result)) }
                }
            }
            ended.sort { $0.1 < $1.1 }
            var bytes = ended.reduce(0) { $0 + $1.2 }
            for (question, _, size) in ended where works.count > Self.most || bytes > Self.mostBytes
            {
                works[question] = nil
                bytes -= size
            }
        }
    }

    private static func size(_ result: Result<Answer, any Error>?) -> Int {
        if case .success(let answer)? = result { answer.body.readableBytes } else { 0 }
    }

    private static func isOver(_ work: Work) -> Bool {
        work.state.withLock { $0.ended.map { $0.duration(to: .now) > patience } ?? false }
    }

    /// Lets go of all of them: what was personal in them may be nobody's to read any more. What is being made is told to those
    /// who wait for it and to nobody behind them.
    func forget() { works.withLock { $0.removeAll() } }
}

/// An answer is being made: `202 Accepted`, to be asked for again under the same address.
struct UnderWay: Error {
    let progress: Engine.Progress?

    var response: Response {
        let reached = progress.map { progress in
            JSON.object(of: [
                ("done", .integer(Int64(progress.done))),
                ("total", .integer(Int64(progress.total))), ("what", .string(progress.what)),
            ])
        }
        var response = Response(
            json: JSON.object(of: [("progress", reached ?? .null)]).canonical)
        response.status = .accepted
        response.headers[.retryAfter] = "1"
        response.headers[.cacheControl] = "no-store"
        response.headers[.preferenceApplied] = "respond-async"
        return response
    }
}

extension Routes {
    /// An answer about the past, made on a thread for such: waited for, or as `Prefer: respond-async` has it.
    func past(
        _ call: Call, body: String = "",
        _ make: @escaping @Sendable (LongAnswers.Teller) throws -> Answer
    ) async throws -> Answer {
        let journal = call.journal
        guard call.patience != nil else {
            return try await journal.past.run(within: pastDeadline) { try make { _ in } }
        }
        return try await promptly(call, body: body) { tell in
            try await journal.past.run(within: Self.longDeadline) { try make(tell) }
        }
    }

    /// Nobody waits so long: they come back.
    static var longDeadline: Duration { .seconds(600) }

    /// An answer within the call's patience; else it is made all the same, and the call ends with ``UnderWay``.
    func promptly(
        _ call: Call, body: String = "",
        _ make: @escaping @Sendable (@escaping LongAnswers.Teller) async throws -> Answer
    ) async throws -> Answer {
        // What somebody may see hangs on more than the question.
        guard let patience = call.patience, call.identity.viewer == nil else {
            return try await make { _ in }
        }
        let question = LongAnswers.Question(
            target: call.request.head.path ?? "", body: body,
            identity: call.identity)
        try await call.journal.strike()
        switch try await call.journal.long.answer(to: question, within: patience, make) {
        case .answer(let answer): return answer
        case .underWay(let progress): throw UnderWay(progress: progress)
        }
    }
}
