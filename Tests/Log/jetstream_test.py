"""What a log in NATS has besides: its replicas, TLS, accounts, limits, and blocks of the stream that were damaged on disk."""
import glob
import json
import os
import shutil
import ssl
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Cluster"))
# pylint: disable=wrong-import-position
import servers  # pylint: disable=unused-import # finds the harness
from certificates import Certificates
from harness import example_commands
from jetstream import STREAM, Client, Nats, find_nats
from nodes import Nodes

# As docs/cluster.md has it: all that a node asks of JetStream.
NODE_MAY = [f"sijill.{STREAM}.>", f"$KV.{STREAM}_nodes.>", f"$JS.API.STREAM.MSG.GET.{STREAM}", f"$JS.API.STREAM.INFO.{STREAM}",
            f"$JS.API.STREAM.MSG.GET.KV_{STREAM}_nodes", f"$JS.API.STREAM.INFO.KV_{STREAM}_nodes"]
COMMANDS = example_commands("examroom", "quranflow")


@unittest.skipUnless(find_nats(), "nats-server is not there")
class Base(Nodes):
    server = None

    def begin(self, count=1, more="", **how):
        self.server = Nats(count, more, **how)
        self.addCleanup(self.server.remove)
        return self.server

    def log_address(self):
        return self.server.address()

    def refused(self, address, code=74):
        """What `log create` says in one line; nothing was made."""
        if not os.path.exists(self.path("a")):
            self.replay("init", "--simulated", "--journal", self.path("a"))
        done = self.replay("log", "create", address, "--node", "a", "--journal", self.path("a"), check=False)
        errors = done.stderr.decode()
        self.assertEqual((done.returncode, errors.count("\n")), (code, 1), errors)
        self.assertFalse(os.path.exists(os.path.join(self.path("a"), "log")))
        return errors


class Replicas(Base):
    def test_an_acknowledged_frame_outlives_the_streams_leader(self):
        server = self.begin(3)
        self.create()
        self.join("b")
        self.assertEqual(server.client().call(f"STREAM.INFO.{STREAM}")["config"]["num_replicas"], 3)
        outcomes, part, victims = [], 0, []
        killer = threading.Timer(0.7, lambda: (victims.append(server.leader()), victims[0].kill()))
        killer.start()
        while part < 60 or not victims:
            code, answered, errors = self.submit("a", COMMANDS[part:part + 3])
            outcomes += [each for each in answered if each.get("status") == "accepted"]
            if code in (0, 65):
                part += 3
            else:
                # Until another server leads the stream.
                self.assertEqual(code, 74, errors)
        killer.join()
        # The one that was killed is gone for good, with its disk.
        shutil.rmtree(victims[0].directory)
        self.follow("b")
        self.assertEqual(self.verified("a"), self.verified("b"))
        self.assert_answered(outcomes, "b")
        self.assertGreater(len(outcomes), 20)


class Addresses(Base):
    def test_one_that_is_none_is_refused_without_its_password(self):
        for rest, what in (("/LOG?sslmode=require", "sslmode is disable, or verify-full"), ("", "a stream's name is wanted"),
                           ("/LOG/x", "a stream's name is wanted"), ("/LOG?secret=1", "there is no parameter secret"),
                           ("/LOG?replicas=7", "replicas are 1 to 5"), ("/LOG?sslkey=k", "sslcert and sslkey go together"),
                           (":0/LOG", "a server is written host:port"), (",/LOG", "a server is written host:port")):
            errors = self.refused(f"nats://log:geheim@localhost{rest}", 64)
            self.assertIn(what, errors)
            self.assertNotIn("geheim", errors)

    def test_a_server_that_is_not_there_is_said_so(self):
        errors = self.refused("nats://log:geheim@127.0.0.1:1/LOG")
        self.assertIn("the log is not to be had", errors)
        self.assertNotIn("geheim", errors)

    def test_the_first_server_that_answers_is_taken(self):
        server = self.begin()
        self.create(address=f"nats://127.0.0.1:1,127.0.0.1:{server.servers[0].port}/{STREAM}?replicas=1")
        self.assertEqual(self.submit("a", COMMANDS[:5])[0], 0)

    def test_a_stream_that_forgets_is_refused(self):
        server = self.begin()
        client = server.client()
        keeps = {"name": STREAM, "subjects": [f"sijill.{STREAM}.>"], "retention": "limits", "storage": "file", "deny_delete": True,
                 "deny_purge": True}
        for change, what in (({"max_age": 10 ** 12}, "does not keep every message"), ({"deny_purge": False}, "may be deleted"),
                             ({"storage": "memory"}, "not on disk"), ({"subjects": ["other"]}, "its subjects are not")):
            self.make_stream(dict(keeps, **change))
            self.assertIn(what, self.refused(server.address()))
            client.call(f"STREAM.DELETE.{STREAM}")
        # One that an operator made as it should be is taken.
        self.make_stream(dict(keeps, description="ours"))
        self.create("c")
        self.assertEqual(client.call(f"STREAM.INFO.{STREAM}")["config"]["description"], "ours")
        self.assertIn("the stream LOG has another journal", self.refused(server.address()))

    def make_stream(self, config):
        # What was there before may not be gone from the disk yet.
        self.server.wait_for(lambda: "error" not in self.server.client().call(f"STREAM.CREATE.{STREAM}", config), "a stream")


