public import Engine
public import Logging
internal import Metrics

/// Writes what an engine does as log lines (swift-log) and metrics (swift-metrics).
///
///     var options = EventEngine.Options()
///     options.observer = EngineTelemetry(logger: Logger(label: "exams"))
///     let engine = try EventEngine(at: "journal", options: options)
///
/// A failure that no caller was answered is a warning; everything else is of level `debug`, folds of level `trace`. Metrics
/// are named `PREFIX_…`: `commits`, `events`, `bytes`, `commit_duration`, `folded_events`, `fold_duration`, `sealed_events`,
/// `seal_duration`, `stored_views`, `store_duration`, `position`, and `failures` with the dimension `operation`.
public struct EngineTelemetry: EngineObserver {
    private let logger: Logger
    private let prefix: String
    private let commits: Counter
    private let events: Counter
    private let bytes: Counter
    private let commitDuration: Metrics.Timer
    private let foldedEvents: Counter
    private let foldDuration: Metrics.Timer
    private let sealedEvents: Counter
    private let sealDuration: Metrics.Timer
    private let storedViews: Counter
    private let storeDuration: Metrics.Timer
    private let position: Meter

    /// Writes to this logger, and to the metrics system that the program has set up.
    public init(logger: Logger, prefix: String = "sijill") {
        self.logger = logger
        self.prefix = prefix
        commits = Counter(label: prefix + "_commits")
        events = Counter(label: prefix + "_events")
        bytes = Counter(label: prefix + "_bytes")
        commitDuration = Metrics.Timer(label: prefix + "_commit_duration")
        foldedEvents = Counter(label: prefix + "_folded_events")
        foldDuration = Metrics.Timer(label: prefix + "_fold_duration")
        sealedEvents = Counter(label: prefix + "_sealed_events")
        sealDuration = Metrics.Timer(label: prefix + "_seal_duration")
        storedViews = Counter(label: prefix + "_stored_views")
        storeDuration = Metrics.Timer(label: prefix + "_store_duration")
        position = Meter(label: prefix + "_position")
    }

    /// Counts it, and writes a line.
    public func engine(did activity: EngineActivity) {
        switch activity {
        case .committed(let commit):
            commits.increment()
            events.increment(by: commit.events)
            bytes.increment(by: commit.bytes)
            commitDuration.recordNanoseconds(commit.duration.nanoseconds)
            position.set(Double(commit.position.number))
            logger.debug(
                "committed",
                metadata: [
                    "position": "\(commit.position)", "events": "\(commit.events)",
                    "bytes": "\(commit.bytes)", "duration": "\(commit.duration)",
                ])
        case .folded(let fold):
            foldedEvents.increment(by: fold.events)
            foldDuration.recordNanoseconds(fold.duration.nanoseconds)
            logger.trace(
                "folded",
                metadata: [
                    "position": "\(fold.position)", "events": "\(fold.events)",
                    "duration": "\(fold.duration)",
                ])
        case .sealed(let seal):
            sealedEvents.increment(by: seal.events)
            sealDuration.recordNanoseconds(seal.duration.nanoseconds)
            logger.debug(
                "sealed",
                metadata: [
                    "position": "\(seal.position)", "events": "\(seal.events)",
                    "duration": "\(seal.duration)",
                ])
        case .storedViews(let stored):
            storedViews.increment()
            storeDuration.recordNanoseconds(stored.duration.nanoseconds)
            logger.debug(
                "stored views",
                metadata: ["position": "\(stored.position)", "duration": "\(stored.duration)"])
        case .failed(let failure):
            let operation = failure.operation.rawValue
            Counter(label: prefix + "_failures", dimensions: [("operation", operation)])
                .increment()
            logger.warning(
                "failed beside what was asked",
                metadata: ["operation": "\(operation)", "error": "\(failure.error)"])
        }
    }
}

extension Duration {
    /// As many as an Int64 holds: some 292 years.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).0
    }
}
