"""Nodes of `replay` with one log, in a directory that is thrown away."""
import json
import os
import shutil
import subprocess
import tempfile
import threading
import unittest

import servers  # pylint: disable=unused-import # finds the harness
from harness import REPLAY, replay


def lines(commands):
    return "".join(json.dumps(command) + "\n" for command in commands).encode()


class Nodes(unittest.TestCase):
    """Journals a, b, c; by their names."""

    def log_address(self):
        """Of the log, for who names none."""
        raise NotImplementedError

    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="log-")
        # All nodes wrap the persons' keys with one master key.
        self.master = os.path.join(self.directory, "master.key")
        self.environment = dict(os.environ, SIJILL_MASTER_KEY_FILE=self.master)
        self.copies = 0

    def tearDown(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def path(self, node):
        return os.path.join(self.directory, node)

    def replay(self, *arguments, check=True):
        return replay(*arguments, check=check, environment={"SIJILL_MASTER_KEY_FILE": self.master})

    def create(self, node="a", address=None):
        self.replay("init", "--simulated", "--journal", self.path(node))
        self.replay("log", "create", address or self.log_address(), "--node", node, "--journal", self.path(node))

    def join(self, node, address=None):
        self.replay("log", "join", address or self.log_address(), "--node", node, "--journal", self.path(node))

    def begin_submit(self, node, commands):
        process = subprocess.Popen(
            [REPLAY, "submit", "--journal", self.path(node)], env=self.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        answer = {}

        def talk():
            answer["out"], answer["err"] = process.communicate(lines(commands))

        thread = threading.Thread(target=talk)
        thread.start()
        return process, thread, answer

    def submit(self, node, commands):
        process, thread, answer = self.begin_submit(node, commands)
        thread.join(120)
        return process.returncode, [json.loads(line) for line in answer["out"].splitlines()], answer["err"].decode()

    def follow(self, node):
        self.replay("log", "follow", "--once", "--journal", self.path(node))

    def take_over(self, node, keys_of, check=True):
        self.copies += 1
        keys = self.path(f"keys-{self.copies}")
        self.replay("backup", self.path(f"backup-{self.copies}"), "--keys", keys, "--journal", self.path(keys_of))
        return self.replay("log", "take-over", "--keys", keys, "--journal", self.path(node), check=check)

    def events(self, node):
        return [json.loads(line) for line in
                self.replay("events", "--json", "--journal", self.path(node)).splitlines()]

    def verified(self, node):
        answer = json.loads(self.replay("verify", "--json", "--journal", self.path(node)))
        self.assertEqual(answer["findings"], [])
        return answer["rootHash"], answer["events"]

    def status(self, node):
        return json.loads(self.replay("log", "status", "--journal", self.path(node)))

    def assert_answered(self, outcomes, node):
        """Every event that was answered stands where it was answered, and no command is there twice."""
        told = {event["position"]: event for event in self.events(node)}
        for outcome in outcomes:
            for event in outcome.get("events", []):
                self.assertEqual(told[event["position"]]["type"], event["type"])
                self.assertEqual(told[event["position"]]["stream"], event["stream"])
        ids = [outcome["id"] for outcome in outcomes if outcome.get("status") == "accepted"]
        self.assertEqual(len(ids), len(set(ids)))
