"""Clients that mean harm, or are broken: the service answers the others as if they were not there."""
import hashlib
import json
import re
import socket
import time
import unittest

from harness import Server, example_commands, wait_until

POSITION = re.compile(rb'(?:data: )?{.*?"position":(\d+)')
COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")


def account(number):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}


class Raw:
    """A connection on which anything can be sent."""

    def __init__(self, server, takes=None):
        """Whoever takes less has the kernel keep less for them: what the service keeps shows sooner."""
        self.socket = socket.socket()
        self.socket.settimeout(60)
        if takes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, takes)
        self.socket.connect((server.host, int(server.port)))

    def send(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode())
        return self

    def answer(self):
        """All that comes until the service closes, or nothing comes any more."""
        found = b""
        while True:
            try:
                block = self.socket.recv(1 << 16)
            except (ConnectionError, TimeoutError):
                return found
            if not block:
                return found
            found += block

    def positions(self, last):
        """Those of the events that come, a line or a frame each, up to the last."""
        found, rest = [], b""
        while not found or found[-1] < last:
            block = self.socket.recv(1 << 20)
            if not block:
                break
            *lines, rest = (rest + block).split(b"\n")
            found += [int(match.group(1)) for match in map(POSITION.match, lines) if match]
        return found

    def close(self):
        self.socket.close()


