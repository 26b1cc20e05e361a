import Engine
import Foundation
import Testing

@Test func `the examples run`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    for name in ["01-exam-day", "02-the-timer", "03-who-may-start", "04-extra-time", "05-shuffle-and-instant-feedback", "08-accounts-and-sessions", "09-analytics-and-grades"] {
        let text = try String(contentsOf: root.appending(path: "Examples/examroom/\(name).jsonl"), encoding: .utf8)
        let dir = NSTemporaryDirectory() + UUID().uuidString
        try Engine.create(at: dir)
        let engine = try Engine(at: dir)
        for line in text.split(separator: "\n") {
            guard let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], let command = json["do"] else { continue }
            let data = try JSONSerialization.data(withJSONObject: command, options: [.withoutEscapingSlashes])
            let outcome = try engine.submit([Array(data)])[0]
            let expect = json["expect"] as? [String: Any] ?? [:]
            let got = try JSONSerialization.jsonObject(with: Data(outcome.document.bytes)) as? [String: Any] ?? [:]
            if expect["status"] as? String != got["status"] as? String || expect["code"] as? String != got["code"] as? String {
                print(name, line, "GOT", outcome.document.text)
            }
            let a = (expect["events"] as? [[String: Any]])?.map { $0["type"] as? String ?? "" }
            let b = (got["events"] as? [[String: Any]])?.map { $0["type"] as? String ?? "" }
            if let a, a != b { print(name, line, "GOT", outcome.document.text) }
        }
        print(name, try engine.verify().document.text)
    }
}
