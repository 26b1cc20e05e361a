"""The log as an auditor reads it: tiles, entries, checkpoints and proofs, checked without any code of the service."""
import base64
import hashlib
import json
import os
import struct
import subprocess
import unittest

from harness import REPLAY, Server, replay


def account(number, at="2026-02-02T08:00:00Z"):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": at, "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Amal Haddad {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}


def node(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf(entry):
    return hashlib.sha256(b"\x00" + entry).digest()


def root(hashes):
    """RFC 9162, 2.1.1."""
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    return node(root(hashes[:split]), root(hashes[split:]))


def place(index):
    """C2SP tlog-tiles: 1234067 is x001/x234/067."""
    groups = [f"{index % 1000:03}"]
    while index >= 1000:
        index //= 1000
        groups.insert(0, f"x{index % 1000:03}")
    return "/".join(groups)


def entries(bundle):
    found = []
    while bundle:
        (length,) = struct.unpack(">H", bundle[:2])
        found.append(bundle[2:2 + length])
        bundle = bundle[2 + length:]
    return found


class Log(unittest.TestCase):
    EVENTS = 700

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.key = os.path.join(cls.server.directory, "school.key")
        replay("key", "new", cls.key, "--name", "school.example/log")
        cls.server.stop()
        cls.server.settings["log.key"] = cls.key
        cls.server.start()
        cls.server.submit_all([account(number) for number in range(300)])
        cls.first = cls.server.ask("POST", "/v1/audit/checkpoints")
        cls.server.submit_all([account(number) for number in range(300, cls.EVENTS)])
        cls.second = cls.server.ask("POST", "/v1/audit/checkpoints")
        # What nobody signed yet.
        cls.server.submit_all([account(number) for number in range(cls.EVENTS, cls.EVENTS + 50)])

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def tile(self, level, index, width=256):
        partial = "" if width == 256 else f".p/{width}"
        return self.server.get(f"/log/tile/{level}/{place(index)}{partial}")

    def bundles(self):
        for index in range(-(-self.EVENTS // 256)):
            yield index, min(256, self.EVENTS - index * 256)

    def test_a_checkpoint_is_signed_and_kept(self):
        self.assertEqual(self.first.status, 201, self.first.body)
        self.assertEqual(self.first.headers["location"], "/v1/audit/checkpoints/300")
        self.assertEqual(self.server.get("/v1/audit/checkpoints/300").body, self.first.body)
        self.assertEqual(self.server.get("/v1/audit/checkpoints/301").status, 404)
        sizes = [each["size"] for each in self.server.get("/v1/audit/checkpoints").json["checkpoints"]]
        self.assertEqual(sizes, [300, self.EVENTS])
        self.assertEqual(self.server.get("/log/checkpoint").body, self.second.body)

    def test_the_root_of_the_entries_and_of_the_tiles_is_that_of_the_checkpoint(self):
        name, size, signed = self.server.get("/log/checkpoint").body.decode().split("\n")[:3]
        self.assertEqual((name, int(size)), ("school.example/log", self.EVENTS))
        hashes = []
        for index, width in self.bundles():
            bundle = entries(self.tile("entries", index, width).body)
            self.assertEqual(len(bundle), width)
            tile = self.tile(0, index, width).body
            self.assertEqual(b"".join(leaf(entry) for entry in bundle), tile)
            hashes += [leaf(entry) for entry in bundle]
        self.assertEqual(base64.b64encode(root(hashes)).decode(), signed)
        above = self.tile(1, 0, self.EVENTS // 256).body
        self.assertEqual(
            above, b"".join(root(hashes[start:start + 256]) for start in range(0, self.EVENTS - 255, 256)))
        # One byte of one entry, and the root is another.
        entry = bytearray(bundle[0])
        entry[7] ^= 1
        self.assertNotEqual(root(hashes[:-width] + [leaf(bytes(entry))] + hashes[-width + 1:]), root(hashes))

    def test_entries_are_events_without_personal_values(self):
        bundle = entries(self.tile("entries", 0).body)
        event = json.loads(bundle[0])
        self.assertEqual((event["position"], event["type"]), (1, "examroom.account.registered"))
        self.assertIsNone(event["data"]["name"])
        self.assertNotIn(b"Amal Haddad", b"".join(bundle))

    def test_what_nobody_signed_and_what_has_no_path_is_not_given_out(self):
        for path in ("0/002.p/200", "0/003", "entries/002.p/189", "0/x000/001", "0/1", "0/001.p/0", "0/001.p/256", "9/000",
                     "00/000", "entries/", "0/-01"):
            self.assertEqual(self.server.get(f"/log/tile/{path}").status, 404, path)
        self.assertEqual(self.server.get("/log/tile/0/002.p/188").status, 200)

    def test_proofs_are_those_that_replay_writes_and_checks(self):
        proof = self.server.get("/v1/audit/proofs/inclusion/42")
        self.assertEqual(proof.body.decode(), replay("prove", "42", "--journal", self.server.journal))
        file = self.server.file("42.tlog-proof", proof.body.decode())
        done = subprocess.run(
            [REPLAY, "check-proof", file, "--log-key", self.key + ".vkey"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = self.server.get(f"/v1/audit/proofs/consistency?from=300&to={self.EVENTS}")
        file = self.server.file("300.consistency-proof", line.body.decode())
        done = subprocess.run(
            [REPLAY, "check-proof", file, "--log-key", self.key + ".vkey"], capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = proof.body.decode().split("\n")
        longest = max(range(len(lines)), key=lambda index: len(lines[index]))
        middle = len(lines[longest]) // 2
        other = "B" if lines[longest][middle] != "B" else "C"
        lines[longest] = lines[longest][:middle] + other + lines[longest][middle + 1:]
        changed = "\n".join(lines)
        file = self.server.file("forged.tlog-proof", changed)
        done = subprocess.run(
            [REPLAY, "check-proof", file, "--log-key", self.key + ".vkey"], capture_output=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertGreaterEqual(self.server.get("/v1/audit/proofs/inclusion/100000").status, 400)

    def test_without_a_key_nothing_is_signed(self):
        with Server() as server:
            answer = server.ask("POST", "/v1/audit/checkpoints")
            self.assertEqual((answer.status, answer.json["code"]), (409, "no-log-key"))
            self.assertEqual(server.get("/log/checkpoint").status, 404)


if __name__ == "__main__":
    unittest.main()
