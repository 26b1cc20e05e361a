import EventLog
import Core

extension EventEngine {
    /// The outcomes of lines in their order, each durable, and why the others have none.
    public struct Submitted: Sendable {
        /// Of the first lines, in their order.
        public internal(set) var outcomes: [Outcome]
        /// Nothing is recorded of the lines without an outcome; nil if every line has one.
        public internal(set) var failure: EngineError?

        /// Why a line has no outcome.
        var missing: EngineError {
            failure ?? EngineError(.inputOutput, "a line had no outcome; this is a defect")
        }
    }

    /// Runs a command; its events are durable when this returns.
    ///
    /// Who comes while others are served shares the next commit. A command that was accepted before under the same id
    /// answers ``Outcome/Status/duplicate``: after an error, submit it again.
    ///
    /// With a viewer the outcome lists what they may see of its events.
    public func submit(
        _ command: Command, as viewer: Viewer? = nil
    ) async throws(EngineError) -> Outcome {
        try await submit(bytes: command.line, as: viewer)
    }

    /// Runs one command line: a command in its JSON form.
    public func submit(
        _ line: String, as viewer: Viewer? = nil
    ) async throws(EngineError) -> Outcome {
        try await submit(bytes: Array(line.utf8), as: viewer)
    }

    private func submit(
        bytes: [UInt8], as viewer: Viewer?
    ) async throws(EngineError) -> Outcome {
        try checkWritable()
        return try await whileOpen {
            let answer = await self.submitter.run(bytes)
            guard let viewer, case .success(let outcome) = answer else { return answer }
            return await self.readers.read { try $0.seen([outcome], by: viewer)[0] }
        }
    }

    /// Runs command lines in order: one outcome a line, in the same order, durable on return.
    ///
    /// `clock` fixes what `recordedAt` says. A dry run decides and records
    /// nothing. Lines of concurrent callers share a commit. An error means that some line has no outcome;
    /// `submitAll` tells those that have.
    public func submit(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: Instant? = nil, isDryRun: Bool = false,
        as viewer: Viewer? = nil
    ) throws(EngineError) -> [Outcome] {
        let submitted = try submitAll(
            lines, firstLine: firstLine, clock: clock, isDryRun: isDryRun, as: viewer)
        if let failure = submitted.failure { throw failure }
        return submitted.outcomes
    }

    /// As `submit`; what fails half-way does not hide what is durable.
    ///
    /// - Parameter explains: the checks of each command are noted, for ``Submitted/explained``; they say what they saw to
    ///   whoever submits.
    public func submitAll(
        _ lines: [[UInt8]], firstLine: Int = 1, clock: Instant? = nil, isDryRun: Bool = false,
        explains: Bool = false, as viewer: Viewer? = nil
    ) throws(EngineError) -> Submitted {
        try checkWritable()
        try calls.enter()
        defer { calls.leave() }
        let numbered = [SubmittedLine].reading(lines, from: firstLine)
        let submitted =
            isDryRun
            ? Submitted(
                outcomes: try engineErrors {
                    try Rehearsal.outcomes(of: numbered, on: self, clock: clock, explains: explains)
                }, failure: nil)
            : try submitter.run(
                Submitter.Submission(lines: numbered, clock: clock, explains: explains))
        guard let viewer else { return submitted }
        return Submitted(
            outcomes: try readers.read {
                try $0.seen(submitted.outcomes, by: viewer, unrecorded: isDryRun ? lines : nil)
            }, failure: submitted.failure)
    }

    /// The same, without a thread of the caller's: its lines share the next commit with those of all who wait.
    public func submitAll(
        _ lines: [[UInt8]], firstLine: Int = 1, as viewer: Viewer? = nil
    ) async throws(EngineError) -> Submitted {
        try checkWritable()
        if lines.isEmpty { return Submitted(outcomes: [], failure: nil) }
        return try await whileOpen {
            let submitted = await self.submitter.run(lines, firstLine: firstLine)
            guard let viewer, viewer.kind != .system else { return .success(submitted) }
            let seen = await self.readers.read {
                try $0.seen(submitted.outcomes, by: viewer)
            }
            return seen.map { Submitted(outcomes: $0, failure: submitted.failure) }
        }
    }

    private func checkWritable() throws(EngineError) {
        guard !isReadOnly else {
            throw EngineError(.inputOutput, "\(journal.path): opened for reading only")
        }
    }

    /// What went wrong beside what was recorded, such as an erasure that could not be carried out yet: one line
    /// each, said once. `verify` finds the same until it is mended.
    public func takeWarnings() -> [String] { submitter.takeWarnings() }
}
