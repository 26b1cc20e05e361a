"""Read models and events over HTTP."""
import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from harness import REPLAY, Server, ToldEvents, example_commands, quoted, replay, wait_until

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")
TOKENS = {
    role: hashlib.sha256(role.encode()).hexdigest() for role in (
        "submitter", "service", "self", "reader", "personal", "consumer", "auditor", "operator", "other")
}
ACCESS = {
    "identities": [
        {"name": "student", "tokenSHA256": TOKENS["submitter"], "roles": ["submitter"], "actor": "student:S-1"},
        {"name": "hall", "tokenSHA256": TOKENS["service"], "roles": ["service"], "actor": "service:hall",
         "onBehalfOf": ["student", "admin", "system"], "products": ["examroom"]},
        {"name": "own", "tokenSHA256": TOKENS["self"], "roles": ["self"], "actor": "student:S-1"},
        {"name": "downstream", "tokenSHA256": TOKENS["reader"], "roles": ["reader"], "products": ["examroom"]},
        {"name": "trusted", "tokenSHA256": TOKENS["personal"], "roles": ["reader"], "personal": True},
        {"name": "consumer", "tokenSHA256": TOKENS["consumer"], "roles": ["consumer"]},
        {"name": "auditor", "tokenSHA256": TOKENS["auditor"], "roles": ["auditor"]},
        {"name": "operator", "tokenSHA256": TOKENS["operator"], "roles": ["operator"]},
        {"name": "other", "tokenSHA256": TOKENS["other"], "roles": ["reader"], "products": ["learnable"]},
    ]
}


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit_all(COMMANDS)
        cls.head = cls.server.get("/v1/status").json["position"]

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def show(self, *arguments):
        return replay("show", *arguments, "--json", "--journal", self.server.journal)

    def test_documents_are_byte_for_byte_what_show_prints(self):
        models = self.server.get("/v1/models").json["models"]
        asked = 0
        for model in models:
            name = model["name"]
            if not name.startswith("examroom."):
                continue
            keys = [key for key in ("S-1", "EX-1", "AT-1", "A-1")] if model["key"] else [None]
            for key in keys:
                path = f"/v1/models/{name}" + (f"/{quoted(key)}" if key else "")
                answer = self.server.get(path)
                if answer.status != 200:
                    continue
                expected = self.show(name, *([key] if key else []))
                self.assertEqual(answer.body.decode(), expected, path)
                asked += 1
        self.assertGreater(asked, 40)

    def test_the_past_is_asked_with_as_of_and_known_at(self):
        answer = self.server.get("/v1/models/examroom.exam/EX-1?as-of=6")
        self.assertEqual(answer.body.decode(), self.show("examroom.exam", "EX-1", "--as-of", "6"))
        self.assertEqual(answer.headers["sijill-position"], "6")
        known = self.server.get("/v1/models/examroom.exam/EX-1?known-at=2020-01-01T00:00:00Z")
        self.assertEqual(known.body, b"null\n")

    def test_an_entity_tag_that_still_holds_gives_304_also_when_the_journal_went_on(self):
        first = self.server.get("/v1/models/examroom.exam/EX-1")
        tag = first.headers["etag"]
        for field in (tag, f'"x", {tag}', f"W/{tag}", "*"):
            again = self.server.get("/v1/models/examroom.exam/EX-1", headers={"If-None-Match": field})
            self.assertEqual((again.status, again.body), (304, b""), field)
        self.server.submit({
            "id": "pref", "command": "examroom.preference.choose", "at": "2026-02-03T09:00:00Z",
            "by": "student:S-1", "data": {"account": "S-1", "changes": {"theme": "dark"}}})
        later = self.server.get("/v1/models/examroom.exam/EX-1", headers={"If-None-Match": tag})
        self.assertEqual(later.status, 304)

    def test_kept_answers_are_those_of_show_while_the_journal_grows(self):
        asked = ["examroom.exam/EX-1", "examroom.account/S-1", "examroom.students", "examroom.settings/A-1", "examroom.attempt/AT-1"]
        with Server() as server:
            before = None
            for start in range(0, len(COMMANDS), 6):
                server.submit_all(COMMANDS[start:start + 6])
                for question in asked:
                    model, *key = question.split("/")
                    for _ in range(2):
                        self.assertEqual(
                            server.get(f"/v1/models/{question}").body.decode(),
                            replay("show", model, *key, "--json", "--journal", server.journal), question)
            # What has nothing to do with an answer lets it be: the next one is from the cache, and says where the journal is now.
            server.get("/v1/models/examroom.settings/A-1")
            before = server.get("/v1/status").json["cache"]["hits"]
            position = server.submit(dict(COMMANDS[0], id="far", data={
                **COMMANDS[0]["data"], **({"account": "S-900"} if "account" in COMMANDS[0]["data"] else {})})).headers.get("sijill-position")
            answer = server.get("/v1/models/examroom.settings/A-1")
            self.assertEqual(answer.headers["sijill-position"], position)
            self.assertEqual(server.get("/v1/status").json["cache"]["hits"], before + 1)

    def test_a_key_that_the_events_do_not_know_is_null(self):
        self.assertEqual(self.server.get("/v1/models/examroom.exam/EX-none").body, b"null\n")

    def test_what_no_model_takes_is_refused_with_a_sentence(self):
        for path in ("/v1/models/examroom.exam", "/v1/models/examroom.overview/X",
                     "/v1/models/examroom.exam/EX-1?wrong=1", "/v1/models/examroom.exam/EX-1?as-of=soon",
                     "/v1/models/examroom.exam/EX-1?now=3", "/v1/models/examroom.exam/%zz"):
            answer = self.server.get(path)
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), path)

    def test_min_position_waits_for_it_and_says_where_the_journal_stands(self):
        head = self.server.get("/v1/status").json["position"]
        self.assertEqual(self.server.get(f"/v1/models/examroom.overview?min-position={head}").status, 200)
        late = self.server.get(f"/v1/models/examroom.overview?min-position={head + 1}")
        self.assertEqual((late.status, late.json["code"]), (412, "position-not-reached"))
        self.assertEqual(late.headers["sijill-position"], str(head))
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(self.server.get(
            f"/v1/models/examroom.overview?min-position={head + 1}", headers={"Prefer": "wait=10"})))
        waiting.start()
        added = self.server.submit(dict(
            COMMANDS[0], id="min", data=dict(COMMANDS[0]["data"], account="A-9"), at="2026-02-03T09:00:01Z"))
        self.assertEqual(added.status, 201, added.body)
        waiting.join()
        self.assertEqual(answers[0].status, 200)
        self.assertGreaterEqual(int(answers[0].headers["sijill-position"]), head + 1)

    def test_a_long_poll_answers_when_the_document_differs(self):
        first = self.server.get("/v1/models/examroom.settings/S-1")
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(self.server.get(
            "/v1/models/examroom.settings/S-1",
            headers={"If-None-Match": first.headers["etag"], "Prefer": "wait=10"})))
        waiting.start()
        for number, theme in enumerate(("dark", "light", "dark")):
            self.server.submit({
                "id": f"poll-{number}", "command": "examroom.preference.choose",
                "at": f"2026-02-03T10:00:0{number}Z", "by": "student:S-1",
                "data": {"account": "S-1", "changes": {"theme": theme}}})
        waiting.join()
        self.assertEqual(answers[0].status, 200)
        self.assertNotEqual(answers[0].headers["etag"], first.headers["etag"])

    def test_a_document_is_followed_live(self):
        source = self.server.stream("/v1/models/examroom.settings/S-2")
        stream = iter(source)
        event, position, document = next(stream)
        self.assertEqual(event, "document")
        self.server.submit({
            "id": "live", "command": "examroom.preference.choose", "at": "2026-02-03T11:00:00Z",
            "by": "student:S-2", "data": {"account": "S-2", "changes": {"theme": "dark"}}})
        _, later, changed = next(stream)
        self.assertGreater(int(later), int(position))
        self.assertNotEqual(changed, document)
        source.close()

    def test_who_would_rather_come_back_than_wait_gets_the_same_answer(self):
        alternative = {"policies": {"examroom": {"defaultPassPercent": 71}}}
        for method, path, body in [
                ("GET", "/v1/models/examroom.leaderboard/points?as-of=9", None), ("GET", "/v1/why/examroom.exam/EX-1", None),
                ("GET", "/v1/steps/examroom.exam/EX-1", None), ("GET", "/v1/keys/examroom.exam", None),
                ("POST", "/v1/what-if", alternative)]:
            with self.subTest(path):
                whole = self.server.ask(method, path, body=body)
                self.assertEqual(whole.status, 200, whole.body)
                for _ in range(100):
                    answer = self.server.ask(method, path, body=body, headers={"Prefer": "respond-async, wait=0"})
                    if answer.status != 202:
                        break
                    self.assertEqual(answer.headers["preference-applied"], "respond-async")
                    self.assertEqual(set(answer.json), {"progress"})
                    time.sleep(0.05)
                self.assertEqual((answer.status, answer.body), (200, whole.body))

    def test_a_policy_that_cannot_be_adopted_is_the_clients_fault_and_no_broken_journal(self):
        for policies in ({"examroom": {"nope": 1}}, {"examroom": {"defaultPassPercent": "x"}}, {"examroom": {}},
                         {"examroom": 5}, {"nope": {"a": 1}}, [], None):
            answer = self.server.ask("POST", "/v1/what-if", body={"policies": policies})
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), policies)
        self.assertEqual(self.server.logged("the journal failed"), [])

    def test_the_models_of_an_alternative_are_one_name_or_a_list_of_names(self):
        asked = {"policies": {"examroom": {"defaultPassPercent": 71}}}
        for models in (5, [5], ["examroom.exam", None], {"a": "b"}, True, "examroom.nope", ["examroom.nope"]):
            answer = self.server.ask("POST", "/v1/what-if", body={**asked, "models": models})
            self.assertEqual(answer.status, 400, models)
        for models in ("examroom.exam", ["examroom.exam"]):
            answer = self.server.ask("POST", "/v1/what-if", body={**asked, "models": models})
            self.assertEqual([model["model"] for model in answer.json["models"]], ["examroom.exam"], models)

    def test_diff_and_why(self):
        patch = self.server.get("/v1/diff/examroom.exam/EX-1?from=5&to=12").json
        self.assertTrue(any(step["op"] == "replace" for step in patch))
        why = self.server.get("/v1/why/examroom.exam/EX-1?path=" + quoted("$.resultsPublished")).json
        self.assertEqual(why["causes"][0]["type"], "examroom.results.published")


