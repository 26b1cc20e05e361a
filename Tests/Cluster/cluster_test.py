"""sijilld as several nodes with one journal: real processes, real servers of the log, real certificates."""
import hashlib
import http.client
import json
import os
import random
import re
import shutil
import socket
import time
import unittest

from cluster import KIND, SIJILLD, Cluster, crash, find_server, make_server
from history import AT, Client, longest_stall, register
from injection import compiler
from jetstream import Former

SERVER = None


def setUpModule():
    global SERVER
    if find_server():
        SERVER = make_server(is_replicated=True)
    else:
        print(f"{KIND} is not there: the cluster was NOT tested over it", flush=True)


def tearDownModule():
    if SERVER:
        SERVER.remove()


def erase(account):
    return {"id": f"e-{account}", "command": "account.erase", "at": AT, "by": "system",
            "data": {"subject": f"examroom/{account}"}}


@unittest.skipUnless(find_server(), "no server is there")
@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
@unittest.skipUnless(os.path.exists(SIJILLD), "sijilld is not built")
class Base(unittest.TestCase):
    cluster = None

    def make(self, names="abc", **settings):
        self.cluster = Cluster(SERVER, names, **settings)
        self.addCleanup(self.cluster.remove)
        self.cluster.start()
        # Every node has heard of the others.
        self.cluster.wait(lambda: all(len(node.status()["nodes"]) == len(names) for node in self.cluster.up),
                          name="all nodes")
        return self.cluster

    def accepted(self, node, command, status=201):
        found, headers, body = node.post(command)
        self.assertEqual(found, status, body)
        return int(headers["sijill-position"])

    def name_on(self, node, account, position):
        status, _, body = node.ask(
            "GET", f"/v1/models/examroom.account/{account}?min-position={position}", headers={"Prefer": "wait=10"})
        self.assertEqual(status, 200, body)
        return json.loads(body)["name"]

    def assert_equal_journals(self):
        self.cluster.wait_until_equal()
        self.cluster.stop()
        found = {hashlib.sha256(self.cluster.replay("export", "--journal", node.journal).encode()).hexdigest()
                 for node in self.cluster.nodes.values()}
        self.assertEqual(len(found), 1)
        for node in self.cluster.nodes.values():
            self.assertEqual(json.loads(self.cluster.replay(
                "verify", "--json", "--journal", node.journal))["findings"], [])


