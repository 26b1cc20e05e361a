import Testing

@Suite struct `On a terminal` {
    @Test func `events are a table that fits`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        for columns in [60, 100, 160] {
            let answer = try tool.onTerminal("\"$REPLAY\" events --no-color", columns: columns)
            #expect(answer.status == 0, "\(answer)")
            #expect(answer.output.contains("position  at"), "\(answer.output)")
            for line in answer.output.split(separator: "\r\n") {
                #expect(line.count <= columns, "\(line)")
            }
        }
    }

    @Test func `an outcome is a short line, in colour unless unwanted`() throws {
        let tool = try Tool()
        let submit = "echo '\(Sample.tick)' | \"$REPLAY\" submit"
        let coloured = try tool.onTerminal(submit).output
        #expect(coloured.contains("\u{1B}[32maccepted"), "\(coloured)")
        for plain in ["\(submit) --no-color", "export NO_COLOR=1; \(submit)"] {
            let answer = try tool.onTerminal("{ \(plain); } 2>/dev/null").output
            #expect(answer.hasPrefix("duplicate  t-1"), "\(answer)")
            #expect(!answer.contains("\u{1B}"), "\(answer)")
        }
    }

    @Test func `JSON is printed when asked for`() throws {
        let tool = try Tool()
        let answer = try tool.onTerminal("\"$REPLAY\" models --json")
        #expect(answer.output.hasPrefix("{"), "\(answer.output)")
        #expect(!answer.output.contains("\u{1B}"))
    }

    @Test(arguments: ["", "--json"])
    func `nothing that was sent can move the cursor`(option: String) throws {
        let tool = try Tool()
        let line =
            #"{"id":"c-1","command":"a\u001b[31m\u009b31m\u202e","by":"system","data":{},"x\u009b":1}"#
        let answer = try tool.onTerminal(
            "echo '\(line)' | \"$REPLAY\" submit --no-color \(option) 2>/dev/null")
        #expect(answer.output.contains("rejected"), "\(answer.output)")
        for scalar in ["\u{1B}", "\u{9B}", "\u{202E}"] as [Unicode.Scalar] {
            #expect(!answer.output.unicodeScalars.contains(scalar), "\(answer.output)")
        }
    }

    @Test func `a document is laid out in names and values`() throws {
        let tool = try Tool()
        let answer = try tool.onTerminal("\"$REPLAY\" show journal.summary --no-color")
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains("events"), "\(answer.output)")
        #expect(!answer.output.contains("{"), "\(answer.output)")
    }

    @Test(arguments: [60, 80, 110])
    func `a document is shown whole, however narrow it is`(columns: Int) throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.examDay())
        for question in ["examroom.exam EX-1", "examroom.results EX-1", "examroom.attempt AT-1"] {
            let piped = try tool.run(
                "\"$REPLAY\" show \(question) | jq -r '.. | strings'"
            ).lines
            #expect(piped.count > 4, "\(question)")
            let shown = try tool.onTerminal(
                "\"$REPLAY\" show \(question) --no-color", columns: columns
            ).output
            #expect(!shown.contains("…"), "\(shown)")
            for text in piped { #expect(shown.contains(text), "\(text) in \(shown)") }
        }
    }

    @Test func `single values come first, in the order of the page`() throws {
        let tool = try Tool()
        _ = try tool.run(
            "\"$REPLAY\" submit", given: Sample.commands("Examples/tafawoq/first-exam.jsonl"))
        let answer = try tool.onTerminal("\"$REPLAY\" show tafawoq.access S-1 --no-color").output
        let names = answer.split(separator: "\r\n").map { String($0.prefix { $0 != " " }) }
        let student = names.firstIndex(of: "student")
        let tier = names.firstIndex(of: "tier")
        #expect(student == 0 && tier != nil, "\(answer)")
    }

    @Test func `an answer of null is said in words`() throws {
        let tool = try Tool()
        let answer = try tool.onTerminal("\"$REPLAY\" show examroom.account S-9 --no-color")
        #expect(answer.output.contains("nothing is known of S-9"), "\(answer.output)")
        let piped = try tool.run("\"$REPLAY\" show examroom.account S-9")
        #expect(piped.output == "null\n", "\(piped)")
    }

    @Test func `long work shows how far it is, and leaves nothing behind`() throws {
        let tool = try Tool()
        _ = try tool.run(#"for i in $(seq 3000); do echo "no $i"; done > f"#)
        let answer = try tool.onTerminal("\"$REPLAY\" submit f > /dev/null")
        #expect(answer.status == 65)
        #expect(answer.output.contains("submitting"), "\(answer.output)")
        let last = answer.output.split(separator: "\u{1B}[K").last ?? ""
        #expect(!last.contains("submitting"), "\(answer.output)")
    }
}
