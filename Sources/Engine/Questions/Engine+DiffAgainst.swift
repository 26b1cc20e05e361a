import Core
import EventLog

extension EventEngine {
    /// Compares one document of this journal with another journal's, each as of a moment (nil: its head), at one present: the
    /// later of both, unless the question names one.
    public func diff(
        _ question: DocumentQuestion, against other: EventEngine, from old: Moment? = nil,
        to new: Moment? = nil
    ) throws(EngineError) -> DocumentComparison {
        let ends = try (self.lastInstant(old), other.lastInstant(new))
        var request = ShowRequest()
        request.arguments = question.arguments
        request.now = question.now ?? max(ends.0, ends.1)
        request.viewer = question.viewer
        request.asOf = old
        var before = try show(question.model, key: question.key, request)
        request.asOf = new
        var after = try other.show(question.model, key: question.key, request)
        // What one journal hides is hidden of both.
        if let sight = sight(of: question.viewer)?.and(other.sight(of: question.viewer)),
            let model = registry.model(question.model)
        {
            (before, after) = try whileOpen {
                let hidden = try sight.hidden(model, question.key, question.arguments) ?? []
                return (
                    try sight.seen(before.hiding(hidden), model),
                    try sight.seen(after.hiding(hidden), model)
                )
            }
        }
        return DocumentComparison(
            old: before, new: after, difference: try DocumentDifference(from: before, to: after),
            events: nil)
    }

    /// Compares every document of the models with those of another journal, at the later of both presents.
    ///
    /// No names: every model of every product that both engines run.
    public func diff(
        models names: [String] = [], against other: EventEngine, now: Instant? = nil,
        counting condition: String? = nil, as viewer: Viewer? = nil
    ) throws(EngineError) -> [ModelComparison] {
        let condition = try condition.map { text throws(EngineError) in
            try JSONCondition(argument: text)
        }
        let ends = try (self.lastInstant(nil), other.lastInstant(nil))
        return try whileOpen {
            let models = try ComparedModels(
                registry, names, counting: condition,
                sight: sight(of: viewer)?.and(other.sight(of: viewer)))
            for model in models.models where other.registry.model(model.name) == nil {
                throw other.registry.unknownModel(model.name)
            }
            let states = try concurrently({
                UncheckedTransfer(try other.wholeState(models.products))
            }) { try self.wholeState(models.products) }
            return try models.compare(
                states.body, states.other.value, now: now ?? max(ends.0, ends.1))
        }
    }

    private func wholeState(_ products: [Product]) throws -> ComparedState {
        let head = try journal.snapshot().head.position
        return try comparedState(products, through: head, of: head)
    }

    /// The present at a moment: of the last event, where none is named.
    private func lastInstant(_ moment: Moment?) throws(EngineError) -> Instant {
        try whileOpen {
            let snapshot = try journal.snapshot()
            switch moment {
            case .instant(let instant): return instant
            case .position(let position):
                try snapshot.checkReached(position)
                return try snapshot.instant(at: position)
            case nil: return try snapshot.instant(at: snapshot.head.position)
            }
        }
    }
}
