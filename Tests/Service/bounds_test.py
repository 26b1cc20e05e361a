"""What an identity may send and is told is bound, also where a command carries others and where an outcome lists what others did."""
import fcntl
import hashlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest

from commands_test import account
from harness import REPLAY, SIJILLD, Server, example_commands, wait_until

LIFE = example_commands("Examples/learnable/a-questions-life.jsonl")


def identity(name, **more):
    return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), **more}


POLICY = {"identities": [
    identity("setup", roles=["service"], actor="system", onBehalfOf=["admin", "student"]),
    identity("hall", roles=["service"], actor="service:hall", onBehalfOf=["student"], products=["examroom"], behindSeconds=600),
    identity("admin", roles=["submitter"], actor="admin:A-2", onBehalfOf=["student", "coach", "admin", "service", "system"]),
    identity("watch", roles=["service", "auditor"], actor="service:watch", onBehalfOf=["student"]),
    identity("exams", roles=["service", "reader"], actor="service:exams", onBehalfOf=["system"], products=["examroom"],
             personal=True)]}


class Bounds(unittest.TestCase):
    def setUp(self):
        self.server = Server(access=POLICY)
        self.addCleanup(self.server.remove)

    def merge(self, token, sender, *carried):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        commands = [
            {"id": f"{token}-{number}", "command": "examroom.profile.revise", "at": at or now, "by": by,
             "data": {"account": "S-1", "name": "x"}} for number, (by, at) in enumerate(carried)]
        return self.server.submit(
            {"id": f"m-{token}-{len(commands)}", "command": "examroom.device.merge", "at": now, "by": sender,
             "data": {"device": f"D-{token}", "batch": "B-1", "seen": 1, "commands": commands}}, token=token)

    def test_what_a_merge_carries_is_bound_as_what_comes_by_itself(self):
        self.assertEqual(self.server.submit(account(1), token="setup").status, 201)
        for token, sender in (("hall", "service:hall"), ("admin", "admin:A-2")):
            for by in ("admin:A-1", "system"):
                answer = self.merge(token, sender, (sender, None), (by, None))
                self.assertEqual((answer.status, answer.json["code"]), (403, "forbidden"), answer.body)
                self.assertNotIn("outcome", answer.json)
        # A submitter speaks for nobody else, whatever the policy lists.
        answer = self.server.submit(dict(account(2), by="system"), token="admin")
        self.assertEqual((answer.status, answer.json["code"]), (403, "forbidden"), answer.body)
        answer = self.merge("hall", "service:hall", ("student:S-1", "2026-02-03T09:00:00Z"))
        self.assertEqual((answer.status, answer.json["code"]), (422, "clock-skew"), answer.body)
        answer = self.merge("hall", "service:hall", ("student:S-1", None))
        self.assertEqual(answer.status, 201, answer.body)

    def test_an_outcome_shows_nothing_personal_to_whom_events_do_not(self):
        self.server.submit_all(LIFE[:4], token="setup")
        request = LIFE[4]
        self.assertEqual(request["command"], "learnable.curriculum.request")
        for path in ("?dry-run=true", ""):
            answer = self.server.ask("POST", "/v1/commands" + path, body=request, token="watch")
            event = answer.json["events"][-1]
            self.assertIn("description", event["data"])
            self.assertIsNone(event["data"]["description"], answer.body)
        again = self.server.submit_all([request], token="watch")
        self.assertIsNone(again.lines[0]["events"][-1]["data"]["description"])
        explained = self.server.ask("POST", "/v1/explain", body=request, token="watch")
        self.assertEqual(explained.status, 403, explained.body)
        self.assertIsNotNone(self.server.submit(request, token="setup").json["events"][-1]["data"]["description"])

    def test_an_outcome_shows_no_event_of_another_product(self):
        join = {"id": "j", "command": "learnable.student.join", "at": "2026-02-01T08:00:00Z", "by": "student:S-1",
                "device": "D-1", "data": {"student": "S-1", "timeZone": "Asia/Riyadh"}}
        self.assertEqual(self.server.submit(join, token="setup").status, 201)
        late = dict(account(9), at="2026-12-31T09:00:00Z")
        for path in ("/v1/commands?dry-run=true", "/v1/explain", "/v1/commands"):
            answer = self.server.ask("POST", path, body=late, token="exams")
            outcome = answer.json.get("outcome", answer.json)
            self.assertEqual([event["type"] for event in outcome["events"]], ["examroom.account.registered"], path)
            if path == "/v1/explain":
                self.assertEqual(answer.json["timerEvents"], 0)
        self.assertEqual(self.server.get(answer.headers["location"], token="exams").status, 200)
        everything = self.server.submit(late, token="setup")
        self.assertGreater(len(everything.json["events"]), 1)

    def test_a_sender_is_filled_in_whatever_else_is_called_so(self):
        command = account(5)
        command["data"]["name"] = "by"
        del command["by"]
        with Server() as open_to_all:
            self.assertEqual(open_to_all.submit(command).status, 201)
            nested = dict(command, id="r-6", data=dict(command["data"], account="S-6", by=1))
            self.assertEqual(open_to_all.submit(nested).json["outcome"]["code"], "malformed")
            self.assertIn("data", open_to_all.submit(nested).json["detail"])

    def test_a_key_is_one_text(self):
        command = account(7)
        del command["id"]
        for wrong in ('"a", "b"', '"a', '"a\\b"', '"', '"a"b'):
            answer = self.server.submit(command, token="setup", headers={"Idempotency-Key": wrong})
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), wrong)
        answer = self.server.submit(command, token="setup", headers={"Idempotency-Key": '"a\\"b"'})
        self.assertEqual(answer.json["id"], 'a"b')


