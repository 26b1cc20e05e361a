"""Witnesses that cosign checkpoints (C2SP tlog-witness), written without any code of the service: keys and signatures by openssl."""
import base64
import hashlib
import http.server
import json
import os
import subprocess
import tempfile
import threading
import time
import unittest

from audit_test import account, node
from harness import REPLAY, Server, replay

SEED = bytes.fromhex("302e020100300506032b657004220420")
PUBLIC = bytes.fromhex("302a300506032b6570032100")


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=False)


class Key:
    """An Ed25519 key of a note (C2SP signed-note); type 1 of a log, 4 of a witness."""

    def __init__(self, name, kind, public, private=None):
        self.name, self.kind, self.public, self.private = name, kind, public, private
        self.id = hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public).digest()[:4]

    @classmethod
    def new(cls, name):
        private = SEED + os.urandom(32)
        der = openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", data=private).stdout
        return cls(name, 4, der[-32:], private)

    @classmethod
    def parse(cls, text):
        name, _, data = text.strip().split("+", 2)
        return cls(name, base64.b64decode(data)[0], base64.b64decode(data)[1:])

    @property
    def text(self):
        return f"{self.name}+{self.id.hex()}+{base64.b64encode(bytes([self.kind]) + self.public).decode()}"

    def file(self, data):
        file = tempfile.NamedTemporaryFile(suffix=".der")
        file.write(data)
        file.flush()
        return file

    def sign(self, message):
        with self.file(self.private) as key, self.file(message) as text:
            return openssl("pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", text.name).stdout

    def verifies(self, signature, message):
        with self.file(PUBLIC + self.public) as key, self.file(message) as text, self.file(signature) as made:
            return openssl(
                "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", key.name, "-in", text.name,
                "-sigfile", made.name).returncode == 0

    def line(self, signature):
        return f"\u2014 {self.name} {base64.b64encode(self.id + signature).decode()}\n"


def continues(first, second, hashes, old, new):
    """RFC 9162, 2.1.4.2, by recomputing both roots along the path (RFC 6962, 2.1.2)."""
    if first == second:
        return old == new and not hashes
    if first == 0:
        return not hashes
    rest = list(hashes)

    def both(size, part, whole):
        """The roots of the first `part` of `size` leaves, and of all of them."""
        if part == size:
            if whole:
                return old, old
            root = rest.pop(0)
            return root, root
        split = 1
        while split * 2 < size:
            split *= 2
        if part <= split:
            left = both(split, part, whole)
            return left[0], node(left[1], rest.pop(0))
        right = both(size - split, part - split, False)
        beside = rest.pop(0)
        return node(beside, right[0]), node(beside, right[1])

    try:
        return both(second, first, True) == (old, new) and not rest
    except IndexError:
        return False


