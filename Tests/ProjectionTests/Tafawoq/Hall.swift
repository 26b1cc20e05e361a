import Engine
import Core
import TafawoqEvents
import Foundation
import TestSupport
import Testing

/// A hall with the engine on it, in February 2026. Students are given by id; an instant is a time of the
/// first (`09:00`), a day and a time (`8 09:00:30`), or whole.
final class Hall {
    let journal: TemporaryJournal
    let engine: EventEngine
    private var number = 0

    static let service = "service:gateway"
    static let admin = "admin:A-1"

    /// - Parameter policy: members of `changes` that are adopted first.
    init(_ policy: String = "", students: [String] = ["S-1"]) throws {
        journal = try TemporaryJournal()
        engine = try journal.open()
        if !policy.isEmpty { try adopt(policy, at: "00:00") }
        for student in students { try admit(student) }
    }

    func adopt(_ changes: String, at: String) throws {
        try accept(Self.admin, "policy.adopt", at, "{\"changes\":{\(changes)}}")
    }

    // MARK: People

    static func digest(_ text: String) -> String { SHA256Digest.of("digest \(text)").hexText }

    static func password(_ word: String = "p", length: Int = 12, symbol: Bool = true) -> String {
        #"{"digest":"\#(digest(word))","length":\#(length),"upper":true,"lower":true,"digit":true,"#
            + #""symbol":\#(symbol)}"#
    }

    func register(
        _ student: String, at: String = "08:00", email: String? = nil, password: String? = nil,
        accepts: Bool = true
    ) throws -> String {
        let address = email ?? "\(student.lowercased())@example.sa"
        return try send(
            "student:\(student)", "account.register", at,
            #"{"student":"\#(student)","email":"\#(address)","password":\#(password ?? Self.password()),"#
                + #""acceptsTerms":\#(accepts),"acceptsPrivacy":true,"otpDigest":"\#(Self.digest("o"))"}"#
        )
    }

