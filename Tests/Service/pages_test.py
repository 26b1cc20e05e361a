"""Pages of events: where they go on, and in which form they are sent."""
import unittest

from harness import Server, ToldEvents, example_commands

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")


class Pages(ToldEvents):
    commands = COMMANDS

    def test_pages_between_instants_have_what_the_one_page_has(self):
        # Devices that were offline: what happened earlier stands behind what happened later.
        days = [5, 1, 4, 2, 6, 3, 1, 5, 2, 4, 1, 3]
        commands = [{
            "id": f"o-{number}", "command": "examroom.account.register", "at": f"2026-02-0{day}T08:00:00Z", "by": "system",
            "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                     "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}
            for number, day in enumerate(days)]
        with Server() as server:
            outcomes = server.submit_all(commands).lines
            self.assertEqual({outcome["status"] for outcome in outcomes}, {"accepted"}, outcomes)
            every = server.get("/v1/events?limit=1000").json["events"]
            self.assertNotEqual([event["at"] for event in every], sorted(event["at"] for event in every))
            first, last = "2026-02-02T08:00:00Z", "2026-02-04T08:00:00Z"
            for query, wanted in ((f"from={first}", lambda at: at >= first), (f"to={last}", lambda at: at <= last),
                                  (f"from={first}&to={last}", lambda at: first <= at <= last)):
                expected = [event for event in every if wanted(event["at"])]
                self.assertGreater(len(expected), 5)
                for order in ("", "&reverse=true"):
                    with self.subTest(query + order):
                        ordered = expected[::-1] if order else expected
                        self.assertEqual(
                            server.get(f"/v1/events?{query}{order}&limit=1000").json["events"], ordered)
                        found, path = [], f"/v1/events?{query}{order}&limit=2"
                        while path:
                            page = server.get(path)
                            found += page.json["events"]
                            link = page.headers.get("link")
                            path = link[1:link.index(">")] if link else None
                        self.assertEqual(found, ordered)
                        lines = server.get(f"/v1/events?{query}{order}&after=2&before=9", headers={
                            "Accept": "application/x-ndjson"}).lines
                        self.assertEqual(lines, [event for event in ordered if 2 < event["position"] < 9])

    def test_a_page_begins_behind_a_position_within_what_is_asked_beside_it(self):
        for query, wanted in (("from=3&after=5", self.all[5:]), ("from=8&after=5", self.all[7:]),
                              ("to=8&before=6&reverse=true", self.all[4::-1]), ("to=4&before=6", self.all[:4]),
                              ("after=0", self.all), ("before=0", []), ("before=1&reverse=true", []),
                              ("after=9223372036854775807", []), ("before=9223372036854775807", self.all)):
            self.assertEqual(self.server.get(f"/v1/events?limit=1000&{query}").json["events"], wanted, query)
        for query in ("after=x", "before=-1", "after=", "before=2026-02-03T00:00:00Z"):
            answer = self.server.get(f"/v1/events?{query}")
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), query)
        for name in ("after", "before"):
            stream = self.server.stream(f"/v1/events?{name}=3")
            stream.close()
            self.assertEqual(stream.status, 400, name)

    def test_a_form_is_sent_where_it_weighs_no_less_than_json(self):
        plain, lines = "application/json", "application/x-ndjson"
        for accept, form in (
                (f"{lines};q=0", plain), (f"{lines};q=0.5, {plain}", plain), (f"{lines}; Q=0.5, */*", plain),
                (f"{lines};q=0.5, application/*;q=0.6", plain), ("text/event-stream;q=0", plain), ("*/*", plain),
                (f"{plain};q=0.5, {lines}", lines), (f"{lines}, */*;q=0.1", lines), (f"{lines};q=0.5", lines),
                (f"{plain}, {lines}", lines), (f"{lines};charset=utf-8;q=0.2, {plain};q=0.1", lines)):
            self.assertEqual(self.server.get("/v1/events", headers={"Accept": accept}).headers["content-type"], form, accept)

    def test_what_is_not_modified_says_what_the_whole_answer_says(self):
        for path in ("/v1/events/3", "/v1/streams/examroom/exam/EX-1", "/v1/streams/examroom/exam/EX-1?limit=2",
                     "/v1/models/examroom.exam/EX-1"):
            whole = self.server.get(path)
            again = self.server.get(path, headers={"If-None-Match": whole.headers["etag"]})
            self.assertEqual((again.status, again.body), (304, b""), path)
            for name in ("cache-control", "etag", "sijill-position", "link"):
                self.assertEqual(again.headers.get(name), whole.headers.get(name), (path, name))


if __name__ == "__main__":
    unittest.main()