class Witness:
    def __init__(self, name, log):
        self.key, self.log = Key.new(name), log
        self.size, self.root = 0, hashlib.sha256(b"").digest()
        self.asked, self.refuses, self.answers = [], None, None
        self.lock = threading.Lock()
        witness = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                with witness.lock:
                    status, kind, answer = witness.add(self.path, body)
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/w"

    def add(self, path, body):
        if path != "/w/add-checkpoint":
            return 404, "text/plain", b""
        head, note = body.split("\n\n", 1)
        old, *proof = head.split("\n")
        self.asked.append(old)
        if self.refuses:
            return self.refuses, "text/plain", b"not now\n"
        text, signatures = note.split("\n\n", 1)
        text += "\n"
        origin, size, root = text.split("\n")[:3]
        own = [line.split(" ")[2] for line in signatures.split("\n") if line.startswith(f"\u2014 {self.log.name} ")]
        if origin != self.log.name:
            return 404, "text/plain", b""
        if not own or not self.log.verifies(base64.b64decode(own[0])[4:], text.encode()):
            return 403, "text/plain", b""
        if int(old.removeprefix("old ")) != self.size:
            return 409, "text/x.tlog.size", f"{self.size}\n".encode()
        new = base64.b64decode(root)
        if not continues(self.size, int(size), [base64.b64decode(line) for line in proof], self.root, new):
            return 422, "text/plain", b""
        self.size, self.root = int(size), new
        if self.answers is not None:
            return 200, "text/plain", self.answers
        now = int(time.time())
        made = self.key.sign(f"cosignature/v1\ntime {now}\n{text}".encode())
        stranger = Key.new("stranger.example/w9")
        lines = stranger.line(now.to_bytes(8, "big") + stranger.sign(b"other")) + self.key.line(now.to_bytes(8, "big") + made)
        return 200, "text/plain", lines.encode()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Cosigning(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        self.path = os.path.join(self.server.directory, "school.key")
        replay("key", "new", self.path, "--name", "school.example/log")
        with open(self.path + ".vkey", encoding="utf-8") as file:
            self.log = Key.parse(file.read())
        self.witnesses = [Witness(f"witness.example/w{number}", self.log) for number in (1, 2, 3)]
        for witness in self.witnesses:
            self.addCleanup(witness.stop)
        self.submitted = 0

    def serve(self, quorum="two", **settings):
        lines = [f"witness w{index} {each.key.text} {each.url}" for index, each in enumerate(self.witnesses, 1)]
        policy = "\n".join(["# who vouches", f"log {self.log.text}", *lines, "group two 2 w1 w2 w3", f"quorum {quorum}", ""])
        self.server.stop()
        self.server.settings.update(
            {"log.key": self.path, "log.witnesses": self.server.file("policy", policy), "log.public": True, **settings})
        self.server.start()

    def submit(self, count):
        self.server.submit_all([account(number) for number in range(self.submitted, self.submitted + count)])
        self.submitted += count

    def sign(self):
        answer = self.server.ask("POST", "/v1/audit/checkpoints")
        self.assertEqual(answer.status, 201, answer.body)
        return answer.body.decode()

    def names(self, note):
        return sorted(line.split(" ")[1] for line in note.split("\n\n")[1].splitlines())

    def verified(self, note, *witnesses):
        """What replay says of the checkpoint, with the keys of these witnesses."""
        keys = []
        for index, witness in enumerate(witnesses):
            keys += ["--witness", self.server.file(f"w{index}.vkey", witness.key.text + "\n")]
        file = self.server.file("given.checkpoint", note)
        return subprocess.run(
            [REPLAY, "verify", "--journal", self.server.journal, "--checkpoint", file, "--log-key", self.path + ".vkey", *keys],
            capture_output=True, text=True, check=False)

    def test_all_witnesses_cosign_and_replay_finds_their_signatures_right(self):
        self.serve()
        self.submit(20)
        note = self.sign()
        self.assertEqual(
            self.names(note),
            ["school.example/log", "witness.example/w1", "witness.example/w2", "witness.example/w3"])
        self.assertEqual(self.server.get("/log/checkpoint").body.decode(), note)
        done = self.verified(note, *self.witnesses)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        forged = Witness("witness.example/w1", self.log)
        self.addCleanup(forged.stop)
        self.assertNotEqual(self.verified(note, forged).returncode, 0)

    def test_the_next_checkpoint_continues_the_one_that_the_witness_signed(self):
        self.serve()
        self.submit(20)
        self.sign()
        self.submit(35)
        note = self.sign()
        self.assertEqual(len(self.names(note)), 4)
        self.assertEqual(self.witnesses[0].asked, ["old 0", "old 0", "old 20"])
        self.assertEqual([witness.size for witness in self.witnesses], [55, 55, 55])

    def test_without_a_quorum_a_checkpoint_is_kept_and_not_published(self):
        self.serve()
        self.submit(5)
        first = self.sign()
        self.witnesses[0].refuses = self.witnesses[1].refuses = 503
        self.submit(5)
        second = self.sign()
        self.assertEqual(self.names(second), ["school.example/log", "witness.example/w3"])
        self.assertEqual(self.server.get("/log/checkpoint").body.decode(), first)
        self.assertEqual(self.server.get("/v1/audit/checkpoints/10").body.decode(), second)
        self.witnesses[0].refuses = None
        third = self.sign()
        self.assertEqual(len(self.names(third)), 3)
        self.assertEqual(self.server.get("/log/checkpoint").body.decode(), third)

    def test_a_signature_that_is_not_right_is_not_taken(self):
        self.serve()
        self.submit(5)
        witness = self.witnesses[0]
        forged = witness.key.line((1).to_bytes(8, "big") + witness.key.sign(b"something else"))
        for answer in (forged.encode(), b"", b"\xff\xfe", b"x" * (1 << 20), b"\n\n\n"):
            witness.answers = answer
            note = self.sign()
            self.assertNotIn("witness.example/w1", self.names(note), answer[:20])
            witness.size, witness.root = 0, hashlib.sha256(b"").digest()
        self.assertEqual(len(self.names(note)), 3)

    def test_a_fork_of_the_log_is_cosigned_by_nobody(self):
        self.serve()
        self.submit(5)
        self.sign()
        # What the witness remembers is another history of the same length.
        self.witnesses[0].root = hashlib.sha256(b"another").digest()
        self.submit(5)
        self.assertNotIn("witness.example/w1", self.names(self.sign()))

    def test_by_the_clock_new_events_are_signed_and_cosigned(self):
        self.serve(**{"log.everySeconds": 1})
        self.submit(7)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            answer = self.server.get("/log/checkpoint")
            if answer.status == 200 and answer.body.decode().split("\n")[1] == "7":
                break
            time.sleep(0.2)
        self.assertEqual(self.names(answer.body.decode())[0], "school.example/log")
        self.assertGreaterEqual(len(self.names(answer.body.decode())), 3)

    def test_a_policy_that_is_not_right_is_said_at_the_start(self):
        key = self.witnesses[0].key.text
        for policy, words in (
                ("", "no line: quorum"), ("quorum w1\n", "line 1"), (f"witness w1 {key}\nwitness w2 {key}\nquorum none\n", "line 2"),
                (f"witness w1 {key}\ngroup g 2 w1\nquorum g\n", "line 2"), (f"witness none {key}\nquorum none\n", "line 1"),
                (f"witness w1 {self.log.text}\nquorum none\n", "line 1"), ("speak friend\n", "line 1")):
            self.server.stop()
            self.server.settings.update({"log.key": self.path, "log.witnesses": self.server.file("policy", policy)})
            with self.assertRaises(RuntimeError, msg=policy) as caught:
                self.server.start()
            self.assertIn(words, str(caught.exception))


class TakenHome(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit_all([account(number) for number in range(3000)])

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def test_the_export_is_that_of_replay_without_personal_values(self):
        answer = self.server.get("/v1/audit/export")
        self.assertEqual(answer.body.decode(), replay("export", "--sealed", "--journal", self.server.journal))
        self.assertNotIn(b"Amal Haddad", answer.body)
        self.assertNotIn(b'"key":', answer.body)
        self.assertEqual(len(answer.body.splitlines()), 1 + 2 * 3000)

    def test_the_report_is_that_of_replay(self):
        answer = self.server.get("/v1/audit/report")
        path = os.path.join(self.server.directory, "report.html")
        replay("report", "--journal", self.server.journal, "--output", path)
        with open(path, "rb") as file:
            self.assertEqual(answer.body, file.read())
        self.assertIn("default-src 'none'", answer.headers["content-security-policy"])
        part = self.server.get("/v1/audit/report?from=2026-02-02T00:00:00Z&to=2026-02-02T07:00:00Z")
        self.assertEqual(part.status, 200)
        self.assertNotEqual(part.body, answer.body)
        wrong = self.server.get("/v1/audit/report?from=2026-02-03T00:00:00Z&to=2026-02-02T00:00:00Z")
        self.assertEqual(wrong.status, 400)
        self.assertEqual(json.loads(wrong.body)["code"], "bad-request")


if __name__ == "__main__":
    unittest.main()
