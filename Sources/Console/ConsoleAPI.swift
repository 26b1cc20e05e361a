import Core

/// The service's own API, as whoever looks may use it: the console sees nothing but what it answers, so it has no rights of
/// its own (ADR 0060).
package protocol ConsoleAPI: Sendable {
    /// Asks a route of the API.
    func ask(
        _ method: String, _ path: String, _ query: [(name: String, value: String)], _ body: [UInt8]?
    ) async -> APIAnswer
}

/// What the API answered.
package struct APIAnswer: Sendable {
    package var status: Int
    package var body: [UInt8]
    /// The journal position that it was answered at.
    package var position: UInt64?
    /// Whether there is more behind a page.
    package var hasMore: Bool

    package init(status: Int, body: [UInt8], position: UInt64? = nil, hasMore: Bool = false) {
        self.status = status
        self.body = body
        self.position = position
        self.hasMore = hasMore
    }
}

/// A request for a page.
package struct PageRequest: Sendable {
    package var isPost = false
    /// The name of the journal; nil for the default one.
    package var journal: String?
    /// The words of the path behind `/ui` and the journal, percent-decoded.
    package var path: [String] = []
    package var query: [String: String] = [:]
    /// What a form sent.
    package var form: [String: String] = [:]
    /// The one that the browser asks for.
    package var language = PageLanguage.english
    /// What every form must send back.
    package var formToken = ""
    /// Who has signed in; nil where nobody has, or need not.
    package var signedInAs: String?
    /// Whether one can sign in by an issuer of tokens.
    package var hasIssuer = false
    /// How the journal's head went on lately: positions, the oldest first.
    package var recentHeads: [UInt64] = []

    package init() {}
}

/// A page, or where to go instead.
package struct PageAnswer: Sendable {
    package var status = 200
    package var contentType = "text/html; charset=utf-8"
    package var body: [UInt8] = []
    /// Where to go instead of it.
    package var location: String?
    /// Whether it never changes under its address.
    package var isImmutable = false
    /// The name of a file that is to be kept.
    package var fileName: String?
    /// How far what the page waits for is, as `DONE/TOTAL`.
    package var progress: String?

    package static func redirect(to location: String) -> PageAnswer {
        var answer = PageAnswer()
        answer.status = 303
        answer.location = location
        return answer
    }
}

/// Why a page is not shown: what the API said.
struct PageProblem: Error {
    var status: Int
    var detail: String

    init(_ status: Int, _ detail: String) {
        self.status = status
        self.detail = detail
    }

    init(_ answer: APIAnswer) {
        let json = try? JSON(parsing: answer.body)
        status = answer.status
        detail = json?["detail"]?.string ?? "\(answer.status)"
    }
}