class Events(ToldEvents):
    commands = COMMANDS

    def test_pages_follow_one_another_by_position(self):
        found, path = [], "/v1/events?limit=4"
        while path:
            page = self.server.get(path)
            found += page.json["events"]
            link = page.headers.get("link")
            path = link[1:link.index(">")] if link else None
        self.assertEqual(found, self.all)
        found, path = [], "/v1/events?limit=3&reverse=true"
        while path:
            page = self.server.get(path)
            found += page.json["events"]
            link = page.headers.get("link")
            path = link[1:link.index(">")] if link else None
        self.assertEqual(found, self.all[::-1])

    def test_a_stream_says_where_it_goes_on(self):
        of_exam = [event for event in self.all if event["stream"] == "examroom/exam/EX-1"]
        self.assertGreater(len(of_exam), 3)
        page = self.server.get("/v1/streams/examroom/exam/EX-1?limit=3")
        found, link = page.json["events"], page.headers.get("link")
        self.assertEqual(page.json["revision"], found[-1]["revision"])
        while link:
            self.assertTrue(link.endswith('>; rel="next"'))
            page = self.server.get(link[1:link.index(">")])
            found += page.json["events"]
            link = page.headers.get("link")
        self.assertEqual(found, of_exam)
        self.assertNotIn("link", self.server.get("/v1/streams/examroom/exam/EX-1").headers)
        self.assertNotIn("link", self.server.get(f"/v1/streams/examroom/exam/EX-1?limit={len(of_exam)}").headers)
        for limit in ("0", "1001", "x"):
            self.assertEqual(self.server.get(f"/v1/streams/examroom/exam/EX-1?limit={limit}").status, 400)

    def test_lines_are_what_events_prints(self):
        answer = self.server.get("/v1/events", headers={"Accept": "application/x-ndjson"})
        self.assertEqual(answer.lines, self.all)

    def test_filters_are_those_of_events(self):
        for name, value in (("type", "examroom.exam.*"), ("stream", "examroom/exam/EX-1"),
                            ("tag", "student:S-1"), ("by", "admin:A-1")):
            expected = [
                json.loads(line) for line in replay(
                    "events", f"--{name}", value, "--json", "--journal", self.server.journal).splitlines()]
            answer = self.server.get(f"/v1/events?limit=1000&{name}={quoted(value)}")
            self.assertEqual(answer.json["events"], expected, name)
            self.assertTrue(expected, name)

    def test_cloud_events_have_the_members_of_the_specification(self):
        answer = self.server.get("/v1/events?limit=3", headers={"Accept": "application/cloudevents-batch+json"})
        for event, cloud in zip(self.all, answer.json):
            self.assertEqual(cloud["specversion"], "1.0")
            self.assertEqual(cloud["id"], str(event["position"]))
            self.assertEqual((cloud["type"], cloud["subject"]), (event["type"], event["stream"]))
            self.assertEqual((cloud["time"], cloud["data"]), (event["at"], event["data"]))
            self.assertTrue(all(name.islower() and name.isalnum() for name in cloud))

    def test_one_event_and_one_stream(self):
        self.assertEqual(self.server.get("/v1/events/3").json, self.all[2])
        self.assertIn("proof", self.server.get("/v1/events/3?proof=true").json)
        self.assertEqual(self.server.get("/v1/events/100000").status, 404)
        self.assertEqual(self.server.get("/v1/events/0").status, 400)
        stream = self.server.get("/v1/streams/examroom/exam/EX-1").json
        self.assertEqual(
            stream["events"], [event for event in self.all if event["stream"] == "examroom/exam/EX-1"])
        self.assertEqual(self.server.get("/v1/streams/examroom/exam/none").status, 404)

    def test_a_cursor_of_another_journal_is_refused(self):
        source = self.server.stream("/v1/events", headers={"Last-Event-ID": "1000000"})
        self.assertEqual(source.status, 400)
        source.close()


