import Core

/// One attempt's result, question by question, and what a student has taken.
extension Visit {
    func resultPage(_ attempt: String) async throws -> PageAnswer {
        guard let result = try await model("examroom.result", attempt) else { throw noPage }
        let id = result.shown("exam")
        let exam = await modelIfSeen("examroom.exam", id)
        // The newest of it: of each question the answer that counted.
        let events =
            (try? await get(
                "/v1/events",
                [
                    ("stream", "examroom/attempt/\(attempt)"), ("reverse", "true"),
                    ("limit", "200"),
                ]))?["events"]?.array ?? []
        let student = Self.studentOf(events)
        var saved: [String: JSON] = [:]
        for event in events where event["type"]?.string == "examroom.answer.saved" {
            if let question = event["data"]?["question"]?.string, saved[question] == nil {
                saved[question] = event
            }
        }
        let answers = saved
        let account = student == nil ? nil : await modelIfSeen("examroom.account", student)
        let title = exam?["details"]?["title"]?.string ?? id
        let name = account?["name"]?.string ?? student ?? attempt
        var prompts: [String: String] = [:]
        for question in exam?["questions"]?.array ?? [] {
            prompts[question.shown("question")] = question.shown("prompt")
        }
        let texts = prompts
        return layout(say("Result of ", "نتيجة ") + name, section: "examroom") {
            element("p") {
                link(url(["examroom", "exams", id])) { element("bdi") { title } }
                " · "
                if let student {
                    link(url(["people", "examroom", student])) {
                        say("Everything that happened to the student", "كل ما حدث للطالب")
                    }
                    " · "
                }
                link(url(["streams", "examroom", "attempt", attempt])) {
                    say("Events of the attempt", "أحداث المحاولة")
                }
                " · "
                link(
                    url(["models", "examroom.result", attempt], [("why", "$.percent")]) + "#why"
                ) {
                    say("Since when it says so, and why", "منذ متى هي كذلك ولماذا")
                }
                " · "
                link(url(["models", "examroom.result", attempt])) {
                    say("At any moment", "في أي لحظة")
                }
            }
            facts([
                (say("Attempt", "المحاولة"), code(attempt)),
                (say(.score), fraction(result.shown("score"), result.shown("maxScore"))),
                (say(.percent), meter(result["percent"])),
                (
                    say("Passed", "ناجح"),
                    Markup(result["passed"]?.bool.map { say($0 ? .yes : .no) } ?? "—")
                ),
                (say("Ended", "انتهى"), time(result["closedAt"]?.string)),
                (say("Seconds", "الثواني"), Markup(result.shown("secondsTaken"))),
                (
                    say("Changed by hand", "عُدّلت يدويًا"),
                    Markup(result["modified"]?.bool.map { say($0 ? .yes : .no) } ?? "—")
                ),
            ])
            answerTable(result, texts, answers)
        }
    }

    /// By a tag of the attempt's events.
    private static func studentOf(_ events: [JSON]) -> String? {
        for tag in events.first?["tags"]?.array ?? [] {
            if let tag = tag.string, tag.hasPrefix("student:") {
                return String(tag.dropFirst("student:".count))
            }
        }
        return nil
    }

    /// - Parameters:
    ///   - prompts: by question.
    ///   - saved: the event by which each question's last answer was saved.
    private func answerTable(
        _ result: JSON, _ prompts: [String: String], _ saved: [String: JSON]
    ) -> Markup {
        table(
            say("Questions", "الأسئلة"),
            [
                say("Item", "السؤال"), say("Prompt", "النص"), say("Chosen", "المختار"),
                say("Right answer", "الإجابة الصحيحة"), say("Points", "النقاط"),
                say("Chosen when", "متى اختيرت"),
            ],
            numeric: [4],
            (result["questions"]?.array ?? []).map { row in
                let question = row.shown("question")
                return [
                    code(question),
                    element("bdi") { String((prompts[question] ?? "—").prefix(80)) },
                    code((row["chosen"]?.array ?? []).map(\.shown).joined(separator: ", "))
                        + Markup(row["correct"]?.bool == true ? " ✓" : " ✗"),
                    code(
                        (row["correctOptions"]?.array ?? []).map(\.shown).joined(
                            separator: ", ")),
                    Markup(row.shown("points")),
                    saved[question].map { event in
                        link(url(["events", event.shown("position")])) {
                            time(event["at"]?.string)
                        }
                    } ?? Markup("—"),
                ]
            })
    }

    /// On a student's page: what they took, each with its result.
    func attemptsTaken(_ history: JSON) -> Markup {
        table(
            say("Exams taken", "الاختبارات التي أُدّيت"),
            [
                say(.exam), say(.score), say(.percent), say("Ended", "انتهى"),
                say("Item by item", "سؤالًا بسؤال"),
            ], numeric: [1],
            (history["attempts"]?.array ?? []).map { row in
                [
                    link(url(["examroom", "exams", row.shown("exam")])) {
                        element("bdi") { row["title"]?.string ?? row.shown("exam") }
                    },
                    fraction(row.shown("score"), row.shown("maxScore")), meter(row["percent"]),
                    time(row["closedAt"]?.string),
                    link(
                        url(["examroom", "results", row.shown("attempt")]),
                        [
                            "aria-label": say("Result of ", "نتيجة ") + row.shown("attempt")
                        ]
                    ) { say("Result", "النتيجة") },
                ]
            })
    }
}
