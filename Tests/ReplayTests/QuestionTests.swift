import Testing

@Suite struct `Questions on the command line` {
    /// Two journals beside each other, the second without the last commands.
    private static func journals() throws -> Tool {
        let tool = try Tool()
        let lines = try Sample.examDay()
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: lines)
        _ = try tool.run("\"$REPLAY\" init --simulated --journal other")
        let some = lines.split(separator: "\n").prefix(20).joined(separator: "\n") + "\n"
        _ = try tool.run("\"$REPLAY\" submit --journal other > /dev/null", given: some)
        return tool
    }

    @Test func `two journals are compared document by document`() throws {
        let tool = try Self.journals()
        let one = try tool.run("\"$REPLAY\" diff examroom.exam EX-1 --against other")
        let document = try tool.run(
            "\"$REPLAY\" diff examroom.exam EX-1 --against \"$SIJILL_JOURNAL\"")
        #expect(document.status == 0 && document.output == "[]\n", "\(document)")
        #expect(one.status == 1 && one.output.contains(#""op":"test""#), "\(one)")
        let all = try tool.run("\"$REPLAY\" diff --all --against other")
        #expect(all.status == 1)
        #expect(all.lines.first?.hasPrefix(#"{"models":[{"differing""#) == true, "\(all)")
        let same = try tool.run(
            "cp -r \"$SIJILL_JOURNAL\" same; \"$REPLAY\" diff --all --against same")
        #expect(same.status == 0 && same.lines.count == 1, "\(same)")
    }

    @Test func `a condition is counted on both sides`() throws {
        let tool = try Self.journals()
        let answer = try tool.run(
            """
            "$REPLAY" what-if examroom.result --count '$.passed == true' \
            --change 'examroom.attempt.started@exam:EX-1={"passPercent":80}'
            """)
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains(#""holding":{"new":0,"old":1}"#), "\(answer.output)")
    }

    @Test(arguments: [
        ("whyy examroom.exam EX-1", "did you mean why?"),
        ("what-iff", "did you mean what-if?"),
        ("diff examroom.exam EX-1 1 99999", "position 99999 is not reached yet"),
        ("diff --all 1 99999", "position 99999 is not reached yet"),
        ("why examroom.exam EX-1 --as-of 99999", "position 99999 is not reached yet"),
        ("what-if", "say what came otherwise"),
        ("what-if --change 12", "is not of the form position={…} or type={…}"),
        ("what-if --policy 'examroom={\"a\":1}' --count '$.a'", "of the models that are named"),
        ("what-if --both --policy 'examroom={}'", "--both is about --commands and --until"),
    ])
    func `wrong use is answered in a line`(command: String, says: String) throws {
        let tool = try Self.journals()
        let answer = try tool.run("\"$REPLAY\" \(command)")
        #expect(answer.status == 64, "\(answer)")
        #expect(answer.output.isEmpty)
        #expect(answer.errors.contains(says), "\(answer.errors)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }
}