class Together(Base):
    def test_any_node_takes_commands_and_shows_what_came_of_them(self):
        cluster = self.make()
        for number, node in enumerate("abcabc"):
            account = f"S-{number}"
            position = self.accepted(cluster[node], register(account))
            self.assertEqual(self.accepted(cluster["abc"[(number + 1) % 3]], register(account), 200), position)
            for each in "abc":
                self.assertEqual(self.name_on(cluster[each], account, position), f"Name {account}")
        for node in "ab":
            status, _, body = cluster[node].post({"id": "x", "command": "no.such", "by": "system", "data": {}})
            self.assertEqual((status, body["code"]), (404, "unknown-command"))
        self.assertIn("decides, term 1", cluster["a"].ready())
        self.assertIn("follows a, term 1", cluster["b"].ready())
        metrics = cluster["b"].ask("GET", "/metrics")[2].decode()
        self.assertIn("sijill_cluster_decides 0", metrics)
        self.assertIn("sijill_cluster_term 1", metrics)
        self.assert_equal_journals()

    def test_lines_are_answered_in_order_by_a_node_that_follows(self):
        cluster = self.make("ab")
        body = "".join(json.dumps(register(f"S-{number}")) + "\n" for number in range(200))
        status, _, answer = cluster["b"].ask(
            "POST", "/v1/commands", body, {"Content-Type": "application/x-ndjson"})
        self.assertEqual(status, 200)
        outcomes = [json.loads(line) for line in answer.splitlines()]
        self.assertEqual([outcome["id"] for outcome in outcomes], [f"r-S-{number}" for number in range(200)])
        self.assertEqual({outcome["status"] for outcome in outcomes}, {"accepted"})

    def test_a_node_that_follows_streams_events_as_they_come(self):
        cluster = self.make("ab")
        connection = http.client.HTTPConnection("127.0.0.1", cluster["b"].port, timeout=20)
        connection.request("GET", "/v1/events?from=1", headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        for number in range(5):
            position = self.accepted(cluster["a"], register(f"S-{number}"))
            while True:
                line = stream.readline().decode()
                if line.startswith("id:") and int(line[3:]) == position:
                    break
        connection.close()

    def test_a_command_that_is_handed_on_is_in_its_senders_name(self):
        tokens = {"one": ["submitter"], "two": ["operator"]}
        policy = {"identities": [
            {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": roles,
             **({"actor": "admin:A-1"} if name == "one" else {})} for name, roles in tokens.items()]}
        self.cluster = cluster = Cluster(SERVER, "ab")
        self.addCleanup(cluster.remove)
        path = os.path.join(cluster.directory, "access.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(policy, file)
        for node in cluster.nodes.values():
            with open(node.config, encoding="utf-8") as file:
                values = json.load(file)
            values["access"] = {"file": path}
            with open(node.config, "w", encoding="utf-8") as file:
                json.dump(values, file)
            node.start()
        def post(node, token, command):
            headers = {"Content-Type": "application/json"}
            if token:
                headers["Authorization"] = f"Bearer {token}"
            status, _, body = cluster[node].ask("POST", "/v1/commands", json.dumps(command), headers)
            return status, json.loads(body)
        cluster.wait(lambda: post("a", "one", register("S-0"))[0] == 403, name="the decider")
        exam = {"id": "c-1", "command": "examroom.exam.create", "at": AT, "by": "admin:A-1",
                "data": {"exam": "EX-1", "title": "T", "durationMinutes": 30, "passPercent": 50, "maxAttempts": 1}}
        for command in (register("S-0"), exam, dict(exam, by="admin:A-2")):
            here, there = post("a", "one", command), post("b", "one", command)
            self.assertEqual(here[0], there[0], (here, there))
            self.assertEqual(here[1].get("code"), there[1].get("code"))
        self.assertEqual(post("b", None, exam)[0], 401)
        self.assertEqual(post("b", "two", exam)[0], 403)


class TakingOver(Base):
    def test_a_command_that_was_under_way_is_answered_by_who_takes_over(self):
        cluster = self.make()
        self.accepted(cluster["b"], register("S-0"))
        cluster["a"].kill()
        begin = time.monotonic()
        self.accepted(cluster["b"], register("S-1"))
        self.assertLess(time.monotonic() - begin, 10)
        self.assertIn(cluster.decider().name, "bc")
        self.assertEqual(cluster.decider().status()["term"], 2)
        cluster["a"].start()
        self.accepted(cluster["a"], register("S-2"))
        cluster.wait(lambda: cluster["a"].status()["role"] == "follows", name="a follower")
        self.assert_equal_journals()

    def test_one_that_was_paused_follows_when_it_wakes(self):
        cluster = self.make()
        self.accepted(cluster["a"], register("S-0"))
        cluster["a"].pause()
        decider = cluster.wait_for_decider(other_than="a")
        self.accepted(decider, register("S-1"))
        cluster["a"].resume()
        # Whatever it thinks it is, its own answers are those of the node that decides.
        self.accepted(cluster["a"], register("S-2"))
        self.accepted(cluster["a"], register("S-1"), 200)
        cluster.wait(lambda: cluster["a"].status()["role"] == "follows", name="a follower")
        terms = SERVER.terms()
        self.assertEqual(terms, sorted(terms))
        self.assert_equal_journals()

    def test_one_that_is_cut_off_from_the_log_is_taken_over(self):
        cluster = self.make()
        self.accepted(cluster["a"], register("S-0"))
        for state in ("cut", "held", "mute"):
            decider = cluster.wait_for_decider()
            cluster.gates[decider.name].set(state)
            other = cluster.wait_for_decider(other_than=decider.name)
            self.accepted(other, register(f"S-{state}"))
            cluster.gates[decider.name].set("open")
            cluster.wait(lambda: decider.status()["role"] == "follows", name="a follower")
            self.accepted(decider, register(f"S-{state}-behind"))
        self.assert_equal_journals()

    @unittest.skipUnless(compiler(), "no C compiler is there")
    def test_one_whose_disk_is_full_hands_on_and_takes_over_when_it_has_room(self):
        # Whoever waited for a silent node would wait longer than the test does.
        cluster = self.make(is_injected=True, takeOverSeconds=60)
        self.accepted(cluster["a"], register("S-0"))
        said = cluster["a"].listen()
        cluster["a"].injection.fail("ENOSPC", "/journal.")
        status, _, body = cluster["a"].post(register("S-1"))
        self.assertEqual((status, body["code"]), (503, "storage"))
        other = cluster.wait_for_decider(other_than="a")
        # The log had it all the time.
        position = self.accepted(cluster["a"], register("S-1"), 200)
        self.assertEqual(self.name_on(other, "S-1", position), "Name S-1")
        self.accepted(cluster["a"], register("S-2"))
        self.assertIn("the journal cannot be written", said())
        self.assertNotIn("the log is not to be had", said())
        self.assertIn("No space left on device", cluster["a"].status()["trouble"])
        cluster["a"].injection.mend()
        cluster.wait_until_equal()
        cluster["a"].injection.fail("ENOSPC")
        for _ in "bc":
            cluster.wait_for_decider(other_than="a").stop()
        end = time.monotonic() + 3
        while time.monotonic() < end:
            self.assertEqual(cluster["a"].status()["role"], "follows")
        cluster["a"].injection.mend()
        self.assertEqual(cluster.wait_for_decider().name, "a")
        for node in "bc":
            cluster[node].start()
        self.accepted(cluster["b"], register("S-3"))
        self.assert_equal_journals()

    @unittest.skipUnless(compiler(), "no C compiler is there")
    def test_one_whose_disk_is_full_decides_where_nobody_else_may(self):
        cluster = self.make("ab", is_injected=True, decides=False)
        self.accepted(cluster["a"], register("S-0"))
        cluster["a"].injection.fail("ENOSPC", "/journal.")
        end = time.monotonic() + 3
        while time.monotonic() < end:
            status, _, body = cluster["b"].post(register("S-1"))
            self.assertEqual((status, body["code"]), (503, "storage"))
        self.assertEqual(cluster.decider().name, "a")
        cluster["a"].injection.mend()
        position = self.accepted(cluster["b"], register("S-1"), 200)
        self.assertEqual(self.name_on(cluster["b"], "S-1", position), "Name S-1")
        self.assert_equal_journals()

    @unittest.skipUnless(compiler(), "no C compiler is there")
    def test_one_whose_flush_failed_writes_nothing_before_it_is_started_anew(self):
        cluster = self.make(is_injected=True, decides=False)
        self.accepted(cluster["a"], register("S-0"))
        cluster["a"].injection.fail("EIO", "/journal.", "fsync fdatasync")
        self.assertEqual(cluster["a"].post(register("S-1"))[0], 503)
        cluster["a"].injection.mend()
        self.assertEqual(cluster["a"].post(register("S-1"))[0], 503)
        cluster["a"].kill()
        cluster["a"].start()
        position = self.accepted(cluster["b"], register("S-1"), 200)
        self.assertEqual(self.name_on(cluster["b"], "S-1", position), "Name S-1")
        self.assert_equal_journals()

    def test_an_erasure_that_fails_on_one_keeps_nobody_from_taking_over_and_is_tried_again(self):
        cluster = self.make()
        self.accepted(cluster["a"], register("S-0"))
        cluster.wait_until_equal()
        said = cluster["c"].listen()
        # Where the list of erasures is to be.
        path = os.path.join(cluster["c"].journal, "erasures.jsonl")
        os.mkdir(path)
        position = self.accepted(cluster["a"], erase("S-0"))
        cluster.wait(lambda: "the journal cannot be written" in said(), name="an erasure that fails")
        cluster.wait_until_equal()
        # Until c has said how it is; what it said last stays.
        time.sleep(1)
        for node in "ca":
            cluster[node].kill()
        self.assertEqual(cluster.wait_for_decider().name, "b")
        os.rmdir(path)
        cluster["c"].start()
        # No frame comes with it.
        cluster.wait(lambda: os.path.isfile(path), name="the erasure")
        self.assertIsNone(self.name_on(cluster["c"], "S-0", position))
        cluster["a"].start()
        self.assert_equal_journals()

    def test_one_that_ends_hands_over_at_once(self):
        # Whoever waited for a silent node, or for one that ends, would wait longer than the test does.
        cluster = self.make(takeOverSeconds=60, values={"limits": {"drainSeconds": 60}})
        people = [Client(cluster, number, random.Random(number)) for number in range(4)]
        for person in people:
            person.start()
        for _ in range(3):
            time.sleep(0.5)
            decider = cluster.wait_for_decider()
            decider.stop()
            cluster.wait_for_decider(other_than=decider.name)
            decider.start()
        time.sleep(0.5)
        for person in people:
            person.is_over = True
        for person in people:
            person.join(60)
        self.assertEqual([problem for person in people for problem in person.problems], [])
        # Nobody waited for an answer on a node that knew of none who decides.
        self.assertLess(longest_stall([each for person in people for each in person.done]), 5)
        self.assert_equal_journals()

    def test_one_whose_time_to_end_is_over_ends(self):
        cluster = self.make("ab", values={"limits": {"drainSeconds": 1}})
        # A stream of commands that its client does not end, from the node that was asked to the one that decides.
        with socket.create_connection(("127.0.0.1", cluster["b"].port)) as client:
            line = (json.dumps(register("S-0")) + "\n").encode()
            client.sendall(b"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                           b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(line), line))
            cluster.wait(lambda: cluster["a"].status()["frames"] == 1, name="a frame")
            for node in cluster.nodes.values():
                node.stop()
                self.assertEqual(node.process.returncode, 0)

    def test_one_that_cannot_start_ends(self):
        cluster = self.make("ab")
        cluster["b"].stop()
        for port in (cluster["b"].port, cluster["b"].peer_port):
            with socket.create_server(("127.0.0.1", port)):
                done = cluster.sijilld("--config", cluster["b"].config)
            self.assertEqual(done.returncode, 74, done.stderr)
            self.assertIn("address already in use", done.stderr)
            self.assertEqual(crash(done.stderr), "")

    def test_a_node_that_may_not_decide_does_not(self):
        self.cluster = cluster = Cluster(SERVER, "ab", decides=False)
        self.addCleanup(cluster.remove)
        # The one that made the log has it.
        cluster.start()
        self.accepted(cluster["b"], register("S-0"))
        cluster["a"].kill()
        status, headers, body = cluster["b"].post(register("S-1"))
        self.assertEqual(status, 503)
        self.assertIn(body["code"], ("no-decider", "outcome-unknown"))
        self.assertIn("retry-after", headers)
        self.assertEqual(self.name_on(cluster["b"], "S-0", 1), "Name S-0")
        cluster["a"].start()
        self.accepted(cluster["b"], register("S-1"))


class Keys(Base):
    def test_a_name_is_readable_wherever_its_event_is(self):
        cluster = self.make()
        position = self.accepted(cluster["a"], register("S-0"))
        for _ in range(2):
            decider = cluster.wait_for_decider()
            decider.kill()
            other = cluster.wait_for_decider(other_than=decider.name)
            self.assertEqual(self.name_on(other, "S-0", position), "Name S-0")
            decider.start()
        self.assert_equal_journals()

    def test_who_comes_later_is_given_the_keys_and_who_was_away_too(self):
        cluster = self.make("ab")
        cluster["b"].stop()
        SERVER.forget_node("b")
        cluster.wait(lambda: len(cluster["a"].status()["nodes"]) == 1, name="one node")
        for number in range(30):
            position = self.accepted(cluster["a"], register(f"S-{number}"))
        cluster["b"].start()
        late = cluster.add("d")
        late.start()
        for node in (cluster["b"], late):
            for account in ("S-0", "S-29"):
                self.assertEqual(self.name_on(node, account, position), f"Name {account}")
            cluster.wait(lambda: node.status()["missingKeys"] == 0, name="all keys")
        self.assert_equal_journals()

    def test_no_person_is_named_while_a_majority_cannot_keep_the_key(self):
        cluster = self.make(takeOverSeconds=60)
        self.accepted(cluster["a"], register("S-0"))
        cluster["b"].kill()
        cluster["c"].kill()
        begin = time.monotonic()
        status, _, body = cluster["a"].post(register("S-1"))
        self.assertEqual((status, body["code"]), (503, "busy"), body)
        # Where nobody listens nobody is waited for: a client that tried again would take its second.
        self.assertLess(time.monotonic() - begin, 0.9)
        # Whom the nodes know already is served.
        rename = {"id": "n", "command": "examroom.settings.change", "at": AT, "by": "student:S-0",
                  "data": {"account": "S-0", "language": "ar"}}
        self.assertNotEqual(cluster["a"].post(rename)[0], 503)
        cluster["b"].start()
        # As its answer says: the same command again, once the other node is back.
        cluster.wait(lambda: cluster["a"].post(register("S-1"))[0] != 503, name="a majority")
        position = self.accepted(cluster["a"], register("S-1"), 200)
        self.assertEqual(self.name_on(cluster["b"], "S-1", position), "Name S-1")

    @unittest.skipUnless(KIND == "postgres", "of PostgreSQL alone")
    def test_no_person_is_named_before_a_node_that_starts_knows_the_others(self):
        cluster = self.make("ab", takeOverSeconds=60)
        self.accepted(cluster["a"], register("S-0"))
        cluster.wait_until_equal()
        for node in "ba":
            cluster[node].kill()
        cluster.gates["a"].slow = (b"select name, address, decides", 1)
        cluster["a"].start()
        cluster.wait(lambda: cluster["a"].status()["role"] == "decides", name="a decider")
        status, _, body = cluster["a"].post(register("S-1"))
        self.assertEqual((status, body["code"]), (503, "busy"), body)

    @unittest.skipUnless(compiler(), "no C compiler is there")
    def test_a_commit_that_fails_behind_the_log_costs_no_key(self):
        cluster = self.make(is_injected=True)
        self.accepted(cluster["a"], register("S-0"))
        # Keys are kept and the log has the frame; the journal has no room for it.
        cluster["a"].injection.fail("ENOSPC", "/journal.")
        for number in range(1, 4):
            self.assertEqual(cluster["a"].post(register(f"S-{number}"))[0], 503)
        cluster["a"].injection.mend()
        position = self.accepted(cluster["a"], register("S-1"), 200)
        for node in "abc":
            self.assertEqual(self.name_on(cluster[node], "S-1", position), "Name S-1")
        self.assertEqual(self.accepted(cluster["a"], register("S-2")), position + 1)
        self.assert_equal_journals()

    def test_keys_that_come_late_are_read_then(self):
        cluster = self.make("ab", keyCopies=1, decides=False)
        # Nobody gives b the keys: its peers do not answer.
        cluster["b"].kill()
        self.accepted(cluster["a"], register("S-0"))
        cluster["a"].kill()
        cluster["b"].start()
        cluster.wait(lambda: cluster["b"].status()["missingKeys"] > 0, 30, "a frame without its keys")
        self.assertIsNone(self.name_on(cluster["b"], "S-0", 1))
        cluster["a"].start()
        cluster.wait(lambda: cluster["b"].status()["missingKeys"] == 0, 30, "the keys")
        self.assertEqual(self.name_on(cluster["b"], "S-0", 1), "Name S-0")
        self.assert_equal_journals()

    def test_an_erasure_is_complete_when_every_node_says_so(self):
        cluster = self.make()
        self.accepted(cluster["a"], register("S-0"))
        cluster.wait_until_equal()
        cluster["c"].kill()
        position = self.accepted(cluster["b"], erase("S-0"))
        def nodes():
            receipt = json.loads(cluster.replay(
                "erase", "examroom/S-0", "--attest", "--journal", cluster["a"].journal))
            self.assertTrue(receipt["keyDestroyed"])
            return {node["name"]: node["carriedOut"] for node in receipt["nodes"]}
        cluster.wait(lambda: nodes() == {"b": True, "c": False}, name="b's word")
        cluster["c"].start()
        cluster.wait(lambda: nodes() == {"b": True, "c": True}, name="c's word")
        for node in "abc":
            self.assertIsNone(self.name_on(cluster[node], "S-0", position))
        self.assert_equal_journals()


class Broken(Base):
    def stopped(self):
        return all(node.status()["role"] == "stopped" for node in self.cluster.up)

    def heal(self, node):
        asked = self.cluster.sijilld("cluster", "heal", "--config", node.config)
        self.assertEqual(asked.returncode, 1)
        self.assertIn("nothing was done", asked.stderr)
        done = self.cluster.sijilld("cluster", "heal", "--yes", "--config", node.config)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_a_log_that_lost_its_end_stops_every_node_until_it_is_healed(self):
        cluster = self.make()
        for number in range(6):
            self.accepted(cluster["a"], register(f"S-{number}"))
        cluster.wait_until_equal()
        cluster.tamper(lambda: SERVER.truncate(3))
        cluster.wait(self.stopped, name="all stopped")
        status, _, body = cluster["b"].post(register("S-9"))
        self.assertEqual(status, 503, body)
        self.assertEqual(self.name_on(cluster["b"], "S-5", 6), "Name S-5")
        self.assertIn("read-only", cluster["c"].ready())
        self.assertIn("sijill_cluster_stopped 1", cluster["c"].ask("GET", "/metrics")[2].decode())
        self.assertTrue(any(each["level"] == "critical" for each in cluster["a"].messages()))
        self.assertIn("3 frames from 4 to 6", self.heal(cluster["b"]))
        cluster.wait_for_decider()
        self.accepted(cluster["c"], register("S-9"))
        self.assert_equal_journals()

    def test_a_bit_that_flipped_stops_every_node_until_it_is_healed(self):
        cluster = self.make()
        for number in range(3):
            self.accepted(cluster["a"], register(f"S-{number}"))
        cluster.wait_until_equal()
        cluster["c"].stop()
        for number in range(3, 6):
            self.accepted(cluster["a"], register(f"S-{number}"))
        cluster.tamper(lambda: SERVER.flip(5))
        cluster["c"].start()
        cluster.wait(self.stopped, name="all stopped")
        # One that was behind cannot put it back.
        done = cluster.sijilld("cluster", "heal", "--yes", "--config", cluster["c"].config)
        self.assertEqual(done.returncode, 0 if "Nothing" in done.stdout else 1, done.stdout + done.stderr)
        self.assertIn("to be replaced: frame 5", self.heal(cluster["a"]))
        cluster.wait_for_decider()
        self.accepted(cluster["c"], register("S-9"))
        # Whoever reads the log from its beginning finds it whole.
        cluster.add("d").start()
        self.assert_equal_journals()

    def test_a_frame_that_is_missing_stops_every_node_until_it_is_put_back(self):
        cluster = self.make("ab")
        for number in range(5):
            self.accepted(cluster["a"], register(f"S-{number}"))
        cluster.wait_until_equal()
        cluster.tamper(lambda: SERVER.drop(2))
        self.accepted(cluster["b"], register("S-5"))
        cluster.add("c").start()
        cluster.wait(self.stopped, name="all stopped")
        self.assertIn("2", self.heal(cluster["b"]))
        cluster.wait_for_decider()
        self.accepted(cluster["c"], register("S-9"))
        self.assert_equal_journals()

    def test_a_damaged_journal_stops_its_own_node_alone(self):
        cluster = self.make()
        decider = cluster.wait_for_decider()
        for number in range(4):
            self.accepted(decider, register(f"S-{number}"))
        cluster.wait_until_equal()
        hurt, other = (node for node in cluster.up if node is not decider)
        with open(hurt.journal + "/journal.mdb", "r+b") as file:
            content = file.read()
            # Every copy of the record that says where the journal stands.
            for found in re.finditer(b"head", content):
                file.seek(found.start() + 20)
                file.write(bytes([content[found.start() + 20] ^ 1]))
        cluster.wait(lambda: hurt.status()["role"] == "stopped", name="the damaged one stopped")
        self.accepted(decider, register("S-4"))
        decider.kill()
        self.assertIs(cluster.wait_for_decider(other_than=decider.name), other)
        # A new person's key needs two nodes that can keep it.
        decider.start()
        self.accepted(other, register("S-5"))
        self.assertEqual(hurt.status()["role"], "stopped")
        self.assertIn("storage", hurt.ready())
        # It stopped once, and did not come back in between.
        self.assertEqual(sum(each["level"] == "critical" for each in hurt.messages()), 1)

    @unittest.skipUnless(KIND == "nats", "of NATS alone")
    def test_a_leader_that_was_deposed_is_not_believed_that_the_log_lost_its_end(self):
        self.cluster = cluster = Cluster(SERVER, "ab")
        self.addCleanup(cluster.remove)
        former = Former(SERVER)
        self.addCleanup(former.remove)
        path = os.path.join(cluster["b"].journal, "log")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(settings, address=former.address()), file)
        cluster.start()
        self.accepted(cluster["a"], register("S-0"))
        former.remember()
        self.accepted(cluster["a"], register("S-1"))
        cluster.wait_until_equal()
        messages = len(SERVER.messages())
        former.is_lying = True
        cluster.wait(lambda: former.lies > 3, name="some answers")
        self.assertEqual(cluster["b"].status()["role"], "follows")
        self.assertEqual(len(SERVER.messages()), messages)
        former.is_lying = False
        position = self.accepted(cluster["a"], register("S-2"))
        self.assertEqual(self.name_on(cluster["b"], "S-2", position), "Name S-2")
        self.assertFalse(any(each["level"] == "critical" for each in cluster["b"].messages()))
        self.assert_equal_journals()

    def test_no_event_is_written_that_a_node_cannot_read(self):
        cluster = self.make()
        SERVER.replace_capability("c", "examroom.account.registered 1", "examroom.account.registered 0")
        status, _, body = cluster["a"].post(register("S-0"))
        self.assertEqual((status, body["code"]), (503, "busy"), body)
        self.assertIn("c does not know events of type examroom.account.registered 1", body["detail"])
        # It is upgraded, and says so soon after it has started.
        cluster["c"].stop()
        cluster["c"].start()
        cluster.wait(lambda: cluster["a"].post(register("S-0"))[0] == 201, name="an answer")

    def test_one_that_left_is_waited_for_no_more(self):
        cluster = self.make()
        decider = cluster.sijilld("cluster", "leave", "--config", cluster["a"].config)
        self.assertEqual(decider.returncode, 1)
        self.assertIn("a decides", decider.stderr)
        cluster["c"].stop()
        cluster.wait(lambda: cluster.sijilld(
            "cluster", "leave", "--node", "c", "--config", cluster["a"].config).returncode == 0, name="leave")
        status = json.loads(cluster.sijilld("cluster", "status", "--config", cluster["b"].config).stdout)
        self.assertEqual([node["name"] for node in status["nodes"]], ["a", "b"])
        self.assertEqual(status["decider"], "a")

    def test_who_is_no_node_is_given_nothing(self):
        import ssl
        cluster = self.make("ab")
        stranger = cluster.certificates.of("stranger")
        context = ssl.create_default_context(cafile=cluster.certificates.authority)
        context.check_hostname = False
        connection = http.client.HTTPSConnection("127.0.0.1", cluster["a"].peer_port, context=context, timeout=10)
        with self.assertRaises((ssl.SSLError, OSError)):
            # TLS 1.3 tells late that a certificate was wanted.
            connection.request("GET", "/cluster/node")
            connection.getresponse()
        for who, expected in ((stranger, 403), (cluster.certificates.of("b"), 200)):
            context.load_cert_chain(*who)
            connection = http.client.HTTPSConnection("127.0.0.1", cluster["a"].peer_port, context=context, timeout=10)
            connection.request("POST", "/cluster/keys/wanted", json.dumps({"slots": [1]}))
            self.assertEqual(connection.getresponse().status, expected)
            connection.close()


if __name__ == "__main__":
    unittest.main()
