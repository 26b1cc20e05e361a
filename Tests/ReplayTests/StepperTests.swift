import Core
import Engine
import Products
import TestSupport
import Testing

@testable import replay

/// `replay step` without a terminal: keys in, screens out.
@Suite struct `A stepper` {
    private static let plain = Palette(isColoured: false)
    private static let usual = Stepper.Size(width: 110, height: 30)

    /// An exam day, and a stepper of one of its documents.
    private struct Room {
        let journal: TemporaryJournal
        let engine: EventEngine
        var stepper: Stepper

        init(
            _ question: DocumentQuestion = DocumentQuestion("examroom.exam", key: "EX-1"),
            size: Stepper.Size = usual, palette: Palette = plain
        ) throws {
            journal = try TemporaryJournal()
            engine = try journal.open()
            _ = try Scenario(file: "Examples/examroom/01-exam-day.jsonl").run(on: engine)
            stepper = try Stepper(
                engine.steps(question), at: 0, title: "\(question.model) \(question.key ?? "")",
                size: size, palette: palette)
        }

        mutating func type(_ text: String) throws {
            for character in text { try stepper.press(.character(character)) }
        }

        /// The positions that the steps go through.
        var positions: [UInt64] { stepper.steps.places.map(\.position.number) }
    }

    @Test func `goes forward, back, and to both ends, and no further`() throws {
        var room = try Room()
        let last = room.positions.count - 1
        #expect(last > 4)
        let keys: [(PressedKey, Int)] = [
            (.character("n"), 1), (.character(" "), 2), (.right, 3), (.character("p"), 2),
            (.character("b"), 1), (.left, 0), (.character("p"), 0), (.character("G"), last),
            (.character("n"), last), (.character("g"), 0), (.end, last), (.home, 0),
            (.character("x"), 0), (.escape, 0), (.enter, 0),
        ]
        for (key, index) in keys {
            try room.stepper.press(key)
            #expect(room.stepper.index == index, "\(key)")
            #expect(
                room.stepper.step.cause.event.position == room.stepper.steps.places[index].position)
        }
    }

    @Test func `says that it stands at an end`() throws {
        var room = try Room()
        try room.type("p")
        #expect(room.stepper.screen.last?.contains("this is the first event") == true)
        try room.type("Gn")
        #expect(room.stepper.screen.last?.contains("this is the last event") == true)
        try room.type("p")
        #expect(room.stepper.screen.last?.contains("n next") == true)
    }

    @Test func `goes to a position, or to the next one that changed the document`() throws {
        var room = try Room()
        let positions = room.positions
        try #require(positions == [5, 6, 7, 8, 9, 10, 21])
        for (typed, index, message) in [
            ("8", 3, nil), ("/21", 6, nil), ("1", 0, "1 did not change it"),
            ("/11", 6, "11 did not change it"),
            ("99", 6, "nothing changed it from 99 on"),
            ("/2026-02-02T08:04:10Z", 4, nil), ("/2030-01-01T00:00:00Z", 6, "nothing changed it"),
        ] as [(String, Int, String?)] {
            try room.type("g" + typed)
            let entry = typed.drop { $0 == "/" }
            #expect(room.stepper.screen.last?.hasPrefix("position or instant: \(entry)█") == true)
            try room.stepper.press(.enter)
            #expect(room.stepper.index == index, "\(typed)")
            #expect(room.stepper.message?.hasPrefix(message ?? "") ?? (message == nil), "\(typed)")
        }
    }

    @Test func `lets what is typed be mended, given up, and be wrong`() throws {
        var room = try Room()
        try room.type("/9x")
        try room.stepper.press(.backspace)
        #expect(room.stepper.entry == "9")
        try room.stepper.press(.enter)
        #expect(room.stepper.index == 4)
        try room.type("/8")
        try room.stepper.press(.escape)
        #expect(room.stepper.entry == nil && room.stepper.index == 4)
        try room.type("/")
        try room.stepper.press(.backspace)
        #expect(room.stepper.entry == nil)
        for wrong in ["/soon", "/-1", "1.5", "/99999999999999999999999"] {
            try room.type(wrong)
            try room.stepper.press(.enter)
            #expect(room.stepper.index == 4, "\(wrong)")
            #expect(
                room.stepper.screen.last?.contains("neither a position nor an instant") == true)
        }
        try room.type("/" + String(repeating: "1", count: 500))
        #expect(room.stepper.entry?.count == 40)
        try room.stepper.press(.character("\u{4}"))
        #expect(room.stepper.isDone)
    }

    @Test func `ends with q`() throws {
        var room = try Room()
        try room.type("q")
        #expect(room.stepper.isDone)
    }

    @Test func `shows the document as show lays it out, with the changed lines marked`() throws {
        var room = try Room(size: Stepper.Size(width: 160, height: 100))
        for _ in room.positions {
            let step = room.stepper.step
            var request = ShowRequest()
            request.asOf = .position(step.cause.event.position)
            request.now = room.stepper.steps.now
            request.notesOrder = true
            let shown = try room.engine.show("examroom.exam", key: "EX-1", request)
            #expect(shown == step.new)
            // What the list of events and the marks leave of the width.
            var layout = Layout(palette: Self.plain, width: 160 - 60 - 3 - 2)
            layout.order = shown.memberOrder
            let expected = layout.lines(shown.value)
            let rows = room.stepper.screen.compactMap { $0.split(separator: "│ ").last }.map {
                String($0).trimmingSuffix()
            }
            let all = rows.joined(separator: "\n")
            for line in expected where !line.isEmpty {
                #expect(all.contains(line.trimmingSuffix()), "\(line) in \(all)")
            }
            try room.type("n")
        }
        try room.type("g/10")
        try room.stepper.press(.enter)
        let marked = room.stepper.screen.filter { $0.contains("▌") }
        #expect(marked.count == 1 && marked[0].contains("state") && marked[0].contains("published"))
        #expect(room.stepper.screen.contains { $0.contains(#"$.state: "draft" → "published""#) })
    }

    @Test func `shows what changed alone, whole, and the document again`() throws {
        var room = try Room()
        try room.type("nd")
        let text = room.stepper.screen.map { $0.trimmingSuffix() }.joined()
        #expect(!text.contains("▌") && !text.contains("│"))
        for change in room.stepper.step.cause.changes {
            let line = Changes.line(change, Self.plain)
            #expect(text.replacing(" ", with: "").contains(line.replacing(" ", with: "")))
        }
        try room.type("d")
        #expect(room.stepper.screen.contains { $0.contains("▌") })
    }

    @Test func `has the first change in sight, and scrolls to what is not`() throws {
        var room = try Room(size: Stepper.Size(width: 110, height: 12))
        try room.type("8")
        try room.stepper.press(.enter)
        for _ in 0..<room.positions.count {
            #expect(room.stepper.screen.contains { $0.contains("▌") })
            try room.type("n")
        }
        try room.type("G")
        let whole = room.stepper.pane.lines.count
        let height = room.stepper.pane.height
        try #require(whole > 2 * height)
        for _ in 0..<100 { try room.stepper.press(.up) }
        #expect(room.stepper.pane.top == 0)
        try room.stepper.press(.pageDown)
        #expect(room.stepper.pane.top == height - 1)
        for _ in 0..<100 { try room.stepper.press(.down) }
        #expect(room.stepper.pane.top == whole - height)
        #expect(room.stepper.screen.last?.contains("to \(whole) of \(whole)") == true)
        try room.stepper.press(.pageUp)
        #expect(room.stepper.pane.top == whole - 2 * height + 1)
        // Another step begins at its own first change.
        try room.type("p")
        #expect(room.stepper.scroll == nil)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `fills every screen and no more, whatever is pressed`(seed: UInt64) throws {
        let keys: [PressedKey] =
            "npnpnpbgGd/158 jk?-:T".map { .character($0) }
            + [.up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .enter, .backspace]
            + [.enter, .escape, .escape, .escape]
        var random = SplitMix64(seed: seed)
        func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
        for (model, key) in [
            ("examroom.exam", "EX-1"), ("examroom.leaderboard", "points"),
            ("examroom.attempt", "AT-1"),
        ] {
            var room = try Room(DocumentQuestion(model, key: key))
            var visited: Set<Int> = []
            for _ in 0..<250 {
                if below(8) == 0 {
                    room.stepper.size = Stepper.Size(width: 1 + below(140), height: 1 + below(40))
                }
                try room.stepper.press(keys[below(keys.count)])
                let size = room.stepper.size
                let screen = room.stepper.screen
                #expect(screen.count == size.height, "\(size)")
                for line in screen {
                    #expect(Printable.columns(of: line) == size.width, "\(size): \(line)")
                }
                visited.insert(room.stepper.index)
            }
            #expect(visited.count >= min(4, room.positions.count), "\(model)")
        }
    }

    @Test func `paints what it marks, and nothing else that moves a cursor`() throws {
        var room = try Room(palette: Palette(isColoured: true))
        try room.type("n")
        let screen = room.stepper.screen.joined()
        #expect(screen.contains("\u{1B}[32m▌"))
        let rest = screen.replacing(/\u{1B}\[[0-9]*m/, with: "")
        #expect(!rest.unicodeScalars.contains { $0.value < 0x20 })
    }
}

extension String {
    fileprivate func trimmingSuffix() -> String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
