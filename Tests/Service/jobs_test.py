"""Long work over HTTP: verify, rebuild, backup; how far it is, and that nobody else waits for it."""
import ctypes
import hashlib
import json
import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest

from harness import REPLAY, Server, replay, wait_until

DEVICES, EACH = 500, 99
EVENTS = DEVICES * (EACH + 1)


def account(number):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Amal Haddad {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}


def seen(device, turn):
    return {
        "id": f"o-{device}-{turn}", "command": "examroom.connection.observe", "at": "2026-02-02T08:00:00Z",
        "by": "system", "data": {"device": f"D-{device}", "network": "wifi" if turn % 2 else "cellular"}}


def flip_a_byte_of_a_block(journal):
    """Flips a byte in the middle of the largest overflow page of LMDB's file that `replay verify` misses."""
    path = os.path.join(journal, "journal.mdb")
    with open(path, "rb") as file:
        content = bytearray(file.read())
    runs = []
    for page in range(2, len(content) // 4096):
        number, _, flags, pages = struct.unpack_from("<QHHI", content, page * 4096)
        if number == page and flags == 4 and 1 < pages < 1024:
            runs.append((pages, page))
    for pages, page in sorted(runs, reverse=True):
        place = page * 4096 + pages * 2048
        content[place] ^= 0x10
        with open(path, "wb") as file:
            file.write(content)
        done = subprocess.run([REPLAY, "verify", "--journal", journal], capture_output=True, check=False)
        if done.returncode == 1:
            return json.loads(done.stdout)
        content[place] ^= 0x10
    raise AssertionError("no byte of a block is in use")


def empty_the_views(journal):
    """Takes all rows from the stored views, which then say of everything that it never was."""
    lmdb = ctypes.CDLL("liblmdb.so.0")
    environment, transaction = ctypes.c_void_p(), ctypes.c_void_p()

    def call(function, *arguments):
        code = function(*arguments)
        if code:
            raise OSError(f"{function.__name__}: {code}")

    call(lmdb.mdb_env_create, ctypes.byref(environment))
    call(lmdb.mdb_env_set_maxdbs, environment, 1024)
    call(lmdb.mdb_env_open, environment, os.path.join(journal, "views.mdb").encode(), 0x4000, 0o600)  # MDB_NOSUBDIR
    call(lmdb.mdb_txn_begin, environment, None, 0, ctypes.byref(transaction))
    emptied = 0
    for table in range(1024):
        handle = ctypes.c_uint()
        if lmdb.mdb_dbi_open(transaction, f"table.{table}".encode(), 0, ctypes.byref(handle)) == 0:
            call(lmdb.mdb_drop, transaction, handle, 0)
            emptied += 1
    call(lmdb.mdb_txn_commit, transaction)
    lmdb.mdb_env_close(environment)
    assert emptied > 10, emptied


class Jobs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="sijilld-jobs-")
        cls.original = os.path.join(cls.directory, "original")
        replay("init", "--journal", cls.original, "--simulated")
        lines = [account(number) for number in range(DEVICES)]
        lines += [seen(device, turn) for turn in range(EACH) for device in range(DEVICES)]
        commands = os.path.join(cls.directory, "commands.jsonl")
        with open(commands, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        replay("submit", "--journal", cls.original, commands)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    def setUp(self):
        self.server = None
        self.token = None

    def tearDown(self):
        if self.server:
            self.server.remove()

    def serve(self, damage=None, **more):
        place = tempfile.mkdtemp(dir=self.directory)
        journal = os.path.join(place, "journal")
        shutil.copytree(self.original, journal)
        self.backups = os.path.join(place, "backups")
        found = damage(journal) if damage else None
        self.server = Server(journal=journal, settings={"backups": self.backups}, **more)
        return found

    def begin(self, **job):
        answer = self.server.ask("POST", "/v1/jobs", body=job, token=self.token)
        self.assertEqual(answer.status, 202, answer.body)
        self.assertEqual(answer.headers["location"], "/v1/jobs/" + answer.json["id"])
        return answer.headers["location"]

    def ended(self, place, seconds=120):
        self.assertTrue(wait_until(
            lambda: self.server.get(place, token=self.token).json["state"] not in ("queued", "running"), seconds))
        return self.server.get(place, token=self.token).json

    def running(self, place):
        """Waits until the job has come some way."""
        self.assertTrue(wait_until(lambda: (self.server.get(place).json["progress"] or {}).get("done")))

    # Each kind

    def test_verify_tells_how_far_it_is_and_what_replay_verify_prints(self):
        self.serve()
        place = self.begin(kind="verify")
        steps = [data for event, _, data in self.server.stream(place, timeout=120) if event == "job"]
        self.assertEqual(steps[-1]["state"], "done", steps[-1])
        self.assertEqual(self.server.get(place).json, steps[-1])
        reached = {}
        for step in steps:
            if step["progress"]:
                reached.setdefault(step["progress"]["what"], []).append(step["progress"])
        # What takes a few milliseconds may be over before anybody is told.
        self.assertIn("digesting", reached)
        self.assertLessEqual(set(reached), {"verifying", "hashing the tree", "folding", "digesting"})
        for way in reached.values():
            self.assertEqual([each["done"] for each in way], sorted(each["done"] for each in way))
            self.assertTrue(all(each["done"] <= each["total"] for each in way))
        # How many times somebody is told depends on the machine.
        self.assertGreater(max(each["done"] for way in reached.values() for each in way), 0)
        self.assertEqual(steps[-1]["result"]["events"], EVENTS)
        self.assertEqual(
            steps[-1]["result"], json.loads(replay("verify", "--journal", self.server.journal)))
        self.assertIsNone(steps[-1]["error"])
        self.assertRegex(
            self.server.get("/metrics").body.decode(),
            r'sijill_job_duration_seconds_count{kind="verify",state="done"} 1\n')

    def test_rebuild_gives_the_digests_of_replay_rebuild(self):
        expected = json.loads(replay("rebuild", "--journal", self.original))
        self.serve()
        job = self.ended(self.begin(kind="rebuild"))
        self.assertEqual((job["state"], job["result"]), ("done", expected), job)
        job = self.ended(self.begin(kind="rebuild", models=["examroom.account"]))
        self.assertEqual([each["model"] for each in job["result"]["models"]], ["examroom.account"])
        self.assertEqual(job["models"], ["examroom.account"])

    def test_after_a_rebuild_nothing_goes_on_with_what_was_stored_wrongly(self):
        path = "/v1/models/examroom.account/S-7"
        right = json.loads(replay("show", "examroom.account", "S-7", "--journal", self.original))
        access = {"identities": [
            {"name": role, "tokenSHA256": hashlib.sha256(role.encode()).hexdigest(), "roles": [role],
             **({"personal": True} if role == "reader" else {}),
             **({"actor": "service:x", "onBehalfOf": ["student"]} if role == "service" else {})}
            for role in ("reader", "auditor", "operator", "service")]}
        revise = {"command": "examroom.profile.revise", "at": "2026-02-02T09:00:00Z", "by": "student:S-7",
                  "data": {"account": "S-7", "name": "Amal"}}
        self.serve(empty_the_views, access=access)
        self.token = "operator"
        shown = {}
        for role in ("reader", "auditor"):
            shown[role] = self.server.get(path, token=role).json
            self.assertNotEqual(shown[role], right)
        self.assertNotEqual(self.server.submit(dict(revise, id="p-1"), token="service").status, 201)
        job = self.ended(self.begin(kind="verify"))
        self.assertEqual((job["state"], job["error"]["code"]), ("failed", "check-failed"))
        self.assertIn("views: the stored examroom.account is not what the events give", job["error"]["detail"])
        self.assertEqual(self.ended(self.begin(kind="rebuild"))["state"], "done")
        self.assertEqual(self.server.get(path, token="reader").json, right)
        self.assertEqual(
            self.server.get(path, token="auditor").json["role"], right["role"])
        self.assertEqual(self.server.submit(dict(revise, id="p-2"), token="service").status, 201)
        job = self.ended(self.begin(kind="verify"))
        self.assertEqual((job["state"], job["result"]["findings"]), ("done", []))

    def test_a_backup_is_whole_and_the_next_run_adds_what_came_since(self):
        self.serve()
        job = self.ended(self.begin(kind="backup", name="nightly"))
        self.assertEqual((job["state"], job["result"]["events"]), ("done", EVENTS), job)
        self.assertEqual(os.listdir(self.backups), ["nightly"])
        self.server.submit(account(DEVICES))
        job = self.ended(self.begin(kind="backup", name="nightly"))
        self.assertEqual((job["state"], job["result"]["events"]), ("done", 1), job)
        restored = os.path.join(self.backups, "restored")
        replay("restore", os.path.join(self.backups, "nightly"), "--journal", restored)
        there = json.loads(replay("verify", "--journal", restored))
        here = json.loads(replay("verify", "--journal", self.server.journal))
        self.assertTrue(there["whole"])
        self.assertEqual(
            (there["events"], there["rootHash"]), (EVENTS + 1, here["rootHash"]))

    def test_an_error_names_no_place_on_the_machine(self):
        self.serve()
        other = os.path.join(self.directory, "other")
        replay("init", "--journal", other, "--simulated")
        commands = os.path.join(self.directory, "other.jsonl")
        with open(commands, "w", encoding="utf-8") as file:
            file.write(json.dumps(account(0)) + "\n")
        replay("submit", "--journal", other, commands)
        os.makedirs(self.backups, exist_ok=True)
        replay("backup", os.path.join(self.backups, "foreign"), "--journal", other)
        job = self.ended(self.begin(kind="backup", name="foreign"))
        self.assertEqual(
            job["error"]["detail"], "foreign is a backup of another journal; name another directory")
        with open(os.path.join(self.backups, "no-directory"), "w", encoding="utf-8"):
            pass
        job = self.ended(self.begin(kind="backup", name="no-directory"))
        self.assertEqual(job["state"], "failed")
        self.assertNotIn("/", job["error"]["detail"])

    def test_verify_finds_a_byte_that_was_flipped_and_says_where(self):
        found = self.serve(flip_a_byte_of_a_block)
        self.assertIsNotNone(found["firstDamaged"])
        job = self.ended(self.begin(kind="verify"))
        self.assertEqual(job["state"], "failed")
        self.assertEqual(job["error"]["code"], "check-failed")
        self.assertIn(f"first at position {found['firstDamaged']}: ", job["error"]["detail"])
        self.assertEqual(
            (job["result"]["whole"], job["result"]["firstDamaged"]), (False, found["firstDamaged"]))

    # Beside others

    def test_questions_and_commands_are_answered_while_a_job_runs(self):
        self.serve()
        place = self.begin(kind="verify")
        self.running(place)
        answered = 0
        while self.server.get(place).json["state"] == "running":
            self.assertEqual(self.server.submit(account(1_000 + answered)).status, 201)
            self.assertEqual(
                self.server.get(f"/v1/models/examroom.account/S-{answered % DEVICES}").status, 200)
            answered += 1
        self.assertGreater(answered, 5)
        self.assertEqual(self.server.get(place).json["state"], "done")

    def test_one_runs_at_a_time_and_so_many_wait(self):
        self.serve()
        first = self.begin(kind="verify")
        self.running(first)
        places = [self.begin(kind="backup", name=f"b-{number}") for number in range(7)]
        refused = self.server.ask("POST", "/v1/jobs", body={"kind": "verify"})
        self.assertEqual((refused.status, refused.json["code"]), (503, "too-busy"))
        states = [job["state"] for job in self.server.get("/v1/jobs").json["jobs"]]
        self.assertEqual(states, ["queued"] * 7 + ["running"])
        self.assertRegex(
            self.server.get("/metrics").body.decode(), r'sijill_jobs_running{journal="",kind="verify"} 1\n')
        # One that waits ends at once, the one that runs at its next step; ended ones stay as they are.
        for place in reversed(places):
            self.assertEqual(self.server.ask("DELETE", place).json["state"], "cancelled")
        self.assertEqual(self.server.ask("DELETE", places[0]).json["state"], "cancelled")
        self.assertIn(self.server.ask("DELETE", first).status, (200, 409))
        self.assertEqual(self.ended(first)["state"], "cancelled")
        after = self.ended(self.begin(kind="backup", name="after"))
        self.assertEqual(after["state"], "done")
        self.assertEqual(os.listdir(self.backups), ["after"])
        ended = self.server.ask("DELETE", "/v1/jobs/" + after["id"])
        self.assertEqual((ended.status, ended.json["code"]), (409, "job-ended"))

    def test_a_cancelled_backup_leaves_nothing_half_done(self):
        self.serve()
        place = self.begin(kind="backup", name="nightly")
        self.running(place)
        self.server.ask("DELETE", place)
        job = self.ended(place)
        self.assertEqual(job["state"], "cancelled", job)
        self.assertIsNone(job["result"])
        self.assertEqual(os.listdir(self.backups), [])
        # Neither does one that was killed.
        self.running(self.begin(kind="backup", name="nightly"))
        self.server.kill()
        self.assertEqual([name for name in os.listdir(self.backups) if not name.startswith(".")], [])
        self.server.start()
        self.assertEqual(self.server.get("/v1/jobs").json["jobs"], [])
        self.assertEqual(self.ended(self.begin(kind="backup", name="nightly"))["state"], "done")
        self.assertEqual(os.listdir(self.backups), ["nightly"])

    def test_the_end_of_the_service_ends_its_jobs(self):
        self.serve()
        source = None
        for job in ({"kind": "verify"}, {"kind": "backup", "name": "nightly"}):
            place = self.begin(**job)
            self.running(place)
            source = self.server.stream(place)
            source.take(1)
            self.assertEqual(self.server.stop(signal.SIGTERM), 0)
            self.assertIn('"state":"cancelled"', [line for line in self.server.log if "a job has ended" in line][-1])
            source.close()
            self.server.start()
        self.assertEqual(os.listdir(self.backups), [])
        self.assertTrue(json.loads(replay("verify", "--journal", self.server.journal))["whole"])


class Asking(unittest.TestCase):
    def test_jobs_are_for_operators(self):
        roles = ["submitter", "service", "self", "reader", "consumer", "auditor", "operator"]
        access = {"identities": [
            {"name": role, "tokenSHA256": hashlib.sha256(role.encode()).hexdigest(), "roles": [role],
             **({"actor": {"submitter": "student:S-1", "self": "student:S-1", "service": "service:x"}[role]}
                if role in ("submitter", "service", "self") else {})} for role in roles]}
        with Server(access=access) as server:
            made = server.ask("POST", "/v1/jobs", body={"kind": "verify"}, token="operator").json
            self.assertEqual(made["by"], "operator")
            for role in roles:
                wanted = role == "operator"
                for method, path, body in (("GET", "/v1/jobs", None), ("GET", "/v1/jobs/" + made["id"], None),
                                           ("DELETE", "/v1/jobs/1", None), ("POST", "/v1/jobs", {"kind": "verify"})):
                    status = server.ask(method, path, body=body, token=role).status
                    self.assertEqual(status != 403, wanted, (role, method, path, status))

    def test_what_is_no_job_is_refused(self):
        with Server() as server:
            for body in ({}, {"kind": "drop"}, {"kind": "verify", "name": "x"}, [], {"kind": "rebuild", "models": []},
                         {"kind": "rebuild", "models": [1]}, {"kind": "rebuild", "models": ["examroom.nothing"]},
                         {"kind": "backup"}, {"kind": "backup", "name": "../up"}, {"kind": "backup", "name": "/tmp/x"},
                         {"kind": "backup", "name": ".hidden"}, {"kind": "backup", "name": "a" * 65}):
                answer = server.ask("POST", "/v1/jobs", body=body)
                self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), body)
            answer = server.ask("POST", "/v1/jobs", body={"kind": "backup", "name": "x"})
            self.assertEqual((answer.status, answer.json["code"]), (409, "no-backups"))
            self.assertEqual(server.get("/v1/jobs/7").status, 404)
            self.assertEqual(server.get("/v1/jobs/seven").status, 400)

    def test_the_last_hundred_that_ended_are_remembered(self):
        with Server() as server:
            places = []
            for _ in range(103):
                answer = server.ask("POST", "/v1/jobs", body={
                    "kind": "rebuild", "models": ["examroom.account"]})
                self.assertEqual(answer.status, 202)
                places.append(answer.headers["location"])
                while server.get(places[-1]).json["state"] in ("queued", "running"):
                    time.sleep(0.005)
            self.assertEqual(len(server.get("/v1/jobs").json["jobs"]), 100)
            self.assertEqual([server.get(place).status for place in (places[2], places[3])], [404, 200])

    def test_journals_beside_the_default_one_have_jobs_of_their_own(self):
        with Server() as server:
            server.stop()
            journals = os.path.join(server.directory, "journals")
            os.mkdir(journals)
            replay("init", "--journal", os.path.join(journals, "north"), "--simulated")
            server.settings |= {"journals": journals, "backups": os.path.join(server.directory, "backups")}
            server.start()
            answer = server.ask("POST", "/v1/journals/north/jobs", body={"kind": "backup", "name": "n"})
            place = answer.headers["location"]
            self.assertTrue(place.startswith("/v1/journals/north/jobs/"))
            self.assertTrue(wait_until(lambda: server.get(place).json["state"] == "done"))
            self.assertEqual(server.get("/v1/jobs").json["jobs"], [])
            self.assertEqual(os.listdir(os.path.join(server.directory, "backups")), ["north@n"])


if __name__ == "__main__":
    unittest.main()
