import Engine
import Core
import LearnableEvents
import Projections
import LearnableProjections
import TestSupport
import Testing

/// What holds for every document of Learnable, whatever it says.
@Suite struct `The documents of Learnable` {
    @Test(arguments: LearnedLife.seeds)
    func `are the same after a rebuild and in an imported journal`(seed: UInt64) {
        LearnedLife.expect(seed) { life in
            let report = try life.journal.open().rebuild(isCheck: true)
            if report.differences != [] { return "\(report.differences)" }
            let copy = try EventEngine.imported(life.engine.exported())
            return Documents.difference(
                try Documents.all(of: life.engine), try Documents.all(of: copy.open()))
        }
    }
}