class Policies(unittest.TestCase):
    def test_a_token_of_two_identities_is_no_policy(self):
        place = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, place)
        one, two = POLICY["identities"][:2]
        with open(os.path.join(place, "access.json"), "w", encoding="utf-8") as file:
            json.dump({"identities": [one, dict(two, tokenSHA256=one["tokenSHA256"].upper())]}, file)
        subprocess.run([REPLAY, "init", "--journal", os.path.join(place, "journal")], check=True, capture_output=True)
        done = subprocess.run(
            [SIJILLD, "check-config", "--journal", os.path.join(place, "journal")], capture_output=True, text=True,
            env={**os.environ, "SIJILL_ACCESS_FILE": os.path.join(place, "access.json")}, check=False, timeout=60)
        self.assertEqual(done.returncode, 64, done.stderr)
        self.assertIn("tokenSHA256", done.stderr)


class Journals(unittest.TestCase):
    def test_location_is_of_the_journal_that_was_asked_and_a_damaged_one_is_503(self):
        place = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, place)
        for name in ("noor", "spoilt"):
            subprocess.run(
                [REPLAY, "init", "--simulated", "--journal", os.path.join(place, name)], check=True, capture_output=True)
        with open(os.path.join(place, "spoilt", "FORMAT"), "w", encoding="utf-8") as file:
            file.write("garbage\n")
        with Server(settings={"journals": place}) as server:
            answer = server.ask("POST", "/v1/journals/noor/commands", body=account(1))
            self.assertEqual(answer.headers["location"], "/v1/journals/noor/events/1")
            self.assertEqual(server.get(answer.headers["location"]).status, 200)
            for path in ("events", "models/journal.summary", "status"):
                self.assertEqual(server.get(f"/v1/journals/spoilt/{path}").status, 503, path)
            answer = server.ask("POST", "/v1/journals/spoilt/commands", body=account(1))
            self.assertEqual(answer.status, 503, answer.body)


class Files(unittest.TestCase):
    WARNING = "fewer files may be open than limits.connections wants: commands fail before new connections wait"

    def limit(self, hard):
        with Server(through=["prlimit", f"--nofile=300:{hard}", "--"]) as server:
            with open(f"/proc/{server.process.pid}/limits", encoding="ascii") as file:
                line = next(line for line in file if line.startswith("Max open files"))
            return int(line.split()[3]), len(server.logged(self.WARNING))

    def test_as_many_files_are_open_as_the_system_lets_be_and_too_few_are_said(self):
        self.assertEqual(self.limit(6000), (6000, 0))
        self.assertEqual(self.limit(1000), (1000, 1))

    def test_without_a_file_for_a_connection_nothing_is_tried_at_full_speed(self):
        with Server(through=["prlimit", "--nofile=150:150", "--"]) as server:
            files = f"/proc/{server.process.pid}/fd"
            waiting = [socket.create_connection((server.host, server.port)) for _ in range(200)]
            self.assertTrue(wait_until(lambda: len(os.listdir(files)) == 150))
            before = server.processor_seconds()
            time.sleep(2)
            self.assertLess(server.processor_seconds() - before, 0.7)
            for connection in waiting:
                connection.close()
            self.assertEqual(server.get("/health/live").status, 200)


class Busy(unittest.TestCase):
    def test_a_client_learns_no_path_of_what_keeps_the_journal_busy(self):
        with Server() as server:
            self.assertEqual(server.submit(account(1)).status, 201)
            with open(os.path.join(server.journal, "writer.lock"), "rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                answer = server.submit(account(2), timeout=60)
            self.assertEqual((answer.status, answer.json["code"]), (503, "busy"), answer.body)
            self.assertNotIn("/", answer.json["detail"])
            self.assertIn("retry-after", answer.headers)
            self.assertIn("writer.lock", server.logged("the journal is busy")[0]["error"])
            self.assertEqual(server.submit(account(2)).status, 201)


if __name__ == "__main__":
    unittest.main()
