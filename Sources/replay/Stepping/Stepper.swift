internal import Engine

/// Somebody goes through the events that changed a document: where they are, and what a key makes of that.
///
/// It knows no terminal: keys go in, a screen of some size comes out.
struct Stepper {
    /// Columns and rows.
    struct Size: Hashable {
        var width: Int
        var height: Int
    }

    /// The model and the key.
    let title: String
    let palette: Palette
    var size: Size
    private(set) var steps: DocumentSteps
    /// Which of the steps is shown.
    private(set) var index: Int
    private(set) var step: DocumentStep
    /// Only what changed is shown, instead of the document.
    private(set) var showsChangesAlone = false
    /// The first row of the document that is shown; nil for one from which the first change is in sight.
    private(set) var scroll: Int?
    /// What is typed of a position or an instant, while that is asked for.
    private(set) var entry: String?
    /// What is to be said of the last key.
    private(set) var message: String?
    private(set) var isDone = false

    /// Begins at one of the steps, of which there is one at least.
    init(
        _ steps: DocumentSteps, at index: Int, title: String, size: Size, palette: Palette
    ) throws(EngineError) {
        self.steps = steps
        self.index = index
        self.title = Printable.line(title)
        self.size = size
        self.palette = palette
        step = try self.steps.step(at: index)
    }

    mutating func press(_ key: PressedKey) throws(EngineError) {
        message = nil
        if let entry {
            try type(key, behind: entry)
            return
        }
        switch key {
        case .character("n"), .character(" "), .right: try next()
        case .character("p"), .character("b"), .left: try previous()
        case .character("g"), .home: try go(to: 0)
        case .character("G"), .end: try go(to: steps.places.count - 1)
        case .character("/"): entry = ""
        case .character(let digit) where digit.isASCII && digit.isNumber: entry = String(digit)
        case .character("d"):
            showsChangesAlone.toggle()
            scroll = nil
        case .down, .character("j"): scroll(by: 1)
        case .up, .character("k"): scroll(by: -1)
        case .pageDown: scroll(by: max(1, pane.height - 1))
        case .pageUp: scroll(by: -max(1, pane.height - 1))
        case .character("q"), .character(Self.endOfInput): isDone = true
        default: break
        }
    }

    /// Ctrl-D.
    private static let endOfInput: Character = "\u{4}"
    /// An instant with a fraction and an offset is shorter.
    private static let longestEntry = 40

    // MARK: Going

    private mutating func go(to place: Int) throws(EngineError) {
        guard place != index else { return }
        step = try steps.step(at: place)
        index = place
        scroll = nil
    }

    private mutating func next() throws(EngineError) {
        guard index + 1 < steps.places.count else {
            message =
                steps.mayGoOn
                ? "no more were looked for; name a later position when you call"
                : "this is the last event that changed it"
            return
        }
        try go(to: index + 1)
    }

    private mutating func previous() throws(EngineError) {
        guard index > 0 else {
            message = "this is the first event that changed it"
            return
        }
        try go(to: index - 1)
    }

    private mutating func go(to moment: Moment, _ text: String) throws(EngineError) {
        let found = steps.index(of: moment)
        guard found < steps.places.count else {
            try go(to: steps.places.count - 1)
            message = "nothing changed it from \(text) on; this is the last that did"
            return
        }
        try go(to: found)
        if case .position(let position) = moment, steps.places[found].position != position {
            message = "\(text) did not change it; this is the next that did"
        }
    }

    private mutating func scroll(by rows: Int) {
        let pane = pane
        scroll = max(0, min(pane.top + rows, pane.lines.count - pane.height))
    }

    // MARK: Typing a position

    private mutating func type(_ key: PressedKey, behind text: String) throws(EngineError) {
        switch key {
        case .enter:
            entry = nil
            if text.isEmpty { return }
            guard let moment = Moment(text) else {
                message = "\"\(text)\" is neither a position nor an instant with an offset"
                return
            }
            try go(to: moment, text)
        case .backspace: entry = text.isEmpty ? nil : String(text.dropLast())
        case .character(Self.endOfInput): isDone = true
        case .character(let character)
        where character.isASCII && !character.isWhitespace && character >= "!":
            if text.count < Self.longestEntry { entry = text + String(character) }
        case .escape: entry = nil
        default: break
        }
    }
}
