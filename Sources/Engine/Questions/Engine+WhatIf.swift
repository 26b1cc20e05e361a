import Core

/// What would be otherwise.
public struct AlternativeOutcome: Sendable {
    /// Of the commands, in their order.
    public let outcomes: [Outcome]
    /// How the documents of each read model would differ from what they are.
    public let models: [ModelComparison]
}

extension EventEngine {
    /// Folds the journal's events anew, otherwise than they came, and compares every document of the models with what it is.
    /// What only comes behind the last event is decided on what is stored. Records nothing.
    ///
    /// Events stay what they are: what a decision or a timer made of a policy then is not decided again. Read models that quote
    /// the journal itself quote what it holds.
    ///
    /// - Parameters:
    ///   - names: read models; none for every model of every product.
    ///   - condition: JSONPath's logical expression; of how many documents it holds and would hold is counted.
    ///   - viewer: in whose name it is asked: what of the documents, and of the outcomes' events, is shown.
    ///   - progress: is told how far it is; what it throws ends it.
    public func whatIf(
        _ alternative: Alternative, models names: [String] = [], counting condition: String? = nil,
        as viewer: Viewer? = nil, progress: (Progress) throws -> Void = { _ in }
    ) throws(EngineError) -> AlternativeOutcome {
        let condition = try condition.map { text throws(EngineError) in
            try JSONCondition(argument: text)
        }
        let found = try whileOpen {
            let models = try ComparedModels(
                registry, names, counting: condition, sight: sight(of: viewer))
            do {
                return try Fork(self, alternative, models).compare(progress)
            } catch let refused as RefusedChange {
                throw try reason(of: refused, for: viewer)
            }
        }
        guard let viewer else { return found }
        let lines = alternative.commands.filter { !$0.isEmpty }.map { [UInt8]($0.utf8) }
        return AlternativeOutcome(
            outcomes: try read { try $0.seen(found.outcomes, by: viewer, unrecorded: lines) },
            models: found.models)
    }

    /// Why a change is refused; of an event that the viewer may not see they learn what is said of one
    /// that there is not.
    private func reason(
        of refused: RefusedChange, for viewer: Viewer?
    ) throws -> EngineError {
        guard let viewer, viewer.kind != .system else { return refused.error }
        guard let position = refused.position else { return RefusedChange.noEvent(refused.events) }
        let isSeen = try readers.read { reader in
            let events = try OpenLog(journal, registry).history.documents(at: [position])
            return try !reader.seen(events, by: viewer).isEmpty
        }
        return isSeen ? refused.error : RefusedChange.noEvent(refused.events)
    }
}
