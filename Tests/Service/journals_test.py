"""Many journals in one process: opened when they are asked for, let go of when they are not."""
import os
import re
import shutil
import threading
import time
import unittest

from harness import Server, example_commands, wait_until

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")


class Journals(unittest.TestCase):
    COUNT = 150

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit_all(COMMANDS)
        cls.server.stop()
        many = os.path.join(cls.server.directory, "many")
        os.mkdir(many)
        for number in range(cls.COUNT):
            shutil.copytree(cls.server.journal, os.path.join(many, f"school-{number}"))
        cls.server.settings.update({"journals": many, "limits.journalIdleSeconds": 2, "limits.openJournals": 20})
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def files(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def own_memory(self):
        """MiB that are not mapped files."""
        with open(f"/proc/{self.server.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"RssAnon:\s+(\d+) kB", file.read()).group(1)) / 1024

    def test_more_journals_than_may_be_open_are_served_one_after_the_other_and_closed_when_idle(self):
        before, memory = self.files(), self.own_memory()
        for round in range(2):
            for number in range(self.COUNT):
                answer = self.server.get(f"/v1/journals/school-{number}/models/examroom.exam/EX-1")
                self.assertEqual(answer.status, 200, answer.body)
                self.assertEqual(answer.json["exam"], "EX-1")
        self.assertLess(self.files(), before + 20 * 8 + 20)
        self.assertTrue(wait_until(lambda: self.files() <= before + 4, 20), self.files())
        # 2 MiB for each that was ever open, before they were given back.
        self.assertLess(self.own_memory() - memory, 80)

    def test_a_journal_whose_subscriptions_somebody_looked_at_is_closed_when_idle_and_knows_them_again(self):
        self.assertTrue(wait_until(lambda: not any("/school-14" in name for name in self.open_files()), 20))
        for number in range(140, 150):
            path = f"/v1/journals/school-{number}/subscriptions"
            self.assertEqual(self.server.get(path).status, 200)
            self.assertEqual(self.server.ask("PUT", path + "/feed", body={"leaseSeconds": 1}).status, 201)
            self.assertEqual(self.server.ask("POST", path + "/feed/leases", body={"consumer": "a"}).status, 201)
        self.assertTrue(any("/school-149/" in name for name in self.open_files()))
        closed = lambda: not any("/school-14" in name for name in self.open_files())
        self.assertTrue(wait_until(closed, 20), self.open_files())
        for number in range(140, 150):
            path = f"/v1/journals/school-{number}/subscriptions"
            self.assertEqual([item["name"] for item in self.server.get(path).json["subscriptions"]], ["feed"])

    def open_files(self):
        place = f"/proc/{self.server.process.pid}/fd"
        found = []
        for name in os.listdir(place):
            try:
                found.append(os.readlink(os.path.join(place, name)))
            except OSError:
                # Closed since it was listed.
                pass
        return found

    def test_more_at_the_same_time_than_may_be_open_are_answered_or_told_to_come_again(self):
        statuses = []

        def ask(number):
            for _ in range(5):
                statuses.append(self.server.get(f"/v1/journals/school-{number}/models/examroom.students").status)

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual(set(statuses), {200, 503})
        self.assertGreater(statuses.count(200), 250)

    def test_a_journal_that_somebody_listens_to_stays_open_and_commands_reach_the_listener(self):
        connection = self.server.connection()
        connection.request(
            "GET", "/v1/journals/school-7/events", headers={"Accept": "text/event-stream"})
        stream = connection.getresponse()
        self.assertEqual(stream.status, 200)
        # Idle in all else, and others are opened in its place.
        end = time.monotonic() + 5
        number = 20
        while time.monotonic() < end:
            self.server.get(f"/v1/journals/school-{number}/models/examroom.students")
            number = 20 + (number - 19) % 100
            time.sleep(0.05)
        command = {
            "id": "late", "command": "examroom.account.register", "at": "2027-01-01T00:00:00Z", "by": "system",
            "data": {"account": "S-77", "role": "student", "name": "N", "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}}
        answer = self.server.ask("POST", "/v1/journals/school-7/commands", body=command)
        self.assertEqual(answer.status, 201, answer.body)
        wanted = b"id: " + answer.headers["sijill-position"].encode() + b"\n"
        found = b""
        while wanted not in found:
            piece = stream.read1(65536)
            self.assertTrue(piece, found[-200:])
            found = found[-100:] + piece
        connection.close()

    def test_a_command_that_was_answered_is_there_after_the_journal_was_closed(self):
        for number in range(30, 60):
            command = dict(COMMANDS[0], id="again")
            command["data"] = dict(command["data"], account="A-9")
            answer = self.server.ask("POST", f"/v1/journals/school-{number}/commands", body=command)
            self.assertEqual(answer.status, 201, answer.body)
            again = self.server.ask("POST", f"/v1/journals/school-{30 + (number - 30) // 2}/commands", body=command)
            self.assertEqual(again.status, 200, again.body)


if __name__ == "__main__":
    unittest.main()
