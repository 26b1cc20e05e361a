#!/usr/bin/env python3
"""Checks what a Sijill journal shows, without Sijill: an export against a signed checkpoint, or one
proof alone. Shares no code with the engine; docs/audit.md describes every form that is read here.

    verify.py export EXPORT --checkpoint FILE --key FILE [--origin NAME]
              [--witness FILE ... [--threshold K]]
    verify.py proof PROOF --key FILE [--leaf FILE] [--origin NAME]
              [--witness FILE ... [--threshold K]]

Key files hold a verifier key, NAME+HASH+KEY, in one line. Every finding is a line, and so is what
could not be checked: clear text whose key is not there, events behind the checkpoint. Exit codes:
0 everything holds, 1 something does not, 64 wrong usage, 65 a file is not in its form.

Needs Python 3.11 or later and the package `cryptography`.
"""

import argparse
import base64
import binascii
import datetime
import functools
import hashlib
import json
import multiprocessing
import os
import re
import sys
import threading

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes as algorithms
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

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
        own = [made for name, id, made in self.signatures if name == key.name and id == key.id]
        if not all(key.verify(signature, self.text) for signature in own):
            raise Refuted(
                f"the signature of {key.name} is not right: the checkpoint was changed, "
                "or another key made it"
            )
        return bool(own)


class Trust:
    """Whose signatures are asked for."""

    def __init__(self, options):
        self.log = Key.load(options.key)
        if self.log.kind != SIGNATURE:
            raise Malformed(f"the key of {self.log.name} is a witness's; a log signs with type 1")
        self.origin = self.log.name if options.origin is None else options.origin
        why = "the key's name: no --origin given" if options.origin is None else "as --origin asks"
        self.origin_taken = f"origin: {self.origin}, {why}"
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


CANONICAL_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.([0-9]?[1-9])", re.ASCII)


class Literal(float):
    """A fraction that remembers how it was written: at most two decimals, no exponent."""

    def __new__(cls, text):
        if not CANONICAL_FRACTION.fullmatch(text):
            raise ValueError("a number is not in its one form")
        value = super().__new__(cls, text)
        value.text = text
        return value


def fraction(text):
    return float(Literal(text))


def decoder(parse_float):
    return json.JSONDecoder(parse_float=parse_float, parse_constant=refuse_constant)


DECODE, DECODE_EXACTLY = decoder(fraction).raw_decode, decoder(Literal).decode
ENCODE = make_encoder()


def encode_exactly(value):
    """Canonical JSON of a value whose fractions are literals; slow, and exact for any digits."""
    if isinstance(value, dict):
        members = (f"{ENCODE(key)}:{encode_exactly(value[key])}" for key in sorted(value))
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(encode_exactly, value)) + "]"
    return value.text if isinstance(value, Literal) else ENCODE(value)


def read_line(line):
    """The object of a line (bytes without the newline), and what writes it again. Raises ValueError
    if the line is not canonical JSON."""
    text = line.decode("utf-8")
    value, end = DECODE(text)
    encode = ENCODE
    if end != len(text) or ENCODE(value) != text:
        # A fraction of more digits than a float holds, or not canonical.
        value, encode = DECODE_EXACTLY(text), encode_exactly
        if encode(value) != text:
            raise ValueError("it is not canonical: sorted keys, no white space, shortest escapes")
    if type(value) is not dict:
        raise ValueError("it is no object")
    return value, encode


# --- The forms of lines --------------------------------------------------------------------------

INSTANT = re.compile(
    r"(19[7-9]|2[01]\d)\d-\d\d-\d\dT([01]\d|2[0-3]):\d\d:\d\d(\.(?!000)\d{3})?Z", re.ASCII
)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
# `journal` is the journal itself: what its own key is for, no export shows.
PERSON = re.compile(r"[^/]+/[^/]+(/[^/]+)?|journal")


