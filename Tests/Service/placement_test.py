"""Journals placed on nodes: each node answers for its own, says where others are, and lets go of what moves away."""
import json
import os
import shutil
import signal
import sys
import threading
import unittest

from harness import ROOT, Server, replay, wait_until

sys.path.insert(0, os.path.join(ROOT, "Examples", "clients", "python"))
from sijill import Client  # noqa: E402


def observation(id):
    return {"id": id, "command": "examroom.connection.observe", "by": "system",
            "data": {"device": id, "network": "wifi"}}


class Placement(unittest.TestCase):
    def setUp(self):
        self.nodes, self.table = {}, {"nodes": {}, "journals": {"one": "a", "two": "b", "three": None}}
        for name in ("a", "b"):
            node = Server(simulated=False)
            self.addCleanup(node.remove)
            node.stop()
            self.nodes[name] = node
            os.mkdir(os.path.join(node.directory, "journals"))
            self.table["nodes"][name] = "http://127.0.0.1:1"
            for journal in ("one", "two", "three", "four"):
                replay("init", "--journal", self.path(name, journal))
        for name, node in self.nodes.items():
            node.settings.update({
                "journals": os.path.join(node.directory, "journals"), "placement.node": name,
                "placement.file": self.write(node)})
            node.start()
            self.table["nodes"][name] = f"http://{node.address}"
        self.place()

    def path(self, node, journal):
        return os.path.join(self.nodes[node].directory, "journals", journal)

    def write(self, node, table=None):
        return node.file("placement.json", json.dumps(table or self.table))

    def place(self, **journals):
        """Every node reads the table anew."""
        self.table["journals"].update(journals)
        for node in self.nodes.values():
            known = len(node.logged("the placement of journals is read anew"))
            self.write(node)
            node.process.send_signal(signal.SIGHUP)
            self.assertTrue(wait_until(lambda: len(node.logged("the placement of journals is read anew")) > known))

    def submit(self, node, journal, id):
        return self.nodes[node].ask("POST", f"/v1/journals/{journal}/commands", body=observation(id))

    def open(self, node):
        journals = self.nodes[node].get("/v1/placement").json["journals"]
        return {each["name"]: each["open"] for each in journals}

    def test_a_node_answers_for_its_journals_and_says_where_others_are(self):
        self.assertEqual(self.submit("a", "one", "c-1").status, 201)
        answer = self.submit("b", "one", "c-2")
        self.assertEqual(answer.status, 307)
        self.assertEqual(answer.json["code"], "elsewhere")
        self.assertEqual(
            answer.headers["location"], f"http://{self.nodes['a'].address}/v1/journals/one/commands")
        query = self.nodes["b"].get("/v1/journals/one/events?limit=1&type=x")
        self.assertEqual(
            query.headers["location"], f"http://{self.nodes['a'].address}/v1/journals/one/events?limit=1&type=x")
        whole = self.nodes["b"].get("http://localhost/v1/journals/one/events?limit=1")
        self.assertEqual(
            whole.headers["location"], f"http://{self.nodes['a'].address}/v1/journals/one/events?limit=1")
        # Though both have directories of that name, there is one journal.
        self.assertEqual(self.nodes["a"].get("/v1/journals/one/events").json["events"][-1]["command"], "c-1")
        self.assertEqual(self.nodes["a"].get("/v1/journals").json, {"journals": ["one"]})

    def test_a_journal_that_moves_is_nobodys_and_one_that_is_not_named_is_not_there(self):
        for node in ("a", "b"):
            moving = self.submit(node, "three", "c-1")
            self.assertEqual((moving.status, moving.json["code"]), (503, "moving"))
            self.assertIn("retry-after", moving.headers)
            self.assertEqual(self.submit(node, "four", "c-1").status, 404)

    def test_a_journal_moves_while_it_is_written_to_and_no_answered_command_is_lost(self):
        subscription = "/v1/journals/one/subscriptions/kept"
        self.assertEqual(self.nodes["a"].ask("PUT", subscription, body={}).status, 201)
        client = Client(f"http://{self.nodes['b'].address}", journal="one", tries=60)
        answered, stop = [], threading.Event()

        def write():
            while not stop.is_set():
                id = f"w-{len(answered)}"
                outcome = client.submit(observation(id))
                self.assertIn(outcome["status"], ("accepted", "duplicate"))
                answered.append(id)

        writer = threading.Thread(target=write)
        writer.start()
        try:
            self.assertTrue(wait_until(lambda: len(answered) > 20))
            self.place(one=None)
            self.assertTrue(wait_until(lambda: not self.open("a")["one"]))
            shutil.rmtree(self.path("b", "one"))
            shutil.copytree(self.path("a", "one"), self.path("b", "one"))
            before = len(answered)
            self.place(one="b")
            self.assertTrue(wait_until(lambda: len(answered) > before + 20))
            # And back again, to where the client was sent from.
            self.place(one=None)
            self.assertTrue(wait_until(lambda: not self.open("b")["one"]))
            shutil.rmtree(self.path("a", "one"))
            shutil.copytree(self.path("b", "one"), self.path("a", "one"))
            before = len(answered)
            self.place(one="a")
            self.assertTrue(wait_until(lambda: len(answered) > before + 20))
        finally:
            stop.set()
            writer.join(60)
        self.assertEqual(self.nodes["a"].get(subscription).status, 200)
        answer = self.nodes["a"].get("/v1/journals/one/events", headers={"Accept": "application/x-ndjson"})
        self.assertEqual([event["command"] for event in answer.lines], answered)

    def test_a_listener_is_told_to_come_again_when_its_journal_moves(self):
        self.submit("a", "one", "c-1")
        stream = self.nodes["a"].stream("/v1/journals/one/events")
        self.assertEqual(stream.status, 200)
        self.place(one="b")
        self.assertEqual([event for event, _, _ in stream][-1], "end")
        self.assertEqual(self.submit("a", "one", "c-2").status, 307)

    def test_a_table_that_is_wrong_is_refused_and_the_former_one_stays(self):
        node = self.nodes["a"]
        for table in (
            {"nodes": {"b": "http://127.0.0.1:1"}, "journals": {}},
            {"nodes": self.table["nodes"], "journals": {"one": "c"}},
            {"nodes": self.table["nodes"], "journals": {"../x": "a"}},
            {"nodes": {"a": "here"}, "journals": {}},
            {"nodes": self.table["nodes"], "journals": {}, "more": {}},
            {"nodes": self.table["nodes"]},
        ):
            known = len(node.logged("the placement of journals is refused, the former one stays"))
            self.write(node, table)
            node.process.send_signal(signal.SIGHUP)
            self.assertTrue(wait_until(lambda: len(
                node.logged("the placement of journals is refused, the former one stays")) > known), table)
            self.assertEqual(self.submit("a", "one", f"c-{known}").status, 201)
        node.stop()
        self.assertRaises(RuntimeError, node.start)

    def test_where_journals_are_is_told_to_who_may_use_them(self):
        server = Server(access={"identities": [{
            "name": "two", "tokenSHA256": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",  # foo
            "roles": ["reader", "operator"], "journals": ["two"]}]})
        self.addCleanup(server.remove)
        server.stop()
        self.table["nodes"]["c"] = "http://127.0.0.1:1"
        server.settings.update({
            "journals": server.directory, "placement.node": "c", "placement.file": self.write(server)})
        server.start()
        self.assertEqual(server.get("/v1/journals/two/events").status, 401)
        self.assertEqual(server.get("/v1/journals/two/events", token="foo").status, 307)
        self.assertEqual(server.get("/v1/journals/one/events", token="foo").status, 404)

    def test_without_a_table_there_is_no_placement(self):
        with Server() as server:
            self.assertEqual(server.get("/v1/placement").status, 404)


if __name__ == "__main__":
    unittest.main()
