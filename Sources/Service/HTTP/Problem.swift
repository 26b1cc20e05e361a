import Core
import Engine
import HTTPTypes
import Hummingbird

/// Why a request is not answered as it was asked: `application/problem+json` (RFC 9457), in the client's language.
struct Problem: Error {
    let status: HTTPResponse.Status
    /// Stable, as the contract lists them; those of the service itself are in docs/service.md.
    let code: String
    /// A sentence for people: what, where, what to do.
    let detail: String
    /// The same in Arabic, where the product says it.
    var arabicDetail: String?
    /// The outcome of a command that a rule refuses, whole.
    var outcome: Document?
    var headers = HTTPFields()

    init(_ status: HTTPResponse.Status, _ code: String, _ detail: String) {
        self.status = status
        self.code = code
        self.detail = detail
    }

    func response(from request: Request, id: String) -> Response {
        let isArabic = Language.of(request) == .arabic
        var members: [(String, JSON)] = [
            ("type", .string("/problems/\(code)")),
            ("title", .string(isArabic ? Self.arabicTitle(status) : status.reasonPhrase)),
            ("status", .integer(Int64(status.code))),
            ("detail", .string(isArabic ? arabicDetail ?? detail : detail)),
            ("code", .string(code)), ("requestId", .string(id)),
        ]
        if let outcome, let json = try? JSON(parsing: outcome.bytes) {
            members.append(("outcome", json))
        }
        var headers = headers
        headers[.contentType] = "application/problem+json"
        headers[.contentLanguage] = isArabic ? "ar" : "en"
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers, body: .json(.object(of: members)))
    }

    private static func arabicTitle(_ status: HTTPResponse.Status) -> String {
        switch status.code {
        case 307: "في مكان آخر"
        case 400: "طلب غير صالح"
        case 401: "يلزم تسجيل الدخول"
        case 403: "غير مسموح"
        case 404: "غير موجود"
        case 405: "طريقة غير مسموحة"
        case 406: "صيغة غير متاحة"
        case 409: "تعارض"
        case 412: "شرط غير متحقق"
        case 413: "المحتوى كبير جدًا"
        case 415: "نوع محتوى غير مدعوم"
        case 422: "محتوى لا يمكن معالجته"
        case 429: "طلبات كثيرة"
        case 500...: "الخدمة غير متاحة"
        default: "خطأ"
        }
    }
}

/// The languages that problems are told in.
enum Language {
    case english, arabic

    /// The one that `Accept-Language` gives the larger weight (RFC 9110, 12.5.4); English where it says nothing of either.
    static func of(_ request: Request) -> Language {
        var best = (language: Language.english, weight: 0.0)
        for item in (request.headers[.acceptLanguage] ?? "").split(separator: ",") {
            let parts = item.split(separator: ";").map { $0.trimmed }
            guard let range = parts.first?.lowercased() else { continue }
            let weight =
                parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
                ?? 1
            let language: Language? =
                range.hasPrefix("ar")
                ? .arabic : range.hasPrefix("en") || range == "*" ? .english : nil
            if let language, weight > best.weight { best = (language, weight) }
        }
        return best.language
    }
}

extension Substring {
    /// Without the white space of HTTP's fields around it.
    var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}

extension Problem {
    static func notFound(_ what: String) -> Problem {
        Problem(.notFound, "not-found", "\(what) is not here, or not yours to see")
    }

    static func forbidden(_ detail: String) -> Problem { Problem(.forbidden, "forbidden", detail) }

    static func badRequest(_ detail: String) -> Problem {
        Problem(.badRequest, "bad-request", detail)
    }

    /// Another node has the journal: the same request goes there (RFC 9110, 15.4.8).
    static func elsewhere(_ address: String) -> Problem {
        var problem = Problem(
            .temporaryRedirect, "elsewhere", "another node has the journal: \(address)")
        problem.headers[.location] = address
        return problem
    }

    /// The service cannot answer now; the same request may be answered later.
    static func unavailable(_ code: String, _ detail: String, retryAfter seconds: Int = 1)
        -> Problem
    {
        var problem = Problem(.serviceUnavailable, code, detail)
        problem.headers[.retryAfter] = "\(seconds)"
        return problem
    }

    init(_ error: EngineError) {
        self =
            switch error.kind {
            case .wrongUse where error.isOfTheMachine: .storage
            case .wrongUse: .badRequest(error.message)
            case .refused: .forbidden(error.message)
            case .busy where error.namesAFile:
                .unavailable("busy", "other programs keep the journal busy; try again later")
            case .busy: .unavailable("busy", error.message)
            case .closed: .unavailable("draining", "the service is shutting down")
            case .checkFailed, .badInput, .noJournal, .cannotCreate, .inputOutput: .storage
            }
    }

    static let storage = Problem.unavailable(
        "storage", "the journal cannot be read or written; its operator finds why in the log")

    /// A command that a rule refuses.
    init(_ outcome: Outcome) {
        let code = outcome.code ?? "rejected"
        self.init(Self.status(of: code), code, outcome.message ?? code)
        arabicDetail = outcome.messageAr
        self.outcome = outcome.document
    }

    /// The status for a code of the contract (docs/service.md, Commands).
    private static func status(of code: String) -> HTTPResponse.Status {
        switch code {
        case "malformed": .badRequest
        case "forbidden": .forbidden
        case "not-found", "unknown-command": .notFound
        case "id-reused": .unprocessableContent
        case "too-large": .contentTooLarge
        default: .conflict
        }
    }
}

extension EngineError {
    /// Which one is held is for the log.
    fileprivate var namesAFile: Bool { message.contains("/") }

    /// It names a file that no client asked for.
    var isOfTheMachine: Bool {
        if case .noSigningKey = reason { true } else { false }
    }
}

extension ResponseBody {
    static func json(_ value: JSON) -> ResponseBody { .bytes(value.canonical) }

    static func bytes(_ bytes: [UInt8]) -> ResponseBody {
        .init(byteBuffer: ByteBuffer(bytes: bytes))
    }
}
