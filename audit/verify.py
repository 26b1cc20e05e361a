#!/usr/bin/env python3
"""Checks what a Sijill journal shows, without Sijill: an export against a signed checkpoint, or one
proof alone. Shares no code with the engine; docs/audit.md describes every form that is read here.

    verify.py export EXPORT --checkpoint FILE --key FILE [--origin NAME]
              [--witness FILE ... [--threshold K]]
    verify.py proof PROOF --key FILE [--leaf FILE] [--origin NAME]
              [--witness FILE ... [--threshold K]]

Key files hold a verifier key, NAME+HASH+KEY, in one line. Every finding is a line. Exit codes:
0 everything holds, 1 something does not, 64 wrong usage, 65 a file is not in its form.

Needs Python 3.11 or later and the package `cryptography`.
"""

import argparse
import base64
import binascii
import hashlib
import json
import multiprocessing
import os
import re
import sys
import threading

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HOLDS, BROKEN, USAGE, MALFORMED = 0, 1, 64, 65
SIGNATURE, COSIGNATURE = 1, 4
INCLUSION_HEADER = "c2sp.org/tlog-proof@v1"
CONSISTENCY_HEADER = "sijill/consistency-proof@v1"
# Findings beyond these say nothing new.
MOST_FINDINGS = 20
CHUNK = 1 << 22


class Malformed(Exception):
    """A file is not in its form."""


class Refuted(Exception):
    """What is claimed does not hold."""


# --- The tree (RFC 6962 section 2.1) -------------------------------------------------------------


def leaf_hash(data):
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


class Tree:
    """Grows leaf by leaf; keeps the roots of its complete subtrees, widest first."""

    def __init__(self):
        self.size = 0
        self.roots = []

    def append(self, leaf):
        size = self.size
        roots = self.roots
        while size & 1:
            leaf = hashlib.sha256(b"\x01" + roots.pop() + leaf).digest()
            size >>= 1
        roots.append(leaf)
        self.size += 1

    def root(self):
        if not self.roots:
            return hashlib.sha256(b"").digest()
        root = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            root = node_hash(left, root)
        return root


def inclusion_holds(index, size, leaf, hashes, root):
    """RFC 9162 section 2.1.3.2."""
    if not 0 <= index < size:
        return False
    fn, sn, r = index, size - 1, leaf
    for p in hashes:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = node_hash(p, r)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            r = node_hash(r, p)
        fn >>= 1
        sn >>= 1
    return sn == 0 and r == root


def consistency_holds(first, second, hashes, first_root, second_root):
    """RFC 9162 section 2.1.4.2; from an empty or an equal tree there is nothing to prove."""
    if not 0 <= first <= second:
        return False
    if first == second:
        return not hashes and first_root == second_root
    if first == 0:
        return not hashes and first_root == hashlib.sha256(b"").digest()
    if not hashes:
        return False
    path = [first_root, *hashes] if first & (first - 1) == 0 else list(hashes)
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn >>= 1
        sn >>= 1
    fr = sr = path[0]
    for c in path[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = node_hash(c, fr), node_hash(c, sr)
            while not fn & 1 and fn:
                fn >>= 1
                sn >>= 1
        else:
            sr = node_hash(sr, c)
        fn >>= 1
        sn >>= 1
    return sn == 0 and fr == first_root and sr == second_root


# --- Texts ---------------------------------------------------------------------------------------


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}") from None


