import Core

/// Accounts, sessions and policies.
extension ExamRoomHistory {
    mutating func register(_ id: String, _ role: String, by: String) {
        var data: [(String, JSON)] = [
            ("account", .string(id)), ("role", .string(role)), ("name", .string("Person \(id)")),
            ("credential", credential("dg-\(id)")),
        ]
        if chance(40) { data.append(("email", .string("\(id)@example.org"))) }
        if chance(40) {
            let zones = ["Asia/Riyadh", "America/New_York", "UTC", "Pacific/Auckland", "No/Where"]
            data.append(("timeZone", .string(zones[below(chance(5) ? 5 : 4)])))
        }
        if role == "student", chance(5) { data.append(("temporary", .bool(true))) }
        tell("examroom.account.register", by: by, data)
        digests[id] = "dg-\(id)"
        if role == "admin" { admins.append(id) } else { students.append(id) }
    }

    mutating func session() {
        guard let person = one(of: students + admins) else { return }
        let actor = (admins.contains(person) ? "admin:" : "student:") + person
        if chance(30), let open = one(of: sessions) {
            let owner = (admins.contains(open.owner) ? "admin:" : "student:") + open.owner
            return tell(
                "examroom.session.end", by: owner, device: "D-\(open.owner)",
                [("session", .string(open.id))])
        }
        let id = "SE-\(number())"
        var data: [(String, JSON)] = [("session", .string(id)), ("account", .string(person))]
        if chance(85) {
            let digest = chance(70) ? digests[person] ?? "" : "wrong"
            data += [("method", .string("credential")), ("digest", .string(digest))]
        } else {
            data.append(("method", .string("biometric")))
        }
        if chance(40) { data.append(("ip", .string("10.0.0.\(below(9))"))) }
        tell("examroom.session.start", by: actor, device: "D-\(person)", data)
        sessions.append((id, person))
    }

    mutating func policy() {
        let all: [(String, JSON)] = [
            ("awardsWhen", .string(chance(50) ? "results" : "completion")),
            ("pointsPerPercent", .integer(Int64(1 + below(20)))),
            ("pointsRounding", .string(chance(50) ? "nearest" : "down")),
            ("warningSeconds", .array([.integer(Int64(30 + below(600)))])),
            ("closeEndsAttempts", .bool(chance(50))),
            ("instantAnswerFinal", .bool(chance(50))),
            ("milestones", .array([.integer(50), .integer(Int64(100 + below(300)))])),
            ("streakBadges", .array([.integer(2), .integer(3)])),
            ("extensionAfterStart", .string(chance(50) ? "refuse" : "next-attempt")),
            ("defaultTimeZone", .string(chance(50) ? "Asia/Riyadh" : "UTC")),
            ("defaultMaxAttempts", .integer(Int64(1 + below(4)))),
            ("discardAfterDays", .integer(Int64(below(2)))),
            ("migrationOnce", .bool(false)),
            ("auditRetentionDays", .integer(Int64(1 + below(40)))),
            ("defaultSync", .string(chance(50) ? "wifi" : "manual")),
            ("scoreBuckets", .integer(chance(80) ? 20 : 33)),
            ("noSuchPolicy", .integer(1)),
        ]
        let changes = all.filter { _ in chance(15) }
        tell(
            "examroom.policy.adopt", by: chance(50) ? "system" : admin(),
            [("changes", .object(of: changes))])
        if chance(6) {
            for holds in [true, false] {
                tell(
                    "examroom.policy.adopt", by: "system",
                    [("changes", .object(of: [("requireSession", .bool(holds))]))])
                if holds { for _ in 0..<3 { chance(50) ? session() : work() } }
            }
        }
    }

    mutating func person() {
        guard let student = one(of: students) else { return }
        let by = "student:\(student)"
        let account: (String, JSON) = ("account", .string(student))
        switch below(6) {
        case 0: register("S-\(students.count + 1)", "student", by: admin())
        case 1: register("A-\(admins.count + 1)", "admin", by: chance(80) ? admin() : by)
        case 2:
            var data: [(String, JSON)] = [account, ("name", .string("Renamed \(below(9))"))]
            if chance(50) { data.append(("email", .null)) }
            if chance(30) { data.append(("timeZone", .string("Asia/Tokyo"))) }
            tell("examroom.profile.revise", by: chance(50) ? by : admin(), data)
        case 3:
            tell(
                "examroom.preference.choose", by: by, device: device(of: student),
                [
                    account,
                    (
                        "changes",
                        .object(of: [
                            ("leaderboard", .string(chance(50) ? "hidden" : "shown")),
                            ("biometric", .bool(chance(70))),
                        ])
                    ),
                ])
        case 4:
            tell(
                "examroom.credential.replace", by: admin(),
                [account, ("credential", credential("new-\(student)"))])
            digests[student] = "new-\(student)"
        default:
            tell(
                "examroom.credential.change", by: by, device: device(of: student),
                [
                    account, ("digest", .string(digests[student] ?? "")),
                    ("credential", credential("own-\(student)")),
                ])
            digests[student] = "own-\(student)"
        }
    }

    mutating func farewell() {
        guard let person = one(of: students + admins) else { return }
        if chance(50) {
            tell(
                "examroom.account.delete", by: admin(),
                [("account", .string(person)), ("reason", .string("Left"))])
        } else {
            tell(
                "account.erase", by: chance(70) ? "system" : "student:\(person)",
                [("subject", .string("examroom/\(person)"))])
        }
    }
}
