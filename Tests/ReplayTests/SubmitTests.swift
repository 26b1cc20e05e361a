import Testing

@Suite struct `Submit` {
    @Test func `answers each line of a slow writer at once`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"""
            mkfifo in
            "$REPLAY" submit < in > out &
            exec 3> in
            answers() { for i in $(seq 200); do [ $(wc -l < out) -ge $1 ] && break; sleep 0.05; done
                        wc -l < out; }
            head -n 1 lines >&3; answers 1
            printf '{"id":' >&3; sleep 0.2; wc -l < out
            printf '"x"}\n' >&3; answers 2
            exec 3>&-
            wait $!; echo "status $?"
            """#.replacing("head -n 1 lines", with: "echo '\(Sample.tick)'"))
        #expect(answer.lines.map { $0.trimming() } == ["1", "1", "2", "status 65"], "\(answer)")
    }

    @Test func `takes CRLF, empty lines, and a last line without an end`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            "\"$REPLAY\" submit -", given: "\(Sample.register(1))\r\n\r\n\n\(Sample.register(2))")
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.lines.count == 2)
        #expect(
            answer.lines.allSatisfy { $0.contains(#""status":"accepted""#) }, "\(answer.output)")
    }

    @Test(arguments: ["\\xef\\xbb\\xbf", ""])
    func `skips a byte-order mark at the start`(mark: String) throws {
        let tool = try Tool()
        let answer = try tool.run(
            "{ printf '\(mark)'; echo '\(Sample.tick)'; echo '\(Sample.register(1))'; } | \"$REPLAY\" submit"
        )
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.lines.count == 2)
        let later = try tool.run(
            "{ echo '\(Sample.tick)'; printf '\\xef\\xbb\\xbf'; echo '\(Sample.tick)'; } | \"$REPLAY\" submit"
        )
        #expect(later.status == 65, "only there: \(later)")
    }

    @Test func `counts empty lines when it names a malformed one, and goes on`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"{ printf '\n\n\xff\xfe{}\n\nnonsense\n'; echo "$0"; } | "$REPLAY" submit"#
                .replacing("\"$0\"", with: "'\(Sample.tick)'"))
        #expect(answer.status == 65)
        #expect(answer.lines.count == 3)
        #expect(answer.lines.first?.contains("line 3") == true, "\(answer.output)")
        #expect(answer.lines.dropFirst().first?.contains("line 5") == true, "\(answer.output)")
        #expect(answer.lines.last?.contains(#""status":"accepted""#) == true, "\(answer.output)")
        #expect(isOneLine(answer.errors) && answer.errors.contains("line 3"), "\(answer.errors)")
    }

    @Test func `does not hold a line of 20 MiB, and goes on after it`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"""
            ulimit -v 4194304
            { echo; head -c 20971520 /dev/zero | tr '\0' a; echo; echo 'TICK'; } | "$REPLAY" submit
            """#.replacing("TICK", with: Sample.tick))
        #expect(answer.status == 65)
        #expect(answer.lines.count == 2)
        #expect(answer.output.contains("line 2 is longer than 16 MiB"), "\(answer)")
        #expect(answer.lines.last?.contains(#""status":"accepted""#) == true, "\(answer)")
    }

    @Test func `reports a last line that is too long and has no end`() throws {
        let tool = try Tool()
        let answer = try tool.run(#"head -c 17825792 /dev/zero | "$REPLAY" submit"#)
        #expect(answer.status == 65)
        #expect(answer.output.contains("line 1 is longer than 16 MiB"), "\(answer)")
    }

    @Test func `reads a file, many batches long, in order`() throws {
        let tool = try Tool()
        let answer = try tool.run(
            #"for i in $(seq 2500); do echo "nonsense $i"; done > f; "$REPLAY" submit f"#)
        #expect(answer.status == 65)
        #expect(answer.lines.count == 2500)
        #expect(answer.lines.last?.contains("line 2500") == true)
    }

    @Test func `records nothing in a dry run`() throws {
        let tool = try Tool()
        let answer = try tool.run("\"$REPLAY\" submit --dry-run", given: Sample.register(1))
        #expect(answer.output.contains(#""status":"accepted""#), "\(answer)")
        #expect(try tool.run("\"$REPLAY\" events").output == "")
    }

    @Test(arguments: ["", "echo;", "sleep 0.3;", "for i in $(seq 1100); do echo nonsense; done;"])
    func `decides in a dry run each line behind those before, however they come`(
        between: String
    ) throws {
        let tool = try Tool()
        let lines = "{ echo 'LINE'; \(between) echo 'LINE'; echo; echo 'ADVANCE'; }"
            .replacing("LINE", with: Sample.register(1)).replacing("ADVANCE", with: Sample.tick)
        let tried = try tool.run(lines + #" | "$REPLAY" submit --dry-run"#)
        #expect(tried.lines.filter { $0.contains(#""status":"duplicate""#) }.count == 1, "\(tried)")
        let explained = try tool.run(lines + #" | "$REPLAY" submit --dry-run --explain"#)
        #expect(explained.lines.count == tried.lines.count)
        #expect(
            explained.lines.filter { $0.contains(#""status":"duplicate""#) }.count == 1,
            "\(explained)")
        let seen = try tool.run(lines + #" | "$REPLAY" submit --dry-run --as admin:A-1"#)
        #expect(seen.lines.filter { $0.contains(#""status":"duplicate""#) }.count == 1, "\(seen)")
        #expect(try tool.run("\"$REPLAY\" events").output == "")
        #expect(try tool.run(lines + #" | "$REPLAY" submit"#).output == tried.output)
    }

    @Test(arguments: [("INT", 130), ("TERM", 143)])
    func `ends between batches on a signal, the journal whole`(
        signal: String, status: Int32
    ) throws {
        let tool = try Tool()
        let answer = try tool.run(
            // A shell without job control starts background jobs with SIGINT ignored; env undoes it.
            #"""
            mkfifo in
            env --default-signal=INT "$REPLAY" submit < in > out &
            exec 3> in
            echo 'LINE' >&3
            for i in $(seq 200); do [ $(wc -l < out) -ge 1 ] && break; sleep 0.05; done
            kill -SIGNAL $!; wait $!; s=$?
            "$REPLAY" verify > /dev/null && "$REPLAY" events
            exit $s
            """#.replacing("LINE", with: Sample.register(1)).replacing("SIGNAL", with: signal))
        #expect(answer.status == status, "\(answer)")
        #expect(answer.lines.count == 1)
        #expect(isOneLine(answer.errors), "\(answer.errors)")
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        String(drop { $0 == " " })
    }

    private func drop(_ isDropped: (Character) -> Bool) -> Substring {
        drop(while: isDropped)
    }

    @Test func `with --explain each outcome stands behind its checks, and is recorded`() throws {
        let tool = try Tool()
        let lines = Sample.register(1) + "\nno command\n" + Sample.register(1) + "\n"
        let told = try tool.run(
            """
            cat > lines; clock="--clock 2026-02-03T00:00:00Z"
            head -n 1 lines | "$REPLAY" explain - $clock > expected
            "$REPLAY" submit --explain $clock lines > told; head -n 1 told | cmp - expected
            "$REPLAY" events | wc -l; cat told
            """, given: lines)
        #expect(told.status == 0 && told.errors.contains("1 line of 3 is no command"), "\(told)")
        #expect(told.lines.count == 4 && told.lines.first == "1", "\(told)")
        for (line, (check, status)) in zip(
            told.lines.dropFirst(),
            [("size", "accepted"), ("form", "rejected"), ("id", "duplicate")])
        {
            #expect(line.hasPrefix(#"{"checks":[{"check":"#), "\(line)")
            #expect(line.contains("\"check\":\"\(check)\""), "\(line)")
            #expect(line.contains("\"status\":\"\(status)\""), "\(line)")
        }
        let shown = try tool.onTerminal(
            "echo '\(Sample.register(2))' | \"$REPLAY\" submit --explain --no-color 2>/dev/null")
        #expect(shown.output.contains("passes   form, else malformed\r\n"), "\(shown.output)")
        #expect(shown.output.contains("accepted   r-2"), "\(shown.output)")
        #expect(shown.output.contains("  examroom.account.registered  examroom/account/A-2"))
        let long = try tool.run(
            "head -c 20000000 /dev/zero | tr '\\0' 'x' | \"$REPLAY\" submit --explain")
        #expect(long.status == 65 && long.output.hasPrefix(#"{"checks":[{"check":"form","#))
        let seen = try tool.run("\"$REPLAY\" submit --explain --as system < /dev/null")
        #expect(seen.status == 64 && seen.errors.contains("leave one out"), "\(seen)")
    }
}
