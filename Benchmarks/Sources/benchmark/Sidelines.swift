/// What else happens in an exam room while people sit: sessions, extra time and requests for it,
/// blocks, drafts of exams with their images, results and grades, devices, exports.
///
/// Each kind is a short story whose lines are told one at a time, with the stories of others between.
struct Sidelines {
    /// One command of a story: who asks what, and the data, a `~` standing for the traffic's prefix.
    typealias Step = (command: String, by: String, data: String)

    private var open: [ArraySlice<Step>] = []
    private var told = 0

    /// The next step of some open story, or of a new one.
    mutating func next(
        student: Int, exam: Int, lastAttempt: Int?, _ random: (Int) -> Int
    ) -> Step {
        if open.count < 12 {
            told += 1
            open.append(
                Self.story(
                    told, student: student, exam: exam, lastAttempt: lastAttempt, random)[...])
        }
        let index = random(open.count)
        let step = open[index].removeFirst()
        if open[index].isEmpty { open.remove(at: index) }
        return step
    }

    private static func story(
        _ number: Int, student: Int, exam: Int, lastAttempt: Int?, _ random: (Int) -> Int
    ) -> [Step] {
        let admin = "admin:~A"
        let by = "student:~S\(student)"
        let seat = #""exam":"~E\#(exam)","student":"~S\#(student)""#
        let account = #""account":"~S\#(student)""#
        switch random(40) {
        case 0..<14:
            let session = #""session":"~N\#(number)""#
            return [
                (
                    "session.start", by,
                    session + "," + account
                        + #","method":"credential","digest":"made-by-the-caller-\#(student)","ip":"192.0.2.\#(random(250))""#
                ),
                ("session.end", by, session),
            ]
        case 14..<17:
            return [
                ("extension.grant", admin, seat + #","kind":"percent","value":25"#),
                ("extension.modify", admin, seat + #","kind":"percent","value":50"#),
                ("extension.revoke", admin, seat),
            ]
        case 17..<20:
            let request = #""request":"~R\#(number)""#
            let asked =
                request + "," + seat
                + #","kind":"minutes","value":30,"justification":"A letter of the doctor, \#(number)""#
            let isGranted = random(2) == 0
            return [
                ("accommodation.request", by, asked),
                isGranted
                    ? ("accommodation.approve", admin, request)
                    : (
                        "accommodation.deny", admin,
                        request + #","reason":"The letter is of last year""#
                    ),
            ]
        case 20..<22:
            return [
                ("student.block", admin, seat + #","reason":"Used another name""#),
                ("student.unblock", admin, seat),
            ]
        case 22..<25:
            return [
                (
                    "preference.choose", by,
                    account
                        + #","changes":{"theme":"\#(["dark", "light"][random(2)])","notifications":\#(random(2) == 0)}"#
                )
            ]
        case 25: return guest("~G\(number)", number, admin)
        case 26:
            // The digest stays, so that whoever signs in next is let in.
            let credential =
                #"{"scheme":"argon2id","salt":"c2FsdA","digest":"made-by-the-caller-\#(student)"}"#
            return [
                (
                    "profile.revise", admin, account + #","name":"Student \#(student), \#(number)""#
                ),
                (
                    "credential.change", by,
                    account
                        + #","digest":"made-by-the-caller-\#(student)","credential":\#(credential)"#
                ),
            ]
        case 27..<33:
            // Few devices: what each has not seen yet is a document of the whole room's size.
            let device = #""device":"~D\#(number % 8)""#
            let network = #","network":"\#(["cellular", "offline", "wifi"][number / 8 % 3])""#
            let used =
                #","capacityBytes":64000000,"usedBytes":{"answers":\#(random(900_000)),"cache":7000,"database":300000,"exports":0,"images":\#(random(40_000_000))}"#
            return [
                ("connection.observe", by, device + network),
                ("storage.measure", by, device + used),
            ]
        case 33..<37: return draft("~F\(number)", number, admin, random)
        case 37:
            let its = #""exam":"~E\#(exam)""#
            return [("results.publish", admin, its), ("results.withhold", admin, its)]
        case 38:
            guard let lastAttempt else { fallthrough }
            return [
                (
                    "grade.modify", admin,
                    #""attempt":"~T\#(lastAttempt)","score":\#(random(20)),"reason":"Question \#(random(20)) had two right answers""#
                )
            ]
        default:
            // Not theirs to ask: refused, and the refusal is on record.
            return [("exam.archive", by, #""exam":"~E\#(exam)""#)]
        }
    }

    /// Somebody who was here once, got the password wrong, and left for good.
    private static func guest(_ account: String, _ number: Int, _ admin: String) -> [Step] {
        let theirs = #""account":"\#(account)""#
        let session = #""session":"~N\#(number)","method":"credential","ip":"192.0.2.9","#
        return [
            (
                "account.register", admin,
                theirs
                    + #","role":"student","name":"Guest \#(number)","credential":{"scheme":"argon2id","salt":"c2FsdA","digest":"made-by-the-caller"}"#
            ),
            ("session.start", "student:\(account)", session + theirs + #","digest":"wrong""#),
            ("account.delete", admin, theirs + #","reason":"Here for one day""#),
        ]
    }

    /// An exam in the making: written, changed, illustrated, copied, put away.
    private static func draft(
        _ exam: String, _ number: Int, _ admin: String, _ random: (Int) -> Int
    ) -> [Step] {
        let its = #""exam":"\#(exam)""#
        let digits = String(number, radix: 16)
        let hash = "b0b0b0b0" + String(repeating: "0", count: 56 - digits.count) + digits
        func question(_ index: Int) -> String {
            its + #","question":"\#(exam)-Q\#(index)""#
        }
        let options =
            #","options":[{"option":"a","text":"Yes","correct":true},{"option":"b","text":"No","correct":false}]"#
        var steps: [Step] = [("exam.create", admin, its + #","title":"Draft \#(number)""#)]
        for index in 0..<3 {
            steps.append(
                (
                    "question.add", admin,
                    question(index) + #","prompt":"Does statement \#(index) hold?""# + options
                ))
        }
        steps += [
            (
                "question.revise", admin,
                question(0) + #","changes":{"prompt":"Does statement 0 hold, today?"}"#
            ),
            (
                "image.attach", admin,
                question(1)
                    + #","hash":"\#(hash)","format":"png","bytes":\#(2048 + random(90_000))"#
            ),
            ("exam.revise", admin, its + #","changes":{"durationMinutes":45}"#),
            ("question.remove", admin, question(2)),
        ]
        if random(2) == 0 { steps.append(("image.detach", admin, question(1))) }
        if random(3) == 0 {
            steps += [
                ("exam.duplicate", admin, its + #","copy":"\#(exam)-B""#),
                ("exam.delete", admin, its),
            ]
        } else {
            // What is archived was exported before.
            let export = #""export":"\#(exam)-X","scope":"exam","format":"json","#
            steps += [
                ("exam.publish", admin, its), ("exam.withdraw", admin, its),
                ("export.make", admin, export + its),
                ("exam.archive", admin, its), ("exam.unarchive", admin, its),
            ]
        }
        return steps
    }
}
