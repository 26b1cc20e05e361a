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
        # Where the events stand, from position 1 on.
        self.events = [at for at, line in enumerate(self.lines) if b'"position"' in line]

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
        self.assertIn("clear text: 1 fields compared, 0 could not be (no key)", output)
        self.assertIn("events behind the checkpoint: 0\n", output)
        self.assertIn("all of it holds", output)

    def test_holds_for_an_older_checkpoint(self):
        code, output = self.export(b"".join(self.lines), SAMPLE / "checkpoint-3")
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("events behind the checkpoint: 2, vouched for by nobody", output)
        self.assertIn("what could be checked holds", output)

    def test_says_which_origin_it_takes(self):
        data = b"".join(self.lines)
        self.assertIn("the key's name: no --origin given", self.export(data)[1])
        named = self.export(data, SAMPLE / "checkpoint", "--origin", "school.example/journal")
        self.assertEqual(named[0], verify.HOLDS)
        self.assertIn("origin: school.example/journal, as --origin asks", named[1])
        for origin in ("", "other"):
            code, output = self.export(data, SAMPLE / "checkpoint", "--origin", origin)
            self.assertEqual(code, verify.BROKEN, output)

    def test_holds_when_the_lines_come_in_small_pieces(self):
        for size in (1, 7, 100, 400):
            with mock.patch.object(verify, "CHUNK", size):
                code, output = self.export(b"".join(self.lines))
                self.assertEqual(code, verify.HOLDS, output)
            with mock.patch.object(verify, "CHUNK", size):
                lines = list(self.lines)
                fourth, fifth = self.events[3:]
                lines[fourth], lines[fifth] = lines[fifth], lines[fourth]
                self.refuted(lines, "where 4 is next")
                changed = self.changed(self.events[0], "سارة", "نورة")
                self.refuted(changed, "line 4: says in clear what is not sealed: name")

    def test_holds_without_clear_text_and_without_keys(self):
        lines = self.changed(self.events[0], '"name":"سارة"', '"name":null')
        code, output = self.export(b"".join(line for line in lines if b'"key"' not in line))
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("clear text: 0 fields compared, 1 could not be (no key)", output)
        self.refuted(lines, "says in clear what is not sealed: name")

    def test_finds_clear_text_that_nothing_vouches_for(self):
        without = [line for line in self.lines if b"examroom/S-1\"}" not in line]
        self.refuted(without, "line 3: says name in clear, and no line before it has the key")
        self.refuted(self.changed(2, "0404", "0405"), "a box that the key of examroom/S-1 does not open")

    def test_finds_what_a_falsified_export_adds(self):
        # As a hostile review did it: another name, and an event that is none.
        lines = self.changed(self.events[0], "سارة", "Somebody Else")
        lines.append(b'{"position":null,"type":"examroom.grade.changed"}\n')
        self.refuted(lines, "line 4: says in clear what is not sealed: name")
        self.refuted(lines, "line 14: is not a line of an export: no kind of line has the members")

    def test_finds_keys_that_are_not_as_in_an_export(self):
        key, event = self.lines[2], self.events[0]
        self.refuted([*self.lines[:3], key, *self.lines[3:]], "line 4: is a second key of examroom/S-1")
        nobody = key.replace(b"S-1", b"S-2")
        lines = [*self.lines[:3], nobody, *self.lines[3:]]
        self.refuted(lines, "line 4: has a key of examroom/S-2 that opens nothing")
        lines = [*self.lines[:2], self.lines[event], key, *self.lines[event + 1 :]]
        self.refuted(lines, "line 3: says name in clear, and no line before it has the key")

    def test_finds_a_changed_event(self):
        first, second, third = self.events[:3]
        self.refuted(self.changed(second, "66.67", "66.68"), "root: ")
        self.refuted(self.changed(first, '"box":"B', '"box":"C'), "root: ")
        self.refuted(self.changed(third, "locked", "opened"), "root: ")

    def test_finds_any_bit_of_an_event(self):
        dice = random.Random(1)
        for _ in range(300):
            number = dice.choice(self.events)
            line = bytearray(self.lines[number])
            line[dice.randrange(len(line) - 1)] ^= 1 << dice.randrange(8)
            self.refuted([*self.lines[:number], bytes(line), *self.lines[number + 1 :]], "WRONG: ")

    def test_finds_a_line_that_is_not_canonical(self):
        second = self.events[1]
        self.refuted(self.changed(second, '"exam":"EX-1","passMark"', '"passMark"'), "root: ")
        for old, new in [
            ('"at":', '"at": '), ("66.67", "66.670"), ("66.67", "6667e-2"), ('"by":', '"zy":'),
            ("Algebra", "\\u0041lgebra"), ("66.67", "NaN"), ("66.67", "-0"), ("66.67", "66.125"),
        ]:
            self.refuted(self.changed(second, old, new), "line 6: is not a line of an export")
        self.refuted([*self.lines, b"\n"], "line 14: is not a line of an export")
        self.refuted([*self.lines, b"[]\n"], "line 14: is not a line of an export: it is no object")
        self.refuted([*self.lines, b"[" * 100_000 + b"\n"], "line 14: is not a line of an export")
        self.refuted([*self.lines, b"\xff\n"], "line 14: is not a line of an export")
        deep = b"[" * 900 + b"]" * 900
        self.refuted(self.changed(self.events[0], '"سارة"', deep.decode()), "WRONG: line 4: ")

    def test_reads_numbers_that_no_float_holds(self):
        line = b'{"a":12345678901234567.25,"b":[-0.5,{"c":1.05}],"d":12345678901234567890123}'
        value, encode = verify.read_line(line)
        self.assertEqual(encode(value).encode(), line)
        for number in (b"12345678901234567.125", b"0.125", b"1.50", b"1e2", b"12345678901234567.50"):
            with self.assertRaises(ValueError):
                verify.read_line(b'{"a":' + number + b"}")

    def test_finds_a_missing_event_and_a_second_one(self):
        third, fifth = self.events[2], self.events[4]
        self.refuted(
            self.lines[:third] + self.lines[third + 1 :], "stands at position 4, where 3 is next"
        )
        self.refuted(
            self.lines[: third + 1] + self.lines[third:], "stands at position 3, where 4 is next"
        )
        self.refuted(self.lines[:fifth], "the export ends at position 4, the checkpoint covers 5")

    def test_finds_a_gap_in_a_stream(self):
        second, third = self.events[1:3]
        self.refuted(self.changed(third, '"revision":1', '"revision":2'), "where 1 is next")
        self.refuted(self.changed(second, '"revision":0', '"revision":1'), "where 0 is next")
        null = self.changed(second, '"revision":0', '"revision":null')
        self.refuted(null, "line 6: is not a line of an export: revision is not of its form")

    def test_finds_a_cause_that_is_not_before(self):
        self.refuted(self.changed(self.events[3], '"cause":2', '"cause":4'), "which is not before it")

    def test_finds_lines_of_commands_that_contradict(self):
        for old, new, sentence in [
            ('"first":1', '"first":6', "with 1 events from position 6 on, and stands behind position 1"),
            ('"accepted":"c-1"', '"accepted":"c-2"', "accepts c-2 a second time"),
            ('"accepted":"c-1"', '"accepted":"c-9"', "is of c-1, which nothing accepts"),
            ('"device":"D-1"', '"device":null', "on another device"),
            ("01.204Z", "01.205Z", "at another time"),
            ('"mac"', '"max"', "no kind of line has the members"),
        ]:
            self.refuted(self.changed(4, old, new), sentence)
        both = self.changed(8, '"events":1,"first":3', '"events":3,"first":1')
        both[6] = both[6].replace(b'"events":1,"first":2', b'"events":2,"first":1')
        both[10] = both[10].replace(b'"events":1,"first":4', b'"events":2,"first":3')
        self.refuted(both, "line 11: accepts c-4 with events of another command")

    def test_finds_another_first_line(self):
        self.refuted(self.changed(0, "sijill.journal", "other"), "format is not of its form")
        self.refuted(self.lines[1:], "line 1: is not {\"format\"")
        self.refuted([*self.lines, self.lines[0]], "as only the first line does")
        first = [b'{"format":"sijill.journal","version":1}\n', *self.lines[1:]]
        self.refuted(first, "line 2: is of version 2, and the first line says 1")

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
        right = self.file(lines[3], "right")
        wrong = self.file(lines[5], "wrong")
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
