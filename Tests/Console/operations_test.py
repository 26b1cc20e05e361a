"""What the page of who runs the service says of sinks and of a cluster, by HTTP: databases and nodes are real."""
import html
import http.client
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Cluster"))
# pylint: disable=wrong-import-position
from cluster import Cluster  # noqa: E402
from harness import REPLAY, find_postgres, replay  # noqa: E402  (the sinks' one)
from history import register  # noqa: E402
from servers import PostgresLog  # noqa: E402

# The service's tests have a module of the same name.
found = importlib.util.spec_from_file_location("service_harness", os.path.join(HERE, "..", "Service", "harness.py"))
service = importlib.util.module_from_spec(found)
found.loader.exec_module(service)
COMMANDS = service.example_commands("Examples/examroom/01-exam-day.jsonl")


def told(body):
    """What a page says, without its markup: a line for each row, heading and fact."""
    text = re.sub(r"</(tr|h2|div|p|caption)>", "\n", body.decode())
    return html.unescape(re.sub(r"[ \t]+", " ", re.sub(r"<[^>]*>", " ", text)))


class Sinks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp(prefix="console-sinks-")
        cls.journal = os.path.join(cls.place, "journal")
        cls.other = os.path.join(cls.place, "other")
        for journal, commands in [(cls.journal, COMMANDS), (cls.other, COMMANDS[:3])]:
            replay("init", "--simulated", "--journal", journal)
            subprocess.run([REPLAY, "submit", "--journal", journal], check=True, stdout=subprocess.DEVNULL,
                           input="".join(json.dumps(command) + "\n" for command in commands).encode())
        for database, journal in [("good", cls.journal), ("other", cls.other)]:
            replay("sink", "run", f"sqlite:{cls.place}/{database}.db", "examroom.exam", "examroom.result", "--journal", journal)
        sinks = [f"sqlite:{cls.place}/{name}.db" for name in ("good", "other", "absent")]
        # Nobody listens on that port; what it says has the password in no form.
        sinks.append("postgres://reports:geheim@127.0.0.1:1/school?connect_timeout=2#tables")
        cls.server = service.Server(journal=cls.journal, settings={"sinks": " ".join(sinks)})
        cls.alone = service.Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        cls.alone.remove()
        shutil.rmtree(cls.place, ignore_errors=True)

    def row(self, database, language="en"):
        text = told(self.server.get(f"/ui/operations?lang={language}").body)
        return next(line for line in text.splitlines() if database in line)

    def test_each_database_says_where_it_stands(self):
        status = json.loads(replay("sink", "status", f"sqlite:{self.place}/good.db", "--json", "--journal", self.journal))
        sinks = self.server.get("/v1/sinks").json["sinks"]
        good = sinks[0]
        self.assertEqual((good["position"], good["lag"], good["personal"], good["trouble"]),
                         (status["position"], status["lag"], False, None))
        self.assertEqual(good["models"], ["examroom.exam", "examroom.result"])
        head = self.server.get("/v1/status").json["position"]
        self.assertEqual(good["position"] + good["lag"], head)
        self.assertRegex(self.row("good.db"), rf"good\.db\s+{good['position']}\s+0\s+2\s+null\s+up to date")
        self.assertIn("محدَّث", self.row("good.db", "ar"))

    def test_what_another_journals_tables_say_is_not_taken_for_this_ones(self):
        other = self.server.get("/v1/sinks").json["sinks"][1]
        self.assertEqual((other["position"], other["lag"], other["trouble"]), (None, None, "its tables are of another journal"))
        self.assertIn("Its tables are of another journal.", self.row("other.db"))

    def test_a_database_that_is_not_there_says_so_and_none_is_made(self):
        self.assertIsNotNone(self.server.get("/v1/sinks").json["sinks"][2]["trouble"])
        self.assertIn("absent.db", self.row("absent.db"))
        self.assertFalse(os.path.exists(f"{self.place}/absent.db"))

    def test_no_password_is_shown(self):
        for path in ["/v1/sinks", "/ui/operations"]:
            answer = self.server.get(path)
            self.assertEqual(answer.status, 200)
            self.assertNotIn(b"geheim", answer.body)
        away = self.server.get("/v1/sinks").json["sinks"][3]
        self.assertEqual((away["address"], away["schema"], away["position"]),
                         ("postgres://127.0.0.1:1/school", "tables", None))
        self.assertTrue(away["trouble"])

    def test_how_far_behind_a_sink_is_grows_with_the_journal(self):
        server = service.Server(settings={"sinks": f"sqlite:{self.place}/grows.db"})
        self.addCleanup(server.remove)
        server.submit_all(COMMANDS[:5])
        replay("sink", "run", f"sqlite:{self.place}/grows.db", "examroom.exam", "--journal", server.journal)
        self.assertEqual(server.get("/v1/sinks").json["sinks"][0]["lag"], 0)
        before = server.get("/v1/status").json["position"]
        server.submit_all(COMMANDS[5:])
        grown = server.get("/v1/status").json["position"] - before
        self.assertGreater(grown, 0)
        for _ in range(100):
            sink = server.get("/v1/sinks").json["sinks"][0]
            if sink["lag"] == grown:
                break
            service.time.sleep(0.1)
        self.assertEqual((sink["position"], sink["lag"]), (before, grown))
        text = told(server.get("/ui/operations").body)
        self.assertRegex(text, rf"grows\.db\s+{before}\s+{grown}\s+1\s+null\s+behind")

    def test_a_service_that_stands_alone_says_so(self):
        for language, cluster, sinks in [
                ("en", "This service stands alone", "The service is told of no sinks"),
                ("ar", "هذه الخدمة وحدها", "لم يُذكر للخدمة أي مصرف")]:
            text = told(self.alone.get(f"/ui/operations?lang={language}").body)
            self.assertIn(cluster, text)
            self.assertIn(sinks, text)
        self.assertEqual(self.alone.get("/v1/sinks").json, {"sinks": []})
        self.assertEqual(self.alone.get("/v1/cluster").status, 404)

    def test_a_setting_that_is_no_database_is_told_at_the_start(self):
        with self.assertRaisesRegex(RuntimeError, "sinks: mysql://db/x is no database"):
            service.Server(settings={"sinks": "mysql://root:geheim@db/x"})


