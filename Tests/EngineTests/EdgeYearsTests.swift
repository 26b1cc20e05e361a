import Engine
import LearnableEvents
import TestSupport
import Testing

@Suite struct `A journal at the edges of the years that can be given` {
    /// Instants are given from 1970 to 2199; what follows from them may lie a little beyond.
    @Test(arguments: ["1970-01-01T00:00:00Z", "2199-12-31T12:00:00Z"])
    func `can be imported, with what follows from its instants`(at: String) throws {
        let school = try EngineOnDisk<Learnable>(empty: ())
        try school.join(zone: "America/New_York", at: at)
        try school.subject("SU", at: at)
        try school.complete("SU", "1.1", at: at)
        try school.pool("SU", "1.1", ["Q"], at: at)
        let lines = try school.engine.exported()
        #expect(lines.contains { $0.contains("1969-12-31") || $0.contains("2200-01-0") })
        let copy = try EventEngine.imported(lines)
        #expect(try copy.open().exported() == lines)
    }
}
