"""Whatever is changed in an export, a checkpoint or a proof is a finding of verify.py, or stands in
`NOT_COVERED` with the reason.

The files are made here, by a writer that shares nothing with verify.py or the engine, from the
sentences of docs/audit.md. Run by `make audit-test`.
"""

import argparse
import base64
import contextlib
import copy
import hashlib
import io
import json
import pathlib
import re
import unittest
from unittest import mock

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

import verify

SAMPLE = pathlib.Path(__file__).parent / "sample"

# What no check of these files can find: a pattern of what was changed, and why. Each must be needed.
NOT_COVERED = [
    (r"^header: lead -> (null|\d+)$", "the first line is no leaf: nobody signed how far `at` may lead"),
    (r"^key of journal: (key (changed|byte \d+)|removed)$",
     "what it is the key of, the data of commands, is in no export"),
    (r"^(event \d+ of others|command .*|key .*): swapped with key ", "it may stand before its box"),
    (r"^command .*: (mac|digest) changed$", "it is over the data of the command, which is in no export"),
    (r"^command .*: (mac renamed digest|digest renamed mac)$", "version 2 has both, after an import"),
    (r"^command .*: removed$", "its events look like those of a refused command, whose id stays free"),
    (r"^command \S+ \(no own event.*\): (accepted|device) ", "no leaf repeats what it says"),
    (r"^command \S+ \(no own event, none at all\): recordedAt ", "no leaf repeats what it says"),
    (r"^command .*: swapped with command .*none at all", "both stand behind the same event"),
    (r"^added: a command without events$", "no leaf repeats what it says"),
    (r"^behind the checkpoint: ", "nobody signed it; verify.py says of how many events that is so"),
    (r"^(earlier )?(signature|cosignature) \S+: repeated$", "it says nothing new"),
    (r"^(earlier )?(signature|cosignature) \S+: swapped with ", "their order says nothing"),
    (r"^earlier cosignature ", "witnesses are asked for the later checkpoint"),
    (r"^cosignature \S+ nobody asks for: ", "signatures by unknown keys are passed over"),
    (r"^added: a signature by an unknown key$", "signatures by unknown keys are passed over"),
]


# --- A writer of what docs/audit.md describes ----------------------------------------------------