@unittest.skipUnless(find_postgres(), "PostgreSQL is not there")
@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class InACluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.database = PostgresLog("max_connections=100")
        cls.cluster = Cluster(cls.database, "ab", {"console": {"enabled": True}})
        cls.cluster.start()
        cls.cluster.wait(lambda: all(len(node.status()["nodes"]) == 2 for node in cls.cluster.up), name="both nodes")

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()
        cls.database.remove()

    def page(self, node, language="en"):
        status, _, body = node.ask("GET", f"/ui/operations?lang={language}")
        self.assertEqual(status, 200)
        return told(body)

    def test_every_node_says_who_decides_and_how_far_each_is(self):
        decider = self.cluster.decider()
        other = next(node for node in self.cluster.up if node is not decider)
        self.assertEqual(decider.post(register("S-1"))[0], 201)
        self.cluster.wait_until_equal()
        for node, part in [(decider, "decides"), (other, "follows")]:
            said = node.status()
            text = self.page(node)
            for fact in [rf"This node\s+{node.name}\s", rf"Its part\s+{part}\s", rf"Who decides\s+{decider.name}\s",
                         rf"Term\s+{said['term']}\s", rf"Frames here\s+{said['frames']}\s",
                         rf"\n\s*{decider.name}\s+{re.escape('127.0.0.1')}:{decider.peer_port}\s+decides\s+\d+\s+0\s",
                         rf"\n\s*{other.name}\s+{re.escape('127.0.0.1')}:{other.peer_port}\s+follows\s+\d+\s+0\s"]:
                self.assertRegex(text, fact)
            self.assertNotIn("stands alone", text)
            self.assertRegex(self.page(node, "ar"), rf"من يقرّر\s+{decider.name}\s")

    def test_what_keeps_a_node_from_going_on_stands_on_its_page(self):
        node = self.cluster.decider()
        gate = self.cluster.gates[node.name]
        gate.set("cut")
        try:
            self.cluster.wait(lambda: node.status()["trouble"], name="trouble")
            self.assertIn(f"Trouble: {node.status()['trouble']}", re.sub(r"\s+", " ", self.page(node)))
        finally:
            gate.set("open")
            self.cluster.wait_for_decider()


if __name__ == "__main__":
    unittest.main()
