import Engine
import Foundation
import RollCall
import Testing

@Suite struct `A product of another package` {
    @Test func `decides, folds and answers`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/rollcall-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try EventEngine.create(at: path)
        let engine = try EventEngine(at: path, options: .init(products: [.rollCall]))
        func mark(_ id: String, by actor: String = "admin:A-1") throws -> Outcome {
            let line = """
                {"id":"\(id)","at":"2026-02-01T09:00:00Z","by":"\(actor)","command":"rollcall.student.mark",\
                "data":{"lesson":"L-1","student":"S-1"}}
                """
            return try engine.submit([Array(line.utf8)])[0]
        }
        #expect(try mark("c-1").recorded.map(\.type) == ["rollcall.student.marked"])
        #expect(try mark("c-2").code == "already-present")
        #expect(try mark("c-3", by: "student:S-1").code == "forbidden")
        let shown = try engine.show("rollcall.lesson", key: "L-1").text
        #expect(shown == #"{"present":["S-1"]}"#)
        let verified = try engine.verify()
        #expect(verified.findings.isEmpty)
    }

    @Test func `has a name of its own among the products of an engine`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/rollcall-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try EventEngine.create(at: path)
        #expect(throws: EngineError.self) {
            try EventEngine(at: path, options: .init(products: [.rollCall, .rollCall]))
        }
    }
}
