import Core
import Foundation
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

    @Test func `what another build said is compared key by key`() throws {
        let tool = try Self.journals()
        let export = try tool.run(
            "\"$REPLAY\" export --documents examroom.exam examroom.result > answers")
        #expect(export.status == 0 && export.errors.isEmpty, "\(export)")
        let same = try tool.run("\"$REPLAY\" diff --exported answers")
        #expect(same.status == 0 && same.lines.count == 1, "\(same)")
        // What another build would have said otherwise, and of a key that this one does not know.
        let other = try tool.run(
            """
            sed -e 's/"title":"[^"]*"/"title":"Other"/' -e 's/"key":"EX-1","model":"examroom.exam"/"key":"EX-9","model":"examroom.exam"/' \
                answers > others; "$REPLAY" diff examroom.exam --exported others
            """)
        #expect(other.status == 1, "\(other)")
        #expect(other.lines.count == 3, "\(other)")
        #expect(other.output.contains(#""key":"EX-1""#) && other.output.contains(#""key":"EX-9""#))
        #expect(!other.output.contains("examroom.result"))
        // The same position and present, whatever came since.
        let later = try tool.run(
            "\"$REPLAY\" submit > /dev/null", given: Sample.register(777) + "\n")
        #expect(later.status == 0, "\(later)")
        let still = try tool.run("\"$REPLAY\" diff --exported answers")
        #expect(still.status == 0, "\(still)")
    }

    @Test func `digests of another build name the models that it answers otherwise`() throws {
        let tool = try Self.journals()
        let same = try tool.run(
            """
            "$REPLAY" rebuild --json --memory 1 > digests; "$REPLAY" rebuild --against digests --memory 1 > /dev/null
            """)
        #expect(same.status == 0, "\(same)")
        let other = try tool.run(
            """
            sed -E 's/("digest":")[0-9a-f]{4}([^}]*"model":"examroom.exam")/\\1ffff\\2/' digests > others
            "$REPLAY" rebuild --against others > /dev/null
            """)
        #expect(other.status == 1, "\(other)")
        #expect(
            other.errors.contains("this build says otherwise than others: examroom.exam;"),
            "\(other)")
        let elsewhere = try tool.run("\"$REPLAY\" rebuild --against digests --journal other")
        #expect(elsewhere.status == 64 && elsewhere.errors.contains("ask the other build again"))
    }

    @Test(arguments: [
        ("diff --exported absent", 74), ("rebuild --against absent", 74),
        ("diff --exported commands.jsonl", 65), ("rebuild --against commands.jsonl", 65),
        ("export examroom.exam", 64), ("export --documents --csv", 64),
        ("diff --exported a --against b", 64), ("rebuild --check --against a", 64),
        ("export --documents examroom.exxam", 64), ("rebuild --memory 0", 64),
        ("verify --memory 0", 64),
        ("rebuild --memory much", 64), ("rebuild --memory 0 --check", 64),
        ("what-if --without 1 --memory 0", 64), ("diff --all 1 2 --memory 0", 64),
        ("show examroom.exam EX-1 --memory 0", 64), ("export --memory 9", 64),
        ("bisect examroom.nothing '$.x == 1' --any-key", 64),
        ("bisect examroom.exams '!$.x' --any-key", 64), ("why examroom.exam EX-1 state", 64),
        ("what-if --change 'examroom.attempt.started@={\"passPercent\":9}'", 64),
        ("what-if --without-command nobody", 64), ("what-if --commands <(printf '{\\377}')", 65),
        ("diff --all examroom.result 1 2 --arg page=1", 64),
    ])
    func `a file that is none, or wrong use, is answered in a line`(
        command: String, status: Int
    ) throws {
        let tool = try Self.journals()
        _ = try tool.run("echo '{}' > commands.jsonl")
        let answer = try tool.run("\"$REPLAY\" \(command)")
        #expect(Int(answer.status) == status, "\(answer)")
        #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    }

    @Test(arguments: [
        "show examroom.result AT-1 --as-of 20", "why examroom.result AT-1",
        "bisect examroom.result AT-1 '$.passed == true'", "step examroom.result AT-1",
        "diff examroom.result AT-1 20 30", "what-if examroom.result --without 1",
        "export --documents examroom.result",
    ])
    func `a question with little memory has the same answer`(question: String) throws {
        let tool = try Self.journals()
        let whole = try tool.run("\"$REPLAY\" \(question)")
        let little = try tool.run("\"$REPLAY\" \(question) --memory 1")
        #expect(!whole.output.isEmpty && little.output == whole.output, "\(little)")
        #expect(little.status == whole.status, "\(little)")
    }

    @Test func `a command of a merge is left out with its own events`() throws {
        let tool = try Tool()
        let lines = try Sample.commands("Examples/examroom/07-devices-meet.jsonl")
        _ = try tool.run("\"$REPLAY\" submit > /dev/null", given: lines)
        let answer = try tool.run(
            "\"$REPLAY\" what-if examroom.attempt --without-command d2-6 | head -n 1")
        #expect(answer.output.contains(#""differing":1"#), "\(answer)")
    }

    @Test func `what holds from the beginning is said, whichever turn is wanted`() throws {
        let tool = try Self.journals()
        for option in ["", "--last", "--all"] {
            let answer = try tool.run(
                "\"$REPLAY\" bisect examroom.exam EX-1 '!$.nothing' \(option)")
            #expect(answer.status == 0 && answer.lines.count == 1, "\(answer)")
            #expect(answer.output.contains(#""holds":true,"key":"EX-1","position":0"#), "\(answer)")
        }
    }

    @Test func `explain answers bytes that are no text as submit does, with their line`() throws {
        let tool = try Self.journals()
        let answer = try tool.run("printf '\\n\\n{\"id\":\"\\377\"}\\n' | \"$REPLAY\" explain -")
        #expect(answer.status == 0, "\(answer)")
        #expect(answer.output.contains(#""code":"malformed""#), "\(answer)")
        #expect(answer.output.contains("line 3: "), "\(answer)")
    }

    @Test func `a document that is not there is not counted`() throws {
        let tool = try Self.journals()
        let answer = try tool.run(
            "\"$REPLAY\" diff --all examroom.result 0 21 --count '$.passed != true' | head -n 1")
        #expect(answer.output.contains(#""holding":{"new":0,"old":0}"#), "\(answer)")
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

    @Test func `what is asked in an actor's name shows what that actor may see`() throws {
        let tool = try Self.journals()
        let whole = try tool.run("\"$REPLAY\" why examroom.result AT-1 --limit 100")
        let student = try tool.run(
            "\"$REPLAY\" why examroom.result AT-1 --limit 100 --as student:S-1")
        #expect(whole.status == 0 && student.status == 0, "\(student)")
        #expect(whole.lines.count == student.lines.count, "\(student)")
        // The admin's command that published the results is no student's business.
        #expect(whole.output.contains(#""command":"c-23""#), "\(whole)")
        #expect(!student.output.contains("c-23") && student.output.contains(#""command":null"#))
        // Who is somebody else sees neither documents nor events.
        let other = try tool.run("\"$REPLAY\" why examroom.result AT-1 --as student:S-404")
        #expect(other.status == 77 && other.output.isEmpty, "\(other)")
        let seen = try tool.run(
            "\"$REPLAY\" diff --all --as student:S-1 0 20 | head -1; \"$REPLAY\" diff --all 0 20 | head -1"
        )
        #expect(seen.lines.count == 2 && seen.lines[0] != seen.lines[1], "\(seen)")
    }

    @Test func `how to check the first cause is said on standard error in a pipe`() throws {
        let tool = try Self.journals()
        let answer = try tool.run("\"$REPLAY\" why examroom.exam EX-1 '$.state' --as admin:A-1")
        let checks = answer.errors.split(separator: "\n").filter { $0.contains("check: ") }
        #expect(checks.count == 2, "\(answer.errors)")
        var states: [String] = []
        for check in checks {
            let command = try #require(check.split(separator: "check: ").last)
            #expect(command.contains("--as-of") && command.contains("--as admin:A-1"))
            let shown = try tool.run(
                String(command).replacing("replay show", with: "\"$REPLAY\" show"))
            #expect(shown.status == 0, "\(shown)")
            states.append(shown.output)
        }
        #expect(states.count == 2 && states[0] != states[1])
    }

    @Test func `a cause names the rules that it follows`() throws {
        let tool = try Self.journals()
        let answer = try tool.run("\"$REPLAY\" why examroom.result AT-1 '$.answered' --limit 100")
        let closed = try #require(
            answer.lines.first { $0.contains(#""type":"examroom.attempt.submitted""#) }, "\(answer)"
        )
        #expect(closed.contains(#""rules":["R19"]"#), "\(closed)")
        let shown = try tool.onTerminal(
            "\"$REPLAY\" why examroom.result AT-1 --no-color", columns: 200)
        #expect(shown.output.contains("examroom.attempt.submitted (R19)"), "\(shown.output)")
    }

    @Test func `each cause comes with a proof that holds, and not with a byte changed`() throws {
        let tool = try Self.journals()
        let early = try tool.run("\"$REPLAY\" why examroom.exam EX-1 --proof")
        #expect(early.status != 0 && early.errors.contains("checkpoint"), "\(early)")
        let answer = try tool.run(
            """
            "$REPLAY" key new school.key --name school.example/journal > /dev/null
            "$REPLAY" checkpoint --key school.key > /dev/null
            "$REPLAY" why examroom.exam EX-1 --proof 2> /dev/null
            """)
        #expect(answer.lines.count > 1, "\(answer)")
        let student = try tool.run(
            "\"$REPLAY\" why examroom.result AT-1 --proof --as student:S-1")
        #expect(student.lines.first?.contains(#""proof":null"#) == true, "not seen whole")
        #expect(student.lines.last?.contains("tlog-proof") == true, "\(student)")
        for line in answer.lines {
            let cause = try JSON(parsing: Array(line.utf8))
            let proof = try #require(cause["proof"]?.string)
            let position = try #require(cause["position"]?.wholeNumber)
            let check =
                "cat > p.tlog-proof; \"$REPLAY\" check-proof p.tlog-proof --log-key school.key.vkey"
            let held = try tool.run(check, given: proof)
            #expect(held.status == 0, "\(held)")
            #expect(held.output.contains("\(position)"), "\(held.output)")
            let kept = try tool.run("\"$REPLAY\" prove \(position)")
            #expect(kept.output == proof)
            // A hash of the way, a byte of the leaf.
            let hash = try #require(proof.split(separator: "\n").first { $0.hasSuffix("=") })
            for part in ["\(hash)", "extra"] {
                let forged = try Self.flipped(proof, behind: part)
                #expect(forged != proof)
                let refused = try tool.run(check, given: forged)
                #expect([1, 65].contains(refused.status), "\(part): \(refused)")
            }
        }
    }

    /// The text with another letter a few places behind where the part begins.
    private static func flipped(_ text: String, behind part: String) throws -> String {
        let start = try #require(text.range(of: part)).lowerBound
        let place = text.index(start, offsetBy: 12)
        let letter = text[place] == "A" ? "B" : "A"
        return text.replacingCharacters(in: place...place, with: letter)
    }

    @Test func `a command is explained check by check, and not recorded`() throws {
        let tool = try Self.journals()
        let answer = try tool.run(
            """
            "$REPLAY" events | wc -l > before
            "$REPLAY" explain '{"id":"x","command":"examroom.exam.archive","by":"admin:A-1","data":{"exam":"EX-0"}}'
            "$REPLAY" events | wc -l | cmp - before
            """)
        #expect(answer.status == 0, "\(answer)")
        #expect(
            answer.output.contains(
                #"{"check":"found","code":"not-found","holds":false,"saw":{"exam":"EX-0"}}],"outcome":{"code":"not-found""#
            ), "\(answer.output)")
        let many = try tool.run("printf '{\\n[]\\n' | \"$REPLAY\" explain -")
        #expect(many.status == 0 && many.lines.count == 2, "\(many)")
        let none = try tool.run("\"$REPLAY\" explain - < /dev/null")
        #expect(none.status == 65 && none.output.isEmpty, "\(none)")
    }

    @Test(arguments: [
        ("whyy examroom.exam EX-1", "did you mean why?"),
        ("what-iff", "did you mean what-if?"),
        ("explain", "missing expected argument"),
        ("explain '{}' --clock noon", "--clock"),
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
