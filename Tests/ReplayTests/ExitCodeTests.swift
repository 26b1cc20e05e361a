import Testing

@Suite struct `The exit code` {
    @Test(arguments: [
        "frobnicate", "events --limt 3", "show", "show journal.summary --arg nonsense",
        "show journal.summary --arg a=1 --arg a=2", "event zero", "event 1 2",
        "events --limit -1", "events --follow --reverse", "export --csv --json",
        "stats --journal ''", "show no.such.model",
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
            "\"$REPLAY\" submit", given: #"{"id":"c","command":"no.such","by":"system","data":{}}"#)
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains(#""code":"unknown-command""#))
    }
}

/// One line, in the form of every complaint.
func isOneLine(_ errors: String) -> Bool {
    errors.hasPrefix("replay: ") && errors.hasSuffix("\n")
        && errors.split(separator: "\n").count == 1
}