@functools.lru_cache(maxsize=1 << 12)
def milliseconds(text):
    """Since 1970; None if the text is no instant, or another way to write one."""
    try:
        moment = datetime.datetime.fromisoformat(text) if INSTANT.fullmatch(text) else None
    except ValueError:
        moment = None
    return None if moment is None else (moment - EPOCH) // datetime.timedelta(milliseconds=1)


def is_text(value):
    return type(value) is str and value != ""


def is_text_or_null(value):
    return value is None or is_text(value)


def is_texts(value):
    return type(value) is list and all(map(is_text, value))


def is_fields(value):
    return is_texts(value) and 0 < len(value) == len(set(value))


def is_object(value):
    return type(value) is dict


def is_count(value):
    return type(value) is int and 0 <= value < 1 << 63


def is_position(value):
    return type(value) is int and 0 < value < 1 << 63


def is_position_or_null(value):
    return value is None or is_position(value)


def is_instant(value):
    return type(value) is str and milliseconds(value) is not None


def is_hex(bytes):
    form = re.compile(f"[0-9a-f]{{{2 * bytes}}}")
    return lambda value: type(value) is str and form.fullmatch(value) is not None


def is_box(least):
    def holds(value):
        try:
            return type(value) is str and len(unbase64(value, "it")) >= least
        except Malformed:
            return False

    return holds


def is_exactly(known):
    return lambda value: type(value) is type(known) and value == known


def is_person(value):
    return type(value) is str and PERSON.fullmatch(value) is not None


def is_term(value):
    return type(value) is int and 0 <= value < 1 << 32


def is_lead(value):
    return value is None or is_count(value)


def has_form(value, form):
    return (
        type(value) is dict
        and value.keys() == form.keys()
        and all(holds(value[name]) for name, holds in form.items())
    )


# What is sealed since version 2, nonce and tag with it; and before.
SEALED = {"box": is_box(12 + 16), "fields": is_fields, "person": is_person, "term": is_term}
FORMER_SEALED = {"box": is_box(16), "fields": is_fields, "person": is_person}


def is_sealed(value):
    return has_form(value, SEALED) or has_form(value, FORMER_SEALED)


FIRST = {"format": is_exactly("sijill.journal"), "version": is_exactly(1)}
KEY = {"key": is_hex(32), "person": is_person}
EVENT = {
    "at": is_instant, "by": is_text, "cause": is_position_or_null, "command": is_text_or_null,
    "data": is_object, "device": is_text_or_null, "position": is_position, "recordedAt": is_instant,
    "revision": is_count, "stream": is_text, "tags": is_texts, "type": is_text,
    "version": is_position,
}  # fmt: skip
COMMAND = {
    "accepted": is_text, "device": is_text_or_null, "events": is_count, "first": is_position,
    "recordedAt": is_instant,
}  # fmt: skip
# Members that lines have, sorted as they are there -> which kind of line that is, and their forms.
FORMS = {
    tuple(sorted(form)): (kind, [form[name] for name in sorted(form)])
    for kind, form in (
        ("header", FIRST),
        ("header", FIRST | {"lead": is_lead, "version": is_exactly(2)}),
        ("key", KEY),
        ("event", EVENT),
        ("event", EVENT | {"sealed": is_sealed}),
        ("command", COMMAND | {"mac": is_hex(8)}),
        ("command", COMMAND | {"digest": is_hex(8)}),
    )
}


def kind_of(value):
    """Which kind of line an object is; ValueError if it is not exactly of one."""
    kind, form = FORMS.get(tuple(value), (None, ()))
    if kind is None:
        raise ValueError(f"no kind of line has the members {', '.join(value)[:200] or '(none)'}")
    for holds, (name, member) in zip(form, value.items()):
        if not holds(member):
            raise ValueError(f"{name} is not of its form in a line of its kind ({kind})")
    return kind


def leaf_of(value, encode, line):
    """What the tree holds of an event: its line, with null for what personal fields say in clear."""
    fields = value["sealed"]["fields"] if "sealed" in value else ()
    data = value["data"]
    hidden = [name for name in fields if data.get(name) is not None]
    if not hidden:
        return line
    return encode(value | {"data": data | dict.fromkeys(hidden)}).encode()


