"""Webhooks (Standard Webhooks): what is posted, in which order, and what becomes of it where nobody takes it."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from audit_test import account
from harness import ROOT, Server, example_commands, replay, wait_until

EXAM_DAY = "Examples/examroom/01-exam-day.jsonl"
NAME = "/v1/subscriptions/index"
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
NEWER = "whsec_" + base64.b64encode(bytes(range(32, 64))).decode()


def verified(secret, headers, body):
    """As the specification says, without any code of the service."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return expected in headers["webhook-signature"].split(" ")


class Receiver:
    """Keeps what is posted to it; `answers` says for an event which status it has: 200, or a status, or (status, headers)."""

    def __init__(self, answers=None, certificate=None):
        self.answers = answers or (lambda event: 200)
        self.posts, self.lock = [], threading.Lock()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                event = json.loads(body)
                answer = receiver.answers(event)
                status, headers = answer if isinstance(answer, tuple) else (answer, {})
                with receiver.lock:
                    receiver.posts.append((self.path, dict(self.headers.items()), body, status))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "60000" if "X-Body" in headers else "0")
                self.end_headers()
                try:
                    while "X-Body" in headers:
                        self.wfile.write(b".")
                        time.sleep(0.5)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Quiet(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.handler, self.kind, self.certificate = Handler, Quiet, certificate
        self.port = 0
        self.start()

    def start(self):
        self.server = self.kind(("127.0.0.1", self.port), self.handler)
        self.port = self.server.server_port
        if self.certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self.certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"http{'s' if self.certificate else ''}://127.0.0.1:{self.port}"

    @property
    def taken(self):
        with self.lock:
            return [int(json.loads(body)["id"]) for _, _, body, status in self.posts if status == 200]

    @property
    def tried(self):
        with self.lock:
            return [int(json.loads(body)["id"]) for _, _, body, _ in self.posts]


class WebhooksTest(unittest.TestCase):
    def receiver(self, *arguments, **more):
        receiver = Receiver(*arguments, **more)
        self.addCleanup(receiver.stop)
        return receiver

    def serve(self, receiver, allow=None, **settings):
        server = Server(settings={"webhooks.allow": allow or receiver.url, **settings})
        self.addCleanup(server.remove)
        server.submit_all(example_commands(EXAM_DAY))
        self.events = [json.loads(line) for line in replay("events", "--journal", server.journal).splitlines()]
        self.positions = [event["position"] for event in self.events]
        return server

    def put(self, server, receiver, path="/hook", definition=None, **more):
        server.ask("PUT", NAME, body=definition or {})
        return server.ask("PUT", NAME + "/webhook", body={"url": receiver.url + path, "secret": SECRET, **more})

    def checkpoints(self, server):
        return server.get(NAME).json["checkpoints"]

    def test_every_event_is_posted_in_order_signed_and_without_personal_values(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        self.assertEqual(self.put(server, receiver).status, 201)
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 20))
        self.assertEqual(receiver.taken, self.positions)
        ids = set()
        named = [event for event in self.events if event["type"] == "examroom.account.registered"]
        self.assertTrue(all(event["data"]["name"] for event in named) and named)
        for (path, headers, body, _), event in zip(receiver.posts, self.events):
            self.assertEqual(path, "/hook")
            self.assertTrue(verified(SECRET, headers, body))
            self.assertFalse(verified(NEWER, headers, body))
            self.assertFalse(verified(SECRET, headers, body + b" "))
            self.assertLess(abs(int(headers["webhook-timestamp"]) - time.time()), 60)
            self.assertEqual(headers["Content-Type"], "application/cloudevents+json")
            told = json.loads(body)
            self.assertEqual(
                (told["specversion"], told["id"], told["type"], told["subject"], told["source"]),
                ("1.0", str(event["position"]), event["type"], event["stream"], "/v1/events"))
            if event in named:
                self.assertIsNone(told["data"]["name"])
            self.assertNotIn(".", headers["webhook-id"])
            ids.add(headers["webhook-id"])
        self.assertEqual(len(ids), len(self.events))
        self.assertTrue(wait_until(lambda: self.checkpoints(server) == [self.positions[-1]], 10))
        # What comes later is posted, too, at once.
        server.submit(account("LATER", at="2030-01-01T00:00:00Z"))
        head = int(server.get("/v1/events?limit=0").headers["sijill-position"])
        self.assertGreater(head, self.positions[-1])
        self.assertTrue(wait_until(lambda: receiver.taken[-1] == head, 10))
        metrics = server.get("/metrics").body.decode()
        self.assertIn('sijill_webhook_deliveries_total{journal="",outcome="delivered",subscription="index"}', metrics)

    def test_the_example_prints_each_event_once_and_takes_nothing_that_others_signed(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        example = subprocess.Popen(
            [sys.executable, os.path.join(ROOT, "Examples/webhooks/receive.py"), str(port)],
            env=dict(os.environ, SECRET=SECRET), stdout=subprocess.PIPE, text=True)
        self.addCleanup(example.stdout.close)
        self.addCleanup(example.wait)
        self.addCleanup(example.kill)
        receiver = self.receiver()
        receiver.stop()
        url = f"http://127.0.0.1:{port}"
        server = self.serve(receiver, allow=url)
        server.ask("PUT", NAME, body={})
        put = lambda secret: server.ask("PUT", NAME + "/webhook", body={"url": url, "secret": secret})
        put(NEWER)
        self.assertTrue(wait_until(lambda: server.get(NAME + "/webhook").json["waiting"], 10))
        reason = lambda: [item["reason"] for item in server.get(NAME + "/webhook").json["waiting"]]
        self.assertTrue(wait_until(lambda: reason() == ["it answered 401"], 10), reason())
        put(SECRET)
        lines = [example.stdout.readline().split() for _ in self.positions]
        self.assertEqual([int(number) for number, _, _ in lines], self.positions)

    def test_an_answer_that_is_lost_is_posted_again_with_the_same_id(self):
        seen = {}

        def answers(event):
            seen[event["id"]] = seen.get(event["id"], 0) + 1
            return 500 if event["id"] == "3" and seen["3"] < 3 else 200

        receiver = self.receiver(answers)
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 30))
        self.assertEqual(receiver.taken, self.positions)
        self.assertEqual(receiver.tried[:6], [1, 2, 3, 3, 3, 4])
        self.assertEqual(len({headers["webhook-id"] for _, headers, _, _ in receiver.posts[2:5]}), 1)

    def test_an_event_that_is_refused_too_often_is_parked_with_its_stream_and_can_be_tried_again(self):
        bad = {"refused": True}
        streams = {}

        def answers(event):
            return 422 if bad["refused"] and event["subject"] == bad["stream"] else 200

        receiver = self.receiver(answers)
        server = self.serve(receiver)
        for event in self.events:
            streams.setdefault(event["stream"], []).append(event["position"])
        bad["stream"], chain = max(streams.items(), key=lambda item: len(item[1]))
        self.put(server, receiver, maxDeliveries=2)
        others = [position for position in self.positions if position not in chain]
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(others), 30))
        self.assertEqual(receiver.taken, others)
        self.assertEqual(receiver.tried.count(chain[0]), 2)
        parked = server.get(NAME + "/partitions/0/parked").json["parked"]
        self.assertEqual([(item["position"], item["reason"]) for item in parked], [(chain[0], "it answered 422")])
        self.assertIn('sijill_subscription_parked{journal="",subscription="index"} 1', server.get("/metrics").body.decode())
        bad["refused"] = False
        self.assertEqual(server.ask("POST", f"{NAME}/partitions/0/parked/{chain[0]}/retry").status, 202)
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 20))
        self.assertEqual(receiver.taken[len(others):], chain)

    def test_nothing_is_parked_or_lost_while_nobody_is_there(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        receiver.stop()
        self.put(server, receiver, maxDeliveries=1)
        path = NAME + "/webhook"
        self.assertTrue(wait_until(lambda: server.get(path).json["waiting"], 10))
        waiting = server.get(path).json["waiting"][0]
        self.assertEqual((waiting["partition"], waiting["position"]), (0, 1))
        time.sleep(1.5)
        self.assertEqual(server.get(NAME).json["parked"], 0)
        receiver.start()
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 30))
        self.assertEqual(receiver.taken, self.positions)
        self.assertTrue(wait_until(lambda: server.get(path).json["waiting"] == [], 10))

    def test_retry_after_is_heeded(self):
        times = []

        def answers(event):
            if event["id"] == "1":
                times.append(time.monotonic())
                if len(times) == 1:
                    return 429, {"Retry-After": "4"}
            return 200

        receiver = self.receiver(answers)
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(wait_until(lambda: len(times) == 2, 20))
        self.assertGreater(times[1] - times[0], 3.9)

    def test_a_retry_after_of_nothing_makes_no_haste(self):
        receiver = self.receiver(lambda event: (503, {"Retry-After": "0"}))
        server = self.serve(receiver)
        self.put(server, receiver)
        time.sleep(4)
        self.assertTrue(0 < receiver.tried.count(1) < 8, receiver.tried)

    def test_an_answer_that_does_not_end_holds_nothing_up(self):
        receiver = self.receiver(lambda event: (200, {"X-Body": "endless"}))
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= 3, 20), receiver.taken)

    def test_410_ends_it_until_an_operator_puts_it_again_also_over_a_restart(self):
        status = {"now": 410}
        receiver = self.receiver(lambda event: status["now"])
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(wait_until(lambda: server.get(NAME + "/webhook").json["stopped"], 10))
        self.assertEqual(server.get(NAME + "/webhook").json["stopped"], "it answered 410")
        status["now"] = 200
        server.stop()
        server.start()
        time.sleep(1)
        self.assertEqual(receiver.tried, [1])
        self.assertEqual(self.put(server, receiver).status, 200)
        self.assertTrue(wait_until(lambda: receiver.taken == self.positions, 20))

    def test_what_was_posted_goes_on_after_kill_9_where_it_was(self):
        receiver = self.receiver(lambda event: time.sleep(0.01) or 200)
        server = self.serve(receiver)
        self.put(server, receiver, definition={"partitions": 4})
        for _ in range(3):
            before = len(receiver.taken)
            wait_until(lambda: len(receiver.taken) > before + 2, 10)
            server.kill()
            server.start()
        self.assertTrue(wait_until(lambda: set(receiver.taken) == set(self.positions), 20))
        # An event may come twice, in order for each stream, and few of them do.
        self.assertLess(len(receiver.taken) - len(self.positions), 3 * 4 + 1)
        for stream in {event["stream"] for event in self.events}:
            own = {event["position"] for event in self.events if event["stream"] == stream}
            first = list(dict.fromkeys(position for position in receiver.taken if position in own))
            self.assertEqual(first, sorted(own))

    def test_a_secret_is_replaced_while_both_sign_and_none_of_them_is_shown_or_stays(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        self.put(server, receiver, secret=[SECRET, NEWER])
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 20))
        _, headers, body, _ = receiver.posts[0]
        self.assertTrue(verified(SECRET, headers, body) and verified(NEWER, headers, body))
        log = os.path.join(server.journal, "subscriptions.log")
        with open(log, encoding="utf-8") as file:
            self.assertIn(SECRET, file.read())
        self.assertEqual(os.stat(log).st_mode & 0o777, 0o600)
        shown = server.get(NAME + "/webhook").body + server.get(NAME).body + server.get("/v1/subscriptions").body
        self.assertNotIn(b"whsec_", shown)
        self.put(server, receiver, secret=NEWER)
        with open(log, encoding="utf-8") as file:
            kept = file.read()
        self.assertNotIn(SECRET, kept)
        self.assertIn(NEWER, kept)
        self.assertEqual(server.ask("DELETE", NAME + "/webhook").status, 204)
        with open(log, encoding="utf-8") as file:
            self.assertNotIn("whsec_", file.read())
        self.assertEqual(server.get(NAME + "/webhook").status, 404)
        self.assertFalse([line for line in server.log if "whsec_" in line])

    def test_a_webhook_and_consumers_are_not_at_the_same_time(self):
        receiver = self.receiver(lambda event: 503)
        server = self.serve(receiver)
        server.ask("PUT", NAME, body={})
        lease = server.ask("POST", NAME + "/leases", body={"consumer": "a"}).json["lease"]
        self.put(server, receiver)
        self.assertEqual(server.ask("POST", NAME + "/leases", body={"consumer": "a"}).json["code"], "delivered")
        self.assertEqual(server.ask("PUT", f"{NAME}/leases/{lease}").json["code"], "lease-lost")
        self.assertEqual(server.ask("PUT", NAME, body={"partitions": 2}).json["code"], "delivered")
        self.assertEqual(server.ask("DELETE", NAME + "/webhook").status, 204)
        self.assertEqual(server.ask("POST", NAME + "/leases", body={"consumer": "a"}).status, 201)

    def test_events_go_nowhere_but_where_the_settings_allow(self):
        receiver = self.receiver()
        server = self.serve(receiver, allow=receiver.url + "/hooks/, https://elsewhere.example")
        server.ask("PUT", NAME, body={})
        put = lambda url: server.ask("PUT", NAME + "/webhook", body={"url": url, "secret": SECRET}).status
        for url in (receiver.url + "/other", receiver.url + "/hooks/../other", receiver.url + "/hooks/%2e%2e/other",
                    f"http://localhost:{receiver.port}/hooks/a", "http://127.0.0.1:1/hooks/a",
                    f"http://u:p@127.0.0.1:{receiver.port}/hooks/a", "file:///etc/passwd", "x",
                    "https://elsewhere.example.evil/"):
            self.assertEqual(put(url), 403, url)
        for body in ({}, {"url": receiver.url}, {"url": receiver.url + "/hooks/a", "secret": "whsec_AAAA"},
                     {"url": receiver.url + "/hooks/a", "secret": SECRET, "x": 1},
                     {"url": receiver.url + "/hooks/a", "secret": []},
                     {"url": receiver.url + "/hooks/a", "secret": SECRET, "maxDeliveries": 0}):
            self.assertEqual(server.ask("PUT", NAME + "/webhook", body=body).status, 400, body)
        self.assertEqual(put(receiver.url + "/hooks/a"), 201)
        self.assertTrue(wait_until(lambda: len(receiver.taken) >= len(self.positions), 20))
        # The settings are asked again after a restart.
        server.stop()
        server.settings["webhooks.allow"] = ""
        server.start()
        before = len(receiver.tried)
        server.submit(account("LATER", at="2030-01-01T00:00:00Z"))
        self.assertTrue(wait_until(lambda: server.get(NAME + "/webhook").json["waiting"], 10))
        self.assertEqual(len(receiver.tried), before)
        self.assertEqual(put(receiver.url + "/hooks/a"), 403)

    def test_tls_is_verified_against_the_authority_of_the_settings(self):
        directory = self.enterContext(tempfile.TemporaryDirectory())
        key, chain = os.path.join(directory, "key.pem"), os.path.join(directory, "chain.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain],
            check=True, capture_output=True)
        receiver = self.receiver(certificate=(chain, key))
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(wait_until(lambda: server.get(NAME + "/webhook").json["waiting"], 15))
        self.assertEqual(receiver.tried, [])
        server.stop()
        server.settings["webhooks.authority"] = chain
        server.start()
        self.assertTrue(wait_until(lambda: receiver.taken == self.positions, 30))

    def test_a_journal_beside_the_default_one_posts_after_a_restart_though_nobody_asks_for_it(self):
        receiver = self.receiver()
        directory = self.enterContext(tempfile.TemporaryDirectory())
        journal = os.path.join(directory, "school")
        replay("init", "--journal", journal, "--simulated")
        server = self.serve(receiver, **{"journals": directory})
        path = "/v1/journals/school"
        self.assertEqual(server.ask("POST", path + "/commands", body=account(1)).status, 201)
        self.assertEqual(server.ask("PUT", path + "/subscriptions/index", body={}).status, 201)
        url = receiver.url
        receiver.stop()
        self.assertEqual(server.ask(
            "PUT", path + "/subscriptions/index/webhook", body={"url": url, "secret": SECRET}).status, 201)
        server.stop()
        receiver.start()
        server.start()
        self.assertTrue(wait_until(lambda: receiver.taken, 20))
        self.assertEqual(json.loads(receiver.posts[0][2])["source"], path + "/events")

    def test_a_service_that_stops_finishes_what_it_posts(self):
        begun, go = threading.Event(), threading.Event()

        def answers(event):
            begun.set()
            go.wait(10)
            return 200

        receiver = self.receiver(answers)
        server = self.serve(receiver)
        self.put(server, receiver)
        self.assertTrue(begun.wait(10))
        threading.Timer(0.5, go.set).start()
        start = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - start, 10)
        server.start()
        self.assertTrue(wait_until(lambda: receiver.taken == self.positions, 20), receiver.taken)

    def test_only_operators_have_to_do_with_webhooks(self):
        receiver = self.receiver()
        server = self.serve(receiver)
        self.put(server, receiver)
        digest = lambda name: hashlib.sha256(name.encode()).hexdigest()
        server.stop()
        server.settings["access.file"] = server.file("access.json", json.dumps({"identities": [
            {"name": role, "roles": [role], "tokenSHA256": digest(role)}
            for role in ("operator", "consumer", "reader", "auditor")]}))
        server.start()
        for role in ("consumer", "reader", "auditor"):
            for method in ("PUT", "GET", "DELETE"):
                status = server.ask(
                    method, NAME + "/webhook", body={} if method == "PUT" else None, token=role).status
                self.assertEqual(status, 403, (role, method))
        self.assertEqual(server.get(NAME + "/webhook", token="operator").status, 200)


if __name__ == "__main__":
    unittest.main()