class Access(Base):
    def test_a_server_is_who_its_certificate_says_it_is(self):
        folder = tempfile.mkdtemp(prefix="nats-tls-")
        self.addCleanup(shutil.rmtree, folder)
        made = Certificates(folder)
        (own, key), (node, node_key) = made.of("localhost"), made.of("node")
        context = ssl.create_default_context(cafile=made.authority)
        context.load_cert_chain(node, node_key)
        server = self.begin(more=f"""tls {{ cert_file: "{own}", key_file: "{key}", ca_file: "{made.authority}", verify: true }}""",
                            context=context)
        port = server.servers[0].port
        files = f"sslrootcert={made.authority}&sslcert={node}&sslkey={node_key}"
        self.refused(f"nats://localhost:{port}/{STREAM}")
        self.refused(f"nats://localhost:{port}/{STREAM}?sslmode=verify-full")
        self.refused(f"nats://localhost:{port}/{STREAM}?sslrootcert={made.authority}")
        self.refused(f"nats://127.0.0.1:{port}/{STREAM}?{files}")
        address = f"nats://localhost:{port}/{STREAM}?{files}"
        shutil.rmtree(self.path("a"))
        self.create(address=address)
        self.join("b", address)
        self.assertEqual(self.submit("a", COMMANDS[:5])[0], 0)
        self.follow("b")
        self.assertEqual(self.verified("a"), self.verified("b"))

    def test_a_node_needs_no_more_than_is_written_and_cannot_delete_the_log(self):
        may = ", ".join(f'"{subject}"' for subject in NODE_MAY)
        server = self.begin(more=f"""authorization {{ users: [
            {{ user: admin, password: a }},
            {{ user: node, password: "p w/1", permissions: {{ publish: [{may}], subscribe: "_INBOX.>" }} }} ] }}""",
                            login={"user": "admin", "pass": "a"})
        port = server.servers[0].port
        self.create(address=f"nats://admin:a@127.0.0.1:{port}/{STREAM}")
        self.change_address("a", f"nats://node:p%20w%2F1@127.0.0.1:{port}/{STREAM}")
        self.assertEqual(self.submit("a", COMMANDS[:10])[0], 0)
        self.join("b", f"nats://node:p%20w%2F1@127.0.0.1:{port}/{STREAM}")
        self.take_over("b", "a")
        self.assertIn(self.submit("b", COMMANDS[10:20])[0], (0, 65))
        self.follow("a")
        self.assertEqual(self.verified("a"), self.verified("b"))
        for name in ("STREAM.DELETE", "STREAM.PURGE", "STREAM.UPDATE"):
            with self.assertRaises(OSError):
                Client(port, {"user": "node", "pass": "p w/1"}).call(f"{name}.{STREAM}")
        # Nor does a wrong password lead anywhere.
        self.change_address("b", f"nats://node:geheim@127.0.0.1:{port}/{STREAM}")
        code, _, errors = self.submit("b", COMMANDS[20:22])
        self.assertEqual(code, 74)
        self.assertNotIn("geheim", errors)

    def change_address(self, node, address):
        path = os.path.join(self.path(node), "log")
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(settings, address=address), file)


class Limits(Base):
    def test_a_frame_that_is_too_large_is_refused_and_nothing_is_recorded(self):
        server = self.begin()
        server.configure("max_payload: 2KB")
        self.create()
        code, outcomes, errors = self.submit("a", COMMANDS[:200])
        self.assertEqual(code, 74, errors)
        self.assertIn("where the servers take 2048", errors)
        self.assertEqual([each for each in outcomes if each.get("status") == "accepted"], [])
        self.assertEqual(self.events("a"), [])
        self.assertEqual(self.submit("a", COMMANDS[:1])[0], 0)


class Damage(Base):
    def test_what_a_server_lost_of_its_file_is_not_taken_for_the_log(self):
        """A bit of the stream's file flips while the server is down, in the end, the middle and the beginning. Whatever the server
        makes of that, nobody takes in anything but what was appended."""
        for place in (0.95, 0.5, 0.1):
            with self.subTest(place=place):
                self.flip_on_disk(place)
            self.server.remove()
            shutil.rmtree(self.directory)
            self.setUp()

    def flip_on_disk(self, place):
        server = self.begin()
        self.create()
        for part in range(0, 30, 3):
            self.submit("a", COMMANDS[part:part + 3])
        before = self.names("a")
        server.kill()
        found = glob.glob(os.path.join(server.servers[0].directory, "store", "**", STREAM, "msgs", "*.blk"), recursive=True)
        self.assertEqual(len(found), 1)
        with open(found[0], "r+b") as file:
            offset = int(file.seek(0, os.SEEK_END) * place)
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes([byte ^ 1]))
        server.start()
        code, _, errors = self.submit("a", COMMANDS[30:33])
        # Either nothing is lacking, or somebody is told.
        self.assertIn(code, (0, 65, 74), errors)
        self.assertEqual(self.names("a")[:len(before)], before)
        self.join("b")
        followed = self.replay("log", "follow", "--once", "--journal", self.path("b"), check=False)
        self.assertIn(followed.returncode, (0, 65, 74), followed.stderr)
        taken = self.names("b")
        self.assertEqual(taken, self.names("a")[:len(taken)])
        if code != 74:
            self.assertEqual((followed.returncode, taken), (0, self.names("a")))

    def names(self, node):
        """What is the same on every node, whoever has the persons' keys."""
        return [(event["position"], event["type"], event["stream"]) for event in self.events(node)]


if __name__ == "__main__":
    unittest.main()
