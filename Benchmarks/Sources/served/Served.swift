import Engine
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Products
import Synchronization

/// What the service is measured beside: a route of Hummingbird alone, and the engine in process.
@main
struct Served {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("bare", 3):
            let body = try Data(contentsOf: URL(filePath: arguments[2]))
            try await serve(ByteBuffer(bytes: body), port: Int(arguments[3]) ?? 0)
        case ("submit", 4):
            try await submit(
                arguments[2], tasks: Int(arguments[3]) ?? 1, seconds: Double(arguments[4]) ?? 1)
        default:
            print("usage: served bare FILE PORT | served submit JOURNAL TASKS SECONDS")
            exit(64)
        }
    }

    private static func serve(_ body: ByteBuffer, port: Int) async throws {
        let router = Router()
        router.get("/") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: body))
        }
        var application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        application.logger.logLevel = .error
        try await application.runService()
    }

    /// The commands that the load from outside sends, by as many tasks, each waiting for its answer.
    private static func submit(_ journal: String, tasks: Int, seconds: Double) async throws {
        let engine = try EventEngine(at: journal)
        let end = ContinuousClock.now + .seconds(seconds)
        let done = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        let id = "\(task)-\(count)"
                        let line =
                            #"{"id":"in-\#(id)","command":"examroom.account.register","at":"2026-02-02T08:00:00Z","by":"system","data":{"account":"IN-\#(id)","role":"student","name":"Student \#(id)","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}}"#
                        _ = try await engine.submit(line)
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        print(Int(Double(done) / seconds))
        await engine.close()
    }
}
