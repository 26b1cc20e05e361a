import HTTPTypes
import Hummingbird

extension Request {
    /// All of the body; a problem where it is longer than it may be, or does not come whole: that
    /// is the client's doing, and no failure of the service.
    ///
    /// - Parameter what: what it is, for the problem.
    func wholeBody(atMost limit: Int, _ what: String) async throws -> [UInt8] {
        let tooLarge = Problem(
            .contentTooLarge, "too-large", "\(what) has at most \(limit) bytes")
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw tooLarge
        }
        var bytes: [UInt8] = []
        do {
            for try await buffer in body {
                bytes += buffer.readableBytesView
                if bytes.count > limit { throw tooLarge }
            }
        } catch let problem as Problem {
            throw problem
        } catch {
            throw Problem.badRequest("the body did not come whole, or is not HTTP")
        }
        return bytes
    }

    /// Refuses a body that is encoded (RFC 9110, 8.4): read as it came it would be something else.
    func checkCoding() throws {
        let codings = (headers[.contentEncoding] ?? "").split(separator: ",").map(\.trimmed)
        guard let coding = codings.first(where: { !$0.isEmpty && $0.lowercased() != "identity" })
        else { return }
        var problem = Problem(
            .unsupportedMediaType, "unsupported-media-type",
            "Content-Encoding: \(coding): send the body as it is, without an encoding")
        problem.headers[.acceptEncoding] = "identity"
        throw problem
    }
}
