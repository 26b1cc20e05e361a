import Testing

@Suite struct `A report` {
    @Test func `is written whole to a file, and replaces nothing unasked`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run(
            #"""
            "$REPLAY" report --output r.html || exit 1
            "$REPLAY" report | cmp - r.html || exit 2
            "$REPLAY" report --output r.html 2>&1; echo "status $?"
            echo old > r.html; "$REPLAY" report --output r.html --force || exit 3
            "$REPLAY" report | cmp - r.html || exit 4
            ln -s r.html link; "$REPLAY" report --output link --force 2>&1; echo "status $?"
            "$REPLAY" report --output nowhere/r.html 2>&1; echo "status $?"
            ls
            """#)
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.errors == "", "\(answer)")
        #expect(answer.output.contains("r.html is there already; name another file"), "\(answer)")
        #expect(answer.output.contains("link is a symbolic link"), "\(answer)")
        #expect(answer.output.split(separator: "\n").filter { $0 == "status 73" }.count == 3)
        #expect(!answer.output.contains(".part"), "\(answer)")
    }

    @Test func `is no text for a terminal`() throws {
        let tool = try Tool()
        let answer = try tool.onTerminal("\"$REPLAY\" report; echo \"status $?\"")
        #expect(answer.output.contains("name a file with --output"), "\(answer)")
        #expect(answer.output.contains("status 64"), "\(answer)")
        #expect(!answer.output.contains("<html"))
    }

    @Test(arguments: ["--from yesterday", "--to 5", "--json", "--force", "--output ''"])
    func `refuses what makes no sense with one line`(words: String) throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" report \(words) > out")
        #expect(answer.status == 64, "\(answer)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer)")
    }
}

@Suite struct `The audit view for a spreadsheet` {
    @Test func `holds no formula, and programs read it back`() throws {
        let tool = try Tool()
        let line = Sample.register(1).replacing("\"r-1\"", with: #""=HYPERLINK(\"x\";A1)""#)
        _ = try tool.run("\"$REPLAY\" submit", given: line)
        let answer = try tool.run("\"$REPLAY\" export --csv")
        #expect(answer.output.hasPrefix("position,at,recordedAt,by,command,"), "\(answer)")
        #expect(answer.output.contains(#","'=HYPERLINK(""x"";A1)","#), "\(answer)")
        #expect(answer.output.hasSuffix("\r\n"))
    }
}
