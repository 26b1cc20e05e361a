import Testing

/// One program writes, alone with its journal, so that its commits wait in the log for a moment.
@Suite(.serialized) struct `Commits of a program that is alone` {
    /// `tell N` tells the writer a command and waits for its answer.
    private static let begin = #"""
        coproc WRITER { "$REPLAY" submit 2>errors; }
        tell() {
          echo '{"id":"c-'$1'","command":"examroom.exam.create","at":"2026-02-01T08:00:00Z","by":"admin:A-1","data":{"exam":"e-'$1'","title":"T","durationMinutes":30}}' >&${WRITER[1]}
          read -r answer <&${WRITER[0]} && [[ $answer == *'"accepted"'* ]] || echo "not accepted: $answer"
        }
        echo '{"id":"admin","command":"examroom.account.register","at":"2026-02-01T08:00:00Z","by":"system","data":{"account":"A-1","role":"admin","name":"A","credential":{"scheme":"bcrypt","salt":"c2FsdA","digest":"x"}}}' >&${WRITER[1]}
        read -r answer <&${WRITER[0]}
        for n in $(seq 1 30); do tell $n; done

        """#

    @Test func `are there for a reader though the program stands still`() throws {
        let tool = try Tool()
        let result = try tool.run(
            Self.begin + #"""
                kill -STOP $WRITER_PID
                "$REPLAY" export | grep -c '^{"accepted"'
                "$REPLAY" verify > /dev/null || echo not whole
                kill -CONT $WRITER_PID
                tell 31
                "$REPLAY" export | grep -c '^{"accepted"'
                """#)
        #expect(result.lines == ["31", "32"], "\(result.errors)")
    }

    @Test func `are there once it was killed`() throws {
        let tool = try Tool()
        let result = try tool.run(
            Self.begin + #"""
                kill -KILL $WRITER_PID
                "$REPLAY" export | grep -c '^{"accepted"'
                "$REPLAY" verify > /dev/null || echo not whole
                """#)
        #expect(result.lines == ["31"], "\(result.errors)")
    }

    @Test func `are behind what another program writes, or it is told to come again`() throws {
        let tool = try Tool()
        let result = try tool.run(
            Self.begin + #"""
                line='{"id":"other","command":"examroom.exam.create","at":"2026-02-01T08:00:00Z","by":"admin:A-1","data":{"exam":"other","title":"T","durationMinutes":30}}'
                kill -STOP $WRITER_PID
                echo "$line" | "$REPLAY" submit > given 2> refused
                echo $?
                kill -CONT $WRITER_PID
                echo "$line" | "$REPLAY" submit | grep -o '"position":[0-9]*'
                tell 31
                "$REPLAY" export | grep -c '^{"accepted"'
                """#)
        // Behind the administrator and thirty exams.
        #expect(result.lines.dropFirst() == [#""position":32"#, "33"], "\(result.output)")
        #expect(["0", "75"].contains(result.lines.first))
    }
}
