#!/usr/bin/env python3
"""Imports, restores and backup directories from elsewhere, made by somebody who means harm: members of lines changed, removed,
doubled and of another type, manifests, copies of keys, links, modes, pipes and sizes. Whatever comes in, the tool ends with a documented
exit code and one clear line, leaves nothing behind and touches no file that is not its own; what it takes holds together.

    python3 Tests/Torture/elsewhere.py --count 500 --seed 1
    python3 Tests/Torture/elsewhere.py --only 'line 7 tags: empty'   # as it was printed; a part of the name does

Exit code 1 if something failed."""

import argparse
import copy
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

from tool import CRASHES, REPOSITORY, Tool, identity_of, joined, live_slots, outcomes, scratch, text

# A trap is a signal at once: the runtime's own program that prints the stack would take minutes.
QUICK_TRAPS = {"SWIFT_BACKTRACE": "enable=no"}
DOCUMENTED = {0, 1, 64, 65, 66, 69, 73, 74, 75}
CLOCK = "2026-03-01T08:00:00Z"
MOST_MEMORY = 1_500_000  # kB
BLOCKED = 20  # seconds that anything may take
# Nobody's terminal is to obey a file from elsewhere.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]")


MARK_OF_TEXT = re.compile(r"Zq(?:name|other|digest|first|second|draft)[\w{}-]*?x")


class Failed(Exception):
    pass


class Bench:
    """What all inputs are made of, and one directory for each of them."""

    def __init__(self, tool, root):
        self.tool = tool
        self.root = Path(root)
        self.master = self.root / "master"
        self.env = {"SIJILL_MASTER_KEY_FILE": str(self.master)}
        self.serial = 0
        self.peak = 0
        self.journal = self.made("journal", self.commands())
        self.twin = self.made("twin", self.commands())
        self.plain = self.lines(self.journal)
        self.sealed = self.lines(self.journal, "--sealed")
        self.twin_lines = self.lines(self.twin)
        self.backup = self.root / "backup"
        self.keys = self.root / "keys"
        self.must(["backup", self.backup, "--keys", self.keys, "--journal", self.journal])
        self.twin_keys = self.root / "twin-keys"
        self.must(["backup", self.root / "twin-backup", "--keys", self.twin_keys, "--journal", self.twin])

    def commands(self):
        """People with personal texts, one of them erased, one begun anew, and a little of each product."""
        lines = []
        self.minutes = 0

        def add(name, data, by="system", **more):
            self.minutes += 1
            at = f"2026-02-01T{8 + self.minutes // 60:02d}:{self.minutes % 60:02d}:00Z"
            lines.append(json.dumps({"id": f"e-{len(lines)}", "command": name, "at": at, "by": by, "data": data, **more}))

        for account, role in [("A-1", "admin"), ("S-1", "student"), ("S-2", "student"), ("S-3", "student")]:
            credential = {"scheme": "bcrypt", "salt": "c2FsdA", "digest": f"Zqdigest{account}x"}
            add("examroom.account.register", {"account": account, "role": role, "name": f"Zqname{account}x", "credential": credential})
        add("examroom.profile.revise", {"account": "S-1", "name": "Zqother{S-1}x"}, "student:S-1")
        add("examroom.exam.create", {"exam": "EX-1", "title": "Fractions", "durationMinutes": 30}, "admin:A-1")
        options = [{"option": name, "text": name, "correct": name == "b"} for name in "ab"]
        add("examroom.question.add", {"exam": "EX-1", "question": "Q-1", "prompt": "?", "options": options}, "admin:A-1")
        add("examroom.exam.publish", {"exam": "EX-1"}, "admin:A-1")
        add("examroom.attempt.start", {"attempt": "AT-1", "exam": "EX-1", "student": "S-1"}, "student:S-1")
        add("examroom.answer.save", {"attempt": "AT-1", "question": "Q-1", "chosen": ["b"], "seconds": 5}, "student:S-1")
        add("learnable.student.join", {"student": "L-1", "timeZone": "Asia/Riyadh"}, "student:L-1", device="D-1")
        add("learnable.profile.edit", {"student": "L-1", "name": "Zqfirstx", "occupation": "Nurse"}, "student:L-1")
        add("learnable.draft.start", {"student": "L-1", "draft": "DR-1"}, "student:L-1")
        add("learnable.draft.describe", {"draft": "DR-1", "description": "Zqdraftx"}, "student:L-1")
        add("learnable.student.start-over", {"student": "L-1", "confirmed": True}, "student:L-1")
        add("learnable.profile.edit", {"student": "L-1", "name": "Zqsecondx"}, "student:L-1")
        # Left as they are: what is open stands in the stored read models.
        add("learnable.student.join", {"student": "L-2", "timeZone": "Asia/Riyadh"}, "student:L-2", device="D-2")
        for draft in ("DR-2", "DR-3"):
            add("learnable.draft.start", {"student": "L-2", "draft": draft}, "student:L-2")
        add("learnable.draft.describe", {"draft": "DR-3", "description": "Zqdraft2x"}, "student:L-2")
        add("account.erase", {"subject": "examroom/S-3"})
        add("clock.advance", {})
        # What the scenarios of the other products record; what needs another state is rejected, and no harm is done.
        for name in ["tafawoq/first-exam.jsonl", "quranflow/01-placement-and-first-week.jsonl"]:
            file = REPOSITORY / "Examples" / name
            for raw in file.read_text().splitlines() if file.exists() else []:
                line = json.loads(raw).get("do")
                if isinstance(line, dict):
                    lines.append(json.dumps(line | {"id": f"{name[0]}-{line['id']}"}))
        return lines

    def made(self, name, lines):
        path = self.root / name
        result = self.tool.init(path, env=self.env)
        if result.code != 0:
            sys.exit(f"elsewhere: init: {text(result.err)}")
        result, _ = self.tool.submit(lines, path, env=self.env)
        found = self.tool.run(["submit", "--journal", path, "--clock", CLOCK], stdin=joined(lines), env=self.env)
        if found.code not in (0, 65):
            sys.exit(f"elsewhere: submit: {text(found.err)}")
        return path

    def must(self, args):
        result = self.tool.run(args, env=self.env)
        if result.code != 0:
            sys.exit(f"elsewhere: {' '.join(map(str, args))}: {text(result.err)}")
        return result.out

    def lines(self, journal, *args):
        return self.must(["export", *args, "--journal", journal]).decode().splitlines()

    def place(self):
        self.serial += 1
        path = self.root / f"input-{self.serial}"
        path.mkdir()
        return path


