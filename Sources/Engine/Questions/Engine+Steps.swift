extension EventEngine {
    /// The events that changed a document, those that `why` names of the whole document, to be gone through.
    ///
    /// All are asked at the present of the question, else at the instant of the last event.
    ///
    /// - Parameter moment: where it begins: near there the documents are at hand, and a document that rests on all events of a
    ///   large journal is gone through from there on (ADR 0041).
    public func steps(
        _ question: DocumentQuestion, from moment: Moment? = nil
    ) throws(EngineError) -> DocumentSteps {
        try steps(question, from: moment, keptBytes: 32 << 20)
    }

    /// The same, with another bound on what is kept of the documents: for tests.
    package func steps(
        _ question: DocumentQuestion, from moment: Moment?, keptBytes: Int
    ) throws(EngineError) -> DocumentSteps {
        try read { try DocumentSteps(self, question, from: moment, keptBytes: keptBytes, $0) }
    }
}
