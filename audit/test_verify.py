"""Tests of verify.py, on the sample beside it and on forgeries of it; and a foreign implementation
of checkpoints, cosignatures and proofs (tlog-scales, from PyPI) on the same files.

Run by `make audit-test`.
"""

import base64
import contextlib
import dataclasses
import hashlib
import io
import pathlib
import random
import tempfile
import unittest
from unittest import mock

import verify

try:
    from tlog_scales import signing, tlog
except ImportError:
    tlog = None

SAMPLE = pathlib.Path(__file__).parent / "sample"
# The vectors of github.com/google/certificate-transparency, merkletree/merkle_tree_test.cc.
VECTOR_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
VECTOR_LEAVES.append("606162636465666768696a6b6c6d6e6f")
VECTOR_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def run(*arguments):
    """Exit code and all that was printed."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            code = verify.main([str(argument) for argument in arguments])
        except SystemExit as exit:
            code = exit.code
    return code, output.getvalue()


def sample(name):
    return (SAMPLE / name).read_bytes()


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, data, name="file"):
        path = self.folder / name
        path.write_bytes(data)
        return path

    def export(self, data, checkpoint=SAMPLE / "checkpoint", *more):
        return run(
            "export", self.file(data), "--checkpoint", checkpoint,
            "--key", SAMPLE / "log.vkey", *more,
        )

    def proof(self, data, *more):
        return run("proof", self.file(data), "--key", SAMPLE / "log.vkey", *more)


class ExportTests(Files):
    def setUp(self):
        super().setUp()
        self.lines = sample("export.jsonl").splitlines(keepends=True)

    def refuted(self, lines, sentence, code=verify.BROKEN):
        result, output = self.export(b"".join(lines))
        self.assertEqual(result, code, output)
        self.assertIn(sentence, output)

    def changed(self, number, old, new):
        lines = list(self.lines)
        self.assertIn(old.encode(), lines[number])
        lines[number] = lines[number].replace(old.encode(), new.encode())
        return lines

    def test_holds(self):
        code, output = self.export(b"".join(self.lines))
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("root: the first 5 events are those that were signed", output)

    def test_holds_for_an_older_checkpoint(self):
        code, output = self.export(b"".join(self.lines), SAMPLE / "checkpoint-3")
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("2 events are not under this checkpoint", output)

    def test_holds_when_the_lines_come_in_small_pieces(self):
        for size in (1, 7, 100, 400):
            with mock.patch.object(verify, "CHUNK", size):
                code, output = self.export(b"".join(self.lines))
                self.assertEqual(code, verify.HOLDS, output)
            with mock.patch.object(verify, "CHUNK", size):
                swapped = [*self.lines[:5], self.lines[6], self.lines[5]]
                self.refuted(swapped, "where 4 is next")

    def test_holds_without_clear_text_and_without_other_lines(self):
        lines = self.changed(1, '"name":"سارة"', '"name":null')
        code, output = self.export(b"".join([lines[1], *lines[3:]]))
        self.assertEqual(code, verify.HOLDS, output)

    def test_holds_with_lines_of_other_kinds(self):
        for line in (b'{"keys":{"S-1":"AAAA"}}\n', b'{"command":{"id":"c-9"},"result":"refused"}\n'):
            code, output = self.export(b"".join([*self.lines, line]))
            self.assertEqual(code, verify.HOLDS, output)

    def test_finds_a_changed_event(self):
        self.refuted(self.changed(3, "66.67", "66.68"), "root: ")
        self.refuted(self.changed(1, '"box":"q83v', '"box":"r83v'), "root: ")
        self.refuted(self.changed(4, "locked", "opened"), "root: ")

    def test_finds_any_bit_of_an_event(self):
        dice = random.Random(1)
        data = bytearray(b"".join(self.lines))
        personal = '"سارة"'.encode()
        start = data.index(personal)
        commands = data.index(b'{"accepted"')
        after = data.index(b"\n", commands)
        header = data.index(b"\n")
        for _ in range(300):
            at = dice.randrange(header + 1, len(data) - 1)
            # Neither the clear text nor other lines are part of a leaf.
            if start <= at < start + len(personal) or commands <= at <= after:
                continue
            data[at] ^= 1 << (bit := dice.randrange(8))
            code, output = self.export(bytes(data))
            self.assertEqual(code, verify.BROKEN, (at, bit, output))
            data[at] ^= 1 << bit

    def test_finds_a_line_that_is_not_canonical(self):
        self.refuted(self.changed(3, '"exam":"EX-1","passMark"', '"passMark"'), "root: ")
        for old, new in [
            ('"at":', '"at": '), ("66.67", "66.670"), ("66.67", "6667e-2"), ('"by":', '"zy":'),
            ("Algebra", "\\u0041lgebra"), ("66.67", "NaN"), ("66.67", "-0"),
        ]:
            self.refuted(self.changed(3, old, new), "line 4: is not a line of an export")
        self.refuted([*self.lines, b"\n"], "line 8: is not a line of an export")
        self.refuted([*self.lines, b"[]\n"], "line 8: is not a line of an export: it is no object")
        self.refuted([*self.lines, b"[" * 100_000 + b"\n"], "line 8: is not a line of an export")
        self.refuted([*self.lines, b"\xff\n"], "line 8: is not a line of an export")

    def test_reads_numbers_that_no_float_holds(self):
        line = b'{"a":12345678901234567.25,"b":[-0.5,{"c":1.05}],"d":12345678901234567890123}'
        self.assertEqual(verify.leaf_of(line)[1], line)

    def test_finds_a_missing_event_and_a_second_one(self):
        self.refuted(self.lines[:4] + self.lines[5:], "stands at position 4, where 3 is next")
        self.refuted(self.lines[:5] + self.lines[4:], "stands at position 3, where 4 is next")
        self.refuted(self.lines[:-1], "the export ends at position 4, the checkpoint covers 5")

    def test_finds_a_gap_in_a_stream(self):
        self.refuted(self.changed(4, '"revision":1', '"revision":2'), "where 1 is next")
        self.refuted(self.changed(3, '"revision":0', '"revision":1'), "where 0 is next")
        self.refuted(self.changed(3, '"revision":0', '"revision":null'), "without stream or revision")

    def test_finds_other_lines_that_contradict(self):
        self.refuted(self.changed(2, '"first":1', '"first":6'), "names position 6")
        self.refuted(self.changed(0, "sijill.journal", "other"), "names the format 'other'")

    def test_finds_a_changed_checkpoint(self):
        text = sample("checkpoint")
        for old, new in [(b"\n5\n", b"\n4\n"), (b"school.example/journal\n5", b"other\n5")]:
            checkpoint = self.file(text.replace(old, new), "checkpoint")
            code, output = self.export(b"".join(self.lines), checkpoint)
            self.assertEqual(code, verify.BROKEN, output)
            self.assertIn("WRONG: checkpoint: ", output)

    def test_counts_witnesses(self):
        one, two = SAMPLE / "witness1.vkey", SAMPLE / "witness2.vkey"
        data, head = b"".join(self.lines), SAMPLE / "checkpoint"
        code, output = self.export(
            data, head, "--witness", one, "--witness", two, "--threshold", "1"
        )
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("1 of 2 witnesses signed (witness.example/w1)", output)
        code, output = self.export(data, head, "--witness", one, "--witness", two)
        self.assertEqual(code, verify.BROKEN, output)
        self.assertIn("1 of 2 witnesses signed, 2 must have", output)
        for more in [("--witness", one, "--witness", one), ("--witness", SAMPLE / "log.vkey")]:
            code, output = self.export(data, head, *more)
            self.assertEqual(code, verify.MALFORMED, output)
        self.assertEqual(self.export(data, head, "--threshold", "1")[0], verify.MALFORMED)

    def test_says_what_file_is_not_in_its_form(self):
        for data in (b"", b"\n\n", b"a\n1\nAAAA\n\n\xe2\x80\x94 a AAAA\n", b"\xff", sample("export.jsonl")):
            checkpoint = self.file(data, "checkpoint")
            code, output = self.export(b"".join(self.lines), checkpoint)
            self.assertEqual(code, verify.MALFORMED, output)
            self.assertIn("verify.py: ", output)
        code, output = run("export", "none", "--checkpoint", SAMPLE / "checkpoint",
                           "--key", SAMPLE / "log.vkey")
        self.assertEqual(code, verify.MALFORMED, output)
        self.assertEqual(run("export", "x")[0], verify.USAGE)
        self.assertEqual(run("dance")[0], verify.USAGE)
        self.assertEqual(run("--help")[0], verify.HOLDS)

    def test_reads_a_large_export_with_several_processes(self):
        with mock.patch.object(verify, "CHUNK", 300), mock.patch("os.cpu_count", return_value=2):
            code, output = self.export(b"".join(self.lines))
        self.assertEqual(code, verify.HOLDS, output)


class ProofTests(Files):
    def test_hold(self):
        code, output = self.proof(sample("event-1.tlog-proof"))
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("the event at position 1 is among the 5 of school.example/journal", output)
        code, output = self.proof(sample("3-to-5.consistency-proof"))
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("with 5 events continues that of 3 unchanged", output)

    def test_take_the_event_from_an_export(self):
        lines = sample("export.jsonl").splitlines(keepends=True)
        proof = sample("event-1.tlog-proof").split(b"\n")
        without = b"\n".join(line for line in proof if not line.startswith(b"extra "))
        self.assertEqual(self.proof(without)[0], verify.MALFORMED)
        right = self.file(lines[1], "right")
        wrong = self.file(lines[3], "wrong")
        self.assertEqual(self.proof(without, "--leaf", right)[0], verify.HOLDS)
        self.assertEqual(self.proof(without, "--leaf", wrong)[0], verify.BROKEN)

    def test_do_not_hold_after_any_bit_is_changed(self):
        for name in ("event-1.tlog-proof", "3-to-5.consistency-proof"):
            data = bytearray(sample(name))
            for at in range(len(data)):
                # A signature that nobody asks for may say anything in the form of one.
                line = data[data.rfind(b"\n", 0, at) + 1 :]
                if line.startswith("\u2014 witness".encode()):
                    continue
                data[at] ^= 1 << (at % 8)
                code, output = self.proof(bytes(data))
                data[at] ^= 1 << (at % 8)
                self.assertIn(code, (verify.BROKEN, verify.MALFORMED), (name, at, output))

    def test_do_not_hold_if_a_signature_of_a_known_witness_is_wrong(self):
        for name in ("event-1.tlog-proof", "3-to-5.consistency-proof"):
            data = sample(name)
            starts = [at for at in range(len(data)) if data.startswith(b"3xwKN", at)]
            for start in starts:
                for at in range(start + 8, start + 100):
                    changed = bytearray(data)
                    changed[at] = ord("A") if changed[at] != ord("A") else ord("B")
                    code, output = self.proof(
                        bytes(changed), "--witness", SAMPLE / "witness1.vkey", "--threshold", 0
                    )
                    self.assertIn(code, (verify.BROKEN, verify.MALFORMED), (name, at, output))

    def test_do_not_hold_when_cut_short(self):
        for name in ("event-1.tlog-proof", "3-to-5.consistency-proof"):
            data = sample(name)
            for end in range(0, len(data), 3):
                if not data[:end].endswith(b"=\n"):
                    self.assertNotEqual(self.proof(data[:end])[0], verify.HOLDS, (name, end))


class TreeTests(unittest.TestCase):
    def test_has_the_published_roots(self):
        tree = verify.Tree()
        self.assertEqual(tree.root().hex(), VECTOR_ROOTS[0])
        for leaf, root in zip(VECTOR_LEAVES, VECTOR_ROOTS[1:]):
            tree.append(verify.leaf_hash(bytes.fromhex(leaf)))
            self.assertEqual(tree.root().hex(), root)


@unittest.skipIf(tlog is None, "tlog-scales is not installed")
class ForeignTests(unittest.TestCase):
    """What the engine writes, read by tlog-scales."""

    def setUp(self):
        self.keys = [
            signing.Vkey.from_string(sample(name).decode().strip())
            for name in ("log.vkey", "witness1.vkey")
        ]

    def test_verifies_checkpoints_and_cosignatures(self):
        for name in ("checkpoint", "checkpoint-3"):
            text = sample(name).decode()
            checkpoint = tlog.Checkpoint.from_text(text)
            self.assertEqual(checkpoint.serialize(), text)
            for key in self.keys:
                checkpoint.verify(key)
            forged = dataclasses.replace(checkpoint, size=checkpoint.size + 1)
            for key in self.keys:
                with self.assertRaises(Exception):
                    forged.verify(key)

    def test_verifies_the_inclusion_proof(self):
        head, note = sample("event-1.tlog-proof").decode().split("\n\n", 1)
        _, extra, index, *hashes = head.split("\n")
        checkpoint = tlog.Checkpoint.from_text(note)
        checkpoint.verify(self.keys[0])
        leaf = hashlib.sha256(b"\x00" + base64.b64decode(extra.removeprefix("extra "))).digest()
        proof = tlog.InclusionProof(
            int(index.removeprefix("index ")), checkpoint.size, [*map(base64.b64decode, hashes)]
        )
        proof.check(leaf, checkpoint.root_hash)

    def test_verifies_the_consistency_proof(self):
        parts = sample("3-to-5.consistency-proof").decode().split("\n\n")
        hashes = [base64.b64decode(line) for line in parts[0].split("\n")[1:]]
        old = tlog.Checkpoint.from_text(parts[1] + "\n\n" + parts[2])
        new = tlog.Checkpoint.from_text(parts[3] + "\n\n" + parts[4])
        for checkpoint in (old, new):
            checkpoint.verify(self.keys[0])
        tlog.ConsistencyProof(old.size, new.size, hashes).check(old.root_hash, new.root_hash)


if __name__ == "__main__":
    unittest.main()
