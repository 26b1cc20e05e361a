"""Reservations over several journals (Examples/reservations): the program that settles them is killed at every request."""
import hashlib
import http.client
import http.server
import os
import subprocess
import sys
import threading
import time
import unittest

from harness import ROOT, Server, replay, wait_until

sys.path.insert(0, os.path.join(ROOT, "Examples", "reservations"))
from reservations import reservation  # noqa: E402

# A hold outlives a kill and a start of the program on a busy machine.
HOLD, MARGIN = 10, 0.05
INSTITUTES = ["noor", "huda"]


class Gate:
    """Stands between the program and the service, and kills the program when a request is carried out and not answered."""

    def __init__(self, server):
        gate = self
        self.server, self.process = server, None
        self.cut = set()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                body = self.rfile.read(length) if length else None
                if any(f"/journals/{name}/" in self.path for name in gate.cut):
                    self.close_connection = True
                    return
                gate.count += 1
                kills = gate.count == gate.kill_at or bool(gate.kill_behind) and gate.kill_behind in (body or b"")
                gate.has_killed |= kills
                connection = http.client.HTTPConnection(gate.server.host, gate.server.port, timeout=30)
                connection.request(self.command, self.path, body=body, headers={
                    name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")})
                response = connection.getresponse()
                content = response.read()
                connection.close()
                if kills:
                    gate.end()
                if gate.process.poll() is not None:
                    self.close_connection = True
                    return
                self.send_response(response.status)
                for name, value in response.getheaders():
                    if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_PUT = do_DELETE = answer

            def log_message(self, *_):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # The program that was killed had connections.
        self.listener.handle_error = lambda *_: None
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def start(self, kill_at=None, kill_behind=None):
        """Begins the program, to be killed at its `kill_at`th request, or at one whose body holds `kill_behind`."""
        self.count, self.kill_at, self.kill_behind, self.has_killed = 0, kill_at, kill_behind, False
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Examples/reservations/reservations.py"),
             "--address", f"http://127.0.0.1:{self.listener.server_port}", "--token", "manager", "--hours", "hours",
             "--institutes", ",".join(INSTITUTES), "--lease-seconds", "1", "--margin", str(MARGIN),
             "--retry-seconds", "0.5"], stderr=subprocess.DEVNULL)

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)


