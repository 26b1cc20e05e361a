# Turns the response patterns of lsat6.csv into ExamRoom commands, one JSON object a line.
#
# An admin, an exam of five questions, 1,000 students, and five test days with 200 people each. All
# who sit on a day begin together, as in the real test, and hand in together.
BEGIN { FS = ","; people = 0 }

NR > 1 {
    for (i = 0; i < $6; i++) pattern[people++] = $1 $2 $3 $4 $5
}

END {
    admin = "admin:A-1"
    credential = "\"credential\":{\"scheme\":\"argon2id\",\"salt\":\"bHNhdA\",\"digest\":\"demo\"}"
    command("2026-02-01T08:00:00Z", "system", "account.register", \
        "\"account\":\"A-1\",\"role\":\"admin\",\"name\":\"R. Darrell Bock\"," credential)
    command("2026-02-01T08:10:00Z", admin, "exam.create", \
        "\"exam\":\"LSAT-6\",\"title\":\"Law School Admission Test, section 6\",\"durationMinutes\":45")
    for (q = 1; q <= 5; q++) {
        options = ""
        for (o = 1; o <= 5; o++) {
            id = substr("abcde", o, 1)
            options = options (o > 1 ? "," : "") "{\"option\":\"" id "\",\"text\":\"Answer " id \
                "\",\"correct\":" (o == 1 ? "true" : "false") "}"
        }
        command("2026-02-01T08:2" q ":00Z", admin, "question.add", \
            "\"exam\":\"LSAT-6\",\"question\":\"Q" q "\",\"prompt\":\"Item " q "\",\"options\":[" options "]")
    }
    command("2026-02-01T08:30:00Z", admin, "exam.publish", "\"exam\":\"LSAT-6\"")
    for (n = 0; n < people; n++)
        command("2026-02-01T09:00:00Z", admin, "account.register", \
            "\"account\":\"" student(n) "\",\"role\":\"student\",\"name\":\"Candidate " (n + 1) "\"," credential)
    for (day = 0; day < 5; day++) {
        date = "2026-02-0" (day + 2)
        first = day * people / 5
        last = first + people / 5
        for (n = first; n < last; n++)
            command(date "T09:00:00Z", "student:" student(n), "attempt.start", \
                "\"attempt\":\"AT-" number(n) "\",\"exam\":\"LSAT-6\",\"student\":\"" student(n) "\"")
        for (q = 1; q <= 5; q++)
            for (n = first; n < last; n++)
                command(date "T09:" sprintf("%02d", q * 7) ":00Z", "student:" student(n), "answer.save", \
                    "\"attempt\":\"AT-" number(n) "\",\"question\":\"Q" q "\",\"chosen\":[\"" \
                    (substr(answers(n), q, 1) == "1" ? "a" : "b") "\"],\"seconds\":420")
        for (n = first; n < last; n++)
            command(date "T09:36:00Z", "student:" student(n), "attempt.submit", \
                "\"attempt\":\"AT-" number(n) "\"")
    }
    command("2026-02-07T10:00:00Z", admin, "results.publish", "\"exam\":\"LSAT-6\"")
}

# The patterns come sorted; a step that shares no factor with 1,000 mixes them over the days.
function answers(n) { return pattern[(n * 337) % people] }
function number(n) { return sprintf("%04d", n + 1) }
function student(n) { return "S-" number(n) }

function command(at, by, type, data) {
    printf "{\"id\":\"c-%d\",\"command\":\"examroom.%s\",\"at\":\"%s\",\"by\":\"%s\",\"data\":{%s}}\n", \
        ++commands, type, at, by, data
}
