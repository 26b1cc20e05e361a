"""Questions that nobody waits for any more, and those that are come back for."""
import hashlib
import json
import os
import time
import unittest

from harness import Server, wait_until
from hostile_test import Raw, account

ROLES = {
    # Sees what is about them, which is nothing.
    "stranger": {"roles": ["self"], "actor": "student:S-none"},
    "reader": {"roles": ["reader"]},
    "operator": {"roles": ["operator"]},
}
POLICY = {"identities": [
    {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), **rights} for name, rights in ROLES.items()]}
COME_BACK = "respond-async, wait=0"


def processor_seconds(server):
    """What the service has used of all cores so far."""
    with open(f"/proc/{server.process.pid}/stat", encoding="ascii") as file:
        # The name, in parentheses, may have spaces.
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Scans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        for first in range(0, 4_000, 1_000):
            cls.server.submit_all([account(number) for number in range(first, first + 1_000)])
        cls.server.stop()
        cls.server.settings |= {
            "access.file": cls.server.file("access.json", json.dumps(POLICY)), "limits.waitingReads": 8}
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def waiting(self):
        return self.server.get("/v1/status", token="operator").json["waitingQuestions"]

    def test_pages_of_events_that_nobody_waits_for_keep_no_model_from_being_asked(self):
        for path in ("/v1/events?limit=1000", "/v1/streams/examroom/account/S-1"):
            with self.subTest(path):
                request = f"GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer stranger\r\n\r\n"
                gone = [Raw(self.server).send(request) for _ in range(64)]
                for each in gone:
                    each.close()
                for number in range(8):
                    answer = self.server.get(f"/v1/models/examroom.account/S-{number}", token="reader")
                    self.assertEqual(answer.status, 200, answer.body)
                self.assertTrue(wait_until(lambda: self.waiting() == 0, 30))

    def test_who_may_see_nothing_is_shown_an_empty_page(self):
        answer = self.server.get("/v1/events", token="stranger")
        self.assertEqual((answer.status, answer.json["events"]), (200, []))

    def test_a_connection_goes_on_behind_a_page_of_events(self):
        connection = self.server.connection()
        connection.connect()
        first = connection.sock
        for _ in range(3):
            connection.request("GET", "/v1/events?limit=2", headers={"Authorization": "Bearer reader"})
            response = connection.getresponse()
            self.assertEqual((response.status, len(json.loads(response.read())["events"])), (200, 2))
            self.assertIs(connection.sock, first)
        connection.close()


class ComingBack(unittest.TestCase):
    path = "/v1/models/journal.summary"

    def promised(self, server):
        """Has somebody told to come back; the number of an account that there is not yet."""
        # What is answered at once needs nobody to come back: another event, and it is made anew.
        for number in range(200):
            server.submit(account(number))
            source = server.stream(self.path, headers={"Prefer": COME_BACK})
            source.close()
            if source.status == 202:
                return number + 1
        raise AssertionError("nobody was told to come back")

    def test_a_document_is_followed_by_who_was_told_to_come_back_for_it(self):
        with Server() as server:
            number = self.promised(server)
            server.submit(account(number))
            source = None
            for _ in range(200):
                source = server.stream(self.path, headers={"Prefer": COME_BACK})
                if source.status != 202:
                    break
                source.close()
                time.sleep(0.05)
            self.assertEqual(source.status, 200)
            stream = iter(source)
            self.assertEqual(next(stream)[0], "document")
            position = int(server.submit(account(number + 1)).headers["sijill-position"])
            reached = 0
            for event, place, _ in stream:
                self.assertEqual(event, "document")
                reached = int(place)
                if reached >= position:
                    break
            self.assertGreaterEqual(reached, position)
            before = processor_seconds(server)
            time.sleep(5)
            self.assertLess(processor_seconds(server) - before, 2)
            source.close()

    def test_a_long_poll_is_not_answered_with_what_was_kept(self):
        with Server() as server:
            number = self.promised(server)
            self.assertTrue(wait_until(
                lambda: server.get(self.path, headers={"Prefer": COME_BACK}).status == 200))
            kept = server.get(self.path, headers={"Prefer": COME_BACK}).headers["etag"]
            server.submit(account(number))
            answer = server.get(self.path, headers={"If-None-Match": kept, "Prefer": "respond-async, wait=20"})
            self.assertEqual(answer.status, 200, answer.body)
            self.assertNotEqual(answer.headers["etag"], kept)


if __name__ == "__main__":
    unittest.main()
