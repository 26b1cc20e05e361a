import Core

/// Command lines of students who prepare for the aptitude exam for a quarter: most weeks a full exam of forty questions
/// and a practice of five, answer by answer; some send their answers later, some leave, some pay for a while.
///
/// The same number of students gives the same lines.
struct TafawoqTraffic {
    static let weeks = 12
    /// Sunday 2026-01-18, 00:00 UTC.
    private static let start: Int64 = 1_768_694_400_000
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour

    private let prefix: String
    private var chance = Chance(seed: 40)
    private var sent = 0
    private(set) var lines: [TimedLine] = []

    private static let categories: [(section: String, name: String)] = [
        ("quantitative", "basic_operations"), ("quantitative", "geometry"),
        ("quantitative", "roots_exponents"), ("verbal", "analogies"),
        ("verbal", "sentence_completion"), ("verbal", "contextual_error"),
        ("verbal", "odd_word_out"), ("verbal", "reading_comprehension"),
    ]

    init(prefix: String, students: Int) {
        self.prefix = prefix
        for number in 0..<students {
            enter(number)
            for week in 0..<Self.weeks where !chance.oneIn(4) { learn(number, week) }
        }
    }

    private mutating func add(
        _ at: Int64, _ by: String, _ command: String, device: String? = nil, _ data: String
    ) {
        sent += 1
        let device = device.map { #","device":"\#($0)""# } ?? ""
        let line =
            #"{"id":"\#(prefix)-t\#(sent)","command":"tafawoq.\#(command)","at":"\#(Instant(milliseconds: at))","by":"\#(by)"\#(device),"data":{\#(data)}}"#
        lines.append(TimedLine(at: at, line: Array(line.utf8)))
    }

    private mutating func hours(_ range: Range<Int>) -> Int64 {
        Int64(range.lowerBound * 3600 + chance.below(range.count * 3600)) * 1000
    }

    private static func digest(_ text: String) -> String { Hex.text(SHA256Digest.of(text)) }

    // MARK: A student

    private mutating func enter(_ number: Int) {
        let id = "\(prefix)-S\(number)"
        let (me, own) = ("student:\(id)", #""student":"\#(id)""#)
        let code = Self.digest("code \(number)")
        var at = Self.start - 4 * Self.day + hours(0..<90)
        add(
            at, me, "account.register",
            own
                + #","email":"\#(id)@example.sa","password":{"digest":"\#(Self.digest("word \(number)"))","length":12,"upper":true,"lower":true,"digit":true,"symbol":true},"acceptsTerms":true,"acceptsPrivacy":true,"otpDigest":"\#(code)""#
        )
        at += 100_000
        add(at, me, "account.verify", own + #","otpDigest":"\#(code)""#)
        let track = number % 3 == 0 ? "literary" : "scientific"
        add(at + 20_000, me, "profile.complete", own + #","track":"\#(track)""#)
        add(at + 30_000, me, "onboarding.finish", own)
        add(
            at + 40_000, me, "device.enrol", device: device(number),
            own + #","pushToken":"token-\#(number)""#)
        if number % 5 == 0 { pay(number, at + hours(1..<20)) }
    }

    private func device(_ number: Int) -> String { "\(prefix)-P\(number)" }

    /// A trial, one paid month, a cancellation.
    private mutating func pay(_ number: Int, _ at: Int64) {
        let id = "\(prefix)-S\(number)"
        let (me, own) = ("student:\(id)", #""student":"\#(id)""#)
        let checkout = #""checkout":"\#(prefix)-C\#(number)""#
        add(at, me, "checkout.begin", "\(own),\(checkout)")
        add(at + 60_000, me, "checkout.confirm", "\(own),\(checkout)")
        func report(_ at: Int64, _ kind: String, _ more: String) {
            add(
                at, "service:payments", "payment.report",
                own
                    + #","providerEvent":"\#(prefix)-V\#(number)-\#(kind)","kind":"\#(kind)","occurredAt":"\#(Instant(milliseconds: at - 3000))","signatureVerified":true,\#(more)"#
            )
        }
        let paid = at + 65_000
        report(paid, "checkout-paid", checkout)
        let period = paid + 7 * Self.day
        report(
            period + 9000, "renewal-paid",
            #""period":"\#(Instant(milliseconds: period))","attempt":1"#)
        add(paid + 20 * Self.day, me, "subscription.cancel", own)
    }

    // MARK: A week

    private mutating func learn(_ number: Int, _ week: Int) {
        let begin = Self.start + Int64(week) * 7 * Self.day
        sit(number, week, begin + hours(2..<80))
        if !chance.oneIn(3) { practise(number, week, begin + hours(90..<160)) }
    }

    private mutating func sit(_ number: Int, _ week: Int, _ begin: Int64) {
        let id = "\(prefix)-S\(number)"
        let exam = #""exam":"\#(prefix)-X\#(number)-\#(week)""#
        let me = "student:\(id)"
        add(begin, me, "exam.start", device: device(number), #""student":"\#(id)",\#(exam)"#)
        let delivered = begin + 4000 + Int64(chance.below(12_000))
        // Twenty of each section, in the order of the catalogue.
        let questions = (0..<40).map { place in
            question(
                place, Self.categories[place < 20 ? place % 3 : 3 + place % 5], "medium",
                "\(number) \(week) \(place)")
        }
        add(
            delivered, "service:generator", "exam.deliver",
            exam
                + #","attempt":1,"questions":[\#(questions.joined(separator: ","))],"passages":[{"passage":"P-1","text":"نص للقراءة في الأسبوع \#(week)"}]"#
        )
        if chance.oneIn(25) {
            add(delivered + 300_000, me, "exam.leave", exam)
            return
        }
        let finished = answer(40, "exam", exam, number, delivered, secondsEach: 70)
        add(
            finished, me, "exam.submit", device: device(number),
            exam + #","finishedAt":"\#(Instant(milliseconds: finished))""#)
    }

    private mutating func practise(_ number: Int, _ week: Int, _ begin: Int64) {
        let id = "\(prefix)-S\(number)"
        let practice = #""practice":"\#(prefix)-R\#(number)-\#(week)""#
        let category = Self.categories[chance.below(7)]
        let level = ["easy", "medium", "hard"][chance.below(3)]
        let me = "student:\(id)"
        add(
            begin, me, "practice.start", device: device(number),
            #""student":"\#(id)",\#(practice),"section":"\#(category.section)","categories":["\#(category.name)"],"difficulty":"\#(level)","questions":5"#
        )
        let delivered = begin + 2000 + Int64(chance.below(6000))
        let questions = (0..<5).map { question($0, category, level, "p \(number) \(week) \($0)") }
        add(
            delivered, "service:generator", "practice.deliver",
            practice + #","attempt":1,"questions":[\#(questions.joined(separator: ","))]"#)
        let finished = answer(5, "practice", practice, number, delivered, secondsEach: 60)
        add(
            finished, me, "practice.submit", device: device(number),
            practice + #","finishedAt":"\#(Instant(milliseconds: finished))""#)
    }

    /// One answer after the other, or ten at once from a phone that was away; gives when all is done.
    private mutating func answer(
        _ count: Int, _ kind: String, _ named: String, _ number: Int, _ begin: Int64,
        secondsEach: Int
    ) -> Int64 {
        let atOnce = chance.oneIn(8) ? 10 : 1
        var now = begin
        var waiting: [String] = []
        for place in 0..<count where !chance.oneIn(30) {
            let seconds = 5 + chance.below(secondsEach)
            now += Int64(seconds) * 1000
            let choice = chance.oneIn(3) ? chance.below(4) : place % 4
            waiting.append(
                #"{"question":"q\#(place)","choice":\#(choice),"answeredAt":"\#(Instant(milliseconds: now))","seconds":\#(seconds)}"#
            )
            guard waiting.count == atOnce || place == count - 1 else { continue }
            add(
                now + 500, "student:\(prefix)-S\(number)", "\(kind).answer", device: device(number),
                named
                    + #","answers":[\#(waiting.joined(separator: ","))],"offline":\#(atOnce > 1)"#)
            waiting = []
        }
        return now + 5000
    }

    private func question(
        _ place: Int, _ category: (section: String, name: String), _ level: String, _ seed: String
    ) -> String {
        var more = ""
        if category.name == "reading_comprehension" { more = #","passage":"P-1""# }
        if category.name == "geometry", place % 6 == 1 {
            more = #","image":{"status":"ready","ref":"img-\#(place)","alt":"مثلث قائم"}"#
        }
        return
            #"{"question":"q\#(place)","section":"\#(category.section)","category":"\#(category.name)","difficulty":"\#(level)","text":"ما ناتج السؤال \#(place)؟","options":["الأول","الثاني","الثالث","الرابع"],"answer":\#(place % 4),"explanation":"لأن الناتج يتبع من المعطيات \#(place)","recommendedSeconds":60,"contentHash":"\#(Self.digest(seed))"\#(more)}"#
    }
}
