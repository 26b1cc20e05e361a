import Core
import Testing

@testable import Folding

@Suite struct `What a command changes` {
    private enum Anything: Thing {
        static let noun = "thing"
        static let isTagged = false
    }

    private struct Row: Record {
        var numbers: [Int] = []

        mutating func fields<C: Coder>(_ coder: inout C) { coder.field("numbers", &numbers) }
    }

    @Test func `is kept once for each row, and undone to what was there`() {
        let names = Names()
        let space = TableSpace()
        let table = Table<Identifier<Anything>, Row>("rows", in: space)
        let key = Identifier<Anything>(names.intern("a"))
        let other = Identifier<Anything>(names.intern("b"))
        func kept() -> Int { table.store.value.undo.count }
        table.update(key) { $0.numbers = [1] }
        space.keepsChanges = true
        for number in 2...5 { table.update(key) { $0.numbers.append(number) } }
        table.update(other) { $0.numbers = [7] }
        table.remove(key)
        table.update(key) { $0.numbers = [9] }
        #expect(kept() == 2)
        space.undoChanges()
        #expect(kept() == 0)
        #expect(table[key]?.numbers == [1])
        #expect(table[other] == nil)
        table.update(key) { $0.numbers.append(6) }
        space.withoutUndo { table.update(key) { $0.numbers.append(7) } }
        space.keepChanges()
        table.update(key) { $0.numbers.append(8) }
        #expect(kept() == 1)
        space.undoChanges()
        #expect(table[key]?.numbers == [1, 6, 7])
    }
}