def box_of(value):
    """What opens the box of an event, and what must be in it: person, term, nonce, box, what the box is
    bound to, and the personal fields as (name, canonical JSON). Term is None for the former form."""
    sealed, data = value["sealed"], value["data"]
    box = base64.b64decode(sealed["box"])
    position = value["position"].to_bytes(8, "big")
    recorded = milliseconds(value["recordedAt"]).to_bytes(8, "big")
    fields = [(name, encode_exactly(data.get(name))) for name in sealed["fields"]]
    if "term" not in sealed:
        return sealed["person"], None, recorded[4:] + position, box, None, fields
    kind = f"{value['type']} {value['version']} {','.join(sealed['fields'])}\n".encode()
    bound = kind + position + recorded
    return sealed["person"], sealed["term"], box[:12], box[12:], bound, fields


def opener(key, term):
    """What opens boxes of a person: with the key itself in the former form, else with the term's key."""
    if term is not None:
        info = b"sijill term" + term.to_bytes(4, "big")
        key = HKDF(algorithms.SHA256(), length=32, salt=None, info=info).derive(key)
    return AESGCM(key)


def differences(clear, fields):
    """Names of the fields that say something else than what was sealed."""
    try:
        values = DECODE_EXACTLY(clear.decode())
    except (ValueError, RecursionError):
        values = None
    if type(values) is not list or len(values) != len(fields):
        return [name for name, _ in fields]
    return [name for (name, said), value in zip(fields, values) if encode_exactly(value) != said]


# --- Exports -------------------------------------------------------------------------------------