class Reservations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        def identity(name, roles, **more):
            return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": roles,
                    "actor": f"service:{name}", "onBehalfOf": ["coach", "admin"], **more}

        cls.server = Server(access={"identities": [
            identity("manager", ["service", "consumer", "reader", "operator"], behindSeconds=HOLD),
            identity("desk", ["service", "reader", "operator"])]}, simulated=False)
        cls.server.stop()
        journals = os.path.join(cls.server.directory, "journals")
        os.mkdir(journals)
        for name in ["hours", *INSTITUTES]:
            replay("init", "--journal", os.path.join(journals, name))
        cls.server.settings["journals"] = journals
        cls.server.start()
        cls.gate = Gate(cls.server)
        cls.coaches = 0

    @classmethod
    def tearDownClass(cls):
        cls.gate.end()
        cls.gate.listener.shutdown()
        cls.gate.listener.server_close()
        cls.server.remove()

    def tearDown(self):
        self.gate.cut = set()
        self.gate.end()

    def submit(self, journal, command):
        return self.server.ask("POST", f"/v1/journals/{journal}/commands", body=command, token="desk")

    def coach(self, known_to=("hours", *INSTITUTES)):
        """A coach of these journals whom no other test has."""
        type(self).coaches += 1
        coach = f"C-{self.coaches}"
        for journal in known_to:
            answer = self.submit(journal, {
                "id": f"register:{coach}", "command": "quranflow.coach.register", "by": "admin:A-1",
                "data": {"coach": coach, "name": "Amina", "gender": "female", "bio": "Coach"}})
            self.assertEqual(answer.status, 201, answer.body)
        return coach

    def reserve(self, institute, slot, coach, starts_at="2030-01-07T10:00:00Z", **more):
        command = reservation(institute, slot, coach, starts_at, 30, "https://meet.example/1")
        return self.submit("hours", dict(command, **more))

    def confirm(self, institute, slot, coach, held):
        """As the program does it."""
        return self.server.ask(
            "POST", f"/v1/journals/{institute}/commands", token="manager",
            body={"id": f"confirm:{held['position']}", "command": "quranflow.slot.offer", "at": held["at"],
                  "by": f"coach:{coach}",
                  "data": {"slot": slot, "coach": coach, "startsAt": "2030-01-07T10:00:00Z", "minutes": 30,
                           "joinUrl": "https://meet.example/1"}})

    def at_too_late(self):
        """An instant from which on a hold is over by now."""
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - HOLD - 2))

    def state(self, journal, slot):
        events = self.server.get(
            f"/v1/journals/{journal}/events?stream=quranflow/slot/{slot}", token="desk").json["events"]
        return [event["type"].rsplit(".", 1)[1] for event in events]

    def settled(self, institute, slot):
        """What became of a reservation: nothing yet, or `held` or `free`, the same in both journals."""
        hours, own = self.state("hours", f"{institute}.{slot}"), self.state(institute, slot)
        self.assertLessEqual(len(hours), 2, hours)
        self.assertLessEqual(len(own), 2, own)
        # An institute never has an hour that is not held for it.
        if own == ["offered"] and self.state(institute, slot) == ["offered"]:
            self.assertEqual(hours, ["offered"])
        if hours == ["offered"] and own == ["offered"]:
            return "held"
        if hours == ["offered", "withdrawn"] and own in ([], ["offered", "withdrawn"]):
            return "free"
        return None

    def waits_for(self, state, institute, slot, seconds=15):
        self.assertTrue(
            wait_until(lambda: self.settled(institute, slot) == state, seconds),
            (self.state("hours", f"{institute}.{slot}"), self.state(institute, slot)))

    def test_an_hour_is_held_for_one_institute_until_it_gives_it_back(self):
        coach = self.coach()
        self.gate.start()
        self.assertEqual(self.reserve("noor", "a", coach).status, 201)
        self.assertEqual(self.reserve("noor", "a", coach).status, 200)
        refused = self.reserve("huda", "a", coach, "2030-01-07T10:29:00Z")
        self.assertEqual(refused.json["code"], "coach-busy")
        self.waits_for("held", "noor", "a")
        answer = self.submit("noor", {
            "id": "w-a", "command": "quranflow.slot.withdraw", "by": f"coach:{coach}", "data": {"slot": "a"}})
        self.assertEqual(answer.status, 201, answer.body)
        self.waits_for("free", "noor", "a")
        self.assertEqual(self.reserve("huda", "a", coach, "2030-01-07T10:29:00Z").status, 201)
        self.waits_for("held", "huda", "a")

    def test_killed_at_every_request_it_leaves_nobody_with_half_a_reservation(self):
        kill_at = 1
        while self.settles_all(f"k{kill_at}", kill_at=kill_at):
            kill_at += 1
        # How many requests lie before each of these differs from run to run.
        for command in ["confirm", "cancel", "release"]:
            self.assertTrue(self.settles_all(command, kill_behind=f'"{command}:'.encode()), command)

    def settles_all(self, mark, **kill):
        """Whether the program was killed, for good or not, before all that was to be done for `mark` was done."""
        confirmed, late, released = self.coach(), self.coach(), self.coach()
        self.assertEqual(self.reserve("noor", mark, confirmed).status, 201)
        self.assertEqual(self.reserve("noor", f"{mark}-x", late, at=self.at_too_late()).status, 201)
        # Offered and withdrawn while the program was away.
        self.assertEqual(self.reserve("huda", f"{mark}-r", released).status, 201)
        self.submit("huda", {
            "id": f"o-{mark}", "command": "quranflow.slot.offer", "by": f"coach:{released}",
            "data": {"slot": f"{mark}-r", "coach": released, "startsAt": "2030-01-07T10:00:00Z", "minutes": 30,
                     "joinUrl": "https://meet.example/1"}})
        self.submit("huda", {
            "id": f"w-{mark}", "command": "quranflow.slot.withdraw", "by": f"coach:{released}",
            "data": {"slot": f"{mark}-r"}})
        self.gate.start(**kill)
        self.assertTrue(wait_until(lambda: self.gate.process.poll() is not None or self.is_done(mark)))
        # All may be done by the very request that it is killed at.
        was_killed = self.gate.has_killed
        if was_killed:
            self.gate.process.wait(10)
            self.gate.start()
        self.waits_for("held", "noor", mark)
        self.waits_for("free", "noor", f"{mark}-x")
        self.waits_for("free", "huda", f"{mark}-r")
        self.assertEqual(self.reserve("huda", f"{mark}-y", confirmed).json["code"], "coach-busy")
        self.gate.end()
        return was_killed

    def is_done(self, mark):
        return (self.settled("noor", mark), self.settled("noor", f"{mark}-x"), self.settled("huda", f"{mark}-r")) == (
            "held", "free", "free")

    def test_what_was_not_confirmed_in_time_is_free_again(self):
        coach = self.coach()
        self.gate.cut = {"noor"}
        self.gate.start()
        held = self.reserve("noor", "late", coach).json["events"][0]
        other = self.coach()
        self.assertEqual(self.reserve("huda", "beside", other).status, 201)
        # What cannot be settled keeps nobody waiting.
        self.waits_for("held", "huda", "beside")
        self.assertEqual(self.state("hours", "noor.late"), ["offered"])
        time.sleep(HOLD)
        self.gate.cut = set()
        self.waits_for("free", "noor", "late")
        # As another run of the program that was paused before its request.
        self.assertEqual(self.confirm("noor", "late", coach, held).json["code"], "clock-skew")
        self.assertEqual(self.state("noor", "late"), [])

    def test_what_was_confirmed_stays_so_when_its_answer_was_lost_and_comes_too_late(self):
        coach = self.coach()
        held = self.reserve("noor", "lost", coach).json["events"][0]
        # As a program that was killed behind its request.
        answer = self.confirm("noor", "lost", coach, held)
        self.assertEqual(answer.status, 201, answer.body)
        time.sleep(HOLD + 0.2)
        self.gate.start()
        other = self.coach()
        self.assertEqual(self.reserve("huda", "behind", other).status, 201)
        self.waits_for("held", "huda", "behind")
        self.assertEqual(self.settled("noor", "lost"), "held")

    def test_what_an_institute_refuses_is_free_again_when_nobody_can_confirm_it_any_more(self):
        coach = self.coach(["hours"])
        self.gate.start()
        self.assertEqual(self.reserve("noor", "refused", coach).status, 201)
        time.sleep(HOLD / 2)
        self.assertEqual(self.state("hours", "noor.refused"), ["offered"])
        self.waits_for("free", "noor", "refused")
        self.assertEqual(self.state("noor", "refused"), [])

    def test_an_institute_that_there_is_not_has_no_hour(self):
        coach = self.coach()
        self.gate.start()
        self.assertEqual(self.reserve("nobody", "a", coach).status, 201)
        self.assertTrue(wait_until(lambda: self.state("hours", "nobody.a") == ["offered", "withdrawn"]))


if __name__ == "__main__":
    unittest.main()
