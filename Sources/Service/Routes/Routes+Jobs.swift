import Core
import Engine
import HTTPTypes
import Hummingbird
import Logging

/// Long work that operators ask for (docs/service/operator.md, Jobs).
extension Routes {
    var jobs: [Endpoint] {
        [
            Endpoint(
                method: .post, path: "/jobs",
                summary:
                    "Have the journal verified, its read models rebuilt, or a backup written.",
                right: .operate, body: ["application/json"],
                answers: [202, 400, 403, 409, 413, 503], run: addJob),
            Endpoint(
                method: .get, path: "/jobs",
                summary: "The jobs that wait or run, and the last that ended; the newest first.",
                right: .operate, answers: [200, 403], run: listJobs),
            Endpoint(
                method: .get, path: "/jobs/{id}",
                summary: "How far a job is, and what came of it.",
                right: .operate, answers: [200, 400, 403, 404],
                media: ["application/json", "text/event-stream"], run: tellJob),
            Endpoint(
                method: .delete, path: "/jobs/{id}",
                summary: "Cancel a job: it ends at its next step.",
                right: .operate, answers: [200, 400, 403, 404, 409], run: cancelJob),
        ]
    }

    @Sendable private func addJob(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        var body = try await Self.body(call, "a job")
        let work = try work(&body, call)
        try body.end()
        let job = try call.journal.jobs.add(
            work, on: call.journal, by: call.identity.name, call.logger, metrics)
        var response = Self.json(job.json, .accepted)
        response.headers[.location] = "\(call.journal.prefix)/jobs/\(job.id)"
        return response
    }

    private func work(_ body: inout BodyObject, _ call: Call) throws -> Job.Work {
        let kinds = Job.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        switch try body.text("kind").flatMap(Job.Kind.init(rawValue:)) {
        case nil: throw Problem.badRequest("\"kind\" is one of \(kinds)")
        case .verify: return .verify
        case .rebuild: return .rebuild(try models(of: &body, call))
        case .backup:
            guard let name = try body.text("name"), HostedJournals.isName(name) else {
                throw Problem.badRequest(
                    "\"name\" is a backup's name: letters, digits, \"-\", \"_\" and \".\", 64 at most, no \".\" first"
                )
            }
            guard let backups = configuration.backups else {
                throw Problem(
                    .conflict, "no-backups", "no directory is set to write backups to: backups")
            }
            let journal = call.journal.name
            return .backup(
                name: name, directory: "\(backups)/\(journal.isEmpty ? "" : journal + "@")\(name)")
        }
    }

    /// The read models to be made again, each of which there is.
    private func models(of body: inout BodyObject, _ call: Call) throws -> [String] {
        guard let list = body.take("models"), !list.isNull else { return [] }
        let names = list.array?.compactMap(\.string) ?? []
        guard !names.isEmpty, names.count == list.array?.count else {
            throw Problem.badRequest("\"models\" is a list of names of read models")
        }
        let known = Set(try call.journal.engine.listedModels.map(\.name))
        if let name = names.first(where: { !known.contains($0) }) {
            throw Problem.badRequest("there is no read model \(name): GET /v1/models lists them")
        }
        return names
    }

    @Sendable private func listJobs(_ call: Call) async throws -> Response {
        try call.query.checkNames([])
        return Self.json(.object(of: [("jobs", .array(call.journal.jobs.all.map(\.json)))]))
    }

    private static func job(_ call: Call) throws -> Job {
        try call.query.checkNames([])
        guard let id = UInt64(call.part("id")) else {
            throw Problem.badRequest("a job's id is a whole number: \(call.part("id"))")
        }
        guard let job = call.journal.jobs.job(id) else { throw Problem.notFound("the job \(id)") }
        return job
    }

    @Sendable private func tellJob(_ call: Call) async throws -> Response {
        let job = try Self.job(call)
        guard call.accepts("text/event-stream") else { return Self.json(job.json) }
        return Self.eventStream(of: call, call.journal.ring) { stream, listener in
            try await Self.follow(job, of: call, listener, &stream)
        }
    }

    /// Tells how far a job is, ten times a second at most, until it has ended or who listens may
    /// listen no longer.
    private static func follow(
        _ first: Job, of call: Call, _ listener: EventRing.Listener, _ stream: inout EventStream
    ) async throws {
        let jobs = call.journal.jobs
        var told: UInt64 = 0
        var quiet = 0
        // One that is remembered no longer had ended.
        while !call.grant.isOver, !listener.isOver, let job = jobs.job(first.id) {
            if job.version > told {
                try await stream.send("job", id: Position(job.version), job.json.canonical)
                told = job.version
                quiet = 0
            }
            if job.state.isOver { return }
            try await Task.sleep(for: .milliseconds(100))
            quiet += 1
            if quiet % 50 == 0 { try await stream.beat() }
        }
    }

    @Sendable private func cancelJob(_ call: Call) async throws -> Response {
        let job = try Self.job(call)
        guard job.state != .done, job.state != .failed else {
            throw Problem(
                .conflict, "job-ended", "the job \(job.id) has ended: \(job.state.rawValue)")
        }
        call.logger.info(
            "a job is to end", metadata: ["job": "\(job.id)", "by": "\(call.identity.name)"])
        return Self.json((call.journal.jobs.cancel(job.id) ?? job).json)
    }
}