class Input:
    """One input: `run` makes it and says what came of it; raises Failed."""

    def __init__(self, bench, name, body):
        self.bench, self.name, self.body = bench, name, body

    def run(self):
        self.place = self.bench.place()
        self.target = self.place / "target"
        self.env = dict(self.bench.env)
        self.env["SIJILL_MASTER_KEY_FILE"] = str(self.place / "master")
        shutil.copy(self.bench.master, self.place / "master")
        self.victim = self.place / "victim"
        self.victim.write_text("the victim's own words\n")
        try:
            self.body(self)
            if self.victim.read_bytes() != b"the victim's own words\n":
                raise Failed(f"the victim's file is {self.victim.read_bytes()[:80]!a}")
        except OSError as error:
            if error.filename == str(self.victim):
                raise Failed(f"the victim's file: {error}")
            raise
        finally:
            shutil.rmtree(self.place, ignore_errors=True)

    # MARK: What every run must keep

    def tell(self, args, what, codes=DOCUMENTED, stdin=None, one_line=True):
        result = self.bench.tool.run(args, stdin=stdin, env=self.env, timeout=BLOCKED)
        if result.code == -1000:
            self.bench.peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
            raise Failed(f"{what}: no end within {BLOCKED} s")
        if result.code < 0 or result.code >= 128:
            raise Failed(f"{what}: ended by a signal, exit {result.code}: {text(result.err, 200)}")
        if CRASHES.search(result.err):
            raise Failed(f"{what}: a trap or a stack trace: {text(result.err, 200)}")
        if result.code not in codes:
            raise Failed(f"{what}: exit {result.code}: {text(result.err, 300)}")
        if result.code != 0:
            said = result.err.decode("utf-8", "replace")
            complaints = [line for line in said.split("\n") if line.strip()]
            if one_line and len(complaints) != 1:
                raise Failed(f"{what}: exit {result.code} with {len(complaints)} lines: {text(result.err, 300)}")
            if len(said) > 3000:
                raise Failed(f"{what}: a complaint of {len(said)} characters")
            if CONTROLS.search(said.rstrip("\n")):
                raise Failed(f"{what}: a complaint with control characters: {said[:200]!a}")
        self.memory(what)
        return result

    def memory(self, what):
        """The system keeps the greatest of all children only: what is new is this one's."""
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        before, self.bench.peak = self.bench.peak, max(self.bench.peak, peak)
        if peak > max(MOST_MEMORY, before):
            raise Failed(f"{what}: {peak // 1024} MB of memory")

    def nothing_left(self, what):
        if os.path.lexists(self.target):
            left = sorted(os.listdir(self.target)) if self.target.is_dir() else "a file"
            raise Failed(f"{what} was refused, and left {left}")

    def imported(self, lines, ends_with_newline=True):
        file = self.place / "export.jsonl"
        content = b"\n".join(line if isinstance(line, bytes) else line.encode("utf-8", "surrogatepass") for line in lines)
        file.write_bytes(content + (b"\n" if ends_with_newline else b""))
        result = self.tell(["import", file, "--journal", self.target], "import")
        if result.code != 0:
            return self.nothing_left("the import")
        self.holds("what was imported")

    def restored(self, backup, *args, whole=(0,)):
        result = self.tell(["restore", backup, *args, "--journal", self.target], "restore")
        if result.code != 0:
            return self.nothing_left("the restore")
        self.holds("what was restored", whole)

    def holds(self, what, whole=(0,)):
        """What was taken in passes every check, goes on, and comes in again elsewhere."""
        at = ["--journal", self.target]
        self.tell(["rebuild", *at], f"{what}: rebuild", whole, one_line=False)
        self.tell(["verify", *at], f"{what}: verify", whole, one_line=False)
        self.tell(["rebuild", "--check", *at], f"{what}: rebuild --check", whole, one_line=False)
        self.tell(["stats", *at], f"{what}: stats", (0,))
        exported = self.tell(["export", *at], f"{what}: export", (0,)).out
        again = self.place / "again"
        self.tell(["import", "-", "--journal", again], f"{what}: import of its own export", (0,), stdin=exported)
        second = self.tell(["export", "--journal", again], f"{what}: export of its own import", (0,)).out
        if second != exported:
            raise Failed(f"{what}: its export changes when it is imported")
        lines = [
            json.dumps({"id": "late-1", "command": "clock.advance", "at": "2026-09-01T08:00:00Z", "by": "system", "data": {}}),
            json.dumps({"id": "late-2", "command": "examroom.account.register", "at": "2026-09-01T08:00:00Z", "by": "system", "data": {
                "account": "N-1", "role": "student", "name": "Zqnewx",
                "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}}),
        ]
        result = self.tell(["submit", *at], f"{what}: the next commands", (0,), stdin=joined(lines))
        answers = outcomes(result.out)
        if [each.get("status") for each in answers][1:] not in (["accepted"], ["rejected"]):
            raise Failed(f"{what}: the next commands are answered {text(result.out, 200)}")
        self.erased(what, exported)
        self.tell(["verify", *at], f"{what}: verify after the next commands", whole, one_line=False)

    def erased(self, what, exported):
        """Whoever has a key in it can be erased, with every key that they have."""
        persons = {}
        for raw in exported.decode("utf-8", "replace").split("\n"):
            if '"sealed":{' in raw and (line := json.loads(raw)) and line["sealed"]["person"].count("/"):
                person = "/".join(line["sealed"]["person"].split("/")[:2])
                for mark in MARK_OF_TEXT.findall(raw):
                    persons.setdefault(person, set()).add(mark)
        lines = [
            json.dumps({"id": f"gone-{number}", "command": "account.erase", "at": "2026-09-01T09:00:00Z", "by": "system",
                        "data": {"subject": person}})
            for number, person in enumerate(sorted(persons))
        ]
        if not lines:
            return
        at = ["--journal", self.target]
        answers = outcomes(self.tell(["submit", *at], f"{what}: erasures", stdin=joined(lines), one_line=False).out)
        gone = [person for person, answer in zip(sorted(persons), answers) if answer.get("status") == "accepted"]
        printed = self.tell(["events", "--json", *at], f"{what}: events", (0,)).out + self.tell(["export", *at], f"{what}: export", (0,)).out
        for person in gone:
            for mark in persons[person]:
                if mark.encode() in printed:
                    raise Failed(f"{what}: {person} was erased, and {mark} can be read")
        identity = identity_of(self.target)
        units = {unit for person in gone for unit in [person, f"{person}/2"]}
        if found := live_slots(self.target, identity, units):
            raise Failed(f"{what}: {found[0][2]} was erased, and slot {found[0][1]} of {found[0][0]} holds a key")


# MARK: Lines of exports

STRANGE = {
    "null": None, "true": True, "empty": "", "text": "x", "array": [], "object": {}, "minus one": -1, "zero": 0,
    "2^63": 1 << 63, "2^64": 1 << 64, "-2^63": -(1 << 63), "fraction": 0.5, "long": "y" * 70_000, "bidi": "\u202e\u0007\u0000x",
    "line feed": "a\nb", "dots": "../../x", "nested": [[[[[{}]]]]], "list of empty": [""], "list of colon": [":"], "far": "2199-12-31T23:59:59Z",
    "before": "1969-12-31T23:59:59Z", "slash": "examroom/", "other": "examroom/account/S-2",
}
NUMBERS = ["1e400", "-0", "1E5", "99999999999999999999999999", "01", "NaN", "1.005"]


def paths(value, prefix=()):
    """Every member of an object, the nested ones too."""
    for name, inner in value.items():
        yield prefix + (name,)
        if isinstance(inner, dict):
            yield from paths(inner, prefix + (name,))
        elif isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield from (prefix + (name, 0) + path for path in paths(inner[0]))


def put(line, path, value, remove=False):
    changed = copy.deepcopy(line)
    inner = changed
    for each in path[:-1]:
        inner = inner[each]
    if remove:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return changed


def dumped(line):
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


PLACE = "@@here@@"


def line_inputs(bench, dice):
    """(name, body) for lines of exports: one line of each kind and type, each member of it, each change."""
    found = []
    for flavour, lines in [("plain", bench.plain), ("sealed", bench.sealed)]:
        chosen, seen = [], set()
        for number, raw in enumerate(lines):
            line = json.loads(raw)
            kind = line.get("type") or next((each for each in ("format", "key", "accepted") if each in line), "?")
            if kind == "key" and line["person"].startswith("journal"):
                kind = "secret"
            kind += "+" if "sealed" in line else ""
            if kind not in seen:
                seen.add(kind)
                chosen.append((number, kind, line))
        for number, kind, line in chosen:
            for path in paths(line):
                name = f"{flavour} {kind} {'.'.join(map(str, path))}"

                def change(new, number=number, lines=lines):
                    return lambda case: case.imported(lines[:number] + [new] + lines[number + 1:])

                found.append((f"{name}: removed", change(dumped(put(line, path, None, remove=True)))))
                for what, value in STRANGE.items():
                    found.append((f"{name}: {what}", change(dumped(put(line, path, value)))))
                for value in NUMBERS:
                    found.append((f"{name}: {value}", change(dumped(put(line, path, PLACE)).replace(f'"{PLACE}"', value))))
                # Doubled: the member stands there twice, the second time as something else.
                last = dumped(path[-1])
                raw = dumped(put(line, path, PLACE))
                inner = line
                for each in path:
                    inner = inner[each]
                for second in (dumped(inner), '"x"'):
                    found.append((f"{name}: doubled {second[:12]}", change(raw.replace(f'"{PLACE}"', f"{dumped(inner)},{last}:{second}"))))
                # The value of another line of the same kind.
                others = [other for other in map(json.loads, lines) if other.keys() == line.keys() and other != line]
                for other in dice.sample(others, min(2, len(others))):
                    inner = other
                    try:
                        for each in path:
                            inner = inner[each]
                    except (KeyError, IndexError, TypeError):
                        continue
                    found.append((f"{name}: of another line", change(dumped(put(line, path, inner)))))
            found.append((f"{flavour} {kind}: a member more", change(dumped(line | {"more": 1}))))
    return found


def derived_inputs(bench):
    """Tags, streams and actors that do not follow from type and payload; no other check is in their way."""
    found = []
    for number, raw in enumerate(bench.plain):
        line = json.loads(raw)
        if "type" not in line:
            continue
        changes = {
            "tags empty": {"tags": []}, "tags more": {"tags": line["tags"] + ["student:X-9"]}, "tags colon": {"tags": [":"]},
            "tags doubled": {"tags": line["tags"] * 2}, "tags turned": {"tags": [":".join(reversed(each.split(":"))) for each in line["tags"]]},
            "tags another": {"tags": ["account:S-2"]}, "tags key": {"tags": ["key:S-9/2"] + line["tags"]},
            "stream empty": {"stream": ""}, "stream slash": {"stream": "///"}, "stream short": {"stream": line["stream"].rsplit("/", 1)[0]},
            "actor nobody": {"by": "student:NOBODY"}, "actor colon": {"by": ":"}, "actor text": {"by": "x"}, "actor kind": {"by": "king:K-1"},
            "cause itself": {"cause": line.get("position")}, "cause later": {"cause": (line.get("position") or 0) + 5},
            "device": {"device": "\u202e"}, "command none": {"command": None}, "command other": {"command": "e-0"},
        }
        if isinstance(line.get("data"), dict):
            for member in ("account", "student", "draft", "exam", "subject"):
                if isinstance(line["data"].get(member), str):
                    changes[f"data.{member} other"] = {"data": line["data"] | {member: "S-2"}}
        for what, change in changes.items():
            if line["revision"] and what.startswith("stream"):
                continue
            lines = list(bench.plain)
            lines[number] = dumped(line | change)
            found.append((f"derived {number} {line['type']} {what}", lambda case, lines=lines: case.imported(lines)))
    return found


def key_line_inputs(bench):
    """Second keys, keys for nobody, lines of unknown kinds."""
    found = []
    header = bench.plain[0]
    keys = [raw for raw in bench.plain if raw.startswith('{"key"')]
    twins = {json.loads(raw)["person"]: raw for raw in bench.twin_lines if raw.startswith('{"key"')}
    zero = "0" * 64

    def add(name, lines):
        found.append((f"keys: {name}", lambda case: case.imported(lines)))

    def before(raw, *more):
        at = bench.plain.index(raw)
        return bench.plain[:at] + list(more) + bench.plain[at:]

    def after(raw, *more):
        at = bench.plain.index(raw) + 1
        return bench.plain[:at] + list(more) + bench.plain[at:]

    for raw in keys:
        person = json.loads(raw)["person"]
        another = dumped({"key": "ab" * 32, "person": person})
        add(f"second for {person} at once", after(raw, another))
        add(f"second for {person} before", before(raw, another))
        add(f"second for {person} at the end", bench.plain + [another])
        add(f"the same of {person} again", bench.plain + [raw])
        add(f"none for {person}", [each for each in bench.plain if each != raw])
        add(f"zeros for {person}", [dumped({"key": zero, "person": person}) if each == raw else each for each in bench.plain])
        # Two boxes of one person, each sealed with a key of its own: lines of two journals, by turns.
        if person in twins and person != "journal":
            boxes = [
                number for number, each in enumerate(bench.plain)
                if '"sealed":{' in each and json.loads(each)["sealed"]["person"] == person
            ]
            if len(boxes) > 1 and len(bench.twin_lines) == len(bench.plain):
                for split in boxes[1:]:
                    own, other = bench.plain[:split], bench.twin_lines[split:]
                    add(f"{person} with two keys from line {split}", own + [twins[person]] + [
                        each if '"sealed":{' not in each or json.loads(each)["sealed"]["person"] == person else mine
                        for each, mine in zip(other, bench.plain[split:])
                    ])
    erased = "examroom/S-3"
    add("for somebody erased", bench.plain[:1] + [dumped({"key": "cd" * 32, "person": erased})] + bench.plain[1:])
    add("for somebody erased, at the end", bench.plain + [dumped({"key": "cd" * 32, "person": erased})])
    for person in ["", "/", "x", "examroom/", "/S-1", "examroom/S-1/2", "examroom/S-1/999999", "examroom/S-1/0", "nobody/N-1", "journal",
                   "examroom/" + "z" * 70_000, "examroom/S-1\n", "examroom/caf\u00e9", "examroom/cafe\u0301", "journal/1", "examroom/S-9"]:
        add(f"for {person[:20]!a}", bench.plain[:1] + [dumped({"key": "ef" * 32, "person": person})] + bench.plain[1:])
    for number, person in enumerate(["journal"] * 2):
        add(f"two of the journal's {number}", bench.plain[:1] + [dumped({"key": "ef" * 32, "person": person})] * (number + 1) + bench.plain[1:])
    many = [dumped({"key": f"{number:064x}", "person": f"examroom/M-{number}"}) for number in range(3000)]
    add("for three thousand that do not come", [header] + many + bench.plain[1:])
    for name, raw in {
        "unknown kind": '{"what":1}', "empty object": "{}", "empty array": "[]", "text": '"x"', "number": "1", "null": "null", "nothing": "",
        "cut": header[:-3], "two in a line": header + header, "header again": header, "not UTF-8": b'{"key":"\xff"}', "NUL": "\0",
        "mark of order": "\ufeff{}", "carriage return": header + "\r", "deep": "[" * 100_000, "deep objects": '{"a":' * 5000,
        "surrogate": '{"accepted":"\\ud800"}', "long": '{"accepted":"' + "x" * (1 << 20) + '"}', "spaces": " " * (1 << 20),
    }.items():
        for at in (0, 1, len(bench.plain) // 2, len(bench.plain)):
            add(f"a line of {name} at {at}", bench.plain[:at] + [raw] + bench.plain[at:])
    add("nothing at all", [])
    add("the header only", [header])
    add("no line feed at the end", bench.plain)
    found.append(("keys: no line feed at the end", lambda case: case.imported(bench.plain, ends_with_newline=False)))
    found.append(("keys: the last line is cut", lambda case: case.imported(bench.plain[:-1] + [bench.plain[-1][:-9]], False)))
    events = [number for number, raw in enumerate(bench.plain) if '"position"' in raw]
    for number in events[::7]:
        add(f"line {number} is missing", bench.plain[:number] + bench.plain[number + 1:])
        add(f"line {number} twice", bench.plain[:number] + [bench.plain[number]] + bench.plain[number:])
        add(f"line {number} too early", bench.plain[:max(1, number - 2)] + [bench.plain[number]] + bench.plain[max(1, number - 2):number]
            + bench.plain[number + 1:])
    lines = [raw for raw in bench.plain if not raw.startswith('{"accepted"')]
    add("no commands", lines)
    accepted = next(raw for raw in bench.plain if raw.startswith('{"accepted"'))
    add("a command twice", bench.plain + [accepted])
    for id in ["e-\u0301", "\u202e", "x" * 129, "x" * 600, "", "e\0"]:
        at = bench.plain.index(accepted)
        add(f"a command {id[:8]!a}", bench.plain[:at] + [dumped(json.loads(accepted) | {"accepted": id})] + bench.plain[at + 1:])
    return found


# MARK: Backups

def backup_copy(case):
    place = case.place / "backup"
    shutil.copytree(case.bench.backup, place)
    return place


def keys_copy(case):
    place = case.place / "keys"
    shutil.copytree(case.bench.keys, place)
    if case.bench.tool.knows_simulated:
        place.chmod(0o700)
    return place


def manifest_inputs(bench):
    found = []
    manifest = json.loads((bench.backup / "backup.json").read_text())

    def add(name, content, with_keys=True):
        def body(case):
            place = backup_copy(case)
            (place / "backup.json").write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
            case.restored(place, *(["--keys", keys_copy(case)] if with_keys else []))

        found.append((f"manifest: {name}", body))

    for path in paths(manifest):
        name = ".".join(map(str, path))
        add(f"{name} removed", dumped(put(manifest, path, None, remove=True)))
        for what, value in STRANGE.items():
            add(f"{name} {what}", dumped(put(manifest, path, value)))
        for value in NUMBERS:
            add(f"{name} {value}", dumped(put(manifest, path, PLACE)).replace(f'"{PLACE}"', value))
    part = manifest["parts"][0]
    for name in ["../backup/" + part["file"], "/etc/passwd", "..", ".", "", "backup.json", "checkpoints", part["file"] + "\0", "x" * 5000,
                 "./" + part["file"], "fifo", "link", "directory"]:
        add(f"file {name[:24]!a}", dumped(put(manifest, ("parts", 0, "file"), name)))
    for first, last in [(-1, 5), (0, 5), (2, 5), (1, 0), (1, -1), (1, (1 << 63) - 1), (-(1 << 63), 1), (1, 1 << 62), (5, 1)]:
        add(f"first {first} last {last}", dumped(manifest | {"parts": [part | {"first": first, "last": last}]}))
    add("part twice", dumped(manifest | {"parts": [part, part]}))
    add("part twice, further on", dumped(manifest | {"parts": [part, part | {"first": part["last"] + 1, "last": 2 * part["last"]}]}))
    add("part beyond all numbers", dumped(manifest | {"parts": [part, part | {"first": part["last"] + 1, "last": (1 << 63) - 1},
                                                           part | {"first": 1 << 63, "last": 1 << 63}]}))
    add("no parts", dumped(manifest | {"parts": []}))
    add("many parts", dumped(manifest | {"parts": [part | {"last": 0}] * 20_000}))
    for journal in ["0" * 32, "A" * 32, "0" * 31, "0" * 64, "../x", "\u0660" * 32]:
        add(f"journal {journal[:12]!a}", dumped(manifest | {"journal": journal}))
    for content in ["", "{", "[]", "null", '"x"', "{}", "[" * 50_000, "\ufeff" + dumped(manifest), dumped(manifest) + "x", " " * 1000]:
        add(f"content {content[:8]!a} of {len(content)}", content)
    add("not UTF-8", dumped(manifest).encode().replace(b"sijill", b"sij\xffll"))
    add("two formats", dumped(manifest).replace('"format"', '"format":"x","format"', 1))
    return found


def packed(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


def unpacked(path):
    return subprocess.run(["zstd", "-q", "-d", "-c", str(path)], capture_output=True, check=True).stdout


def part_inputs(bench, dice):
    """Parts, their digests made to fit."""
    found = []
    manifest = json.loads((bench.backup / "backup.json").read_text())
    file = manifest["parts"][0]["file"]
    content = (bench.backup / file).read_bytes()

    def add(name, made, fits=True):
        def body(case):
            place = backup_copy(case)
            part = made() if callable(made) else made
            (place / file).write_bytes(part)
            if fits:
                parts = [manifest["parts"][0] | {"digest": hashlib.sha256(part).hexdigest()}] + manifest["parts"][1:]
                (place / "backup.json").write_text(dumped(manifest | {"parts": parts}))
            case.restored(place, "--keys", keys_copy(case))

        found.append((f"part: {name}", body))

    add("empty", b"")
    add("another digest", content + b"x", fits=False)
    for size in [1, 4, 5, 9, len(content) // 2, len(content) - 1]:
        add(f"cut to {size}", content[:size])
    for _ in range(12):
        at, bit = dice.randrange(len(content)), dice.randrange(8)
        add(f"bit {bit} of {at}", content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1:])
    add("twice", content + content)
    add("with something behind it", content + b"rubbish")
    if shutil.which("zstd"):
        lines = unpacked(bench.backup / file)
        add("not packed", lines)
        add("packed anew", packed(lines))
        add("of a plain export", packed(joined(bench.plain)))
        add("without its header", packed(lines.split(b"\n", 1)[1]))
        add("one line less", packed(b"\n".join(lines.split(b"\n")[:-3]) + b"\n"))
        add("of nothing", packed(b""))
        add("two gigabytes of zeros", lambda: subprocess.run(
            "head -c 2147483648 /dev/zero | zstd -q -1 -c", shell=True, capture_output=True).stdout)
        add("a line of two gigabytes", lambda: subprocess.run(
            "(head -n 1 %s; head -c 2000000000 /dev/zero | tr '\\0' ' ') | zstd -q -1 -c" % (bench.root / "header"),
            shell=True, capture_output=True).stdout)
        (bench.root / "header").write_text(bench.sealed[0] + "\n")
    return found


def keys_inputs(bench, dice):
    """Copies of keys. Cut or damaged slots cost fields and a finding, never the journal."""
    found = []
    content = (bench.keys / "keys").read_bytes()

    def add(name, made, whole=(0, 1), master=None):
        def body(case):
            place = keys_copy(case)
            (place / "keys").unlink()
            if callable(made):
                made(place / "keys", case)
            else:
                (place / "keys").write_bytes(made)
                (place / "keys").chmod(0o600)
            if master is not None:
                (case.place / "master").unlink()
                if master:
                    (case.place / "master").write_text(master)
                    (case.place / "master").chmod(0o600)
            case.restored(backup_copy(case), "--keys", place, whole=whole)

        found.append((f"copy of keys: {name}", body))

    for size in sorted({0, 1, 64, 127, 128, 129, 255, 256, 384, len(content) - 128, len(content) - 1}):
        add(f"cut to {size}", content[:size])
    for _ in range(25):
        at, bit = dice.randrange(len(content)), dice.randrange(8)
        add(f"bit {bit} of {at}", content[:at] + bytes([content[at] ^ 1 << bit]) + content[at + 1:])
    for slot in range(len(content) // 128):
        at = slot * 128
        add(f"slot {slot} of zeros", content[:at] + bytes(128) + content[at + 128:])
        add(f"slot {slot} twice", content + content[at:at + 128])
    add("of another journal", (bench.twin_keys / "keys").read_bytes())
    add("zeros behind", content + bytes(1280))
    add("rubbish behind", content + b"x" * 77)
    add("zeros only", bytes(len(content)))
    add("text", b"keys")
    add("wrong master key", content, master="00" * 32 + "\n")
    add("no master key", content, master="")
    add("master key of letters", content, master="hello\n")
    add("a directory", lambda path, case: path.mkdir())
    add("a pipe", lambda path, case: os.mkfifo(path))
    add("a link to the victim", lambda path, case: path.symlink_to(case.victim))
    add("a link to nothing", lambda path, case: path.symlink_to(case.place / "nothing"))
    add("a device", lambda path, case: path.symlink_to("/dev/zero"))

    def sparse(path, case):
        with open(path, "wb") as file:
            file.write(content)
            file.truncate(3 << 30)

    add("of three gigabytes", sparse)
    return found


def list_inputs(bench):
    """Lists of erasures from elsewhere: bad lines are passed over, good ones hold."""
    found = []
    lines = {
        "cut": '{"erasedAt":"2026-02-03T08:00', "not JSON": "x", "zeros": "\0\0\0", "no person": '{"erasedAt":"2026-02-03T08:00:00Z","position":3}',
        "empty person": '{"erasedAt":"2026-02-03T08:00:00Z","person":"","position":3}',
        "person without product": '{"erasedAt":"2026-02-03T08:00:00Z","person":"S-1","position":3}',
        "unknown product": '{"erasedAt":"2026-02-03T08:00:00Z","person":"nobody/S-1","position":3}',
        "nobody": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/S-77","position":3}',
        "far position": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/S-2","position":9223372036854775807}',
        "position minus": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/S-2","position":-3}',
        "position huge": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/S-2","position":1e30}',
        "far instant": '{"erasedAt":"2199-12-31T23:59:59Z","person":"examroom/S-2","position":9}',
        "bad instant": '{"erasedAt":"yesterday","person":"examroom/S-2","position":9}',
        "somebody": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/S-2","position":9}',
        "key of nobody": '{"erasedAt":"2026-02-03T08:00:00Z","key":"x","person":"learnable/L-1","position":9}',
        "key without end": '{"erasedAt":"2026-02-03T08:00:00Z","key":"learnable/L-1/2","person":"learnable/L-1","position":9}',
        "key of another product": '{"erasedAt":"2026-02-03T08:00:00Z","key":"examroom/S-2","person":"learnable/L-1","position":9}',
        "the journal's secret": '{"erasedAt":"2026-02-03T08:00:00Z","key":"journal","person":"journal","position":9}',
        "the journal": '{"erasedAt":"2026-02-03T08:00:00Z","person":"journal","position":9}',
        "bidi": '{"erasedAt":"2026-02-03T08:00:00Z","person":"examroom/\u202eS-1","position":9}',
    }

    def add(name, content, where):
        def body(case):
            backup, keys = backup_copy(case), keys_copy(case)
            args = ["--keys", keys]
            if where == "backup":
                with open(backup / "erasures.jsonl", "ab") as file:
                    file.write(content)
            elif where == "keys":
                with open(keys / "erasures.jsonl", "ab") as file:
                    file.write(content)
            else:
                (case.place / "list").write_bytes(content)
                args += ["--erasures", case.place / "list"]
            case.restored(backup, *args)

        found.append((f"list in {where}: {name}", body))

    for name, line in lines.items():
        for where in ("backup", "keys", "file"):
            add(name, line.encode() + b"\n", where)
            add(f"{name}, no line feed", line.encode(), where)
    return found


def place_inputs(bench):
    """Links, modes and things that are no files, where the tool reads and writes."""
    found = []

    def add(name, body):
        found.append((f"place: {name}", body))

    def backup(case, place, *more):
        """Of the bench's journal, copied: what it holds is not to change either."""
        journal = case.place / "source"
        shutil.copytree(bench.journal, journal)
        line = json.dumps({"id": "more", "command": "examroom.exam.create", "at": "2026-08-01T08:00:00Z", "by": "admin:A-1",
                           "data": {"exam": "EX-7", "title": "More", "durationMinutes": 9}})
        case.tell(["submit", "--journal", journal], "submit", stdin=joined([line]))
        return case.tell(["backup", place, *more, "--journal", journal], "backup", one_line=False)

    def linked(relative, in_keys=False, fresh=False):
        def body(case):
            if fresh:
                place, keys = case.place / "backup", case.place / "keys"
                place.mkdir(), keys.mkdir(mode=0o700)
            else:
                place, keys = backup_copy(case), keys_copy(case)
            there = (keys if in_keys else place) / relative
            if there.exists() or there.is_symlink():
                there.unlink()
            there.symlink_to(case.victim)
            result = backup(case, place, "--keys", keys)
            if not case.victim.exists() or case.victim.read_bytes() != b"the victim's own words\n":
                raise Failed(f"a link at {relative} led to the victim's file: {case.victim.read_bytes()[:60]!a}")
            if result.code == 0 and there.is_symlink() and relative in ("backup.json", "keys"):
                raise Failed(f"{relative} is a link after the backup")

        return body

    part = "part-000000000002.jsonl.zst"
    for fresh in (False, True):
        what = "new" if fresh else "old"
        for relative in ["backup.json.new", "backup.json", part, part + ".new", "part-000000000001.jsonl.zst.new", "erasures.jsonl",
                         "erasures.jsonl.new", "checkpoints"]:
            add(f"link at {relative} in {what} backup", linked(relative, fresh=fresh))
        for relative in ["keys", "keys.new", "erasures.jsonl", "erasures.jsonl.new", "master.key"]:
            add(f"link at {relative} in {what} keys", linked(relative, in_keys=True, fresh=fresh))

    def mode(name, bits):
        def body(case):
            place, keys = backup_copy(case), keys_copy(case)
            there = keys if name.startswith("keys") else place
            if "/" in name:
                there = there / name.split("/")[1]
            there.chmod(bits)
            result = backup(case, place, "--keys", keys)
            loose = keys.stat().st_mode & 0o022 or (keys / "keys").stat().st_mode & 0o077
            if name.startswith("keys") and loose and result.code == 0 and not result.err.strip():
                raise Failed(f"{name} of mode {bits:o} was taken without a word")

        return body

    for name, bits in [("keys", 0o777), ("keys", 0o755), ("keys", 0o770), ("keys/keys", 0o666), ("keys/keys", 0o644), ("backup", 0o777),
                       ("backup/backup.json", 0o666)]:
        add(f"mode {bits:o} of {name}", mode(name, bits))

    def odd(relative, make, of="backup", writes=True):
        def body(case):
            place, keys = backup_copy(case), keys_copy(case)
            there = (keys if of == "keys" else place) / relative
            if there.is_dir() and not there.is_symlink():
                shutil.rmtree(there)
            elif os.path.lexists(there):
                there.unlink()
            make(there)
            if writes:
                backup(case, place, "--keys", keys)
            else:
                case.restored(place, "--keys", keys)

        return body

    part1 = "part-000000000001.jsonl.zst"
    for relative, of in [("backup.json", "backup"), (part1, "backup"), ("erasures.jsonl", "backup"), ("keys", "keys"),
                         ("erasures.jsonl", "keys"), ("checkpoints", "backup"), ("backup.json.new", "backup")]:
        for what, make in [("a pipe", os.mkfifo), ("a directory", lambda path: path.mkdir()), ("/dev/zero", lambda path: path.symlink_to("/dev/zero")),
                           ("a link to itself", lambda path: path.symlink_to(path))]:
            add(f"{what} at {relative} of {of}: backup", odd(relative, make, of))
            add(f"{what} at {relative} of {of}: restore", odd(relative, make, of, writes=False))

    def big(relative, size):
        def body(case):
            place = backup_copy(case)
            with open(place / relative, "ab") as file:
                file.truncate(size)
            case.restored(place, "--keys", keys_copy(case))

        return body

    for relative, size in [("backup.json", 70 << 20), (part1, 2 << 30), ("erasures.jsonl", 2 << 30), ("erasures.jsonl", 500 << 20)]:
        add(f"{relative} of {size >> 20} MiB", big(relative, size))

    def target(name, make, left=None):
        """Somebody else's things at the target: they stay, whatever the answer."""
        for what in ("restore", "import"):
            def body(case, what=what):
                make(case)
                before = listing(case.target)
                if what == "restore":
                    result = case.tell(["restore", backup_copy(case), "--journal", case.target], "restore")
                else:
                    result = case.tell(["import", "-", "--journal", case.target], "import", stdin=joined(bench.plain))
                # An empty file to lock may stay: taken away, it would be another one for whoever waits for it.
                if result.code != 0 and [each for each in listing(case.target) if each != "writer.lock b''"] != before:
                    raise Failed(f"{what} was refused, and the target holds {listing(case.target)} in place of {before}")

            add(f"target {name}: {what}", body)

    target("a file", lambda case: case.target.write_text("mine\n"))
    target("a full directory", lambda case: (case.target.mkdir(), (case.target / "mine").write_text("mine\n")))
    target("an empty directory", lambda case: case.target.mkdir())
    target("a link to the victim", lambda case: case.target.symlink_to(case.victim))
    target("a link to nothing", lambda case: case.target.symlink_to(case.place / "nothing"))
    target("a link to a directory", lambda case: ((case.place / "theirs").mkdir(), case.target.symlink_to(case.place / "theirs")))
    target("a pipe", lambda case: os.mkfifo(case.target))
    target("a journal", lambda case: shutil.copytree(bench.journal, case.target))
    for name in ["FORMAT", "FORMAT.new", "FORMAT.draft", "journal.mdb", "creating.mdb", "writer.lock", "keys", "keys.new", "master.key",
                 "erasures.jsonl", "journal.mdb-lock", "checkpoints"]:
        def make(case, name=name):
            case.target.mkdir()
            (case.target / name).symlink_to(case.victim)

        target(f"with a link at {name}", make)

        def make_pipe(case, name=name):
            case.target.mkdir()
            os.mkfifo(case.target / name)

        target(f"with a pipe at {name}", make_pipe)
    return found


def listing(path):
    if path.is_symlink() or not path.is_dir():
        return [os.readlink(path) if path.is_symlink() else "no directory" if path.exists() else "nothing"]
    return sorted(
        f"{each.name} {each.read_bytes()[:200] if each.is_file() and not each.name.endswith('-lock') else ''}" for each in path.iterdir()
    )


def cut_inputs(bench, dice):
    """A journal of more than 8 MiB without its last pages, and with other pages in their place."""
    found = []
    large = bench.root / "large"

    def make():
        if large.exists():
            return
        result = bench.tool.init(large, env=bench.env)
        lines = [
            json.dumps({"id": f"l-{number}", "command": "examroom.exam.create", "at": "2026-02-01T08:00:00Z", "by": "system" if not number
                        else "admin:A-1", "data": {"exam": f"EX-{number}", "title": f"Exam {number}", "description": f"{dice.getrandbits(12000):x}",
                                                "durationMinutes": 9}})
            for number in range(1, 9000)
        ]
        first = json.dumps({"id": "l-0", "command": "examroom.account.register", "at": "2026-02-01T08:00:00Z", "by": "system", "data": {
            "account": "A-1", "role": "admin", "name": "x", "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}})
        # Never sealed, and in several commits: what was written last is in use.
        env = bench.env | {"SIJILL_SEGMENT_EVENTS": "1000000"}
        for start in range(0, len(lines), 500):
            result = bench.tool.run(["submit", "--journal", large], stdin=joined([first] + lines[start:start + 500]), env=env)
            if result.code != 0:
                sys.exit(f"elsewhere: {text(result.err)}")
        if (large / "journal.mdb").stat().st_size <= 8 << 20:
            sys.exit("elsewhere: the large journal is too small to be one")

    def add(name, change):
        def body(case):
            make()
            shutil.copytree(large, case.target)
            path = case.target / "journal.mdb"
            change(path)
            before = hashlib.sha256(path.read_bytes()).hexdigest()
            refused = False
            for args in [["verify"], ["show", "journal.summary"], ["events", "--limit", "5"], ["events", "--reverse", "--limit", "5"], ["stats"],
                         ["export", "--sealed"], ["submit"]]:
                line = json.dumps({"id": "n-1", "command": "clock.advance", "at": "2026-02-02T08:00:00Z", "by": "system", "data": {}})
                stdin = joined([line]) if args == ["submit"] else None
                result = case.tell([*args, "--journal", case.target], " ".join(args), stdin=stdin, one_line=False)
                refused = result.code != 0
            if refused and hashlib.sha256(path.read_bytes()).hexdigest() != before:
                raise Failed(f"a damaged file was refused, and changed first: {path.stat().st_size} bytes now")

        found.append((f"cut: {name}", body))

    for pages in [1, 2, 3, 7, 40, 120, 220, 1000]:
        add(f"{pages} pages less", lambda path, pages=pages: os.truncate(path, max(4096, path.stat().st_size - pages * 4096)))
    add("half a page less", lambda path: os.truncate(path, path.stat().st_size - 2048))
    add("two pages left", lambda path: os.truncate(path, 8192))
    add("a page left", lambda path: os.truncate(path, 4096))
    add("nothing left", lambda path: os.truncate(path, 0))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--replay", default=".build/release/replay", help="the program to try")
    parser.add_argument("--count", type=int, default=200, help="inputs; 0: all of them")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", default="", help="a part of the names of the inputs to try")
    parser.add_argument("--list", action="store_true", help="print the names only")
    parser.add_argument("--failures", type=int, default=1000, help="stop after so many")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    tool = Tool(options.replay, env=QUICK_TRAPS)
    root = scratch("sijill-elsewhere-")
    failures = {}
    run = 0
    try:
        print(f"elsewhere: seed {seed}", flush=True)
        bench = Bench(tool, root)
        # What the inputs are does not depend on the seed, but for places that are drawn: a name can be given again with it.
        dice = random.Random(seed)
        groups = [
            line_inputs(bench, dice), derived_inputs(bench), key_line_inputs(bench), manifest_inputs(bench), part_inputs(bench, dice),
            keys_inputs(bench, dice), list_inputs(bench), place_inputs(bench), cut_inputs(bench, dice),
        ]
        inputs = [each for group in groups for each in group if options.only in each[0]]
        if options.list:
            print("\n".join(name for name, _ in inputs))
            return
        if options.count and not options.only:
            # Every group has its share, small ones all of theirs.
            share = max(1, options.count // len(groups))
            inputs = []
            for group in sorted(groups, key=len):
                inputs += dice.sample(group, min(len(group), share))
            left = [each for group in groups for each in group if each not in inputs] if len(inputs) < options.count else []
            inputs += dice.sample(left, min(len(left), options.count - len(inputs)))
        dice.shuffle(inputs)
        for name, body in inputs:
            run += 1
            try:
                Input(bench, name, body).run()
            except Failed as failed:
                failures[name] = str(failed)
                print(f"{name}: {str(failed).replace(str(root), '…')}", flush=True)
            except Exception:
                failures[name] = "the harness itself"
                print(f"{name}: {traceback.format_exc()}", flush=True)
            if len(failures) >= options.failures:
                break
    finally:
        shutil.rmtree(root, ignore_errors=True)
    if failures:
        print(f"  again: --seed {seed} --only 'NAME'")
    print(f"elsewhere: {run} inputs, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
