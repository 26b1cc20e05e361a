package import Core
import Cryptography
package import TafawoqEvents
import TafawoqCommands

/// A hall for Tafawoq's rules, with students.
package typealias Hall = RulesInMemory<Tafawoq>

/// A hall in February 2026. Students are given by id.
extension ProductUnderTest where Product == Tafawoq {
    package static var service: String { "service:gateway" }
    package static var admin: String { "admin:A-1" }

    /// - Parameter policy: members of `changes` that are adopted first.
    package init(_ policy: String = "", students: [String] = ["S-1"]) throws {
        try self.init(empty: ())
        if !policy.isEmpty { try adopt(policy, at: "00:00") }
        for student in students { try admit(student) }
    }

    package func adopt(_ changes: String, at: String) throws {
        try accept(Self.admin, "policy.adopt", at, "{\"changes\":{\(changes)}}")
    }

    // MARK: People

    package static func digest(_ text: String) -> String {
        SHA256Digest.of("digest \(text)").hexText
    }

    package static func password(_ word: String = "p", length: Int = 12, symbol: Bool = true)
        -> String
    {
        #"{"digest":"\#(digest(word))","length":\#(length),"upper":true,"lower":true,"digit":true,"#
            + #""symbol":\#(symbol)}"#
    }

    package func register(
        _ student: String, at: String = "08:00", email: String? = nil, password: String? = nil,
        accepts: Bool = true
    ) throws -> String {
        let address = email ?? "\(student.lowercased())@example.sa"
        return try tell(
            "student:\(student)", "account.register", at,
            #"{"student":"\#(student)","email":"\#(address)","password":\#(password ?? Self.password()),"#
                + #""acceptsTerms":\#(accepts),"acceptsPrivacy":true,"otpDigest":"\#(Self.digest("o"))"}"#
        )
    }

