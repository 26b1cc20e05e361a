public import Core

/// What is so in one product, folded from its events: rules decide on it, read models show it.
///
/// Rules and read models stand on the same fold (ADR 0006), each on its own instance of it.
public protocol FoldedState: AnyObject, SendableMetatype {
    /// The product's name in wire names, such as `learnable`.
    static var product: String { get }
    /// Raised whenever a handler changes its meaning: what was stored under another is not found.
    static var foldVersion: Int { get }
    /// Which handler folds which event type.
    static var routes: Routes<Self> { get }

    /// An empty state, whose tables are made in `space` in the same order every time.
    init(space: TableSpace, names: Names)
    /// The tables of the state.
    var space: TableSpace { get }
    /// The texts behind its symbols.
    var names: Names { get }
    /// The timers that are pending.
    var timers: Timers { get }
    /// The person's key is destroyed: their personal fields read null, in later events too.
    func hidesPersonal(of subject: Symbol) -> Bool
    /// Whose key seals what is recorded about a person now: the person's own, or one of those that a
    /// product gives them in turn, named `ID/…`. Asked by decisions, so it may intern.
    func keyHolder(of person: Symbol) -> Symbol
    /// Brings rows up to date that follow from others and are not kept with every event; before the
    /// state is stored.
    func settle()
    /// What the state keeps besides its tables may be stale: rows were put back as they were.
    func didUndo()
}

extension FoldedState {
    public func settle() {}

    public func didUndo() {}

    public func keyHolder(of person: Symbol) -> Symbol { person }
}
