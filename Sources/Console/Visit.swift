import Core

/// One request on its way to a page: what is asked, of whom, and in which language it is answered.
struct Visit: Sendable {
    let request: PageRequest
    let api: any ConsoleAPI
    let language: PageLanguage
    /// What happened, in English, by the types of events.
    let sentences: [String: String]
    /// What the page cannot be shown without yet.
    let waiting = Waiting()
    /// Whether the address names the language: then each link of the page does, too.
    private let namesLanguage: Bool

    init(_ request: PageRequest, _ api: any ConsoleAPI, _ sentences: [String: String]) {
        self.request = request
        self.api = api
        self.sentences = sentences
        let named = request.query["lang"].flatMap(PageLanguage.init(rawValue:))
        language = named ?? request.language
        namesLanguage = named != nil
    }

    func say(_ phrase: Phrase) -> String { phrase.in(language) }

    func say(_ english: String, _ arabic: String) -> String {
        language == .arabic ? arabic : english
    }

    // MARK: Addresses

    /// The address of a page: everything that makes it what it is.
    func url(_ path: [String], _ query: [(String, String?)] = []) -> String {
        base(of: path) + path.map { "/" + $0.percentEncodedForURL }.joined() + self.query(query)
    }

    /// What is not of one journal.
    private static let ofAll: Set<String> = ["login", "logout", "journals"]

    private func base(of path: [String]) -> String {
        guard let journal = request.journal, !Self.ofAll.contains(path.first ?? "") else {
            return "/ui"
        }
        return "/ui/journals/" + journal.percentEncodedForURL
    }

    /// A route of the API in the journal that is looked at.
    private func route(_ path: String) -> String {
        guard let journal = request.journal, path.hasPrefix("/v1/") else { return path }
        return "/v1/journals/" + journal.percentEncodedForURL + path.dropFirst("/v1".count)
    }

    /// The address of a route of the API, as the browser reaches it with the console's own cookie.
    func apiAddress(_ path: String, _ query: [(String, String?)] = []) -> String {
        let parts = query.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=\($0.percentEncodedForURL)" }
        }
        return "/ui/api" + route(path) + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    /// The query of an address, `?` included.
    func query(_ query: [(String, String?)]) -> String {
        var parts = query.compactMap { name, value in
            value.flatMap { $0.isEmpty ? nil : "\(name)=\($0.percentEncodedForURL)" }
        }
        if namesLanguage { parts.append("lang=\(language.rawValue)") }
        return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
    }

    /// This very page in the other language.
    var inOtherLanguage: String {
        var values = request.query
        values["lang"] = language == .arabic ? "en" : "ar"
        return address(values)
    }

    /// This very page.
    var inThisLanguage: String { address(request.query) }

    private func address(_ values: [String: String]) -> String {
        let query = values.sorted { $0.key.precedes($1.key) }.map {
            "\($0.key.percentEncodedForURL)=\($0.value.percentEncodedForURL)"
        }
        return base(of: request.path)
            + request.path.map { "/" + $0.percentEncodedForURL }.joined()
            + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// A form that asks by GET says the language in a field of its own.
    var languageField: Markup {
        namesLanguage
            ? element(
                "input", ["type": "hidden", "name": "lang", "value": language.rawValue]) : .none
    }

    // MARK: Asking

    /// What a route answers, as JSON.
    func get(_ path: String, _ query: [(String, String?)] = []) async throws -> JSON {
        try await page(path, query).json
    }

    /// The same; nil where the role may not see it.
    func pageIfSeen(_ path: String, _ query: [(String, String?)] = []) async throws -> (
        json: JSON, answer: APIAnswer
    )? {
        do {
            return try await page(path, query)
        } catch let problem as PageProblem where problem.status == 403 {
            return nil
        }
    }

    /// A read model's document; nil where there is none of the key.
    func model(_ model: String, _ key: String? = nil, _ query: [(String, String?)] = [])
        async throws -> JSON?
    {
        let path = ["v1", "models", model].map { "/" + $0 }.joined()
        let json = try await get(path + (key.map { "/" + $0.percentEncodedPath } ?? ""), query)
        return json.isNull ? nil : json
    }

    /// The same where the role may not see it, or it is not here: nil.
    func modelIfSeen(_ name: String, _ key: String? = nil, _ query: [(String, String?)] = []) async
        -> JSON?
    {
        do { return try await model(name, key, query) } catch { return nil }
    }

    /// The same where it is at hand: a page does not wait for it.
    func modelAtHand(_ name: String) async -> JSON? {
        let answer = await api.ask("GET", route("/v1/models/\(name)"), [], nil)
        return answer.status == 200 ? try? JSON(parsing: answer.body) : nil
    }

    func page(_ path: String, _ query: [(String, String?)] = []) async throws -> (
        json: JSON, answer: APIAnswer
    ) {
        let answer = await api.ask(
            "GET", route(path), query.compactMap { name, value in value.map { (name, $0) } }, nil)
        if answer.status == 202 { waiting.begin(answer) }
        guard answer.status == 200 else { throw PageProblem(answer) }
        guard let json = try? JSON(parsing: answer.body) else {
            throw PageProblem(502, "\(path)")
        }
        return (json, answer)
    }

    func text(_ path: String) async -> String? {
        let answer = await api.ask("GET", route(path), [], nil)
        return answer.status == 200 ? String(decoding: answer.body, as: UTF8.self) : nil
    }

    func send(
        _ method: String, _ path: String, _ body: JSON? = nil,
        _ query: [(name: String, value: String)] = []
    ) async throws -> APIAnswer {
        let answer = await api.ask(method, route(path), query, body?.canonical)
        guard (200..<300).contains(answer.status) else { throw PageProblem(answer) }
        return answer
    }

    /// What a question that is too long for an address answers.
    func ask(_ path: String, _ body: JSON) async throws -> JSON {
        let answer = await api.ask("POST", route(path), [], body.canonical)
        if answer.status == 202 { waiting.begin(answer) }
        guard answer.status == 200 else { throw PageProblem(answer) }
        return try JSON(parsing: answer.body)
    }
}

extension String {
    /// As a part of a path, or a value in a query (RFC 3986, 2.3).
    var percentEncodedForURL: String { percentEncoded(keeping: "-._~:,@") }

    /// As the rest of a path: slashes stay.
    var percentEncodedPath: String { percentEncoded(keeping: "-._~:,@/") }

    private func percentEncoded(keeping marks: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            case _ where marks.utf8.contains(byte): bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