    /// Registered, verified, on the scientific track.
    func admit(_ student: String, track: String = "scientific") throws {
        #expect(try register(student) == "accepted")
        try accept(
            "student:\(student)", "account.verify", "08:00",
            #"{"student":"\#(student)","otpDigest":"\#(Self.digest("o"))"}"#)
        try accept(
            "student:\(student)", "profile.complete", "08:00",
            #"{"student":"\#(student)","track":"\#(track)"}"#)
    }

    func signIn(
        _ session: String, _ student: String = "s-1", at: String, device: String? = "D-1",
        password: String = "p"
    ) throws -> String {
        try send(
            Self.service, "session.open", at,
            #"{"session":"\#(session)","email":"\#(student)@example.sa","passwordDigest":"\#(Self.digest(password))"}"#,
            device: device)
    }

    // MARK: Payments

    func begin(_ checkout: String, at: String, student: String = "S-1") throws -> String {
        try send(
            "student:\(student)", "checkout.begin", at,
            #"{"student":"\#(student)","checkout":"\#(checkout)"}"#)
    }

    func pay(
        _ event: String, _ kind: String, at: String, _ more: String, student: String = "S-1"
    ) throws -> [String] {
        try events(
            "service:payments", "payment.report", at,
            #"{"student":"\#(student)","providerEvent":"\#(event)","kind":"\#(kind)","#
                + #""occurredAt":"\#(Self.instant(at))","signatureVerified":true,\#(more)}"#)
    }

    func makePremium(at: String, student: String = "S-1") throws {
        #expect(try begin("CO-\(student)", at: at, student: student) == "accepted")
        _ = try pay(
            "evt-\(student)", "checkout-paid", at: at, #""checkout":"CO-\#(student)""#,
            student: student)
    }

    // MARK: Exams

    func start(_ exam: String, at: String, student: String = "S-1") throws -> String {
        try send(
            "student:\(student)", "exam.start", at,
            #"{"student":"\#(student)","exam":"\#(exam)"}"#, device: "D-1")
    }

    static let catalogue: [(category: String, section: String, count: Int)] = [
        ("basic_operations", "quantitative", 7), ("geometry", "quantitative", 7),
        ("roots_exponents", "quantitative", 6), ("analogies", "verbal", 4),
        ("sentence_completion", "verbal", 4), ("contextual_error", "verbal", 4),
        ("odd_word_out", "verbal", 4), ("reading_comprehension", "verbal", 4),
    ]

    /// The right option of question n is n modulo 4.
    static func question(
        _ n: Int, _ category: String, _ section: String, seed: String, level: String = "medium",
        more: String = ""
    ) -> String {
        let passage = category == "reading_comprehension" ? #","passage":"P-1""# : ""
        return #"{"question":"q\#(n)","section":"\#(section)","category":"\#(category)","#
            + #""difficulty":"\#(level)","text":"س \#(n)","options":["أ","ب","ج","د"],"#
            + #""answer":\#(n % 4),"explanation":"شرح \#(n)","recommendedSeconds":60,"#
            + #""contentHash":"\#(digest("\(seed) \(n)"))"\#(passage)\#(more)}"#
    }

    static func questions(seed: String, drawing: String = "") -> [String] {
        var list: [String] = []
        for entry in catalogue {
            for _ in 0..<entry.count {
                list.append(
                    question(
                        list.count + 1, entry.category, entry.section, seed: seed,
                        more: entry.category == "geometry" ? drawing : ""))
            }
        }
        return list
    }

    func deliver(
        _ exam: String, at: String, attempt: Int = 1, seed: String? = nil, drawing: String = "",
        _ questions: [String]? = nil
    ) throws -> String {
        let list = questions ?? Self.questions(seed: seed ?? exam, drawing: drawing)
        return try send(
            Self.service, "exam.deliver", at,
            #"{"exam":"\#(exam)","attempt":\#(attempt),"questions":[\#(list.joined(separator: ","))],"#
                + #""passages":[{"passage":"P-1","text":"نص"}]}"#)
    }

    /// An exam that is started and delivered at once.
    func sit(_ exam: String, at: String, student: String = "S-1", drawing: String = "") throws {
        #expect(try start(exam, at: at, student: student) == "accepted")
        #expect(try deliver(exam, at: at, drawing: drawing) == "accepted")
    }

    /// Answers to the questions: right ones, and wrong ones for the numbers given.
    static func answers(
        _ numbers: some Sequence<Int>, wrong: Set<Int> = [], at: String, seconds: Int = 60
    ) -> String {
        "["
            + numbers.map { n in
                #"{"question":"q\#(n)","choice":\#((wrong.contains(n) ? n + 1 : n) % 4),"#
                    + #""answeredAt":"\#(instant(at))","seconds":\#(seconds)}"#
            }.joined(separator: ",") + "]"
    }

    func answer(
        _ exam: String, at: String, _ answers: String, student: String = "S-1",
        device: String? = "D-1"
    ) throws -> [String] {
        try events(
            "student:\(student)", "exam.answer", at, #"{"exam":"\#(exam)","answers":\#(answers)}"#,
            device: device)
    }

    func submit(
        _ exam: String, at: String, finished: String? = nil, _ answers: String = "[]",
        student: String = "S-1", device: String? = "D-1"
    ) throws -> Shown {
        try outcome(
            "student:\(student)", "exam.submit", at,
            #"{"exam":"\#(exam)","finishedAt":"\#(Self.instant(finished ?? at))","answers":\#(answers)}"#,
            device: device)
    }

    func on(_ exam: String, _ command: String, at: String) throws -> String {
        try send("student:S-1", command, at, #"{"exam":"\#(exam)"}"#)
    }

    // MARK: Practice

    func practise(
        _ practice: String, at: String, _ section: String = "verbal",
        _ categories: [String] = ["analogies"], level: String = "medium", questions: Int = 2,
        student: String = "S-1"
    ) throws -> String {
        let list = categories.map { "\"\($0)\"" }.joined(separator: ",")
        return try send(
            "student:\(student)", "practice.start", at,
            #"{"student":"\#(student)","practice":"\#(practice)","section":"\#(section)","#
                + #""categories":[\#(list)],"difficulty":"\#(level)","questions":\#(questions)}"#)
    }

    func deliverPractice(_ practice: String, at: String, _ questions: [String]) throws -> String {
        try send(
            Self.service, "practice.deliver", at,
            #"{"practice":"\#(practice)","attempt":1,"questions":[\#(questions.joined(separator: ","))]}"#
        )
    }

    /// A practice of two analogies, with so many right, done within so many seconds.
    func finishPractice(
        _ practice: String, at: String, until end: String, right: Int, student: String = "S-1"
    ) throws -> Shown {
        #expect(try practise(practice, at: at, student: student) == "accepted")
        let questions = (1...2).map {
            Self.question($0, "analogies", "verbal", seed: practice)
        }
        #expect(try deliverPractice(practice, at: at, questions) == "accepted")
        return try outcome(
            "student:\(student)", "practice.submit", end,
            #"{"practice":"\#(practice)","finishedAt":"\#(Self.instant(end))","#
                + #""answers":\#(Self.answers(1...2, wrong: Set((right + 1)..<3), at: end))}"#)
    }

    // MARK: Doing

    /// `accepted`, or the code.
    func send(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> String {
        let outcome = try outcome(by, command, at, data, device: device)
        return outcome.word("code") ?? outcome.word("status") ?? ""
    }

    func outcome(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> Shown {
        number += 1
        let name =
            command == "account.erase" || command.hasPrefix("clock.")
            ? command : "tafawoq.\(command)"
        let place = device.map { #""device":"\#($0)","# } ?? ""
        let line =
            #"{"id":"c-\#(number)","command":"\#(name)","at":"\#(Self.instant(at))",\#(place)"#
            + #""by":"\#(by)","data":\#(data)}"#
        return Shown(try engine.submit([Array(line.utf8)], clock: Scenario.clock)[0].json)
    }

    /// The types of the events that a command, and the timers before it, recorded, without `tafawoq.`.
    func events(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws -> [String] {
        try outcome(by, command, at, data, device: device).types
    }

    func accept(
        _ by: String, _ command: String, _ at: String, _ data: String, device: String? = nil
    ) throws {
        let outcome = try outcome(by, command, at, data, device: device)
        try #require(outcome.word("status") == "accepted", "\(command): \(outcome.json)")
    }

    @discardableResult
    func advance(_ at: String) throws -> [String] {
        try events("system", "clock.advance", at, "{}")
    }

    static func instant(_ at: String) -> String {
        if at.contains("T") { return at }
        let parts = at.split(separator: " ")
        let day = parts.count == 2 ? Int(parts[0]) ?? 1 : 1
        let time = String(parts.last ?? "00:00")
        return "2026-02-\(day < 10 ? "0" : "")\(day)T\(time.count == 5 ? time + ":00" : time)Z"
    }

    // MARK: Asking

    func show(
        _ model: String, _ key: String? = nil, now: String? = nil, asOf: String? = nil,
        _ arguments: [String: String] = [:]
    ) throws -> Shown {
        var request = ShowRequest()
        request.now = now.flatMap { Instant(rfc3339: Self.instant($0)) }
        request.asOf = asOf.flatMap { Moment(Self.instant($0)) }
        request.arguments = arguments
        let name =
            model.hasPrefix("timers") || model.hasPrefix("audit") ? model : "tafawoq.\(model)"
        return Shown(try JSON(parsing: engine.show(name, key: key, request).bytes))
    }
}

/// A document or an outcome, asked by paths such as `items.0.title`.
struct Shown {
    let json: JSON

    init(_ json: JSON) { self.json = json }

    func part(_ path: String) -> JSON {
        path.split(separator: ".").reduce(json) { json, part in
            if let place = Int(part) {
                let elements = json.array ?? []
                return place < elements.count ? elements[place] : .null
            }
            return json[String(part)] ?? .null
        }
    }

    func word(_ path: String) -> String? { part(path).string }
    func text(_ path: String) -> String { String(decoding: part(path).canonical, as: UTF8.self) }
    func count(_ path: String) -> Int { part(path).array?.count ?? 0 }

    /// The types of an outcome's events, without `tafawoq.`.
    var types: [String] {
        (part("events").array ?? []).map {
            ($0["type"]?.string ?? "").replacing("tafawoq.", with: "")
        }
    }

    /// The data of the first event of a type.
    func fact(_ type: String) -> Shown {
        let event = (part("events").array ?? []).first {
            $0["type"]?.string == "tafawoq.\(type)"
        }
        return Shown(event?["data"] ?? .null)
    }
}

extension [UInt8] {
    fileprivate var hexText: String { Hex.text(self) }
}
