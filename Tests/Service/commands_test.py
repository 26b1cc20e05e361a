"""Commands in, outcomes out, over HTTP."""
import gzip
import hashlib
import json
import random
import signal
import subprocess
import threading
import unittest

from harness import REPLAY, Server, example_commands, replay

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")


def account(number):
    return {
        "id": f"r-{number}", "command": "examroom.account.register",
        "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}},
    }


class Commands(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit(COMMANDS[0])

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def test_an_accepted_command_is_created_and_its_event_is_where_location_says(self):
        answer = self.server.submit(account(1))
        self.assertEqual(answer.status, 201)
        self.assertEqual(answer.json["status"], "accepted")
        position = answer.headers["sijill-position"]
        self.assertEqual(answer.headers["location"], f"/v1/events/{position}")
        event = self.server.get(answer.headers["location"])
        self.assertEqual(event.json["type"], "examroom.account.registered")

    def test_the_same_command_again_is_a_replay_with_the_same_events(self):
        first = self.server.submit(account(2))
        again = self.server.submit(account(2))
        self.assertEqual(again.status, 200)
        self.assertEqual(again.headers["idempotency-replayed"], "true")
        self.assertEqual(again.json["events"], first.json["events"])

    def test_idempotency_key_stands_for_the_id(self):
        command = account(3)
        del command["id"]
        first = self.server.submit(command, headers={"Idempotency-Key": '"key-3"'})
        self.assertEqual((first.status, first.json["id"]), (201, "key-3"))
        again = self.server.submit(command, headers={"Idempotency-Key": "key-3"})
        self.assertEqual(again.status, 200)
        command["id"] = "other"
        self.assertEqual(
            self.server.submit(command, headers={"Idempotency-Key": "key-3"}).status, 422)

    def test_a_refusal_is_a_problem_with_the_outcome_in_it(self):
        self.server.submit(account(4))
        again = dict(account(4), id="r-4b")
        answer = self.server.submit(again)
        self.assertEqual(answer.status, 409)
        self.assertEqual(answer.headers["content-type"], "application/problem+json")
        self.assertEqual(answer.json["code"], "already-exists")
        self.assertEqual(answer.json["outcome"]["id"], "r-4b")

    def test_statuses_follow_the_codes(self):
        cases = [
            ("{", 400, "malformed"),
            (json.dumps(dict(account(5), command="examroom.exam.invent", id="u")), 404, "unknown-command"),
            (json.dumps({"id": "n", "command": "examroom.exam.publish", "at": "2026-02-02T09:00:00Z",
                         "by": "admin:A-1", "data": {"exam": "EX-none"}}), 404, "not-found"),
            (json.dumps(dict(account(1), data=dict(account(1)["data"], name="Other"))), 422, "id-reused"),
        ]
        self.server.submit(account(1))
        for body, status, code in cases:
            answer = self.server.ask(
                "POST", "/v1/commands", body=body, headers={"Content-Type": "application/json"})
            self.assertEqual((answer.status, answer.json["code"]), (status, code), body)

    def test_a_dry_run_records_nothing(self):
        before = self.server.get("/v1/status").json["position"]
        answer = self.server.ask("POST", "/v1/commands?dry-run=true", body=account(6))
        self.assertEqual((answer.status, answer.json["status"]), (200, "accepted"))
        self.assertEqual(self.server.get("/v1/status").json["position"], before)

    def test_a_dry_run_is_no_submission_to_count(self):
        def counted():
            lines = self.server.get("/metrics").body.decode().splitlines()
            return [line for line in lines if line.startswith("sijill_submit_total")]

        before = counted()
        for command in (account(7), dict(account(7), command="examroom.exam.invent")):
            self.server.ask("POST", "/v1/commands?dry-run=true", body=command)
        self.assertEqual(counted(), before)

    def test_a_body_that_is_encoded_is_refused(self):
        body = json.dumps(account(8)).encode()
        for path in ("/v1/commands", "/v1/explain", "/v1/what-if", "/v1/jobs"):
            for sent, coding in ((gzip.compress(body), "gzip"), (body, "gzip"), (body, "identity, br")):
                answer = self.server.ask("POST", path, body=sent, headers={
                    "Content-Type": "application/json", "Content-Encoding": coding})
                self.assertEqual((answer.status, answer.json["code"]), (415, "unsupported-media-type"), (path, coding))
                self.assertEqual(answer.headers["accept-encoding"], "identity")
        answer = self.server.ask("POST", "/v1/commands", body=body, headers={
            "Content-Type": "application/json", "Content-Encoding": "identity"})
        self.assertEqual(answer.status, 201)

    def test_other_media_types_are_refused(self):
        answer = self.server.ask("POST", "/v1/commands", body="x", headers={"Content-Type": "text/plain"})
        self.assertEqual(answer.status, 415)

    def test_explain_names_the_checks(self):
        answer = self.server.ask("POST", "/v1/explain", body=dict(account(1), id="e-1"))
        self.assertEqual(answer.status, 200)
        self.assertIn("checks", answer.json)
        self.assertEqual(answer.json["outcome"]["code"], "already-exists")

    def test_problems_are_told_in_arabic(self):
        answer = self.server.get("/v1/models/examroom.nothing", headers={"Accept-Language": "ar"})
        self.assertEqual(answer.headers["content-language"], "ar")


class Unseen(unittest.TestCase):
    """Commands of whose events the sender is shown none."""

    def test_a_sender_who_sees_no_event_is_told_a_position_and_no_location(self):
        access = {"identities": [
            {"name": "app", "tokenSHA256": hashlib.sha256(b"app").hexdigest(), "roles": ["service"],
             "actor": "service:app", "onBehalfOf": ["student", "admin", "system"]}]}
        with Server(access=access) as server:
            unseen = 0
            for command in COMMANDS:
                answer = server.submit(command, token="app")
                if answer.status != 201:
                    continue
                position = answer.headers["sijill-position"]
                if answer.json["events"]:
                    self.assertEqual(answer.headers["location"], f"/v1/events/{position}")
                    continue
                unseen += 1
                self.assertNotIn("location", answer.headers)
                again = server.submit(command, token="app")
                self.assertEqual((again.status, again.headers["sijill-position"]), (200, position))
                seen = server.get(f"/v1/models/examroom.overview?min-position={position}", token="app")
                self.assertNotEqual(seen.status, 412)
            self.assertGreater(unseen, 0)

    def test_a_command_that_leads_to_nothing_is_told_where_the_journal_stands(self):
        with Server() as server:
            position = server.submit(account(1)).headers["sijill-position"]
            answer = server.submit(
                {"id": "tick", "command": "clock.advance", "at": "2026-02-02T09:00:00Z", "by": "system"})
            self.assertEqual((answer.status, answer.json["events"]), (201, []), answer.body)
            self.assertEqual(answer.headers["sijill-position"], position)
            self.assertNotIn("location", answer.headers)


class Lines(unittest.TestCase):
    def test_lines_give_what_submit_gives(self):
        with Server() as server:
            answer = server.submit_all(COMMANDS)
            lines = "".join(json.dumps(command) + "\n" for command in COMMANDS)
            replay("init", "--journal", server.directory + "/other", "--simulated")
            expected = replay("submit", "--journal", server.directory + "/other", stdin=lines.encode())
            self.assertEqual(answer.body.decode(), expected)

    def test_a_bad_line_does_not_stop_the_rest(self):
        with Server() as server:
            body = json.dumps(account(1)) + "\nno json\n\n" + json.dumps(account(2))
            answer = server.ask(
                "POST", "/v1/commands", body=body, headers={"Content-Type": "application/x-ndjson"})
            self.assertEqual(
                [(line["status"], line.get("code")) for line in answer.lines],
                [("accepted", None), ("rejected", "malformed"), ("accepted", None)])

    def test_a_line_that_is_too_long_does_not_stop_the_rest(self):
        with Server(settings={"limits.commandBytes": 4096}) as server:
            # The longest that is taken, and one more; with a carriage return, which does not count.
            full = json.dumps(dict(account(3), device=""))
            full = json.dumps(dict(account(3), device="D" * (4096 - len(full))))
            self.assertEqual(len(full), 4096)
            body = "\n".join([
                json.dumps(account(1)), "x" * 300_000, "", json.dumps(account(2)) + "\r", full + "\r", full + " ",
                "y" * 5_000])
            answer = server.ask(
                "POST", "/v1/commands", body=body, headers={"Content-Type": "application/x-ndjson"})
            outcomes = [(line.get("code"), line.get("line")) for line in answer.lines]
            self.assertEqual(outcomes[:3] + outcomes[4:], [
                (None, None), ("too-large", 2), (None, None), ("too-large", 6), ("too-large", 7)])
            self.assertNotEqual(outcomes[3][0], "too-large")
            self.assertEqual(answer.lines[2]["id"], "r-2")

    def test_lines_are_counted_as_submit_counts_them(self):
        body = "\n\n".join([json.dumps(account(1)), "no json", json.dumps(account(2)), "[]\r\n\r\n{}", "\n{"])
        with Server() as server:
            answer = server.ask(
                "POST", "/v1/commands", body=body, headers={"Content-Type": "application/x-ndjson"})
            replay("init", "--journal", server.directory + "/other", "--simulated")
            # Some lines are no command: 65.
            done = subprocess.run(
                [REPLAY, "submit", "--journal", server.directory + "/other"], input=body.encode(), capture_output=True,
                check=False)
            self.assertEqual(answer.body.decode(), done.stdout.decode())
            self.assertEqual(
                [line.get("line") for line in answer.lines], [None, 3, None, 7, 9, 12])

    def test_each_line_has_an_outcome_also_where_too_many_wait(self):
        with Server(settings={"limits.waitingLines": 1}) as server:
            clients, lines = 8, 2_000
            answers = [None] * clients

            def send(client):
                answers[client] = server.submit_all([account(f"{client}-{number}") for number in range(lines)])

            threads = [threading.Thread(target=send, args=(client,)) for client in range(clients)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            codes = set()
            for client, answer in enumerate(answers):
                self.assertEqual(answer.status, 200)
                outcomes = answer.lines
                self.assertEqual([line["id"] for line in outcomes], [f"r-{client}-{n}" for n in range(lines)])
                refused = [line.get("code") for line in outcomes if line["status"] == "rejected"]
                codes |= set(refused)
                # Behind the first that the service could not take, none is decided: the rest is sent again as it was.
                statuses = [line["status"] for line in outcomes]
                self.assertEqual(statuses, sorted(statuses))
            # Whether some meet is a matter of time; what is said then is not.
            self.assertLessEqual(codes, {"too-busy"})
            again = [line for client in range(clients) for line in server.submit_all(
                [account(f"{client}-{number}") for number in range(lines)]).lines]
            self.assertLessEqual({line["status"] for line in again}, {"accepted", "duplicate"})

    def test_many_lines_keep_their_order(self):
        with Server() as server:
            answer = server.submit_all([account(number) for number in range(3_000)])
            self.assertEqual([line["id"] for line in answer.lines], [f"r-{n}" for n in range(3_000)])
            positions = [line["events"][0]["position"] for line in answer.lines]
            self.assertEqual(positions, list(range(1, 3_001)))


class Faults(unittest.TestCase):
    """What was answered is durable, and what was not can be sent again."""

    turn = 0

    def load(self, server, count, answered, name):
        for number in range(count):
            command = account(f"{self.turn}-{name}-{number}")
            try:
                answer = server.submit(command, timeout=10)
            except OSError:
                return
            except Exception:  # the answer was cut off
                return
            if answer.status == 201:
                answered.append(command)
            elif answer.status != 503:
                raise AssertionError(answer.body)

    def under_load(self, server, end):
        answered = [[] for _ in range(8)]
        threads = [
            threading.Thread(target=self.load, args=(server, 100_000, answered[index], index))
            for index in range(8)
        ]
        for thread in threads:
            thread.start()
        end()
        for thread in threads:
            thread.join()
        return [command for each in answered for command in each]

    def test_nothing_answered_is_missing_after_a_kill(self):
        with Server() as server:
            for turn in range(3):
                self.turn = turn
                delay = random.uniform(0.3, 1.0)
                answered = self.under_load(
                    server, lambda: (threading.Event().wait(delay), server.kill()))
                self.assertTrue(answered)
                server.start()
                again = server.submit_all(answered)
                self.assertEqual({line["status"] for line in again.lines}, {"duplicate"})

    def test_a_shutdown_loses_no_answered_request(self):
        with Server() as server:
            codes = []
            answered = self.under_load(
                server,
                lambda: (threading.Event().wait(0.8), codes.append(server.stop(signal.SIGTERM))))
            self.assertEqual(codes, [0])
            server.start()
            again = server.submit_all(answered)
            self.assertEqual({line["status"] for line in again.lines}, {"duplicate"})


if __name__ == "__main__":
    unittest.main()
