"""`sijilld health`, as containers and scripts ask it."""
import json
import os
import socket
import subprocess
import unittest

from harness import SIJILLD, Server


def health(server, port, *arguments):
    path = server.file("health.json", json.dumps({"journal": server.journal, "http": {"port": port}}))
    return subprocess.run([SIJILLD, "health", "--config", path, *arguments], capture_output=True, text=True, check=False)


class Health(unittest.TestCase):
    def test_a_service_that_is_ready_is_well(self):
        with Server() as server:
            for arguments in ([], ["--live"]):
                done = health(server, server.port, *arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_one_that_is_not_there_is_said_in_a_line(self):
        with Server() as server, socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            done = health(server, free.getsockname()[1])
            self.assertEqual(done.returncode, 1)
            self.assertIn("does not answer: connection refused\n", done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_something_else_on_the_port_is_not_taken_for_it(self):
        with Server() as server, socket.create_server(("127.0.0.1", 0)) as other:
            done = health(server, other.getsockname()[1], "--live")
            self.assertEqual(done.returncode, 1)

    def test_settings_that_are_wrong_are_said(self):
        done = subprocess.run([SIJILLD, "health", "--config", "/nowhere.json"], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("/nowhere.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