class Part:
    """What a run of lines says by itself. What they say of one another, and of the runs before, is
    left in `notes` for `Export`."""

    def __init__(self):
        self.lines = 0
        self.leaves = []
        self.first_position = self.next = None
        # Stream -> first and next revision.
        self.revisions = {}
        # In the order of the lines: kind, line, what it says.
        self.notes = []
        # The last event so far, for the command behind it: position, recordedAt, command, device.
        self.last = None
        # The first line that no export of version 1 has.
        self.newer = None
        self.findings = []

    def find(self, line, sentence):
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append((line, sentence))

    def add(self, line):
        self.lines += 1
        at = self.lines
        try:
            value, encode = read_line(line)
            kind = kind_of(value)
            leaf = leaf_of(value, encode, line) if kind == "event" else None
            box = box_of(value) if "sealed" in value else None
        except (ValueError, RecursionError) as error:
            self.find(at, f"is not a line of an export: {error}")
            return
        if kind == "event":
            self.event(at, value, leaf_hash(leaf))
            if box:
                self.notes.append(("box", at, *box))
        elif kind == "command":
            self.notes.append(("command", at, *(value[name] for name in COMMAND), self.last))
        elif kind == "key":
            self.notes.append(("key", at, value["person"], bytes.fromhex(value["key"])))
        else:
            self.notes.append(("header", at, value["version"]))
        if not self.newer and (
            "mac" in value or value.get("person") == "journal" or "term" in value.get("sealed", ())
        ):
            self.newer = at

    def event(self, at, value, leaf):
        position = value["position"]
        if self.first_position is None:
            self.first_position = self.next = position
        if position != self.next:
            self.find(at, f"stands at position {position}, where {self.next} is next")
        self.next = position + 1
        self.leaves.append(leaf)
        stream, revision = value["stream"], value["revision"]
        known = self.revisions.setdefault(stream, [revision, revision])
        if revision != known[1]:
            self.find(at, f"has revision {revision} of {stream}, where {known[1]} is next")
        known[1] = revision + 1
        if value["cause"] is not None and value["cause"] >= position:
            self.find(at, f"has the cause {value['cause']}, which is not before it")
        self.last = (position, value["recordedAt"], value["command"], value["device"])


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
        self.next = 1
        self.revisions = {}
        self.version = self.last = None
        # Person -> line and key; (person, term) -> what opens boxes; persons whose key opened one.
        self.keys, self.openers, self.used = {}, {}, set()
        self.compared = self.unopened = 0
        # Ids of commands; ranges of positions that no later command has enclosed so far, each with the command
        # that its last event names.
        self.accepted, self.ranges = set(), []
        # Command that an event names -> line and first position of one that only it can enclose.
        self.awaited = {}
        self.findings = []

    def find(self, line, sentence):
        self.findings.append((line, sentence))

    def join(self, part):
        for line, sentence in part.findings:
            self.find(self.lines + line, sentence)
        near = self.lines + 1
        if part.first_position not in (None, self.next):
            self.find(
                near,
                f"here or soon after, position {part.first_position} stands where "
                f"{self.next} is next",
            )
        for stream, (first, following) in part.revisions.items():
            expected = self.revisions.get(stream, 0)
            if first != expected:
                self.find(
                    near, f"here or soon after, {stream} has revision {first} where {expected} is next"
                )
            self.revisions[stream] = following
        for kind, line, *said in part.notes:
            getattr(self, kind)(self.lines + line, *said)
        if part.newer and self.version == 1:
            self.find(self.lines + part.newer, "is of version 2, and the first line says 1")
        self.lines += part.lines
        self.next = part.next or self.next
        self.last = part.last or self.last
        append = self.tree.append
        for leaf in part.leaves:
            append(leaf)
            if self.tree.size == self.size:
                self.root = self.tree.root()

    def header(self, line, version):
        if line != 1:
            self.find(line, "names the format, as only the first line does")
        self.version = version

    def key(self, line, person, key):
        if person in self.keys:
            self.find(line, f"is a second key of {person}, after line {self.keys[person][0]}")
        else:
            self.keys[person] = (line, key)
        if person == "journal" and line != 2:
            self.find(line, "has the journal's own key, as only the second line does")

    def box(self, line, person, term, nonce, box, bound, fields):
        if person not in self.keys:
            self.unopened += len(fields)
            given = [name for name, said in fields if said != "null"]
            if given:
                self.find(
                    line,
                    f"says {', '.join(given)} in clear, and no line before it has the key of {person}",
                )
            return
        self.used.add(person)
        self.compared += len(fields)
        if (person, term) not in self.openers:
            self.openers[person, term] = opener(self.keys[person][1], term)
        try:
            clear = self.openers[person, term].decrypt(nonce, box, bound)
        except InvalidTag:
            self.find(line, f"has a box that the key of {person} does not open")
            return
        said = f"[{','.join(said for _, said in fields)}]".encode()
        if term is not None:
            said = said.ljust(-(-len(said) // 32) * 32)
        if clear != said:
            names = ", ".join(differences(clear, fields)) or "something around the fields"
            self.find(line, f"says in clear what is not sealed: {names}")

    def command(self, line, id, device, events, first, recorded_at, last):
        """`last` is the event before the line, if it is in the same part."""
        position, instant, named, by_device = last or self.last or (0, None, None, None)
        if id in self.accepted:
            self.find(line, f"accepts {id} a second time")
        self.accepted.add(id)
        if first + events != position + 1:
            self.find(
                line,
                f"accepts {id} with {events} events from position {first} on, "
                f"and stands behind position {position}",
            )
        # A merge encloses what it brings, and its line comes after theirs.
        while self.ranges and self.ranges[-1][0] >= first:
            start, end, other = self.ranges.pop()
            if end > start and other not in (None, id):
                self.find(line, f"accepts {id} with events of another command")
        if self.ranges and self.ranges[-1][1] > first:
            self.find(line, f"accepts {id} with events of another command")
        self.ranges.append((first, first + events, named if events else None))
        within, start = self.awaited.pop(id, (line, first))
        if start < first:
            self.find(within, f"accepts what is not all of {id}, which its last event names")
        if events == 0:
            return
        if recorded_at != instant or (named == id and device != by_device):
            self.find(line, f"accepts {id} at another time, or on another device, than its event")
        if named not in (None, id):
            self.awaited.setdefault(named, (line, first))

    def finish(self):
        """All findings, when no more lines come."""
        if self.version is None:
            self.find(1, 'is not {"format":"sijill.journal",...}, which an export begins with')
        for person, (line, _) in self.keys.items():
            if person not in self.used and person != "journal":
                self.find(line, f"has a key of {person} that opens nothing")
        for named, (line, _) in self.awaited.items():
            self.find(line, f"accepts what its last event says is of {named}, which nothing accepts")
        return [f"line {line}: {sentence}" for line, sentence in sorted(self.findings)]


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
    said, findings = [trust.origin_taken], []
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
    findings += export.finish()
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
    said.append(f"lines: {export.lines} lines, {events} events, {len(export.revisions)} streams")
    said.append(
        f"clear text: {export.compared} fields compared, {export.unopened} could not be (no key)"
    )
    behind = max(events - checkpoint.size, 0)
    said.append(f"events behind the checkpoint: {behind}" + ", vouched for by nobody" * (behind > 0))
    return report(said, findings, is_whole=behind == 0)


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
    line = leaf if leaf_path is None else read(leaf_path).removesuffix(b"\n")
    if line is None:
        raise Malformed(f"{what} does not hold the event; give its line with --leaf")
    try:
        value, encode = read_line(line)
        if kind_of(value) != "event":
            raise ValueError("it is of another kind")
        data = leaf_of(value, encode, line)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"the event is not a line of an export: {error}") from None
    try:
        said = [trust.origin_taken, *trust.check(checkpoint)]
        if not inclusion_holds(index, checkpoint.size, leaf_hash(data), hashes, checkpoint.root):
            raise Refuted("the hashes do not lead from the event to the root that was signed")
        if value["position"] != index + 1:
            raise Refuted(f"position {index + 1} holds an event of position {value['position']}")
        if leaf not in (None, data):
            raise Refuted("`extra` is not the event's leaf: it says more, or is of another event")
    except Refuted as refuted:
        return report([trust.origin_taken], [f"proof: {refuted}"])
    said.append(
        f"inclusion: the event at position {index + 1} is among the {checkpoint.size} of "
        f"{checkpoint.origin}"
    )
    if line != data:
        said.append("clear text: not checked by a proof; `verify.py export` does, where keys are")
    return report(said, [], is_whole=line == data)


def check_consistency(trust, data, what):
    parts = paragraphs(data, what)
    if len(parts) != 5:
        raise Malformed(f"{what} does not consist of hashes and two checkpoints")
    hashes = proof_hashes(text_of(parts[0], what)[:-1].split("\n")[1:], what)
    old = Checkpoint(parts[1] + b"\n" + parts[2], f"the first checkpoint of {what}")
    new = Checkpoint(parts[3] + b"\n" + parts[4], f"the second checkpoint of {what}")
    try:
        said = [trust.origin_taken]
        said += trust.check(old, needs_witnesses=False) + trust.check(new)
        if not consistency_holds(old.size, new.size, hashes, old.root, new.root):
            raise Refuted(
                f"the hashes do not lead from the root of {old.size} events to that of {new.size}; "
                "if both signatures are right, the journal was changed in between"
            )
    except Refuted as refuted:
        return report([trust.origin_taken], [f"proof: {refuted}"])
    said.append(
        f"consistency: {new.origin} with {new.size} events continues that of {old.size} unchanged"
    )
    return report(said, [])


# --- The command line ----------------------------------------------------------------------------


def report(said, findings, is_whole=True):
    for line in said:
        print(line)
    for line in findings[:MOST_FINDINGS]:
        print(f"WRONG: {line}")
    if len(findings) > MOST_FINDINGS:
        print(f"WRONG: and {len(findings) - MOST_FINDINGS} findings more")
    whole = "all of it holds" if is_whole else "what could be checked holds"
    print("does not hold" if findings else whole)
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
