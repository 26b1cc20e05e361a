import Testing

@Suite struct `A pipe` {
    /// The end of a pipe that closes it and says so, and what waits at its other end until then.
    private static let deaf = "{ exec <&-; touch deaf; }"
    private static let untilDeaf = "until [ -e deaf ]; do sleep 0.01; done"

    @Test(arguments: ["events", "models", "export", "stats", "show journal.summary"])
    func `that is closed ends a reader quietly`(words: String) throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run(
            "(\(Self.untilDeaf); exec \"$REPLAY\" \(words)) | \(Self.deaf); exit ${PIPESTATUS[0]}")
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.errors == "")
    }

    @Test func `that is closed stops submitting`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"""
            trap '' PIPE
            mkfifo in
            (UNTIL_DEAF; exec "$REPLAY" submit < in) | DEAF &
            exec 3> in
            echo 'FIRST' >&3; wait
            echo 'SECOND' >&3 2>/dev/null
            exec 3>&-
            "$REPLAY" events
            """#.replacing("UNTIL_DEAF", with: Self.untilDeaf).replacing("DEAF", with: Self.deaf)
                .replacing("FIRST", with: Sample.register(1))
                .replacing("SECOND", with: Sample.register(2)))
        #expect(answer.lines.count == 1, "the second line is not submitted: \(answer)")
        #expect(answer.errors.contains("closed after line 1"), "\(answer.errors)")
    }

    @Test func `gives exit code 74 to a submit that nobody hears`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            "(\(Self.untilDeaf); exec \"$REPLAY\" submit) | \(Self.deaf); exit ${PIPESTATUS[0]}",
            given: Sample.tick)
        #expect(answer.status == 74, "\(answer)")
    }

    @Test func `follows what another process appends, and ends when its reader leaves`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"""
            ( "$REPLAY" events --follow; echo "status $?" >&2 ) | head -n 2 &
            sleep 0.3
            echo 'FIRST' | "$REPLAY" submit > /dev/null
            echo 'SECOND' | "$REPLAY" submit > /dev/null
            wait
            """#.replacing("FIRST", with: Sample.register(1))
                .replacing("SECOND", with: Sample.register(2)))
        #expect(answer.lines.count == 2, "\(answer)")
        #expect(answer.errors == "status 0\n")
    }

    @Test func `carries JSON, one document a line`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        for words in ["events", "event 1", "models", "stats", "verify", "show journal.summary"] {
            let answer = try tool.run("\"$REPLAY\" \(words)")
            #expect(answer.status == 0, "\(words): \(answer)")
            #expect(
                answer.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") }, "\(words)")
        }
    }

    @Test func `takes a journal to a copy`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run(
            #"""
            "$REPLAY" export | "$REPLAY" import --journal copy > /dev/null || exit
            cmp <("$REPLAY" export) <("$REPLAY" export --journal copy)
            """#)
        #expect(answer.status == 0, "\(answer)")
    }

    @Test func `that is interrupted while it is imported leaves no half a journal`() throws {
        let tool = try Tool()
        _ = try tool.run("\"$REPLAY\" submit", given: Sample.register(1))
        let answer = try tool.run(
            #"""
            mkfifo in
            "$REPLAY" export > exported
            "$REPLAY" import --journal copy < in &
            exec 3> in
            cat exported >&3; sleep 0.5
            kill -TERM $!; wait $!; echo "status $?"
            exec 3>&-
            "$REPLAY" import --journal copy exported
            """#)
        #expect(answer.lines.first == "status 143", "\(answer)")
        #expect(answer.status == 0, "a second import finds nothing in its way: \(answer)")
    }
}