def text(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def b64(data):
    return base64.b64encode(data).decode()


def split(count):
    return 1 << (count - 1).bit_length() - 1


def root(leaves):
    """RFC 6962 section 2.1."""
    if len(leaves) < 2:
        return hashlib.sha256(b"\0" + leaves[0] if leaves else b"").digest()
    k = split(len(leaves))
    return hashlib.sha256(b"\1" + root(leaves[:k]) + root(leaves[k:])).digest()


def inclusion(index, leaves):
    """RFC 6962 section 2.1.1."""
    if len(leaves) < 2:
        return []
    k = split(len(leaves))
    if index < k:
        return [*inclusion(index, leaves[:k]), root(leaves[k:])]
    return [*inclusion(index - k, leaves[k:]), root(leaves[:k])]


def consistency(size, leaves, is_known=True):
    """RFC 6962 section 2.1.2."""
    if size == len(leaves):
        return [] if is_known else [root(leaves)]
    k = split(len(leaves))
    if size <= k:
        return [*consistency(size, leaves[:k], is_known), root(leaves[k:])]
    return [*consistency(size - k, leaves[k:], False), root(leaves[:k])]


class Signer:
    def __init__(self, name, kind, seed):
        self.name, self.kind = name, kind
        self.private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = hashlib.sha256(f"{name}\n".encode() + bytes([kind]) + public).digest()[:4]
        self.vkey = f"{name}+{self.id.hex()}+{b64(bytes([kind]) + public)}\n"

    def line(self, said, time=1_800_000_000):
        if self.kind == 1:
            made = self.private.sign(said.encode())
        else:
            made = self.private.sign(f"cosignature/v1\ntime {time}\n{said}".encode())
            made = time.to_bytes(8, "big") + made
        return f"\u2014 {self.name} {b64(self.id + made)}\n"


LOG = Signer("school.example/journal", 1, 1)
WITNESS = Signer("witness.example/w1", 4, 2)
OTHER = Signer("witness.example/w2", 4, 3)


def checkpoint(leaves, signers=(LOG, WITNESS), more=""):
    said = f"{LOG.name}\n{len(leaves)}\n{b64(root(leaves))}\n{more}"
    return said + "\n" + "".join(signer.line(said) for signer in signers)


def inclusion_file(index, leaves, **options):
    path = "".join(b64(hash) + "\n" for hash in inclusion(index, leaves))
    head = f"c2sp.org/tlog-proof@v1\nextra {b64(leaves[index])}\nindex {index}\n"
    return f"{head}{path}\n{checkpoint(leaves, **options)}"


def consistency_file(size, leaves, **options):
    path = "".join(b64(hash) + "\n" for hash in consistency(size, leaves))
    old, new = checkpoint(leaves[:size], **options), checkpoint(leaves, **options)
    return f"sijill/consistency-proof@v1\n{path}\n{old}\n{new}"


class Journal:
    """An export under way: its lines, and the leaves of its events."""

    def __init__(self, version, is_sealed=False):
        self.version, self.is_sealed = version, is_sealed
        self.lines, self.leaves, self.revisions, self.persons = [], [], {}, {}
        lead = {"lead": 300} if version > 1 else {}
        self.add({"format": "sijill.journal", "version": version} | lead)

    def add(self, value):
        self.lines.append(text(value))

    def key(self, person, byte):
        self.persons[person] = bytes([byte]) * 32
        if not self.is_sealed:
            self.add({"key": self.persons[person].hex(), "person": person})

    def sealed(self, event, person, fields, is_former, term=0):
        key, position = self.persons[person], event["position"].to_bytes(8, "big")
        # 2026-02-01T09:00:01.204Z
        recorded = 1_769_936_401_204
        clear = text([event["data"][name] for name in fields]).encode()
        if is_former:
            nonce = (recorded % (1 << 32)).to_bytes(4, "big") + position
            box = AESGCM(key).encrypt(nonce, clear, None)
            return {"box": b64(box), "fields": fields, "person": person}
        info = b"sijill term" + term.to_bytes(4, "big")
        key = HKDF(hashes.SHA256(), 32, b"", info).derive(key)
        # The salt of the commit and the position.
        nonce = bytes([6] * 11 + [6 ^ event["position"]])
        bound = f"{event['type']} {event['version']} {','.join(fields)}\n".encode()
        bound += position + recorded.to_bytes(8, "big")
        clear += b" " * (-len(clear) % 32)
        box = nonce + AESGCM(key).encrypt(nonce, clear, bound)
        return {"box": b64(box), "fields": fields, "person": person, "term": term}

    def event(self, command, stream, kind, data, *, by="admin:A-1", cause=None, device="D-1", tags=(),
              person=None, fields=(), is_former=False, is_withheld=False, term=0):  # fmt: skip
        event = {
            "at": "2026-02-01T09:00:00Z", "by": by, "cause": cause, "command": command, "data": data,
            "device": device, "position": len(self.leaves) + 1,
            "recordedAt": "2026-02-01T09:00:01.204Z", "revision": self.revisions.get(stream, 0),
            "stream": stream, "tags": list(tags), "type": kind, "version": 1,
        }  # fmt: skip
        self.revisions[stream] = event["revision"] + 1
        if person:
            event["sealed"] = self.sealed(event, person, list(fields), is_former, term)
        leaf = event | {"data": data | dict.fromkeys(fields)}
        self.leaves.append(text(leaf).encode())
        self.add(leaf if self.is_sealed or is_withheld else event)

    def command(self, id, events=1, device="D-1", is_former=False):
        name = "digest" if is_former or self.version == 1 else "mac"
        self.add({
            "accepted": id, "device": device, name: hashlib.sha256(id.encode()).hexdigest()[:16],
            "events": events, "first": len(self.leaves) + 1 - events,
            "recordedAt": "2026-02-01T09:00:01.204Z",
        })  # fmt: skip


def sample():
    """What audit/sample shows."""
    journal = Journal(2)
    journal.key("journal", 5)
    journal.key("examroom/S-1", 4)
    account, exam = "examroom/account/S-1", "examroom/exam/EX-1"
    data, person = {"account": "S-1", "name": "سارة", "role": "student"}, "examroom/S-1"
    journal.event("c-1", account, "examroom.account.created", data, person=person, fields=["name"])
    journal.command("c-1")
    data = {"exam": "EX-1", "passMark": 66.67, "title": 'Algebra "A"\n'}
    journal.event("c-2", exam, "examroom.exam.created", data, tags=["exam:EX-1"])
    journal.command("c-2")
    journal.event("c-3", account, "examroom.account.locked", {"account": "S-1"})
    journal.command("c-3")
    data = {"exam": "EX-1"}
    journal.event("c-4", exam, "examroom.exam.published", data, cause=2, tags=["exam:EX-1"])
    journal.command("c-4")
    data, tags = {"attempt": "A-1", "exam": "EX-1"}, ["exam:EX-1", "student:S-1"]
    journal.event("c-5", "examroom/attempt/A-1", "examroom.attempt.started", data, tags=tags)
    journal.command("c-5")
    return journal


def rich(version, is_sealed=False):
    """Some of all that there is: boxes of both forms, one whose key is destroyed, a later key of a
    person, a command without events, one that a timer came before, one that a merge brought."""
    journal = Journal(version, is_sealed)
    if version > 1:
        journal.key("journal", 5)
    journal.persons["school/S-9"] = bytes(32)
    old = version == 1

    def person(id, who, data, **more):
        journal.event(
            id, f"school/account/{who[7:]}", "school.account.named", data, person=who,
            fields=["name", "mark"], **more,
        )  # fmt: skip

    journal.key("school/S-1", 7)
    person("c-1", "school/S-1", {"mark": 2.5, "name": "Amal", "role": "student"}, is_former=True)
    journal.command("c-1", is_former=True)
    person("c-2", "school/S-1", {"mark": None, "name": {"first": "Amal"}}, is_former=old)
    journal.command("c-2")
    journal.command("c-3", events=0)
    person("c-4", "school/S-9", {"mark": 1, "name": "Forgotten"}, is_former=old, is_withheld=True)
    journal.command("c-4")
    data = {"late": True}
    journal.event(None, "school/timer", "school.time.up", data, by="system", device=None, cause=1)
    journal.command("c-5")
    journal.event("c-6", "school/violation", "school.access.refused", {"count": 3})
    journal.event("c-8", "school/merge", "school.merge.begun", {"from": ["D-2"]})
    journal.key("school/S-1/2", 8)
    person("c-8", "school/S-1/2", {"mark": 12345678901234, "name": "x" * 40}, is_former=old, term=3)
    journal.command("c-7", device="D-2")
    journal.event("c-8", "school/merge", "school.merge.made", {"commands": 1, "empty": {}, "none": []})
    journal.command("c-8", events=3)
    return journal


# --- Changes -------------------------------------------------------------------------------------


def others(value):
    """(how, value) of other values: of the same form, and of other types."""
    if type(value) is bool:
        yield "changed", not value
    elif type(value) in (int, float):
        yield f"-> {value + 1}", value + 1
        yield f"-> {value - 1}", value - 1
    elif type(value) is str:
        if re.fullmatch(r"([0-9a-f]{16})+", value):
            yield "changed", value[:-1] + ("0" if value[-1] != "0" else "1")
            yield "in upper case", value[:-1] + "A"
            yield "too short", value[:-2]
        if re.fullmatch(r"\d{4}-.*Z", value):
            yield "changed", "2026-03-01T09:00:00Z"
            for odd in ("2026-02-30T09:00:00Z", "2026-02-01T09:00:00.000Z", "2026-02-01T09:00:00+00:00",
                        "2026-02-01T24:00:00Z", "2026-02-01", "2026-02-01T09:00:60Z"):  # fmt: skip
                yield "-> " + odd, odd
        if len(value) > 40 and re.fullmatch(r"[A-Za-z0-9+/]+=*", value):
            box = base64.b64decode(value)
            for at in (0, 12, len(box) // 2, len(box) - 1):
                yield f"byte {at}", b64(box[:at] + bytes([box[at] ^ 1]) + box[at + 1 :])
            yield "cut", b64(box[:-1])
            yield "nearly empty", b64(box[:8])
            yield "unpadded", value.rstrip("=") if value.endswith("=") else value + "="
        yield "longer", value + "x"
        yield "empty", ""
    elif type(value) is list and len(value) > 1:
        yield "reversed", value[::-1]
    for other in (None, 0, -1, True, 1.5, "x", "2026-02-01T09:00:00Z", [], {}, [value], {"a": value}):
        if type(other) is not type(value):
            yield f"-> {text(other)}", other


def paths(value, path=()):
    """Every member and element, however deep."""
    items = value.items() if type(value) is dict else enumerate(value) if type(value) is list else ()
    for name, inner in items:
        yield (*path, name)
        yield from paths(inner, (*path, name))


def changes(line):
    """(what was done, text) of every line that differs in one member."""
    value = json.loads(line)

    def edited(path, edit):
        changed = copy.deepcopy(value)
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        edit(holder, path[-1])
        return text(changed)

    for path in paths(value):
        name = ".".join(map(str, path))
        old = value
        for step in path:
            old = old[step]

        def put(other, mark=""):
            return edited(path, lambda holder, key: holder.__setitem__(key, other))

        for how, other in others(old):
            yield f"{name} {how}", put(other)
        if type(old) in (int, float) and type(old) is not bool:
            odd = f"{old}.0", f"{old}e0", f"0{old}", f"{old + 0.125:.3f}", f"{old}0.10", "NaN", "-0"
            for form in odd:
                yield f"{name} written {form}", put("\ue000").replace('"\ue000"', form)
        yield f"{name} removed", edited(path, lambda holder, key: holder.pop(key))
        if type(path[-1]) is int:
            yield f"{name} doubled", edited(path, lambda holder, key: holder.insert(key, old))
            continue
        for how, first in (("doubled", old), ("doubled behind another", "other")):
            twice = edited(path, lambda holder, key: holder.update({key: first, f"{key}\ue000": old}))
            yield f"{name} {how}", twice.replace("\ue000", "")
        for other in {"zz", "mac", "digest"} - {name}:
            yield f"{name} renamed {other}", edited(
                path, lambda holder, key: holder.update({other: holder.pop(key)})
            )
    for name in ("zz", "position", "sealed", "term", "lead", "person", "mac", "digest", "key", "format"):
        if name not in value:
            for member in (None, 1, "x", {}):
                yield f"{name} {text(member)} added", text(value | {name: member})
    yield "with white space", line + " "
    backwards = dict(reversed(value.items()))
    yield "in another order", json.dumps(backwards, ensure_ascii=False, separators=(",", ":"))
    yield "not text", line[:-1]


def label(lines, at):
    """What a line of an export is, for `NOT_COVERED`."""
    value = json.loads(lines[at])
    if "format" in value:
        return "header"
    if "key" in value:
        return f"key of {value['person']}"
    if "position" in value:
        return f"event {value['position']}" + " of others" * ("sealed" not in value)
    before = [json.loads(line) for line in lines[:at] if '"position"' in line]
    note = ""
    if value["events"] == 0:
        note = " (no own event, none at all)"
    elif before[-1]["command"] != value["accepted"]:
        note = " (no own event)"
    return f"command {value['accepted']}{note}"


ADDED = [
    ("a line of no kind", '{"position":null,"type":"examroom.grade.changed"}'),
    ("another", '{"result":"refused"}'),
    ("an empty object", "{}"),
    ("an array", "[]"),
    ("an empty line", ""),
    ("a header", '{"format":"sijill.journal","version":1}'),
    ("another header", '{"format":"sijill.journal","lead":null,"version":2}'),
    ("a key of nobody", text({"key": "ab" * 32, "person": "school/S-77"})),
    ("a second key", text({"key": "ab" * 32, "person": "school/S-1"})),
    ("a second key of the sample", text({"key": "ab" * 32, "person": "examroom/S-1"})),
    ("a command of the future",
     '{"accepted":"c-99","device":null,"events":1,"first":90,"mac":"0011223344556677",'
     '"recordedAt":"2026-02-01T09:00:01.204Z"}'),
]  # fmt: skip


def exports(lines):
    """(what was done, lines) of every export that differs in one member or line."""
    for at, line in enumerate(lines):
        what = label(lines, at)
        for how, changed in changes(line):
            yield f"{what}: {how}", [*lines[:at], changed, *lines[at + 1 :]]
        rest = lines[:at] + lines[at + 1 :]
        yield f"{what}: removed", rest
        yield f"{what}: repeated", [*lines[: at + 1], *lines[at:]]
        yield f"{what}: repeated at the end", [*lines, line]
        if at + 1 < len(lines):
            yield f"{what}: moved to the end", [*rest, line]
            swapped = [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
            yield f"{what}: swapped with {label(lines, at + 1)}", swapped
        for how, more in ADDED:
            yield f"added behind {what}: {how}", [*lines[: at + 1], more, *lines[at + 1 :]]


def notes(data, whose):
    """(what was done, text) of every file that differs in a line or a character; `whose` names lines."""
    lines = data.splitlines(keepends=True)
    for at, line in enumerate(lines):
        what = whose(lines, at)
        yield f"{what}: removed", "".join(lines[:at] + lines[at + 1 :])
        yield f"{what}: repeated", "".join(lines[: at + 1] + lines[at:])
        if at + 1 < len(lines):
            swapped = [*lines[:at], lines[at + 1], line, *lines[at + 2 :]]
            yield f"{what}: swapped with {whose(lines, at + 1)}", "".join(swapped)
        for more in ("\n", "x\n", b64(bytes(32)) + "\n"):
            yield f"{what}: {more!r} added before", "".join([*lines[:at], more, *lines[at:]])
        for index, char in enumerate(line):
            for other in {"A", "B", "1", " ", ""} - {char}:
                changed = line[:index] + other + line[index + 1 :]
                yield f"{what}: {char!r} at {index} -> {other!r}", "".join(
                    [*lines[:at], changed, *lines[at + 1 :]]
                )


def whose(lines, at):
    if not lines[at].startswith("\u2014"):
        return f"line {at + 1}"
    name = lines[at].split()[1]
    kind = "signature" if name == LOG.name else "cosignature"
    return f"{kind} {name}"


# --- Tests ---------------------------------------------------------------------------------------


class MutationTests(unittest.TestCase):
    needed = set()
    maxDiff = None

    def setUp(self):
        # In memory: there are tens of thousands of files.
        self.files = {"log": LOG.vkey.encode(), "witness": WITNESS.vkey.encode()}
        for name, read in (("read", self.files.get), ("chunks", lambda path: [self.files[path]])):
            patch = mock.patch.object(verify, name, read)
            patch.start()
            self.addCleanup(patch.stop)

    def run_verify(self, check, witness=None, **options):
        """Exit code and all that was printed."""
        options |= {"key": "log", "origin": None, "threshold": None}
        options |= {"witness": [witness] if witness else []}
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            try:
                return check(argparse.Namespace(**options)), output.getvalue()
            except verify.Malformed as malformed:
                return verify.MALFORMED, f"verify.py: {malformed}"

    def export(self, lines, witness=None):
        self.files["export"] = "".join(line + "\n" for line in lines).encode()
        return self.run_verify(
            verify.check_export, witness, export="export", checkpoint="checkpoint"
        )

    def proof(self, data, witness=None, leaf=None):
        self.files["proof"] = data.encode()
        return self.run_verify(verify.check_proof, witness, proof="proof", leaf=leaf)

    def every(self, changed, check, original, least, prefix=""):
        """Every change is a finding, or it is known that it is none."""
        survivors, seen = [], set()
        for name, data in changed:
            if data == original:
                continue
            seen.add(name)
            code, output = check(data)
            self.assertIn(code, (verify.HOLDS, verify.BROKEN, verify.MALFORMED), (name, output))
            if code != verify.HOLDS:
                self.assertRegex(output, "WRONG: |verify.py: ", name)
                continue
            reasons = [pattern for pattern, _ in NOT_COVERED if re.search(pattern, prefix + name)]
            self.needed.update(reasons)
            if not reasons:
                survivors.append(prefix + name)
        self.assertEqual(survivors, [], f"{len(survivors)} changes of {len(seen)} were not found")
        self.assertGreater(len(seen), least)

    def every_export(self, journal, least):
        self.files["checkpoint"] = checkpoint(journal.leaves).encode()
        code, output = self.export(journal.lines)
        self.assertEqual(code, verify.HOLDS, output)
        self.every(exports(journal.lines), self.export, journal.lines, least)
        return output

    def test_plain_export_of_version_1(self):
        output = self.every_export(rich(1), 4000)
        self.assertIn("clear text: 6 fields compared, 2 could not be (no key)", output)

    def test_plain_export_of_version_2(self):
        output = self.every_export(rich(2), 4000)
        self.assertIn("clear text: 6 fields compared, 2 could not be (no key)", output)

    def test_sealed_export_of_version_2(self):
        output = self.every_export(rich(2, is_sealed=True), 4000)
        self.assertIn("clear text: 0 fields compared, 8 could not be (no key)", output)

    def test_sample(self):
        self.assertEqual(sample().lines, (SAMPLE / "export.jsonl").read_text().splitlines())
        self.every_export(sample(), 2000)

    def test_command_without_events(self):
        journal = rich(2)
        self.files["checkpoint"] = checkpoint(journal.leaves).encode()
        line = journal.lines[-1].replace("c-8", "c-99")
        line = line.replace('"events":3,"first":6', '"events":0,"first":9')
        changed = [("added: a command without events", [*journal.lines, line])]
        self.every(changed, self.export, journal.lines, 0)

    def test_command_that_claims_what_others_did(self):
        journal = sample()
        self.files["checkpoint"] = checkpoint(journal.leaves).encode()
        self.assertIn('"events":1,"first":5', journal.lines[-1])
        changed = [
            (f"claims the last {5 - first + 1} events", [
                *journal.lines[:-1],
                journal.lines[-1].replace('"events":1,"first":5', f'"events":{6 - first},"first":{first}'),
            ])
            for first in range(1, 5)
        ]  # fmt: skip
        self.every(changed, self.export, journal.lines, 3)

    def test_events_behind_the_checkpoint(self):
        journal = sample()
        self.files["checkpoint"] = checkpoint(journal.leaves[:3]).encode()
        signed = journal.lines.index(next(line for line in journal.lines if '"c-4"' in line))
        code, output = self.export(journal.lines)
        self.assertIn("events behind the checkpoint: 2, vouched for by nobody", output)
        self.assertIn("what could be checked holds", output)

        def check(lines):
            code, output = self.export(lines)
            # What is of no form is found there too.
            if code == verify.HOLDS and len(lines) >= len(journal.lines):
                self.assertIn("vouched for by nobody", output)
            return code, output

        before, behind = journal.lines[:signed], journal.lines[signed:]
        changed = [(name, lines) for name, lines in exports(journal.lines) if lines[:signed] == before]
        self.every(changed, check, journal.lines, 500, "behind the checkpoint: ")
        odd = ('"version":1', '"version":"1"'), ('"revision":1', '"revision":2'), ("09:00:00Z", "9:00Z")
        for old, new in odd:
            lines = [*before, *(line.replace(old, new) for line in behind)]
            self.assertEqual(self.export(lines)[0], verify.BROKEN, old)

    def test_checkpoint(self):
        journal = sample()
        note = checkpoint(journal.leaves, more="read-model examroom.exams aGFzaA==\n")
        witness = "witness"

        def check(data):
            self.files["checkpoint"] = data.encode()
            return self.export(journal.lines, witness)

        self.assertEqual(check(note)[0], verify.HOLDS)
        self.every(notes(note, whose), check, note, 1000)
        unknown = note + OTHER.line(note.split("\n\n")[0] + "\n")
        self.every([("added: a signature by an unknown key", unknown)], check, note, 0)
        # Right ones before a wrong one.
        for signer in (LOG, WITNESS):
            self.assertEqual(check(note + signer.line("other\n"))[0], verify.BROKEN)
        witness = None
        self.every(
            ((name.replace(WITNESS.name, f"{WITNESS.name} nobody asks for", 1), data)
             for name, data in notes(note, whose)),
            check, note, 1000,
        )  # fmt: skip

    def test_inclusion_proof(self):
        leaves = sample().leaves
        for index in (0, 4):
            proof = inclusion_file(index, leaves)
            witness = "witness"
            self.assertEqual(self.proof(proof, "witness")[0], verify.HOLDS)
            self.every(notes(proof, whose), lambda data: self.proof(data, "witness"), proof, 1000)
            extra, leaf = b64(leaves[index]), leaves[index].decode()
            files = ((how, proof.replace(extra, b64(line.encode()))) for how, line in changes(leaf))
            self.every(files, self.proof, proof, 200)

    def test_inclusion_proof_of_a_line_of_an_export(self):
        journal = sample()
        proof = inclusion_file(0, journal.leaves)
        without = re.sub("extra .*\n", "", proof)
        line = next(line for line in journal.lines if '"position":1,' in line)

        def check(line):
            self.files["leaf"] = line.encode()
            return self.proof(without, leaf="leaf")

        code, output = check(line)
        self.assertEqual(code, verify.HOLDS, output)
        self.assertIn("clear text: not checked by a proof", output)
        self.assertIn("what could be checked holds", output)
        for how, changed in changes(line):
            code, output = check(changed)
            if how.startswith("data.name ") and code == verify.HOLDS:
                self.assertTrue("what could be checked holds" in output or how.endswith("-> null"), how)
            else:
                self.assertNotEqual(code, verify.HOLDS, how)
        # What is in the file is checked even where it is not asked for.
        other = proof.replace(b64(journal.leaves[0]), b64(journal.leaves[1]))
        self.files["leaf"] = line.encode()
        self.assertEqual(self.proof(other, leaf="leaf")[0], verify.BROKEN)

    def test_consistency_proof(self):
        def whose_of_two(lines, at):
            return "earlier " * (lines[at:].count("\n") > 0) + whose(lines, at)

        proof = consistency_file(3, sample().leaves)
        self.assertEqual(self.proof(proof, "witness")[0], verify.HOLDS)
        self.every(notes(proof, whose_of_two), lambda data: self.proof(data, "witness"), proof, 1000)

    @classmethod
    def tearDownClass(cls):
        # Only if all tests ran: one alone needs fewer.
        tests = [name for name in dir(cls) if name.startswith("test_")]
        if cls.count == len(tests):
            unused = [pattern for pattern, _ in NOT_COVERED if pattern not in cls.needed]
            assert not unused, f"no change needs {unused}: take them out of NOT_COVERED"

    count = 0

    def run(self, result=None):
        type(self).count += 1
        return super().run(result)


if __name__ == "__main__":
    unittest.main()
