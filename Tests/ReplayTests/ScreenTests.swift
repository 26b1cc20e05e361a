import Core
import TestSupport
import Testing

@testable import replay

@Suite struct `Keys of a terminal` {
    @Test(arguments: [
        ("n", [PressedKey.character("n")]), ("\u{1B}[C", [.right]), ("\u{1B}OD", [.left]),
        ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]), ("é한", [.character("é"), .character("한")]),
        ("\r\n\u{7F}\u{8}", [.enter, .enter, .backspace, .backspace]),
        ("\u{1B}[1;5Cq", [.character("q")]), ("\u{1B}x", [.escape, .character("x")]),
    ])
    func `are the same in whatever pieces they come`(text: String, expected: [PressedKey]) {
        let bytes = Array(text.utf8)
        var whole = KeyReader()
        #expect(whole.keys(in: bytes) == expected)
        #expect(!whole.isWaiting)
        var pieces = KeyReader()
        #expect(bytes.flatMap { pieces.keys(in: [$0]) } == expected)
    }

    @Test func `of an escape alone wait for what may follow`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0x1B]) == [] && reader.isWaiting)
        #expect(reader.rest() == [.escape] && !reader.isWaiting)
    }

    @Test func `that are no text are left out`() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<500 {
            var reader = KeyReader()
            let bytes = (0..<random.next() % 12).map { _ in
                UInt8(truncatingIfNeeded: random.next())
            }
            let keys = reader.keys(in: bytes) + reader.rest() + reader.keys(in: [0x71])
            #expect(keys.last == .character("q") && keys.count <= bytes.count + 1, "\(bytes)")
        }
    }
}

@Suite struct `Lines of a screen` {
    private static let coloured = Palette(isColoured: true)

    @Test func `keep their tones when they are read, wrapped and painted again`() {
        let painted =
            "a " + Self.coloured.paint("bold words", .heading) + " and "
            + Self.coloured.paint("red ones 漢字", .bad)
        let line = ScreenLine(painted: painted)
        #expect(line.text == "a bold words and red ones 漢字")
        #expect(line.painted(Self.coloured) == painted)
        for width in 1...40 {
            let wrapped = line.wrapped(to: width)
            #expect(wrapped.map(\.text).joined() == line.text)
            // A wide sign does not fit into one column.
            #expect(wrapped.allSatisfy { $0.width <= max(2, width) })
            #expect(line.fitted(to: width).width == width)
        }
        #expect(line.wrapped(to: 8).map(\.text).first == "a bold ")
    }

    @Test func `are marked where they are others, whatever space stands between words`() {
        func changed(_ old: [String], _ new: [String]) -> [Bool] {
            LineMarks.changed(from: old, to: new)
        }
        #expect(changed(["a  1", "b 2"], ["a 1", "b   2"]) == [false, false])
        #expect(changed(["a", "b", "c"], ["a", "x", "b", "c"]) == [false, true, false, false])
        #expect(changed(["a", "b", "c"], ["a", "c"]) == [false, false])
        #expect(changed([], ["a"]) == [true])
        #expect(changed(["a"], []) == [])
        let long = (0..<3000).map { "line \($0)" }
        let marked = changed(long, long.map { $0 == "line 7" ? "other" : $0 }.reversed())
        #expect(marked.filter { $0 }.count == 1)
    }
}