    /// Registered, verified, on the scientific track.
    package func admit(_ student: String, track: String = "scientific") throws {
        try mustAccept(register(student))
        try accept(
            "student:\(student)", "account.verify", "08:00",
            #"{"student":"\#(student)","otpDigest":"\#(Self.digest("o"))"}"#)
        try accept(
            "student:\(student)", "profile.complete", "08:00",
            #"{"student":"\#(student)","track":"\#(track)"}"#)
    }

    package func signIn(
        _ session: String, _ student: String = "s-1", at: String, device: String? = "D-1",
        password: String = "p"
    ) throws -> String {
        try tell(
            Self.service, "session.open", at,
            #"{"session":"\#(session)","email":"\#(student)@example.sa","passwordDigest":"\#(Self.digest(password))"}"#,
            device: device)
    }

    // MARK: Payments

    package func begin(_ checkout: String, at: String, student: String = "S-1") throws -> String {
        try tell(
            "student:\(student)", "checkout.begin", at,
            #"{"student":"\#(student)","checkout":"\#(checkout)"}"#)
    }

    package func pay(
        _ event: String, _ kind: String, at: String, _ more: String, student: String = "S-1"
    ) throws -> [String] {
        try events(
            "service:payments", "payment.report", at,
            #"{"student":"\#(student)","providerEvent":"\#(event)","kind":"\#(kind)","#
                + #""occurredAt":"\#(Self.instant(at))","signatureVerified":true,\#(more)}"#)
    }

    package func makePremium(at: String, student: String = "S-1") throws {
        try mustAccept(begin("CO-\(student)", at: at, student: student))
        _ = try pay(
            "evt-\(student)", "checkout-paid", at: at, #""checkout":"CO-\#(student)""#,
            student: student)
    }

    // MARK: Exams

    package func start(_ exam: String, at: String, student: String = "S-1") throws -> String {
        try tell(
            "student:\(student)", "exam.start", at,
            #"{"student":"\#(student)","exam":"\#(exam)"}"#, device: "D-1")
    }

    package static var catalogue: [(category: String, section: String, count: Int)] {
        [
            ("basic_operations", "quantitative", 7), ("geometry", "quantitative", 7),
            ("roots_exponents", "quantitative", 6), ("analogies", "verbal", 4),
            ("sentence_completion", "verbal", 4), ("contextual_error", "verbal", 4),
            ("odd_word_out", "verbal", 4), ("reading_comprehension", "verbal", 4),
        ]
    }

    /// The right option of question n is n modulo 4.
    package static func question(
        _ n: Int, _ category: String, _ section: String, seed: String, level: String = "medium",
        more: String = ""
    ) -> String {
        let passage = category == "reading_comprehension" ? #","passage":"P-1""# : ""
        return #"{"question":"q\#(n)","section":"\#(section)","category":"\#(category)","#
            + #""difficulty":"\#(level)","text":"س \#(n)","options":["أ","ب","ج","د"],"#
            + #""answer":\#(n % 4),"explanation":"شرح \#(n)","recommendedSeconds":60,"#
            + #""contentHash":"\#(digest("\(seed) \(n)"))"\#(passage)\#(more)}"#
    }

    package static func questions(seed: String, drawing: String = "") -> [String] {
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

    package func deliver(
        _ exam: String, at: String, attempt: Int = 1, seed: String? = nil, drawing: String = "",
        _ questions: [String]? = nil
    ) throws -> String {
        let list = questions ?? Self.questions(seed: seed ?? exam, drawing: drawing)
        return try tell(
            Self.service, "exam.deliver", at,
            #"{"exam":"\#(exam)","attempt":\#(attempt),"questions":[\#(list.joined(separator: ","))],"#
                + #""passages":[{"passage":"P-1","text":"نص"}]}"#)
    }

    /// An exam that is started and delivered at once.
    package func sit(_ exam: String, at: String, student: String = "S-1", drawing: String = "")
        throws
    {
        try mustAccept(start(exam, at: at, student: student))
        try mustAccept(deliver(exam, at: at, drawing: drawing))
    }

    /// Answers to the questions: right ones, and wrong ones for the numbers given.
    package static func answers(
        _ numbers: some Sequence<Int>, wrong: Set<Int> = [], at: String, seconds: Int = 60
    ) -> String {
        "["
            + numbers.map { n in
                #"{"question":"q\#(n)","choice":\#((wrong.contains(n) ? n + 1 : n) % 4),"#
                    + #""answeredAt":"\#(instant(at))","seconds":\#(seconds)}"#
            }.joined(separator: ",") + "]"
    }

    package func answer(
        _ exam: String, at: String, _ answers: String, student: String = "S-1",
        device: String? = "D-1"
    ) throws -> [String] {
        try events(
            "student:\(student)", "exam.answer", at, #"{"exam":"\#(exam)","answers":\#(answers)}"#,
            device: device)
    }

    package func submit(
        _ exam: String, at: String, finished: String? = nil, _ answers: String = "[]",
        student: String = "S-1", device: String? = "D-1"
    ) throws -> JSON {
        try outcome(
            "student:\(student)", "exam.submit", at,
            #"{"exam":"\#(exam)","finishedAt":"\#(Self.instant(finished ?? at))","answers":\#(answers)}"#,
            device: device)
    }

    package func on(_ exam: String, _ command: String, at: String) throws -> String {
        try tell("student:S-1", command, at, #"{"exam":"\#(exam)"}"#)
    }

    // MARK: Practice

    package func practise(
        _ practice: String, at: String, _ section: String = "verbal",
        _ categories: [String] = ["analogies"], level: String = "medium", questions: Int = 2,
        student: String = "S-1"
    ) throws -> String {
        let list = categories.map { "\"\($0)\"" }.joined(separator: ",")
        return try tell(
            "student:\(student)", "practice.start", at,
            #"{"student":"\#(student)","practice":"\#(practice)","section":"\#(section)","#
                + #""categories":[\#(list)],"difficulty":"\#(level)","questions":\#(questions)}"#)
    }

    package func deliverPractice(_ practice: String, at: String, _ questions: [String]) throws
        -> String
    {
        try tell(
            Self.service, "practice.deliver", at,
            #"{"practice":"\#(practice)","attempt":1,"questions":[\#(questions.joined(separator: ","))]}"#
        )
    }

    /// A practice of two analogies, with so many right, done within so many seconds.
    package func finishPractice(
        _ practice: String, at: String, until end: String, right: Int, student: String = "S-1"
    ) throws -> JSON {
        try mustAccept(practise(practice, at: at, student: student))
        let questions = (1...2).map {
            Self.question($0, "analogies", "verbal", seed: practice)
        }
        try mustAccept(deliverPractice(practice, at: at, questions))
        return try outcome(
            "student:\(student)", "practice.submit", end,
            #"{"practice":"\#(practice)","finishedAt":"\#(Self.instant(end))","#
                + #""answers":\#(Self.answers(1...2, wrong: Set((right + 1)..<3), at: end))}"#)
    }
}

extension [UInt8] {
    fileprivate var hexText: String { Hex.text(self) }
}