def unbase64(text, what):
    """Base 64 in its one form: padded, the standard alphabet, unused bits zero."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = None
    if data is None or base64.b64encode(data).decode() != text:
        raise Malformed(f"{what} is not base 64")
    return data


def hash_line(text, what):
    data = unbase64(text, what)
    if len(data) != 32:
        raise Malformed(f"{what} is not a hash of 32 bytes")
    return data


def number(text, what):
    if not re.fullmatch(r"0|[1-9][0-9]{0,18}", text, re.ASCII) or int(text) >= 1 << 63:
        raise Malformed(f"{what} {text[:40]!r} is no whole number without leading zeros")
    return int(text)


def text_of(data, what):
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed(f"{what} is not UTF-8 text") from None
    if any(char < " " and char != "\n" for char in text):
        raise Malformed(f"{what} holds a control character")
    return text


# --- Keys, notes, checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature) ---------------


def is_name(text):
    return text != "" and "+" not in text and not any(char.isspace() for char in text)


class Key:
    """A verifier key: NAME+HASH+KEY."""

    def __init__(self, text):
        parts = text.split("+", 2)
        if len(parts) != 3 or not is_name(parts[0]):
            raise Malformed(f"{text[:60]!r} is no verifier key; one reads NAME+HASH+KEY")
        self.name = parts[0]
        data = unbase64(parts[2], f"the verifier key of {self.name}")
        if len(data) != 33 or data[0] not in (SIGNATURE, COSIGNATURE):
            raise Malformed(f"the verifier key of {self.name} is not Ed25519 of type 1 or 4")
        self.kind, self.public = data[0], data[1:]
        self.id = hashlib.sha256(self.name.encode() + b"\n" + data).digest()[:4]
        if self.id.hex() != parts[1]:
            raise Malformed(f"the verifier key of {self.name} does not belong to its hash")

    @classmethod
    def load(cls, path):
        return cls(text_of(read(path), path).strip())

    def verify(self, signature, text):
        message = text.encode()
        if self.kind == COSIGNATURE:
            if len(signature) != 72 or signature[0] & 0x80:
                return False
            time = int.from_bytes(signature[:8], "big")
            message = f"cosignature/v1\ntime {time}\n".encode() + message
            signature = signature[8:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True


class Checkpoint:
    """A signed note whose text is a checkpoint."""

    def __init__(self, data, what):
        note = text_of(data, what)
        gap = note.rfind("\n\n")
        if gap < 0 or not note.endswith("\n") or gap + 2 == len(note):
            raise Malformed(f"{what} has no signature lines, or was cut short")
        self.text = note[: gap + 1]
        self.signatures = [self.signature(line, what) for line in note[gap + 2 : -1].split("\n")]
        if len(self.signatures) > 100:
            raise Malformed(f"{what} has more than 100 signatures")
        lines = self.text[:-1].split("\n")
        if len(lines) < 3 or "" in lines:
            raise Malformed(f"{what} has not origin, size and root in its first three lines")
        self.origin = lines[0]
        self.size = number(lines[1], f"the size in {what}")
        self.root = hash_line(lines[2], f"the root in {what}")

    @staticmethod
    def signature(line, what):
        parts = line.split(" ")
        if len(parts) != 3 or parts[0] != "\u2014" or not is_name(parts[1]):
            raise Malformed(f"{what} holds {line[:60]!r} where a signature should be")
        data = unbase64(parts[2], f"the signature of {parts[1]} in {what}")
        if len(data) < 5:
            raise Malformed(f"the signature of {parts[1]} in {what} is too short")
        return parts[1], data[:4], data[4:]

    def signed_by(self, key):
        """Whether the key signed. A signature of it that is not right refutes the whole."""
        for name, id, signature in self.signatures:
            if name == key.name and id == key.id:
                if not key.verify(signature, self.text):
                    raise Refuted(
                        f"the signature of {key.name} is not right: the checkpoint was changed, "
                        "or another key made it"
                    )
                return True
        return False


class Trust:
    """Whose signatures are asked for."""

    def __init__(self, options):
        self.log = Key.load(options.key)
        if self.log.kind != SIGNATURE:
            raise Malformed(f"the key of {self.log.name} is a witness's; a log signs with type 1")
        self.origin = options.origin or self.log.name
        self.witnesses = [Key.load(path) for path in options.witness]
        publics = [key.public for key in self.witnesses]
        for key in self.witnesses:
            if key.kind != COSIGNATURE:
                raise Malformed(f"the key of {key.name} is no witness's; a witness signs with type 4")
        if len(set(publics)) < len(publics):
            raise Malformed("a witness is named twice; it counts once")
        if self.log.public in publics:
            raise Malformed("the log's own key is named as a witness; it cannot vouch for itself")
        count = len(self.witnesses)
        self.threshold = count if options.threshold is None else options.threshold
        if not 0 <= self.threshold <= count:
            raise Malformed(f"{self.threshold} signatures are asked of {count} witnesses")

    def check(self, checkpoint, needs_witnesses=True):
        """Returns what is to be said, or raises Refuted."""
        if checkpoint.origin != self.origin:
            raise Refuted(f"the checkpoint is of {checkpoint.origin!r}, not of {self.origin!r}")
        if not checkpoint.signed_by(self.log):
            raise Refuted(f"the checkpoint is not signed by {self.log.name}")
        said = [f"signature: {self.log.name} signed {checkpoint.size} events"]
        names = [key.name for key in self.witnesses if checkpoint.signed_by(key)]
        if needs_witnesses and self.witnesses:
            found = f"{len(names)} of {len(self.witnesses)} witnesses signed"
            if len(names) < self.threshold:
                raise Refuted(f"{found}, {self.threshold} must have")
            said.append(f"witnesses: {found} ({', '.join(names)})")
        return said


# --- Export lines --------------------------------------------------------------------------------


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def make_encoder():
    """`JSONEncoder.encode`, without making its machinery anew for every line where that can be
    kept: an eighth of all time."""
    plain = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
    make, quote = json.encoder.c_make_encoder, json.encoder.c_encode_basestring
    if make is None or quote is None:
        return plain
    try:
        pieces = make(None, None, quote, None, ":", ",", True, False, False)
        if "".join(pieces({"b": [1, "\u00e9"], "a": None}, 0)) != '{"a":null,"b":[1,"\u00e9"]}':
            return plain
    except TypeError:
        return plain
    return lambda value: "".join(pieces(value, 0))


class Literal(float):
    """A number as it was written; the encoder prints floats by their `repr`."""

    def __new__(cls, text):
        value = super().__new__(cls, text)
        value.text = text
        return value

    def __repr__(self):
        return self.text


DECODE = json.JSONDecoder(parse_constant=refuse_constant).raw_decode
ENCODE = make_encoder()
CANONICAL_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.([0-9]?[1-9])", re.ASCII)


def encode_exactly(value):
    """Canonical JSON of a value whose fractions are literals; slow, and exact for any digits."""
    if isinstance(value, dict):
        members = (f"{json.dumps(key, ensure_ascii=False)}:{encode_exactly(value[key])}" for key in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encode_exactly, value)) + "]"
    if isinstance(value, Literal):
        if not CANONICAL_FRACTION.fullmatch(value.text):
            raise ValueError("a number is not in its one form")
        return value.text
    return json.dumps(value, ensure_ascii=False)


def without_clear_text(value):
    """The object of a leaf: null for the members of `data` that `sealed.fields` names."""
    sealed = value["sealed"]
    data = value.get("data")
    if type(sealed) is not dict or type(sealed.get("fields")) is not list or type(data) is not dict:
        raise ValueError("`sealed` is not of its form")
    hidden = [name for name in sealed["fields"] if data.get(name) is not None]
    if not hidden:
        return value
    return value | {"data": data | dict.fromkeys(hidden)}


def leaf_of(line):
    """An object of a line (bytes without the newline) and its leaf: the line's canonical JSON
    without what personal fields say in clear. Raises ValueError if the line is not canonical JSON."""
    text = line.decode("utf-8")
    value, end = DECODE(text)
    if type(value) is not dict:
        raise ValueError("it is no object")
    if end == len(text) and ENCODE(value) == text:
        if "sealed" not in value:
            return value, line
        rest = without_clear_text(value)
        return value, line if rest is value else ENCODE(rest).encode()
    value = json.loads(text, parse_float=Literal, parse_constant=refuse_constant)
    if encode_exactly(value) != text:
        raise ValueError("it is not canonical: sorted keys, no white space, shortest escapes")
    rest = without_clear_text(value) if "sealed" in value else value
    return value, encode_exactly(rest).encode()


class Part:
    """What a run of lines says, to be joined to what the runs before say."""

    def __init__(self):
        self.lines = 0
        self.leaves = []
        self.first_position = None
        # Stream -> first and next revision.
        self.revisions = {}
        # The last position that a line of a command names, with its line.
        self.reach = (0, 0)
        self.findings = []

    def find(self, line, sentence):
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append((line, sentence))

    def add(self, line):
        self.lines += 1
        at = self.lines
        try:
            value, leaf = leaf_of(line)
        except (ValueError, RecursionError) as error:
            self.find(at, f"is not a line of an export: {error}")
            return
        position = value.get("position")
        if position is None:
            self.other(at, value)
            return
        if type(position) is not int:
            self.find(at, f"has the position {position!r}, which is no whole number")
            return
        if self.first_position is None:
            self.first_position = position
        expected = self.first_position + len(self.leaves)
        if position != expected:
            self.find(at, f"stands at position {position}, where {expected} is next")
        self.leaves.append(leaf_hash(leaf))
        stream, revision = value.get("stream"), value.get("revision")
        if type(stream) is not str or type(revision) is not int:
            self.find(at, "is an event without stream or revision")
            return
        known = self.revisions.get(stream)
        if known is None:
            self.revisions[stream] = [revision, revision + 1]
        else:
            if revision != known[1]:
                self.find(at, f"has revision {revision} of {stream}, where {known[1]} is next")
            known[1] = revision + 1

    def other(self, at, value):
        """A line that is no event: passed over unless it contradicts the events."""
        form = value.get("format")
        if form is not None and form != "sijill.journal":
            self.find(at, f"names the format {form!r}; an export says sijill.journal")
        first, events = value.get("first"), value.get("events")
        if type(first) is int and type(events) is int and events > 0:
            self.reach = max(self.reach, (first + events - 1, at))


def read_part(data):
    part = Part()
    add = part.add
    for line in data.removesuffix(b"\n").split(b"\n"):
        add(line)
    return part


class Export:
    """All lines of an export, joined in order."""

    def __init__(self, size):
        self.size = size
        self.tree = Tree()
        self.root = self.tree.root() if size == 0 else None
        self.lines = 0
        self.revisions = {}
        self.reach = (0, 0)
        self.findings = []

    def find(self, line, sentence):
        self.findings.append(f"line {line}: {sentence}")

    def join(self, part):
        for line, sentence in part.findings:
            self.find(self.lines + line, sentence)
        if part.first_position not in (None, self.tree.size + 1):
            self.find(
                self.lines + 1,
                f"here or soon after, position {part.first_position} stands where "
                f"{self.tree.size + 1} is next",
            )
        for stream, (first, following) in part.revisions.items():
            expected = self.revisions.get(stream, 0)
            if first != expected:
                self.find(
                    self.lines + 1,
                    f"here or soon after, {stream} has revision {first} where {expected} is next",
                )
            self.revisions[stream] = following
        self.reach = max(self.reach, (part.reach[0], part.reach[1] + self.lines))
        self.lines += part.lines
        append = self.tree.append
        for leaf in part.leaves:
            append(leaf)
            if self.tree.size == self.size:
                self.root = self.tree.root()


def chunks(path):
    """The file in pieces that end where lines end."""
    try:
        with open(path, "rb") as file:
            rest = b""
            while data := file.read(CHUNK):
                data = rest + data
                end = data.rfind(b"\n") + 1
                if end:
                    yield data[:end]
                rest = data[end:]
            if rest:
                yield rest
    except OSError as error:
        raise Malformed(f"{path} cannot be read: {error.strerror}") from None


def check_export(options):
    trust = Trust(options)
    checkpoint = Checkpoint(read(options.checkpoint), options.checkpoint)
    said, findings = [], []
    try:
        said += trust.check(checkpoint)
    except Refuted as refuted:
        findings.append(f"checkpoint: {refuted}")
    export = Export(checkpoint.size)
    workers = os.cpu_count() or 1
    is_large = os.path.isfile(options.export) and os.path.getsize(options.export) > 2 * CHUNK
    if workers > 1 and is_large:
        workers = min(workers, 8)
        # What is read ahead of what is joined; without a bound the pool would read the whole file.
        room = threading.BoundedSemaphore(2 * workers)

        def paced():
            for chunk in chunks(options.export):
                room.acquire()
                yield chunk

        with multiprocessing.Pool(workers) as pool:
            for part in pool.imap(read_part, paced()):
                export.join(part)
                room.release()
    else:
        for chunk in chunks(options.export):
            export.join(read_part(chunk))
    findings += export.findings
    events = export.tree.size
    if events < checkpoint.size:
        findings.append(
            f"events: the export ends at position {events}, the checkpoint covers {checkpoint.size}"
        )
    elif export.root != checkpoint.root:
        findings.append(
            f"root: the first {checkpoint.size} events are not those that were signed; "
            "an event was changed, added, taken out or moved"
        )
    else:
        said.append(f"root: the first {checkpoint.size} events are those that were signed")
    if export.reach[0] > events:
        findings.append(
            f"line {export.reach[1]}: a command names position {export.reach[0]}, "
            f"the last event is at {events}"
        )
    said.append(f"lines: {export.lines} lines, {events} events, {len(export.revisions)} streams")
    if events > checkpoint.size:
        said.append(f"later: {events - checkpoint.size} events are not under this checkpoint")
    return report(said, findings)


# --- Proofs --------------------------------------------------------------------------------------


def paragraphs(data, what):
    """Cuts at empty lines; the newlines that end lines stay."""
    parts = data.split(b"\n\n")
    if len(parts) < 2:
        raise Malformed(f"{what} ends before its checkpoint")
    return [part + b"\n" for part in parts[:-1]] + [parts[-1]]


def proof_hashes(lines, what):
    if len(lines) > 126:
        raise Malformed(f"{what} has more than 126 hashes")
    return [hash_line(line, f"{line[:60]!r} in {what}") for line in lines]


def check_proof(options):
    trust = Trust(options)
    data = read(options.proof)
    what = options.proof
    if data.startswith(CONSISTENCY_HEADER.encode() + b"\n"):
        return check_consistency(trust, data, what)
    if not data.startswith(INCLUSION_HEADER.encode() + b"\n"):
        raise Malformed(f"{what} begins with neither {INCLUSION_HEADER} nor {CONSISTENCY_HEADER}")
    return check_inclusion(trust, data, what, options.leaf)


def check_inclusion(trust, data, what, leaf_path):
    head, rest = data.split(b"\n\n", 1) if b"\n\n" in data else (data, b"")
    lines = text_of(head, what).split("\n")[1:]
    leaf = None
    if lines and lines[0].startswith("extra "):
        leaf = unbase64(lines.pop(0)[6:], f"the extra data of {what}")
    if not lines or not lines[0].startswith("index "):
        raise Malformed(f"{what} has no line `index N` where it should have")
    index = number(lines.pop(0)[6:], f"the index in {what}")
    hashes = proof_hashes(lines, what)
    checkpoint = Checkpoint(rest, what)
    if leaf_path is not None:
        leaf = read(leaf_path).removesuffix(b"\n")
    if leaf is None:
        raise Malformed(f"{what} does not hold the event; give its line with --leaf")
    try:
        value, leaf = leaf_of(leaf)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the event is not a line of an export: {error}") from None
    try:
        said = trust.check(checkpoint)
        if not inclusion_holds(index, checkpoint.size, leaf_hash(leaf), hashes, checkpoint.root):
            raise Refuted("the hashes do not lead from the event to the root that was signed")
        if value.get("position", index + 1) != index + 1:
            raise Refuted(f"position {index + 1} holds an event of position {value['position']}")
    except Refuted as refuted:
        return report([], [f"proof: {refuted}"])
    said.append(
        f"inclusion: the event at position {index + 1} is among the {checkpoint.size} of "
        f"{checkpoint.origin}"
    )
    return report(said, [])


def check_consistency(trust, data, what):
    parts = paragraphs(data, what)
    if len(parts) != 5:
        raise Malformed(f"{what} does not consist of hashes and two checkpoints")
    hashes = proof_hashes(text_of(parts[0], what)[:-1].split("\n")[1:], what)
    old = Checkpoint(parts[1] + b"\n" + parts[2], f"the first checkpoint of {what}")
    new = Checkpoint(parts[3] + b"\n" + parts[4], f"the second checkpoint of {what}")
    try:
        said = trust.check(old, needs_witnesses=False) + trust.check(new)
        if not consistency_holds(old.size, new.size, hashes, old.root, new.root):
            raise Refuted(
                f"the hashes do not lead from the root of {old.size} events to that of {new.size}; "
                "if both signatures are right, the journal was changed in between"
            )
    except Refuted as refuted:
        return report([], [f"proof: {refuted}"])
    said.append(
        f"consistency: {new.origin} with {new.size} events continues that of {old.size} unchanged"
    )
    return report(said, [])


# --- The command line ----------------------------------------------------------------------------


def report(said, findings):
    for line in said:
        print(line)
    for line in findings[:MOST_FINDINGS]:
        print(f"WRONG: {line}")
    if len(findings) > MOST_FINDINGS:
        print(f"WRONG: and {len(findings) - MOST_FINDINGS} findings more")
    print("does not hold" if findings else "all of it holds")
    return BROKEN if findings else HOLDS


class Parser(argparse.ArgumentParser):
    def error(self, message):
        print(f"verify.py: {message}; see verify.py --help", file=sys.stderr)
        sys.exit(USAGE)


def main(arguments):
    parser = Parser(
        prog="verify.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, parser_class=Parser)
    export = commands.add_parser("export", help="check an export against a checkpoint")
    export.add_argument("export")
    export.add_argument("--checkpoint", required=True)
    proof = commands.add_parser("proof", help="check an inclusion or a consistency proof")
    proof.add_argument("proof")
    proof.add_argument("--leaf", help="the event's line of an export")
    for command in (export, proof):
        command.add_argument("--key", required=True, help="a file with the log's verifier key")
        command.add_argument("--origin", help="the origin to expect; the key's name by default")
        command.add_argument("--witness", action="append", default=[], metavar="FILE")
        command.add_argument("--threshold", type=int, metavar="K")
    options = parser.parse_args(arguments)
    try:
        return check_export(options) if options.command == "export" else check_proof(options)
    except Malformed as malformed:
        print(f"verify.py: {malformed}", file=sys.stderr)
        return MALFORMED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
