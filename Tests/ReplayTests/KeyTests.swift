import Testing

@Suite struct `With --json` {
    @Test func `what is done with keys, and what a proof proves, is an object`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run(
            """
            set -e
            "$REPLAY" key new school.key --name school.example/journal --json
            "$REPLAY" checkpoint --key school.key > /dev/null
            "$REPLAY" prove 1 > 1.tlog-proof
            "$REPLAY" check-proof 1.tlog-proof --log-key school.key.vkey --json
            "$REPLAY" key rotate --json
            mv "$SIJILL_JOURNAL/master.key" away
            "$REPLAY" key renew --losing 2 --json
            """)
        #expect(answer.status == 0, "\(answer)")
        let lines = answer.lines
        try #require(lines.count == 4, "\(answer)")
        #expect(lines[0].hasPrefix(#"{"verifier":"school.example/journal+"#))
        #expect(lines[1].hasPrefix(#"{"holds":true,"sentence":"The event at position 1 "#))
        #expect(lines[2] == #"{"keys":2}"#)
        #expect(lines[3] == #"{"lost":2}"#)
    }

    @Test func `left out, the same is a line for people`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run("\"$REPLAY\" key rotate")
        #expect(answer.output == "2 keys wrapped anew\n", "\(answer)")
    }
}

@Suite struct `Imports at once` {
    @Test func `into one directory: one makes the journal, the others are refused`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: try Sample.examDay())
        let answer = try tool.run(
            """
            "$REPLAY" export > all.jsonl
            for n in 1 2 3 4; do
                { "$REPLAY" import all.jsonl --journal again > /dev/null; echo $? >> codes; } &
            done
            wait
            "$REPLAY" verify --journal again > /dev/null; echo "verified: $?"
            sort -n codes
            """)
        #expect(answer.lines.count == 5 && answer.lines.first == "verified: 0", "\(answer)")
        let codes = answer.lines.dropFirst()
        #expect(codes.first == "0", "\(answer)")
        // 73: it came when the journal was made.
        #expect(codes.dropFirst().allSatisfy { $0 == "75" || $0 == "73" }, "\(answer)")
    }
}
