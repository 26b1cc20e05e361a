"""The client in Python does what its text says, and is what the service's description gives."""
import itertools
import os
import subprocess
import sys
import threading
import unittest

from harness import ROOT, Server, example_commands

sys.path.insert(0, os.path.join(ROOT, "Examples", "clients", "python"))
from sijill import Client, Problem  # noqa: E402

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")


class ClientTests(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.client = Client(f"http://{self.server.address}")

    def tearDown(self):
        self.client.close()
        self.server.remove()

    def test_is_what_the_description_gives(self):
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "Scripts", "client.py"), f"http://{self.server.address}", "--check"],
            capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_submits_and_reads_what_it_wrote(self):
        outcomes = self.client.submit_all(COMMANDS)
        self.assertEqual([outcome["id"] for outcome in outcomes], [command["id"] for command in COMMANDS])
        again = self.client.submit(COMMANDS[0])
        self.assertEqual(again["status"], "duplicate")
        exam = self.client.get_models_model_key("examroom.exam", "EX-1", min_position=self.client.position)
        self.assertEqual(exam["exam"], "EX-1")
        past = self.client.get_models_model_key("examroom.exam", "EX-1", as_of=6)
        self.assertNotEqual(past, exam)
        refused = self.client.submit(dict(COMMANDS[0], id="other"))
        self.assertEqual((refused["status"], refused["code"]), ("rejected", "already-exists"))
        with self.assertRaises(Problem) as caught:
            self.client.get_models_model("examroom.exam")
        self.assertEqual(caught.exception.code, "bad-request")

    def test_follows_over_a_restart_of_the_service_without_a_gap(self):
        self.client.submit_all(COMMANDS[:10])
        total = []
        done = threading.Event()

        def listen():
            for event in Client(f"http://{self.server.address}").follow():
                total.append(event["position"])
                if len(total) == expected:
                    break
            done.set()

        expected = 21
        listener = threading.Thread(target=listen, daemon=True)
        listener.start()
        self.server.stop()
        port = self.server.port
        self.server.environment["SIJILL_HTTP_PORT"] = str(port)
        self.server.start()
        self.client.submit_all(COMMANDS)
        self.assertTrue(done.wait(30))
        self.assertEqual(total, list(itertools.islice(itertools.count(1), expected)))


if __name__ == "__main__":
    unittest.main()