class Live(unittest.TestCase):
    """Streams of events are gapless and in order, whatever becomes of the connections."""

    def test_the_union_under_random_disconnects_is_what_events_prints(self):
        def account(number):
            return {
                "id": f"r-{number}", "command": "examroom.account.register",
                "at": "2026-02-02T08:00:00Z", "by": "system",
                "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                         "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}

        total = 1_500
        chance = random.Random(7)
        with Server() as server:
            seen = [[] for _ in range(4)]

            def listen(index):
                last = "0"
                while len(seen[index]) < total:
                    source = server.stream("/v1/events", headers={"Last-Event-ID": last})
                    for event, position, data in source:
                        if event != "event":
                            continue
                        seen[index].append(data)
                        last = position
                        if len(seen[index]) == total or chance.random() < 0.01:
                            break
                    source.close()

            threads = [threading.Thread(target=listen, args=(index,)) for index in range(4)]
            for thread in threads:
                thread.start()
            for start in range(0, total, 100):
                server.submit_all([account(number) for number in range(start, start + 100)])
            for thread in threads:
                thread.join(60)
            expected = [
                json.loads(line) for line in
                replay("events", "--json", "--journal", server.journal).splitlines()]
            for each in seen:
                self.assertEqual(each, expected)

    def test_a_filtered_cursor_moves_on_where_nothing_is_wanted(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            source = server.stream("/v1/events?type=learnable.*&from=1")
            event, position, data = next(iter(source))
            self.assertEqual(event, "position")
            self.assertEqual(int(position), server.get("/v1/status").json["position"])
            source.close()

    def test_a_stream_ends_with_a_word_when_the_service_stops(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            source = server.stream("/v1/events?from=1")
            events = []
            ended = threading.Thread(target=lambda: events.extend(source))
            ended.start()
            self.assertTrue(wait_until(lambda: len(events) > 10))
            self.assertEqual(server.stop(), 0)
            ended.join(20)
            self.assertEqual(events[-1][0], "end")

    def test_who_waits_is_answered_when_the_service_stops(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            tag = server.get("/v1/models/examroom.students").headers["etag"]
            answers = []

            def wait(path, headers):
                answers.append(server.get(path, headers={"Prefer": "wait=60", **headers}, timeout=70).status)

            waiting = [
                threading.Thread(target=wait, args=("/v1/models/examroom.students", {"If-None-Match": tag})),
                threading.Thread(target=wait, args=("/v1/models/examroom.students?min-position=100000", {}))]
            for thread in waiting:
                thread.start()
            time.sleep(1)
            start = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - start, 15)
            for thread in waiting:
                thread.join()
            self.assertEqual(sorted(answers), [304, 412])

    def test_who_waits_is_answered_when_the_service_stops_while_others_write(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            writer = subprocess.Popen(
                [REPLAY, "submit", "--journal", server.journal], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
            isOver = threading.Event()

            def write():
                number = 0
                while not isOver.wait(0.05):
                    number += 1
                    data = dict(COMMANDS[0]["data"], account=f"W-{number}")
                    command = dict(COMMANDS[0], id=f"w-{number}", at="2026-02-03T09:00:00Z", data=data)
                    writer.stdin.write(json.dumps(command).encode() + b"\n")
                    writer.stdin.flush()

            answers = []
            waiting = threading.Thread(target=lambda: answers.append(server.get(
                "/v1/models/examroom.overview", headers={"If-None-Match": "*", "Prefer": "wait=60"}, timeout=70).status))
            writing = threading.Thread(target=write)
            writing.start()
            try:
                waiting.start()
                before = server.get("/v1/status").json["position"]
                self.assertTrue(wait_until(lambda: server.get("/v1/status").json["position"] > before + 5))
                start = time.monotonic()
                self.assertEqual(server.stop(), 0)
                self.assertLess(time.monotonic() - start, 10)
                waiting.join()
            finally:
                isOver.set()
                writing.join()
                writer.stdin.close()
                writer.wait(30)
            self.assertEqual(answers, [304])

    def test_a_stream_begins_at_a_position_and_not_at_an_instant(self):
        with Server() as server:
            answer = server.get(
                "/v1/events?from=2026-02-04T00:00:00Z", headers={"Accept": "text/event-stream"})
            self.assertEqual(answer.status, 400)


class Access(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        access = json.loads(json.dumps(ACCESS))
        for identity in access["identities"]:
            # The token is the word whose digest stands in the table twice over: once here, once in the policy.
            identity["tokenSHA256"] = hashlib.sha256(identity["tokenSHA256"].encode()).hexdigest()
        cls.server = Server(access=access)
        for command in COMMANDS:
            cls.server.submit(command, token=TOKENS["service"])

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def get(self, role, path, **more):
        return self.server.get(path, token=TOKENS[role], **more)

    def test_without_a_token_or_with_a_wrong_one_nobody_gets_in(self):
        for token in (None, "nonsense"):
            answer = self.server.get("/v1/models", token=token)
            self.assertEqual(answer.status, 401)
            self.assertTrue(answer.headers["www-authenticate"].startswith("Bearer"))

    def test_by_is_bound_to_the_identity(self):
        choose = {
            "id": "by-1", "command": "examroom.preference.choose", "at": "2026-02-04T09:00:00Z",
            "data": {"account": "S-1", "changes": {"theme": "dark"}}}
        accepted = self.server.submit(choose, token=TOKENS["submitter"])
        self.assertEqual(accepted.status, 201)
        event = self.get("personal", accepted.headers["location"]).json
        self.assertEqual(event["by"], "student:S-1")
        forged = self.server.submit(dict(choose, id="by-2", by="admin:A-1"), token=TOKENS["submitter"])
        self.assertEqual((forged.status, forged.json["code"]), (403, "forbidden"))
        self.assertNotIn("outcome", forged.json)
        coach = self.server.submit(dict(choose, id="by-3", by="coach:C-1"), token=TOKENS["service"])
        self.assertEqual(coach.status, 403)

    def test_personal_values_are_kept_from_who_may_not_see_them(self):
        for role, name in (("personal", "Amal Haddad"), ("reader", None)):
            account = self.get(role, "/v1/models/examroom.account/S-1").json
            self.assertEqual(account["name"], name)
            events = self.get(role, "/v1/events?limit=1000").body.decode()
            self.assertEqual("Amal Haddad" in events, name is not None)
            lines = self.get(role, "/v1/events", headers={"Accept": "application/x-ndjson"}).body.decode()
            self.assertEqual("Amal Haddad" in lines, name is not None)
            source = self.server.stream("/v1/events?from=1", token=TOKENS[role])
            first = source.take(5)
            self.assertEqual("Amal Haddad" in json.dumps(first), name is not None)
            source.close()

    def test_a_product_that_is_not_theirs_is_not_there(self):
        missing = self.get("other", "/v1/models/examroom.exam/EX-1")
        never = self.get("other", "/v1/models/examroom.invented/EX-1")
        self.assertEqual((missing.status, never.status), (404, 404))
        self.assertEqual(self.get("other", "/v1/events?limit=1000").json["events"], [])
        self.assertEqual(self.get("other", "/v1/events/3").status, 404)

    def test_what_is_not_theirs_counts_in_no_limit_and_who_tried_to_read_a_person_is_in_the_log(self):
        def entry(name, *roles, **more):
            return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": list(roles), **more}

        two = ["learnable", "tafawoq"]
        with Server(access={"identities": [
                entry("setup", "service", "reader", actor="system", onBehalfOf=["student", "coach", "admin", "service"]),
                entry("two", "reader", products=two)]}) as server:
            server.submit_all(COMMANDS, token="setup")
            server.submit_all(example_commands("Examples/learnable/lecture.jsonl"), token="setup")
            lines = lambda limit, token: server.get(
                f"/v1/events?{limit}", token=token, headers={"Accept": "application/x-ndjson"}).lines
            theirs = [event for event in lines("", "setup") if event["type"].split(".")[0] in two]
            self.assertGreater(len(theirs), 3)
            self.assertEqual(lines("", "two"), theirs)
            self.assertEqual(lines("limit=3", "two"), theirs[:3])
            self.assertEqual(lines("limit=3&reverse=true", "two"), theirs[::-1][:3])
            self.assertEqual(lines("limit=0", "two"), [])
            self.assertEqual(lines(f"limit={len(theirs) + 9}", "two"), theirs)
            for path in ("models/person.timeline/examroom/S-1", "models/audit.subject/examroom/S-1",
                         "diff/person.timeline/examroom/S-1?from=1", "models/person.timeline/examroom/S-1?as-of=x"):
                self.assertIn(server.get("/v1/" + path, token="two").status, (400, 403), path)
            logged = lambda: [line["identity"] for line in server.logged("a person's record is read")]
            self.assertTrue(wait_until(lambda: logged() == ["two"] * 4, 5), logged())

    def test_a_student_sees_what_the_contract_lets_them_see(self):
        own = self.get("self", "/v1/models/examroom.account/S-1")
        self.assertEqual((own.status, own.json["name"]), (200, "Amal Haddad"))
        for key in ("S-2", "S-none"):
            self.assertEqual(self.get("self", f"/v1/models/examroom.account/{key}").status, 403)
        events = self.get("self", "/v1/events?limit=1000").json["events"]
        self.assertTrue(events)
        self.assertNotIn("dg-S-2", json.dumps(events))
        self.assertEqual(self.get("self", "/v1/events/1").status, 404)

    def test_every_role_reaches_the_routes_of_its_rights_and_no_other(self):
        rights = {
            "submit": {"submitter", "service"},
            "read": {"submitter", "service", "self", "reader", "auditor"},
            "question": {"reader", "auditor"},
            "consume": {"consumer", "operator"},
            "audit": {"auditor", "operator"},
            "operate": {"operator"},
        }
        paths = self.server.get("/openapi.json").json["paths"]
        checked = 0
        for template, operations in paths.items():
            path = template.replace("{journal}", "none").replace("{model}", "examroom.exam").replace(
                "{key}", "EX-1").replace("{stream}", "examroom/exam/EX-1").replace("{position}", "3")
            while "{" in path:
                path = path[:path.index("{")] + "x" + path[path.index("}") + 1:]
            for method, operation in operations.items():
                right = operation["x-right"]
                if right == "open":
                    self.assertLess(self.server.ask(method.upper(), path).status, 500, path)
                    continue
                self.assertEqual(self.server.ask(method.upper(), path).status, 401, (method, path))
                for role in ("submitter", "service", "self", "reader", "consumer", "auditor", "operator"):
                    answer = self.server.ask(method.upper(), path, token=TOKENS[role], timeout=30)
                    if role in rights[right]:
                        self.assertNotEqual(answer.status, 401, (role, method, path))
                        # Some is decided by what it is about; operators set aside and drop events, but read none.
                        depends = right in ("read", "submit") or (right, role) == ("consume", "operator")
                        self.assertTrue(answer.status != 403 or depends, (role, method, path, answer.body))
                    else:
                        self.assertEqual(answer.status, 403, (role, method, path))
                    self.assertLess(answer.status, 503, (role, method, path, answer.body))
                    checked += 1
        self.assertGreater(checked, 150)


class Log(unittest.TestCase):
    def test_says_nothing_of_what_commands_and_tokens_are(self):
        token = "a-token-that-nobody-else-has"
        access = {"identities": [
            {"name": "hall", "tokenSHA256": hashlib.sha256(token.encode()).hexdigest(), "roles": ["service", "reader"],
             "actor": "service:hall", "onBehalfOf": ["student", "admin", "system"], "personal": True}]}
        with Server(access=access, settings={"log.level": "trace"}) as server:
            for command in COMMANDS:
                server.submit(command, token=token)
            server.get("/v1/models/examroom.account/S-1", token=token)
            server.get("/v1/events", token=token)
            server.get("/v1/models/examroom.account/S-1", token="wrong-token")
            server.stop()
            log = "".join(server.log)
            self.assertIn("/v1/commands", log)
            for word in ("Amal", "Mona", "amal@example.org", token, "wrong-token", "dg-S-1"):
                self.assertNotIn(word, log)


class Manager(unittest.TestCase):
    def test_hears_when_the_service_is_ready_alive_and_stopping(self):
        directory = tempfile.mkdtemp()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(directory + "/notify")
            notified.settimeout(10)
            os.environ.update(NOTIFY_SOCKET=directory + "/notify", WATCHDOG_USEC="400000")
            try:
                with Server() as server:
                    heard = {notified.recv(100) for _ in range(4)}
                    self.assertEqual(heard, {b"READY=1", b"WATCHDOG=1"})
                    server.stop()
                    while b"STOPPING=1" not in heard:
                        heard.add(notified.recv(100))
            finally:
                del os.environ["NOTIFY_SOCKET"], os.environ["WATCHDOG_USEC"]
                shutil.rmtree(directory)


class Journals(unittest.TestCase):
    def test_further_journals_are_apart_from_the_default_one(self):
        with Server() as first:
            for name in ("north", "south"):
                replay("init", "--journal", f"{first.directory}/{name}", "--simulated")
            with Server(journal=first.journal, settings={"journals": first.directory}) as server:
                self.assertEqual(server.get("/v1/journals").json["journals"], ["journal", "north", "south"])
                answer = server.ask("POST", "/v1/journals/north/commands", body=COMMANDS[0])
                self.assertEqual(answer.status, 201)
                self.assertEqual(len(server.get("/v1/journals/north/events").json["events"]), 1)
                self.assertEqual(server.get("/v1/journals/south/events").json["events"], [])
                self.assertEqual(server.get("/v1/events").json["events"], [])
                self.assertEqual(server.get("/v1/journals/west/events").status, 404)
                self.assertEqual(server.get("/v1/journals/../events").status, 404)


class Erased(unittest.TestCase):
    """Values of a person who was erased are nowhere, also not in what was kept for others."""

    def test_kept_answers_and_live_events_have_nothing_of_who_was_erased(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            server.submit({
                "id": "reg", "command": "examroom.account.register", "at": "2030-01-01T00:00:00Z", "by": "system",
                "data": {"account": "S-E", "role": "student", "name": "Zaynab Qasim",
                         "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}})
            position = int(server.get("/v1/events?limit=0").headers["sijill-position"])
            stream = server.stream("/v1/events", headers={"Last-Event-ID": str(position - 1)})
            self.assertEqual(stream.take(1)[0][2]["data"]["name"], "Zaynab Qasim")
            models = [model["name"] for model in server.get("/v1/models").json["models"] if not model["key"]]
            ask = lambda: {
                name: answer.body for name in models
                for answer in [server.get(f"/v1/models/{name}")] if answer.status == 200}
            shown = [name for name, body in ask().items() if b"Zaynab" in body]
            self.assertTrue(shown)
            self.assertEqual(server.submit({
                "id": "erase", "command": "account.erase", "at": "2030-01-02T00:00:00Z", "by": "system",
                "data": {"subject": "examroom/S-E"}}).status, 201)
            self.assertEqual([name for name, body in ask().items() if b"Zaynab" in body], [])
            stream.take(1)
            stream.close()
            again = server.stream("/v1/events", headers={"Last-Event-ID": str(position - 1)})
            self.addCleanup(again.close)
            self.assertIsNone(again.take(1)[0][2]["data"]["name"])


if __name__ == "__main__":
    unittest.main()
