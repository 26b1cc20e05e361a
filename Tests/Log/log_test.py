"""The replicated log with real servers and real nodes: acknowledged is never lost, never twice, and whoever was fenced writes no more."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sink"))
# pylint: disable=wrong-import-position
from harness import BUILD, REPLAY, Postgres, as_server, crash, example_commands, seeded
from late import Late
from nodes import Nodes
from servers import KIND, find_server, make_server

SIJILLD = os.path.join(BUILD, "sijilld")
SERVER = None


def setUpModule():
    global SERVER
    if find_server():
        SERVER = make_server()
    else:
        print(f"{KIND} is not there: the log was NOT tested over it", flush=True)


def tearDownModule():
    if SERVER:
        SERVER.remove()


def registered(account):
    return {"id": f"r-{account}", "command": "examroom.account.register", "at": "2026-01-05T08:00:00Z", "by": "system",
            "data": {"account": account, "role": "student", "name": f"Name {account}",
                     "credential": {"scheme": "argon2id", "salt": "c2FsdA", "digest": "d"}}}


def erasure(account):
    return {"id": f"e-{account}", "command": "account.erase", "at": "2026-01-05T09:00:00Z", "by": "system",
            "data": {"subject": f"examroom/{account}"}}


over_postgres = unittest.skipUnless(KIND == "postgres", "of PostgreSQL alone")


@unittest.skipUnless(find_server(), "no server is there")
class Base(Nodes):
    def log_address(self):
        return SERVER.address()

    def setUp(self):
        super().setUp()
        SERVER.clear()


class Following(Base):
    def test_a_follower_has_the_same_bytes(self):
        self.create()
        self.join("b")
        commands = example_commands("examroom", "learnable")
        for part in range(0, 1200, 60):
            self.submit("a", commands[part:part + 60])
        self.follow("b")
        self.assertEqual(self.verified("a"), self.verified("b"))
        self.assertGreater(self.verified("a")[1], 150)
        status = self.status("b")
        self.assertEqual(status["frames"], status["here"])
        # The frames as the log has them are those of both: each one's checksum covers all bytes and the frame before.
        self.assertEqual(SERVER.stored(), list(range(1, status["frames"] + 1)))
        self.take_over("b", "a")
        self.follow("a")
        self.assertEqual(self.replay("export", "--journal", self.path("a")),
                         self.replay("export", "--journal", self.path("b")))

    def test_a_log_of_no_known_kind_is_refused_in_one_line(self):
        address = "kafka://log:geheim@127.0.0.1:1/log"
        self.replay("init", "--simulated", "--journal", self.path("a"))
        for command, node in (("create", "a"), ("join", "b")):
            done = self.replay("log", command, address, "--node", node, "--journal", self.path(node), check=False)
            self.assertEqual(done.returncode, 64)
            self.assert_names_the_scheme(done.stderr.decode())
        self.assertFalse(os.path.exists(os.path.join(self.path("a"), "log")))
        self.assertFalse(os.path.exists(self.path("b")))
        # Nor does a program write past a log that it does not know.
        with open(os.path.join(self.path("a"), "log"), "w", encoding="utf-8") as file:
            json.dump({"address": address, "node": "a", "term": 1}, file)
        code, outcomes, errors = self.submit("a", example_commands("examroom")[:3])
        self.assertEqual((code, outcomes), (74, []))
        self.assert_names_the_scheme(errors)
        self.assertEqual(self.events("a"), [])

    def assert_names_the_scheme(self, errors):
        self.assertEqual(errors.count("\n"), 1, errors)
        self.assertIn('the address of a log does not begin with "kafka:"', errors)
        self.assertNotIn("geheim", errors)

    def test_what_names_no_log_and_no_node_is_wrong_use(self):
        self.replay("init", "--simulated", "--journal", self.path("a"))
        for arguments in (("create", "mysql://x", "--node", "a"), ("create", self.log_address(), "--node", "a b"),
                          ("status",), ("follow", "--once"), ("take-over",)):
            self.assert_wrong_use(*arguments, "--journal", self.path("a"))
        self.assert_wrong_use("join", self.log_address(), "--node", "", "--journal", self.path("b"))
        self.assertFalse(os.path.exists(self.path("b")))

    @over_postgres
    def test_an_address_that_libpq_cannot_read_is_wrong_use(self):
        self.replay("init", "--simulated", "--journal", self.path("a"))
        for command, node in (("create", "a"), ("join", "b")):
            self.assert_wrong_use(command, "postgres:///log?nonsense=1", "--node", node, "--journal", self.path(node))

    def assert_wrong_use(self, *arguments):
        done = self.replay("log", *arguments, check=False)
        errors = done.stderr.decode()
        self.assertEqual((done.returncode, errors.count("\n")), (64, 1), errors)

    @over_postgres
    def test_an_address_is_whatever_libpq_takes(self):
        pairs = f"host={SERVER.directory} dbname=postgres user=sijill"
        self.create(address=pairs)
        self.join("b", SERVER.address().replace("postgres:", "postgresql:", 1))
        self.submit("a", example_commands("examroom")[:5])
        self.follow("b")
        self.assertEqual(self.verified("a"), self.verified("b"))

    def test_a_follower_decides_nothing(self):
        self.create()
        self.join("b")
        code, _, errors = self.submit("b", example_commands("examroom")[:3])
        self.assertEqual(code, 74)
        self.assertIn("this node follows; a has the log", errors)
        self.assertEqual(self.events("b"), [])

    def test_a_frame_that_was_changed_stops_whoever_follows(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:5])
        self.follow("b")
        self.submit("a", example_commands("examroom")[5:20])
        SERVER.flip(2)
        errors = self.stopped("b")
        self.assertIn("frame 2 of the log was changed", errors)
        self.assertNotIn("journal is damaged", errors)
        self.assertEqual(self.status("b")["here"], 1)

    def stopped(self, node):
        """What `log follow` says in one line as it ends."""
        done = self.replay("log", "follow", "--once", "--journal", self.path(node), check=False)
        errors = done.stderr.decode()
        self.assertEqual((done.returncode, errors.count("\n")), (65, 1), errors)
        return errors

    def test_a_log_that_lost_its_end_stops_whoever_follows(self):
        self.create()
        self.join("b")
        for part in range(0, 15, 5):
            self.submit("a", example_commands("examroom")[part:part + 5])
        self.follow("b")
        here = self.status("b")["here"]
        SERVER.truncate(1)
        self.assertIn(f"it ends at frame 1, this journal at {here}", self.stopped("b"))

    @over_postgres
    def test_a_log_whose_last_frame_is_missing_or_another_one_stops_whoever_follows(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:5])
        self.follow("b")
        self.submit("a", example_commands("examroom")[5:20])
        SERVER.sql("delete from sijill_log.frame where number > 1")
        self.assertIn("frame 2 is missing in the log", self.stopped("b"))
        SERVER.sql("update sijill_log.head set frames = 1, confirmed = 1")
        self.assertIn("frame 1 of the log is not this journal's", self.stopped("b"))

    def test_an_erasure_that_failed_is_tried_again(self):
        self.create()
        self.submit("a", [registered("S-1")])
        self.join("b")
        self.take_over("b", "a")
        self.assertEqual(self.submit("b", [erasure("S-1")])[0], 0)
        # Where the list of erasures is to be.
        path = os.path.join(self.path("a"), "erasures.jsonl")
        os.mkdir(path)
        done = self.replay("log", "follow", "--once", "--journal", self.path("a"), check=False)
        self.assertEqual(done.returncode, 74, done.stderr)
        status = self.status("a")
        self.assertEqual(status["here"], status["frames"])
        os.rmdir(path)
        # No frame comes with this one.
        self.follow("a")
        with open(path, encoding="utf-8") as file:
            self.assertIn("examroom/S-1", file.read())
        self.assertEqual(self.verified("a"), self.verified("b"))

    def test_a_log_that_went_another_way_stops_whoever_follows(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:5])
        self.submit("a", example_commands("examroom")[5:20])
        SERVER.drop(1)
        done = self.replay("log", "follow", "--once", "--journal", self.path("b"), check=False)
        self.assertEqual(done.returncode, 65)
        self.assertIn("does not continue the journal", done.stderr.decode())
        self.assertEqual(self.events("b"), [])

    @over_postgres
    def test_what_is_not_confirmed_is_not_followed(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:5])
        SERVER.sql("update sijill_log.head set confirmed = 0")
        self.follow("b")
        self.assertEqual(self.events("b"), [])

    @over_postgres
    def test_who_asks_again_says_again_what_is_confirmed(self):
        self.create()
        self.join("b")
        commands = example_commands("examroom")[:5]
        self.submit("a", commands)
        SERVER.sql("update sijill_log.head set confirmed = 0")
        frames = self.status("a")["frames"]
        _, outcomes, _ = self.submit("a", commands)
        self.assertEqual({each["status"] for each in outcomes} - {"rejected"}, {"duplicate"})
        self.assertEqual(self.status("a")["frames"], frames)
        self.follow("b")
        self.assertEqual(self.verified("a"), self.verified("b"))

    def test_nothing_is_appended_past_the_log(self):
        self.create()
        SERVER.claim(7)
        code, _, errors = self.submit("a", example_commands("examroom")[:3])
        self.assertEqual(code, 74)
        self.assertIn("the log ends at frame 7", errors)
        self.assertEqual(self.events("a"), [])


class Faults(Base):
    def test_kills_at_any_statement_lose_nothing_and_record_nothing_twice(self):
        self.kill_at_statements(int(os.environ.get("SIJILL_KILLS", "16" if KIND == "postgres" else "8")), seeded())

    @over_postgres
    def test_a_kill_before_confirmed_is_written_leaves_nobody_behind(self):
        # The last kill takes what would have said that a frame is durable, and who asks again gets duplicates.
        self.kill_at_statements(16, random.Random(1))

    def kill_at_statements(self, kills, chance):
        commands = example_commands("examroom", "quranflow", "tafawoq", "learnable")
        proxy = SERVER.proxy()
        outcomes, done, part = [], 0, 0
        try:
            self.create(address=proxy.address())
            self.join("b")
            while done < kills:
                some = commands[part % len(commands):][:4]
                part += 4
                what = chance.choice(["node", "server", "line"])
                number = chance.randrange(1, SERVER.most_requests)
                box = {}
                proxy.at(number, chance.random() < 0.5, {
                    "node": lambda: box["process"].kill(), "server": SERVER.kill, "line": lambda: None}[what])
                process, thread, answer = self.begin_submit("a", some)
                box["process"] = process
                while thread.is_alive():
                    thread.join(0.1)
                    # A server that was killed comes back, and the node finds out what became of its frame.
                    if not SERVER.is_up:
                        SERVER.start()
                if proxy.plan is None:
                    self.assertTrue(proxy.happened.wait(60))
                    done += 1
                if not SERVER.is_up:
                    SERVER.start()
                proxy.clear()
                errors = answer["err"].decode()
                self.assertIn(process.returncode, (0, 65, 74, -9), errors)
                self.assertNotIn("Fatal", errors)
                first = [json.loads(line) for line in answer["out"].splitlines() if line.endswith(b"}")]
                # Whoever got no answer asks again under the same id.
                code, again, errors = self.submit("a", some)
                self.assertIn(code, (0, 65), errors)
                known = {outcome["id"]: outcome for outcome in first if outcome.get("id")}
                for outcome in again:
                    before = known.get(outcome.get("id"))
                    if before and before["status"] == "accepted":
                        self.assertEqual(outcome["status"], "duplicate")
                        self.assertEqual([each["position"] for each in outcome["events"]],
                                         [each["position"] for each in before["events"]])
                outcomes += first
                if done % 8 == 0:
                    self.follow("b")
                if done % 100 == 0:
                    print(f"{done} kills", flush=True)
            self.follow("b")
            self.assertEqual(self.verified("a"), self.verified("b"))
            self.assert_answered(outcomes, "b")
            status = self.status("b")
            self.assertEqual((status["frames"], status["here"]), (status["confirmed"], status["frames"]))
        finally:
            proxy.remove()
        print(f"{done} kills, {len(outcomes)} outcomes, {status['frames']} frames", flush=True)

    def test_a_node_that_was_paused_writes_no_more_when_another_has_taken_over(self):
        for is_before in (True, False):
            with self.subTest(is_before=is_before):
                self.pause_and_take_over(is_before)
                self.tearDown()
                self.setUp()

    def pause_and_take_over(self, is_before):
        commands = example_commands("examroom")
        proxy = SERVER.proxy()
        try:
            self.create(address=proxy.address())
            self.join("b")
            self.submit("a", commands[:10])
            box = {}
            # Paused as it sends its frame, or when the log has it.
            proxy.at_append(is_before, lambda: os.kill(box["process"].pid, signal.SIGSTOP))
            process, thread, answer = self.begin_submit("a", commands[10:14])
            box["process"] = process
            self.assertTrue(proxy.happened.wait(30))
            # Its lock on its own journal is its own affair: keys are copied as they lie there.
            keys = self.path("keys")
            os.mkdir(keys)
            shutil.copy(os.path.join(self.path("a"), "keys"), keys)
            self.replay("log", "take-over", "--keys", keys, "--journal", self.path("b"))
            code, outcomes, errors = self.submit("b", commands[10:30])
            self.assertIn(code, (0, 65), errors)
            os.kill(process.pid, signal.SIGCONT)
            thread.join(60)
            self.assertEqual(process.returncode, 74)
            self.assertIn("b has taken over", answer["err"].decode())
            self.assertEqual(answer["out"], b"")
            # What the log had of it is answered as such by the one that took over.
            self.assertEqual({each["status"] for each in outcomes[:4]}, {"accepted"} if is_before else {"duplicate"})
            self.follow("a")
            self.assertEqual(self.verified("a"), self.verified("b"))
            self.assert_answered(outcomes, "a")
            terms = SERVER.terms()
            self.assertEqual(terms, sorted(terms))
            self.assertEqual(set(terms), {1, 2})
        finally:
            proxy.remove()

    @over_postgres
    def test_an_append_that_comes_late_finds_no_row(self):
        """It was given up, the log was asked, and it arrives between that and the next append."""
        late = Late(SERVER)
        try:
            self.create(address=late.address())
            commands = [registered(account) for account in ("S-1", "S-2")]
            late.at_append(late.keep)
            code, outcomes, errors = self.submit("a", commands[:1])
            self.assertEqual((code, outcomes), (74, []), errors)
            self.assertTrue(late.kept)
            late.at_append(late.deliver)
            code, outcomes, errors = self.submit("a", commands[1:2])
            self.assertEqual((code, [each["status"] for each in outcomes]), (0, ["accepted"]), errors)
            self.assertFalse(late.kept)
            # Its person's key would have been written over.
            code, outcomes, errors = self.submit("a", commands[:2])
            self.assertEqual((code, [each["status"] for each in outcomes]), (0, ["accepted", "duplicate"]), errors)
            names = [event["data"]["name"] for event in self.events("a") if "name" in event["data"]]
            self.assertEqual(len(names), 2)
            self.assertNotIn(None, names)
        finally:
            late.remove()

    @over_postgres
    def test_who_finds_that_another_program_held_the_log_appends_all_the_same(self):
        late = Late(SERVER)
        try:
            self.create(address=late.address())
            late.at_append(lambda _: SERVER.sql("update sijill_log.head set held = held + 1"))
            commands = example_commands("examroom")
            self.assertEqual(self.submit("a", commands[:5])[0], 0)
            self.assertEqual(SERVER.stored(), list(range(1, SERVER.frames() + 1)))
        finally:
            late.remove()

    def test_of_those_who_take_over_at_once_one_appends(self):
        self.create()
        self.submit("a", example_commands("examroom")[:10])
        for node in "bcd":
            self.join(node)
        keys = self.path("keys")
        self.replay("backup", self.path("backup"), "--keys", keys, "--journal", self.path("a"))
        processes = [subprocess.Popen(
            [REPLAY, "log", "take-over", "--keys", keys, "--journal", self.path(node)], env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) for node in "bcd"]
        answers = [process.communicate(timeout=60) for process in processes]
        terms = [json.loads(out)["term"] for out, _ in answers if out]
        self.assertTrue(terms, answers)
        self.assertEqual(len(terms), len(set(terms)))
        self.assertEqual(max(terms), self.status("a")["term"])
        codes = {node: self.submit(node, example_commands("examroom")[10:12])[0] for node in "abcd"}
        self.assertEqual([node for node, code in codes.items() if code in (0, 65)], [self.status("a")["appends"]])

    def test_a_take_over_from_a_log_that_lost_its_end_leaves_it_its_term(self):
        self.create()
        self.join("b")
        for part in range(0, 10, 5):
            self.submit("a", example_commands("examroom")[part:part + 5])
        self.follow("b")
        SERVER.truncate(1)
        self.assert_take_over_refused("it ends at frame 1")

    @over_postgres
    def test_a_take_over_that_is_refused_stops_nobody_who_appends(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:5])
        self.follow("b")
        self.submit("a", example_commands("examroom")[5:10])
        # One that b takes in when it takes over, and not before.
        SERVER.sql("update sijill_log.head set confirmed = 1")
        SERVER.flip(2)
        self.assert_take_over_refused("frame 2 of the log was changed")
        code, _, errors = self.submit("a", example_commands("examroom")[10:15])
        self.assertIn(code, (0, 65), errors)

    def assert_take_over_refused(self, why):
        done = self.replay("log", "take-over", "--losing", "99", "--journal", self.path("b"), check=False)
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn(why, done.stderr.decode())
        status = self.status("b")
        self.assertEqual((status["appends"], status["term"]), ("a", 1))

    def test_missing_keys_are_not_lost_unawares(self):
        self.create()
        self.join("b")
        self.submit("a", example_commands("examroom")[:20])
        done = self.replay("log", "take-over", "--journal", self.path("b"), check=False)
        self.assertEqual(done.returncode, 74)
        self.assertIn("keys are not here", done.stderr.decode())
        self.assertEqual(self.status("b")["appends"], "a")
        self.take_over("b", "a")
        names = [event["data"].get("name") for event in self.events("b") if event["type"] == "examroom.account.registered"]
        self.assertNotIn(None, names)

    @over_postgres
    def test_an_acknowledged_frame_outlives_its_server(self):
        """Two servers, a commit waits for the second one; the first one dies for good in mid-stream."""
        primary = Postgres("wal_level=replica", "max_wal_senders=4", "synchronous_standby_names=ANY 1 (*)",
                           "synchronous_commit=local")
        standby = tempfile.mkdtemp(prefix="log-standby-")
        os.chmod(standby, 0o777)
        data = os.path.join(standby, "data")
        second = None
        try:
            subprocess.run(
                [*as_server(), os.path.join(primary.programs, "pg_basebackup"), "-h", primary.directory, "-U", "sijill",
                 "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync"], check=True, cwd="/")
            options = [word for setting in ("fsync=off", "listen_addresses=", f"unix_socket_directories={standby}",
                                            "synchronous_standby_names=") for word in ("-c", setting)]
            second = subprocess.Popen(
                [*as_server(), os.path.join(primary.programs, "postgres"), "-D", data, *options], cwd="/",
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(200):
                if primary.sql("select count(*) from pg_stat_replication where state = 'streaming'") == [["1"]]:
                    break
                time.sleep(0.05)
            address = (f"postgres:///postgres?host={primary.directory},{standby}&user=sijill"
                       "&target_session_attrs=read-write")
            self.create(address=address)
            self.join("b", address=address)
            commands = example_commands("examroom", "quranflow")
            outcomes = []
            killer = threading.Timer(1.0, primary.kill)
            killer.start()
            part, promoted = 0, False
            while part < 300:
                some = commands[part:part + 3]
                code, answered, errors = self.submit("a", some) if not primary.process.poll() or promoted else (74, [], "")
                outcomes += [each for each in answered if each.get("status") == "accepted"]
                if code in (0, 65):
                    part += 3
                elif not promoted:
                    killer.join()
                    subprocess.run(
                        [*as_server(), os.path.join(primary.programs, "pg_ctl"), "promote", "-w", "-D", data],
                        check=True, cwd="/", stdout=subprocess.DEVNULL)
                    promoted = True
                else:
                    self.fail(errors)
            self.assertTrue(promoted)
            self.follow("b")
            self.assertEqual(self.verified("a"), self.verified("b"))
            self.assert_answered(outcomes, "b")
            self.assertGreater(len(outcomes), 40)
        finally:
            if second:
                second.send_signal(signal.SIGINT)
                second.wait(30)
            primary.remove()
            shutil.rmtree(standby, ignore_errors=True)


@unittest.skipUnless(os.path.exists(SIJILLD), "sijilld is not built")
class Service(Base):
    def serve(self, node):
        process = subprocess.Popen(
            [SIJILLD, "--journal", self.path(node)], env=dict(self.environment, SIJILL_HTTP_PORT="0"),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if '"serving"' in line:
                said = []
                reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
                reader.start()
                self.addCleanup(lambda: self.check(process, reader, said))
                return process, json.loads(line)["address"]
        raise RuntimeError("sijilld did not start")

    def check(self, process, reader, said):
        """It ended by no signal but the test's, and said nothing of a crash."""
        reader.join(10)
        self.assertIn(process.wait(10), (0, -signal.SIGKILL))
        self.assertEqual(crash("".join(said)), "")

    def post(self, address, command):
        request = urllib.request.Request(
            f"{address}/v1/commands", json.dumps(command).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def test_killed_services_lose_no_answer_and_a_fenced_one_refuses(self):
        self.create()
        self.join("b")
        commands = example_commands("examroom")
        process, address = self.serve("a")
        answers = []
        try:
            for number in range(60):
                if number in (20, 40):
                    process.kill()
                    process.wait()
                    process, address = self.serve("a")
                status, answer = self.post(address, commands[number])
                if status in (200, 201):
                    answers.append(answer)
            self.assertGreater(len(answers), 20)
            self.follow("b")
            self.assert_answered(answers, "b")
            self.take_over("b", "a")
            status, answer = self.post(address, commands[60])
            self.assertEqual(status, 503, answer)
            with urllib.request.urlopen(f"{address}/v1/models/examroom.policy", timeout=30) as answer:
                self.assertEqual(answer.status, 200)
            other, there = self.serve("b")
            try:
                self.assertNotEqual(self.post(there, commands[60])[0], 503)
            finally:
                other.kill()
                other.wait()
        finally:
            process.kill()
            process.wait()
        self.follow("a")
        self.assertEqual(self.verified("a"), self.verified("b"))


if __name__ == "__main__":
    unittest.main()
