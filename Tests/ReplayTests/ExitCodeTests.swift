import Testing

@Suite struct `The exit code` {
    @Test(arguments: [
        "frobnicate", "events --limt 3", "show", "show journal.summary --arg nonsense",
        "show journal.summary --arg a=1 --arg a=2", "event zero", "event 1 2",
        "events --limit -1", "events --follow --reverse", "export --csv --json",
        "stats --journal ''", "show no.such.model", "verify --threshold 5",
        "check-proof nowhere --threshold 1",
    ])
    func `is 64 for wrong use, with one line that says where help is`(words: String) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" \(words)")
        #expect(answer.status == 64, "\(answer)")
        #expect(answer.output == "")
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test(arguments: [
        "submit", "events", "event 1", "show journal.summary", "models", "rebuild", "verify",
        "stats", "export",
    ])
    func `is 66 where no journal is`(words: String) throws {
        let tool = try Tool()
        let answer = try tool.run(
            "\"$REPLAY\" \(words) --journal nowhere; s=$?; ls nowhere; exit $s")
        #expect(answer.status == 66, "\(answer)")
        #expect(answer.output == "", "nothing was made either")
        #expect(answer.errors.hasPrefix("replay: "))
    }

    @Test func `is 73 for a journal that is there already, which stays as it was`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let again = try tool.run("\"$REPLAY\" init")
        #expect(again.status == 73)
        #expect(isOneLine(again.errors), "\(again.errors)")
        let events = try tool.run("\"$REPLAY\" events")
        #expect(events.lines.count == 1)
    }

    @Test func `is 73 where nothing can be created`() throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" init --journal /dev/null/journal")
        #expect(answer.status == 73, "\(answer)")
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test func `is 64 for a position that no event has`() throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" event 7")
        #expect(answer.status == 64)
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test(arguments: ["/nowhere/at/all", "."])
    func `is 74 for a file that cannot be read`(file: String) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" submit \(file)")
        #expect(answer.status == 74)
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test(arguments: [
        "import nowhere --journal other", "rebuild --against nowhere", "diff --exported nowhere",
        "what-if --commands nowhere", "check-proof nowhere", "verify --checkpoint nowhere",
        "verify --log-key nowhere", "verify --witness nowhere", "checkpoint --key nowhere",
        "cosign nowhere --key nowhere", "cosign . --key k --proof nowhere",
        "restore backup --erasures nowhere --journal other",
    ])
    func `is 74 for a file that is not there, whatever it was to be`(words: String) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" \(words); s=$?; ls other; exit $s")
        #expect(answer.status == 74, "\(answer)")
        let complaint = answer.errors.split(separator: "\n").first ?? ""
        #expect(complaint.hasPrefix("replay: ") && complaint.contains("nowhere"), "\(answer)")
        #expect(answer.output == "", "nothing was made either")
    }

    @Test func `is 66 for a backup that is not there`() throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" restore nowhere --journal other")
        #expect(answer.status == 66, "\(answer)")
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test(arguments: ["> /dev/full", ">&-"])
    func `is 74 when results cannot be written`(redirection: String) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" models \(redirection)")
        #expect(answer.status == 74)
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test func `is 0 for a rejection by a rule`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            "\"$REPLAY\" submit",
            given:
                #"{"id":"c","command":"clock.advance","at":"2026-02-02T07:00:00Z","by":"student:S-1","data":{}}"#
        )
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains(#""code":"forbidden""#))
    }

    @Test func `is 65 for a command that there is not, and names the nearest`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            "\"$REPLAY\" submit",
            given: #"{"id":"c","command":"examroom.exam.craete","by":"system","data":{}}"#)
        #expect(answer.status == 65, "\(answer)")
        #expect(answer.output.contains(#""code":"unknown-command""#))
        #expect(answer.output.contains("did you mean examroom.exam.create?"), "\(answer.output)")
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }

    @Test(arguments: [
        ("show examroom.acount S-1", "did you mean examroom.account?"),
        ("show examroom.students --arg pag=2", "did you mean page?"),
        ("show examroom.students --as-of -1", "--as-of: \"-1\" is neither a position"),
        ("show learnable.shop --arg sort=size", "expected one of"),
        ("show audit.log --arg by=foo", "by: expected student:ID"),
        ("show audit.log --arg product=nope", "product: expected one of account, examroom"),
        ("show timers.pending --arg product=nope", "product: expected one of account, examroom"),
        ("show audit.log --arg page=1000000001", "from 1 to 1000000000, or all"),
        ("show examroom.students --as studnet:S-1", "is no actor"),
        ("commands examroom.exam.craete", "did you mean examroom.exam.create?"),
    ])
    func `is 64 for a name that there is not, with the one that was probably meant`(
        words: String, said: String
    ) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" \(words)")
        #expect(answer.status == 64, "\(answer)")
        #expect(isOneLine(answer.errors) && answer.errors.contains(said), "\(answer.errors)")
    }

    @Test(arguments: [
        "show examroom.account A-1 --as student:S-9",
        "show examroom.account A-404 --as student:S-9",
        "show audit.log --as student:S-9", "event 1 --as student:S-9", "event 404 --as student:S-9",
        "why examroom.account A-1 --as student:S-9", "why examroom.account A-404 --as student:S-9",
        "bisect examroom.account A-1 '$.name' --as student:S-9",
        "bisect examroom.account '$.name' --any-key --as student:S-9",
        "diff examroom.account A-1 0 1 --as student:S-9",
        "diff --all examroom.account 0 1 --as student:S-9",
        "diff examroom.account A-1 --against \"$SIJILL_JOURNAL\" --as student:S-9",
        "what-if examroom.account --without 1 --as student:S-9",
    ])
    func `is 77 for what an actor may not see, whether or not it is there`(words: String) throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run("\"$REPLAY\" \(words)")
        #expect(answer.status == 77, "\(answer)")
        #expect(answer.output == "")
        #expect(isOneLine(answer.errors), "\(answer.errors)")
        #expect(answer.errors.contains("student:S-9 may not see"))
    }
}

/// One line, in the form of every complaint.
func isOneLine(_ errors: String) -> Bool {
    errors.hasPrefix("replay: ") && errors.hasSuffix("\n")
        && errors.split(separator: "\n").count == 1
}