class Hostile(unittest.TestCase):
    def test_listeners_that_are_gone_are_noticed_at_once(self):
        with Server() as server:
            server.submit_all(COMMANDS)
            sources = [server.stream("/v1/events?from=1") for _ in range(50)]
            sources += [server.stream("/v1/models/examroom.exam/EX-1") for _ in range(50)]
            self.assertTrue(wait_until(lambda: server.get("/v1/status").json["listeners"] == 100))
            for source in sources:
                source.close()
            self.assertTrue(wait_until(lambda: server.get("/v1/status").json["listeners"] == 0, 3))

    def test_memory_does_not_grow_with_readers_that_do_not_read(self):
        with Server() as server:
            # Every page that the service uses anyway has been used.
            server.submit_all([account(number) for number in range(2_000)])
            for _ in range(3):
                server.get("/v1/events?limit=1000")
            request = f"GET /v1/events?from=1 HTTP/1.1\r\nHost: {server.address}\r\nAccept: text/event-stream\r\n\r\n"
            readers = [Raw(server, takes=1 << 16).send(request) for _ in range(300)]
            time.sleep(3)
            before = server.memory()
            server.submit_all([account(number) for number in range(2_000, 12_000)])
            time.sleep(3)
            grown = server.memory() - before
            # 10,000 events of 600 bytes are in the ring once; 300 queues of them would be 1.8 GB.
            self.assertLess(grown, 150 << 20)
            start = time.monotonic()
            self.assertEqual(server.get("/v1/models/examroom.account/S-7").status, 200)
            self.assertLess(time.monotonic() - start, 10)
            for reader in readers:
                reader.close()

    def test_memory_does_not_grow_with_what_is_behind_readers_that_do_not_read(self):
        # What a client is sent comes from the journal: the ring of live events has nothing of it after a start.
        for count, name in ((12_000, "Student"), (1_000, "x" * 12_000)):
            with Server() as server:
                for first in range(0, count, 1_000):
                    commands = [account(number) for number in range(first, first + 1_000)]
                    for command in commands:
                        command["data"]["name"] = name
                    server.submit_all(commands)
                for path, kind in (("events?from=1", "text/event-stream"), ("events", "application/x-ndjson"),
                                   ("audit/export", "application/x-ndjson")):
                    server.stop()
                    server.start()
                    for _ in range(3):
                        server.get("/v1/events?limit=1000")
                        if path == "audit/export":
                            server.get("/v1/audit/export")
                    with self.subTest(name=name[:10], path=path):
                        before = server.memory()
                        request = f"GET /v1/{path} HTTP/1.1\r\nHost: {server.address}\r\nAccept: {kind}\r\n\r\n"
                        readers = [Raw(server, takes=1 << 16).send(request) for _ in range(30)]
                        time.sleep(5)
                        grown = server.memory() - before
                        self.assertLess(grown, 45 << 20)
                        # Who reads on then misses nothing.
                        positions = readers[0].positions(count)
                        for reader in readers:
                            reader.close()
                        self.assertEqual(positions, list(range(1, count + 1)))

    def test_a_connection_that_says_nothing_is_closed(self):
        with Server(settings={"limits.idleSeconds": 1}) as server:
            for words in ("", "GET /v1/models HTTP/1.1\r\nHost: localhost\r\n", "POST /v1/commands HTTP/1.1\r\nHost: localhost\r\n"
                          "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"):
                start = time.monotonic()
                raw = Raw(server).send(words)
                raw.answer()
                self.assertLess(time.monotonic() - start, 15, words)
                raw.close()

    def test_what_is_no_http_is_refused_and_harms_nobody(self):
        with Server() as server:
            for words in (b"\x00\x01\x02\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                          b"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                          b"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                          b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 500 + b"\r\n",
                          b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n"):
                raw = Raw(server)
                raw.socket.settimeout(3)
                raw.send(words)
                first = raw.answer()[:12]
                self.assertTrue(first == b"" or first.startswith(b"HTTP/1.1 4"), (words[:40], first))
                raw.close()
            self.assertEqual(server.get("/health/ready").status, 200)

    def test_a_client_that_waits_with_its_body_is_told_to_send_it(self):
        with Server() as server:
            body = json.dumps(account(1)).encode()
            head = (f"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\n")
            raw = Raw(server).send(head + "\r\n")
            self.assertEqual(raw.socket.recv(4096), b"HTTP/1.1 100 Continue\r\n\r\n")
            raw.send(body)
            self.assertTrue(raw.socket.recv(4096).startswith(b"HTTP/1.1 201"))
            # Behind another request that is answered first; with its body at once it may hear of it or not.
            raw.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n" + head + "\r\n")
            found = b""
            while b"100 Continue" not in found:
                found += raw.socket.recv(4096)
            self.assertLess(found.index(b"HTTP/1.1 200"), found.index(b"HTTP/1.1 100"))
            self.assertTrue(found.endswith(b"HTTP/1.1 100 Continue\r\n\r\n"))
            raw.send(body)
            self.assertTrue(raw.socket.recv(4096).startswith(b"HTTP/1.1 20"))
            raw.close()

    def test_a_body_that_is_too_large_is_refused_before_it_has_come(self):
        with Server(settings={"limits.commandBytes": 4096}) as server:
            raw = Raw(server).send(
                "POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Content-Length: 1000000\r\n\r\n")
            raw.socket.settimeout(5)
            self.assertIn(b"413", raw.socket.recv(4096)[:20])
            raw.close()
            answer = server.ask(
                "POST", "/v1/commands", body=json.dumps(dict(account(1), device="x" * 5000)),
                headers={"Content-Type": "application/json"})
            self.assertEqual((answer.status, answer.json["code"]), (413, "too-large"))

    def test_an_upload_that_its_client_breaks_off_keeps_no_server_from_stopping(self):
        with Server() as server:
            line = json.dumps(dict(account(1), command="nope.nope")).encode() + b"\n"
            # Many times what is read ahead; the client takes none of the answers, then resets the connection.
            body = line * 400_000
            raw = Raw(server, takes=4096)
            raw.socket.settimeout(2)
            raw.send(f"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                     f"Content-Length: {len(body)}\r\n\r\n")
            sent = 0
            try:
                while sent < len(body):
                    sent += raw.socket.send(body[sent:sent + 65_536])
            except TimeoutError:
                pass
            self.assertLess(sent, len(body))
            raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            raw.close()
            self.assertEqual(server.submit(account(2)).status, 201)
            start = time.monotonic()
            self.assertEqual(server.stop(), 0)
            self.assertLess(time.monotonic() - start, 15)

    def test_a_body_that_breaks_off_is_the_clients_fault_on_every_path(self):
        with Server() as server:
            for method, path in (("POST", "/v1/commands"), ("PUT", "/v1/subscriptions/a"), ("POST", "/ui/login")):
                with self.subTest(path):
                    raw = Raw(server)
                    raw.socket.settimeout(5)
                    raw.send(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                             "Transfer-Encoding: chunked\r\n\r\nzz\r\n")
                    self.assertEqual(raw.answer()[:12], b"HTTP/1.1 400")
                    raw.close()
            self.assertEqual(server.logged("a request failed"), [])

    def test_a_percent_sign_without_two_digits_is_refused_in_a_query_too(self):
        with Server() as server:
            for query in ("type=%", "type=%zz", "type=examroom.%4", "%zz=1", "tag=%ff"):
                answer = server.get("/v1/events?" + query)
                self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), query)
            self.assertEqual(server.get("/v1/events?type=examroom.%2A&%6cimit=1").status, 200)

    def test_what_a_page_of_another_site_has_a_browser_send_is_refused(self):
        everything = {"roles": ["service", "operator", "reader"], "actor": "system", "onBehalfOf": ["student"]}
        known = {"name": "known", "tokenSHA256": hashlib.sha256(b"known").hexdigest(), **everything}
        for access in (None, {"identities": [known], "anonymous": {"name": "anybody", **everything}}):
            with self.subTest(access=access), Server(access=access) as server:
                own = f"http://{server.address}"
                for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": own + ".evil.example"},
                                {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
                                {"Origin": own, "Sec-Fetch-Site": "cross-site"}):
                    for path, body in (("/v1/commands", account(1)), ("/v1/jobs", {"kind": "verify"})):
                        # As a form sends it: without a type that a browser would ask for first.
                        answer = server.ask("POST", path, body=json.dumps(body), headers=headers)
                        self.assertEqual((answer.status, answer.json["code"]), (403, "forbidden"), (path, headers))
                self.assertEqual(server.get("/v1/status").json["position"], 0)
                self.assertEqual(server.get("/v1/jobs").json["jobs"], [])
                self.assertEqual(server.submit(account(1)).status, 201)
                for number, headers in enumerate((
                        {"Origin": own}, {"Origin": own, "Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"}), 2):
                    self.assertEqual(server.submit(account(number), headers=headers).status, 201, headers)
                if access:
                    # A page of another site knows no token.
                    answer = server.submit(account(9), token="known", headers={"Origin": "https://evil.example"})
                    self.assertEqual(answer.status, 201)

    def test_without_a_policy_the_service_answers_to_the_names_of_this_machine_alone(self):
        with Server() as server:
            for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example", "127.evil.example",
                         "localhost.evil.example:80", "10.0.0.1", "[::2]"):
                for method, path, body in (("GET", "/v1/events", None), ("POST", "/v1/commands", account(1)),
                                           ("GET", "/ui/api/v1/events", None)):
                    answer = server.ask(method, path, body=body, headers={"Host": host})
                    self.assertEqual(answer.status, 403, (host, path))
                self.assertEqual(server.get("/health/ready", headers={"Host": host}).status, 200, host)
            self.assertEqual(server.get("/v1/status").json["position"], 0)
            for host in ("localhost", f"LOCALHOST:{server.port}", "127.0.0.1", "127.1.2.3:80", f"[::1]:{server.port}"):
                self.assertEqual(server.get("/v1/events", headers={"Host": host}).status, 200, host)
        with Server(settings={"console.address": "https://journal.school.example/"}) as server:
            self.assertEqual(server.get("/v1/events", headers={"Host": "journal.school.example"}).status, 200)
            self.assertEqual(server.get("/v1/events", headers={"Host": "evil.example"}).status, 403)
        access = {"identities": [{"name": "r", "tokenSHA256": hashlib.sha256(b"r").hexdigest(), "roles": ["reader"]}]}
        with Server(access=access) as server:
            self.assertEqual(server.get("/v1/events", token="r", headers={"Host": "journal.school.example"}).status, 200)

    def test_a_flood_is_told_to_come_again(self):
        token = "t" * 32
        access = {"identities": [
            {"name": "flood", "tokenSHA256": hashlib.sha256(token.encode()).hexdigest(), "roles": ["reader"],
             "readsPerSecond": 5},
            {"name": "other", "tokenSHA256": hashlib.sha256(b"other").hexdigest(), "roles": ["reader"]}]}
        with Server(access=access) as server:
            answers = [server.get("/v1/models/examroom.overview", token=token) for _ in range(30)]
            refused = [answer for answer in answers if answer.status == 429]
            self.assertGreater(len(refused), 10)
            self.assertEqual(refused[0].json["code"], "too-many-requests")
            self.assertEqual(refused[0].headers["retry-after"], "1")
            self.assertEqual(server.get("/v1/models/examroom.overview", token="other").status, 200)


if __name__ == "__main__":
    unittest.main()
