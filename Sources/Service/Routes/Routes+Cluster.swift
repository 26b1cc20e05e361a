import Core
import HTTPTypes
import Hummingbird
import ReplicatedLog

/// What differs where the service is one node among several (docs/cluster.md).
extension Routes {
    /// Of the service as a whole.
    var clusterStatus: [Endpoint] {
        [
            Endpoint(
                method: .get, path: "/cluster",
                summary: "The nodes that have the default journal, and which one decides.",
                right: .operate, answers: [200, 403, 404, 503], run: tellCluster)
        ]
    }

    /// Answers by the node that decides, where the journal has several and something is to be decided.
    func decided(
        _ request: Request, _ endpoint: Endpoint, _ journal: HostedJournal, _ context: CallContext,
        _ here: (Request) async throws -> Response
    ) async throws -> Response {
        guard endpoint.right == .submit, let cluster = journal.cluster else {
            return try await here(request)
        }
        if context.handedOnBy != nil {
            do {
                if cluster.decides { return try await here(request) }
            } catch {
                if cluster.decides { throw error }
            }
            var problem = Forwarding.nobody
            problem.headers[.handedBack] = cluster.node.name
            throw problem
        }
        let forwarding = Forwarding(cluster: cluster)
        let type = request.headers[.contentType]?.split(separator: ";").first?.trimmed.lowercased()
        if let type, type != "application/json" {
            return try await forwarding.answerMany(request, context, here: here)
        }
        let body = try await body(of: request)
        return try await forwarding.answerOne(
            request, ByteBuffer(bytes: body), context, here: here)
    }

    @Sendable private func tellCluster(_ call: Call) async throws -> Response {
        guard let cluster = call.journal.cluster else {
            throw Problem.notFound("a cluster: this service stands alone, it")
        }
        return Response(json: cluster.document.canonical)
    }
}

extension HostedCluster {
    /// The node as it is, and the others as it has heard of them.
    var document: JSON {
        let status = status
        let members = status.members.map { Self.document(of: $0, status.log) }
        let own: [(String, JSON)] = [
            ("confirmed", .integer(Int64(status.log?.confirmed ?? 0))),
            ("decider", status.log.map { .string($0.node) } ?? .null),
            ("frames", .integer(Int64(status.frames))),
            ("lag", .integer(Int64(status.lag))),
            ("missingKeys", .integer(Int64(status.missingKeys))),
            ("node", .string(node.name)),
            ("nodes", .array(members)),
            ("role", .string(status.role.rawValue)),
            ("term", .integer(Int64(status.log?.term ?? 0))),
            ("trouble", status.trouble.map { .string($0) } ?? .null),
        ]
        return .object(of: own)
    }

    private static func document(of member: ClusterMember, _ log: LogStanding?) -> JSON {
        let behind = Int64(log?.confirmed ?? 0) - Int64(member.frames)
        let members: [(String, JSON)] = [
            ("address", .string(member.address)),
            ("behind", .integer(max(0, behind))),
            ("decides", .bool(member.name == log?.node)),
            ("erased", .integer(Int64(member.erased))),
            ("mayDecide", .bool(member.decides)),
            ("missingKeys", .integer(Int64(member.missing))),
            ("name", .string(member.name)),
            ("silentMilliseconds", .integer(Int64(member.silentMilliseconds))),
            ("stopped", .bool(member.broken > 0)),
        ]
        return .object(of: members)
    }

    /// For who looks after the machine: a line behind `ready`.
    var readiness: String {
        let status = status
        let term = status.log.map { ", term \($0.term)" } ?? ""
        switch status.role {
        case .decides where status.trouble == nil: return "decides\(term)"
        case .follows where status.trouble == nil:
            return "follows \(status.log?.node ?? "nobody")\(term), \(status.lag) behind"
        // Anybody may ask: what the trouble is stands in the log and in the status.
        default: return "read-only\(term)"
        }
    }
}
