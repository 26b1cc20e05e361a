#!/usr/bin/env python3
"""Crash images: what a power loss could leave of a recorded run, opened with the real tool and checked by the oracle.

    images.py --replay PATH [--images N] [--seed S] [--jobs J] [--keep DIR] [--scenario NAME] [--only IMAGE]

See README.md. Exit code 1 if an image failed."""

import argparse
import hashlib
import json
import os
import random
import shutil
import struct
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import tool as torture
from tool import Lines, Oracle, Tool, outcomes, shape, text

ENTRY = struct.Struct("<IBBHIIQqqIIQ")
(WRITE, TRUNCATE, ALLOCATE, CREATE, MKDIR, RENAME, LINK, UNLINK, RMDIR, FLUSH, OUTPUT, START, END, MSYNC) = range(1, 15)
CALLS = "- write truncate allocate create mkdir rename link unlink rmdir flush output start end msync".split()
SECTOR = 512


class Entry:
    __slots__ = ("kind", "durable", "pid", "error", "inode", "offset", "length", "path", "path2", "data")

    def __str__(self):
        place = os.path.basename(self.path or "")
        return f"{CALLS[self.kind]} {place}" + (f" -> {os.path.basename(self.path2)}" if self.path2 else "")


def entries(path):
    raw = Path(path).read_bytes()
    found, at = [], 0
    while at < len(raw):
        magic, kind, durable, _, pid, error, inode, offset, length, size1, size2, size = ENTRY.unpack_from(raw, at)
        if magic != 0x43455254:
            raise SystemExit(f"{path}: no entry at {at}")
        at += ENTRY.size
        entry = Entry()
        entry.kind, entry.durable, entry.pid, entry.error = kind, durable, pid, error
        entry.inode, entry.offset, entry.length = inode, offset, length
        entry.path = raw[at:at + size1].decode()
        entry.path2 = raw[at + size1:at + size1 + size2].decode()
        at += size1 + size2
        entry.data = raw[at:at + size]
        at += size
        found.append(entry)
    return found


# MARK: The disk


class Node:
    """A file or a directory, whatever names it has."""

    def __init__(self, is_directory):
        self.is_directory = is_directory
        self.content = bytearray()  # what is on the disk for sure
        self.names = {}  # of a directory, on the disk for sure


class Change:
    """Something that was done and may or may not be on the disk."""

    __slots__ = ("node", "kind", "offset", "length", "data", "forced", "lost", "names")

    def __init__(self, node, kind, offset=0, length=0, data=b"", names=()):
        self.node, self.kind, self.offset, self.length, self.data = node, kind, offset, length, data
        self.forced = False  # on the disk for sure, though something before it need not be
        self.lost = False  # its flush failed: no later flush brings it
        self.names = names  # (directory, name, node or None): what a change of names leaves there

    @property
    def is_name(self):
        return bool(self.names)


def apply(content, change, part=None):
    """A change of contents on `content`; `part`: of a write, only these sectors of the file. None among them: the file has
    its length already, zeros where nothing was written yet, as some file systems leave it."""
    if change.kind == TRUNCATE:
        if change.length < len(content):
            del content[change.length:]
        else:
            content.extend(bytes(change.length - len(content)))
    elif change.kind == ALLOCATE:
        content.extend(bytes(max(0, change.offset + change.length - len(content))))
    else:
        pieces = [(change.offset, change.offset + len(change.data))]
        if part is not None:
            pieces = []
            if part[-1:] == [None]:
                content.extend(bytes(max(0, change.offset + len(change.data) - len(content))))
                part = part[:-1]
            for sector in part:
                pieces.append((max(sector * SECTOR, change.offset),
                               min((sector + 1) * SECTOR, change.offset + len(change.data))))
        for start, end in pieces:
            if end > len(content):
                content.extend(bytes(end - len(content)))
            content[start:end] = change.data[start - change.offset:end - change.offset]


def sectors(change):
    return list(range(change.offset // SECTOR, (change.offset + len(change.data) - 1) // SECTOR + 1))


class Disk:
    """What is on the disk for sure, and what was done since, as the entries of a record tell it."""

    def __init__(self, root, failed_flush_loses=False):
        self.root_path = os.path.realpath(root)
        self.root = Node(True)
        self.nodes = {}  # inode -> node; an inode may be given to another file later
        self.pending = []
        self.live = {self.root_path: self.root}  # path -> node as a process sees it
        self.failed_flush_loses = failed_flush_loses

    def directory(self, path):
        return self.live[os.path.dirname(path)]

    def content_change(self, entry, forced=False):
        node = self.nodes.get(entry.inode)
        if node is None:
            raise SystemExit(f"the record knows no file for: {entry}")
        change = Change(node, entry.kind, entry.offset, entry.length, entry.data)
        change.forced = forced
        return change

    def names_change(self, *names):
        self.pending.append(Change(None, RENAME, names=names))

    def take(self, entry, in_flight=False):
        """`in_flight`: a durable write before it has returned."""
        kind = entry.kind
        if kind in (WRITE, TRUNCATE, ALLOCATE):
            change = self.content_change(entry, forced=bool(entry.durable) and not in_flight)
            self.pending.append(change)
            self.fold()
        elif kind in (CREATE, MKDIR):
            node = self.nodes[entry.inode] = Node(kind == MKDIR)
            self.live[entry.path] = node
            self.names_change((self.directory(entry.path), os.path.basename(entry.path), node))
        elif kind == LINK:
            node = self.live[entry.path] = self.nodes[entry.inode]
            self.names_change((self.directory(entry.path), os.path.basename(entry.path), node))
        elif kind == RENAME:
            node = self.live.pop(entry.path)
            below = [path for path in self.live if path.startswith(entry.path + "/")]
            for path in below:
                self.live[entry.path2 + path[len(entry.path):]] = self.live.pop(path)
            self.live[entry.path2] = node
            self.names_change(
                (self.directory(entry.path), os.path.basename(entry.path), None),
                (self.directory(entry.path2), os.path.basename(entry.path2), node),
            )
        elif kind in (UNLINK, RMDIR):
            self.live.pop(entry.path)
            self.names_change((self.directory(entry.path), os.path.basename(entry.path), None))
        elif kind == FLUSH:
            node = self.root if entry.path == self.root_path else self.nodes.get(entry.inode)
            if node is None:
                raise SystemExit(f"the record knows no file for: {entry}")
            if entry.error:
                if self.failed_flush_loses:
                    for change in self.pending:
                        change.lost = change.lost or change.node is node and not change.forced
                return
            self.flush(node)
        elif kind == MSYNC and entry.length:
            pass  # LMDB writes by calls; a map that is written to is found by the comparison at the end

    @staticmethod
    def touches(change, node):
        return change.node is node or any(directory is node for directory, _, _ in change.names)

    def flush(self, node):
        rest = []
        for change in self.pending:
            if change.is_name and self.touches(change, node):
                self.name(change, None)
                continue
            if change.node is node and not change.lost:
                change.forced = True
            rest.append(change)
        self.pending = rest
        self.fold()

    def fold(self):
        """What is forced and has nothing before it becomes content."""
        seen, rest = set(), []
        for change in self.pending:
            if change.forced and id(change.node) not in seen:
                apply(change.node.content, change)
            else:
                if not change.is_name:
                    seen.add(id(change.node))
                rest.append(change)
        self.pending = rest

    @staticmethod
    def name(change, names):
        """A change of names, in the directories themselves or in `names`, a copy of theirs."""
        for directory, name, node in change.names:
            table = directory.names if names is None else names.setdefault(id(directory), dict(directory.names))
            if node is None:
                table.pop(name, None)
            else:
                table[name] = node

    def image(self, choice):
        """{relative path: bytes, or None for a directory} when `choice(change)` says what of a change is there: False, True, or
        the sectors of a write."""
        names, contents = {}, {}
        for change in self.pending:
            part = choice(change)
            if change.forced:
                part = True
            if part is False:
                continue
            if change.is_name:
                self.name(change, names)
            else:
                content = contents.get(id(change.node))
                if content is None:
                    content = contents[id(change.node)] = bytearray(change.node.content)
                apply(content, change, None if part is True else part)
        found = {}

        def walk(node, place):
            for name, child in names.get(id(node), node.names).items():
                path = place + name
                if child.is_directory:
                    found[path] = None
                    walk(child, path + "/")
                else:
                    found[path] = bytes(contents.get(id(child), child.content))

        walk(self.root, "")
        return found


CONTENT_MODES = ["none", "all", "prefix", "torn", "file", "subset", "sectors"]
NAME_MODES = ["none", "all", "same", "subset"]


def chooser(disk, contents, names, source):
    """A function for Disk.image; `source` is a seeded random generator."""
    pending = disk.pending
    verdicts = {}
    cut = source.randint(0, len(pending))
    nodes = sorted({id(change.node): change.node for change in pending if not change.is_name}.values(),
                   key=lambda node: next(i for i, change in enumerate(pending) if change.node is node))
    chosen = source.choice(nodes) if nodes else None
    for index, change in enumerate(pending):
        if change.is_name:
            verdicts[id(change)] = {
                "none": False, "all": True, "same": index < cut, "subset": source.random() < 0.5,
            }[names]
            continue
        verdict = {
            "none": False, "all": True, "prefix": index < cut, "torn": index < cut, "file": change.node is chosen,
            "subset": source.random() < 0.5, "sectors": source.random() < 0.8,
        }[contents]
        if change.kind == WRITE and change.data:
            if contents == "torn" and index == cut - 1:
                there = sectors(change)
                verdict = there[:source.randint(0, len(there) - 1)] or False
            elif contents == "sectors" and verdict:
                verdict = [sector for sector in sectors(change) if source.random() < 0.6] or False
            if contents in ("subset", "sectors", "torn") and verdict is not True and source.random() < 0.3:
                verdict = (verdict or []) + [None]
        verdicts[id(change)] = verdict
    return lambda change: verdicts[id(change)]


def build(image, directory):
    os.mkdir(directory, 0o700)
    for path, content in sorted(image.items()):
        if content is None:
            os.mkdir(os.path.join(directory, path), 0o700)
        else:
            with open(os.open(os.path.join(directory, path), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(content)


def fingerprint(image, *more):
    digest = hashlib.blake2b(repr(more).encode(), digest_size=16)
    for path, content in sorted(image.items()):
        if path.endswith("-lock"):
            continue
        digest.update(path.encode() + b"\0" + (b"" if content is None else hashlib.blake2b(content).digest()))
    return digest.digest()


# MARK: Recorded runs


class Step:
    """One process of a scenario."""

    def __init__(self, kind, lines=(), **facts):
        self.kind, self.lines, self.facts = kind, list(lines), facts


class Recording:
    """A scenario that is being played, and then what was recorded of it. Directories in `root`: `j` the journal, `b…` backups, `k` keys,
    `r…` restored ones, `i…` imported ones."""

    def __init__(self, tool, name, seed, directory):
        self.tool, self.name, self.seed = tool, name, seed
        self.random = random.Random(f"{name} {seed}")
        self.lines = Lines(seed)
        self.steps = []
        self.env = {}
        self.directory = directory
        self.root = os.path.join(directory, "root")
        self.aside = os.path.join(directory, "aside")  # not on the disk that loses its power
        self.log = os.path.join(directory, "log")
        os.makedirs(self.root, mode=0o700)
        os.mkdir(self.aside)

    def at(self, name):
        return os.path.join(self.root, name)

    def options(self, step, rules=None):
        self.steps.append(step)
        env = {name: value.replace("ROOT", self.root) for name, value in self.env.items()}
        return dict(env=env, preload=rules, inside=self.root, record=self.log, tag=str(len(self.steps) - 1))

    def run(self, kind, args, lines=(), rules=None, journal="j", wanted=0, **facts):
        """A process to its end. `wanted`: its exit code; None with rules: whatever comes of it."""
        step = Step(kind, lines, journal=journal, args=list(map(str, args)), **facts)
        result = self.tool.run(
            [*args, "--journal", self.at(journal)], stdin=torture.joined(lines) if lines else None, **self.options(step, rules)
        )
        step.facts["code"], step.facts["out"] = result.code, result.out
        if rules is None and result.code != wanted:
            self.trouble(f"{self.name}: {' '.join(map(str, args))}: exit {result.code}: {text(result.err)}")
        return result

    def trouble(self, what):
        raise Trouble(what)

    def init(self):
        args = ["init"] + (["--simulated"] if self.tool.knows_simulated else [])
        return self.run("init", args)

    def submit(self, *lines, rules=None):
        return self.run("submit", ["submit"], lines, rules=rules)

    def talk(self, lines):
        """One process that is given a line at a time, each after the answer to the one before."""
        step = Step("submit", lines, journal="j")
        import subprocess
        process = self.tool.start(
            ["submit", "--journal", self.at("j")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            **self.options(step),
        )
        for line in lines:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            if not process.stdout.readline():
                break
        process.stdin.close()
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        if process.wait() != 0:
            self.trouble(f"{self.name}: submit: exit {process.returncode}: {text(errors)}")


class Trouble(Exception):
    """The undisturbed part of a scenario failed: a finding by itself."""


def scenario_day(r):
    """Appends, one commit each; sealing every few events; merging; read models; checkpoints; erasures."""
    r.env["SIJILL_SEGMENT_EVENTS"] = str(r.random.choice([2, 4, 4, 8]))
    l = r.lines
    r.init()
    r.talk([l.register("A-1", "admin"), l.register("S-1"), l.register("S-2"), *l.exam("EX-1", 2)])
    r.run("rebuild", ["rebuild"])
    r.submit(*l.attempt("AT-1", "EX-1", "S-1", 2))
    r.talk([l.erase("S-1"), l.revise("S-2"), *l.attempt("AT-2", "EX-1", "S-2", 2), l.register("S-3"), l.erase("S-2")])
    key = os.path.join(r.aside, "log.key")
    r.tool.run(["key", "new", key, "--name", "example.org/torture"])
    r.run("checkpoint", ["checkpoint", "--key", key])
    r.submit(l.register("S-4"), l.erase("S-3"))
    r.run("checkpoint", ["checkpoint", "--key", key, "--attest"])
    r.submit(*[l.register(f"T-{number}") for number in range(8)])
    r.submit(l.erase("T-1"))


def scenario_bulk(r):
    """Large commits, segments of 64 events, hashes of the tree."""
    r.env["SIJILL_SEGMENT_EVENTS"] = str(r.random.choice([32, 64]))
    l = r.lines
    r.init()
    r.submit(*[l.register("A-1", "admin")], *[l.register(f"S-{number}") for number in range(150)])
    r.submit(*[l.revise(f"S-{number}") for number in range(120)])
    r.submit(*[l.erase(f"S-{number}") for number in range(10)])
    r.submit(*[l.register(f"T-{number}") for number in range(60)])
    r.submit(l.register("U-1"))


def scenario_keys(r):
    """New persons, erasures and new master keys in turn."""
    l = r.lines
    if r.random.random() < 0.5:
        r.env["SIJILL_MASTER_KEY_FILE"] = "ROOT/m/master.key"
        os.mkdir(r.at("m"), 0o700)
    r.init()
    r.submit(l.register("A-1", "admin"), l.register("S-1"), l.register("S-2"))
    r.run("rotate", ["key", "rotate"])
    r.submit(l.erase("S-1"))
    r.submit(l.register("S-3"))
    r.submit(l.erase("S-2"), l.register("S-4"))
    r.run("rotate", ["key", "rotate"])
    r.submit(l.register("S-5"), l.erase("S-5"))
    r.submit(l.erase("S-3"))


def scenario_copies(r):
    """Backups, restores with keys of then and of later, exports and imports."""
    l = r.lines
    if r.random.random() < 0.5:
        r.env["SIJILL_SEGMENT_EVENTS"] = "4"
    os.mkdir(r.at("m"), 0o700)
    r.env["SIJILL_MASTER_KEY_FILE"] = "ROOT/m/master.key"
    r.init()
    r.submit(l.register("A-1", "admin"), l.register("S-1"), l.register("S-2"), *l.exam("EX-1", 2))
    r.run("backup", ["backup", r.at("b"), "--keys", r.at("k")], backup="b")
    r.submit(*l.attempt("AT-1", "EX-1", "S-1", 2), l.erase("S-1"), l.register("S-3"))
    r.run("backup", ["backup", r.at("c"), "--keys", r.at("k")], backup="c")
    r.run("backup", ["backup", r.at("b"), "--keys", r.at("k")], backup="b")
    r.run("restore", ["restore", r.at("b"), "--keys", r.at("k")], journal="r", backup="b")
    r.submit(l.erase("S-2"))
    exported = os.path.join(r.aside, "export.jsonl")
    result = r.run("export", ["export"])
    Path(exported).write_bytes(result.out)
    r.run("import", ["import", exported], journal="i", export=exported)
    r.run("restore", ["restore", r.at("c"), "--keys", r.at("k"), "--erasures", r.at("j/erasures.jsonl")], journal="s", backup="c")


# What a process is killed at (or a flush fails at), for the second generation: the next one goes on with what the page cache has.
KILLS = {
    "submit": [
        "fdatasync:/keys:1:kill-before", "pwrite:/keys:1:kill-after", "pwrite:/keys:1:kill-half", "fdatasync:/keys:1:EIO",
        "fdatasync:/journal.mdb:1:kill-before", "fdatasync:/journal.mdb:1:EIO", "pwrite:/journal.mdb:1:kill-after",
        "pwrite:/journal.mdb:2:kill-after", "writev:/journal.mdb:1:kill-half", "write:<stdout>:1:kill-before",
    ],
    "erase": [
        "pwrite:/erasures.jsonl:1:kill-half", "pwrite:/erasures.jsonl:1:kill-after", "fsync:/erasures.jsonl:1:EIO",
        "pwrite:/keys:1:kill-before", "pwrite:/keys:1:kill-half", "fdatasync:/keys:1:kill-before", "pwrite:/keys:2:kill-before",
        "fdatasync:/keys:2:kill-before", "fdatasync:/keys:1:EIO", "pwrite:/erasures.jsonl:1:cut-ENOSPC",
    ],
    "rotate": [
        "rename:/keys.new:1:kill-before", "rename:/keys.new:1:kill-after", "rename:/master.key.next:1:kill-before",
        "rename:/master.key.next:1:kill-after", "pwrite:/keys.new:1:kill-half", "pwrite:/master.key:1:kill-half",
        "fsync:/keys.new:1:EIO", "fdatasync:/keys:1:kill-before", "link:/keys:1:kill-after",
        "unlink:/keys.old:1:kill-before", "unlink:/master.key.next.new:1:kill-before",
    ],
}
RANDOM_CALLS = ["pwrite", "writev", "fdatasync", "fsync", "rename", "link", "ftruncate", "open", "unlink"]


def scenario_killed(r):
    """Processes that are killed, or whose flush fails, each followed by one that goes on."""
    l = r.lines
    if r.random.random() < 0.4:
        r.env["SIJILL_SEGMENT_EVENTS"] = "4"
    r.init()
    r.submit(l.register("A-1", "admin"), l.register("S-1"), l.register("S-2"), l.register("S-3"))
    number = 3
    living = ["S-1", "S-2", "S-3"]
    kinds = ["submit", "erase", "submit", "erase", "rotate"]
    r.random.shuffle(kinds)
    left = {kind: r.random.sample(rules, len(rules)) for kind, rules in KILLS.items()}
    for kind in kinds:
        number += 1
        rule = left[kind].pop()
        if r.random.random() < 0.2:
            rule = f"{r.random.choice(RANDOM_CALLS)}:/j/:{r.random.randint(1, 6)}:kill-{r.random.choice(['before', 'after'])}"
        if kind == "rotate":
            r.run("rotate", ["key", "rotate"], rules=[rule], rule=rule)
        else:
            person = f"S-{number}"
            line = l.register(person) if kind == "submit" else l.erase(living.pop(0))
            if kind == "submit":
                living.append(person)
            r.submit(line, rules=[rule])
            r.steps[-1].facts["rule"] = rule
            r.submit(line)
        r.submit(l.register(f"G-{number}"), l.erase(living.pop(0)))
        living.append(f"G-{number}")


SCENARIOS = {
    name.removeprefix("scenario_"): function for name, function in list(globals().items()) if name.startswith("scenario_")
}
SHARES = {"day": 3, "bulk": 1, "keys": 2, "copies": 3, "killed": 4}


# MARK: From a recording to images


class State:
    """What was known at an instant: answers that had been written, processes that had begun and ended."""

    def __init__(self, recording):
        self.recording = recording
        self.steps = {}  # pid -> index of its step
        self.outputs = {}
        self.acknowledged = {}
        self.sent = []
        self.begun = -1
        self.ended = set()
        self.at_backup = {}  # backup -> what was acknowledged when its last finished run began
        self.before = {}
        self.checkpoints = []

    def take(self, entry):
        steps = self.recording.steps
        if entry.kind == START:
            index = int(entry.path)
            self.steps[entry.pid] = index
            self.outputs[entry.pid] = [b"", 0]
            self.begun = max(self.begun, index)
            self.sent += [line for line in steps[index].lines if line not in self.sent]
            if steps[index].kind == "backup":
                self.before[index] = dict(self.acknowledged)
        elif entry.kind == END:
            index = self.steps.pop(entry.pid)
            if steps[index].facts.get("code", 0) != 0:
                return
            self.ended.add(index)
            if steps[index].kind == "backup":
                self.at_backup[steps[index].facts["backup"]] = self.before[index]
            if steps[index].kind == "checkpoint":
                self.checkpoints.append(index)
        elif entry.kind == OUTPUT:
            held = self.outputs[entry.pid]
            step = steps[self.steps[entry.pid]]
            if step.kind != "submit":
                return
            held[0] += entry.data
            while b"\n" in held[0]:
                line, held[0] = held[0].split(b"\n", 1)
                outcome = json.loads(line)
                if outcome["status"] in ("accepted", "duplicate"):
                    self.acknowledged.setdefault(step.lines[held[1]], outcome)
                held[1] += 1

    def now(self):
        copy = State.__new__(State)
        copy.__dict__ = dict(self.__dict__)
        copy.acknowledged, copy.sent = dict(self.acknowledged), list(self.sent)
        copy.ended, copy.at_backup, copy.checkpoints = set(self.ended), dict(self.at_backup), list(self.checkpoints)
        return copy


class Image:
    """Where an image is cut: scenario, entry, whether that entry is still under way, modes, seed."""

    def __init__(self, scenario, seed, index, flight, contents, names, salt):
        self.scenario, self.seed, self.index, self.flight = scenario, seed, index, flight
        self.contents, self.names, self.salt = contents, names, salt

    def __str__(self):
        return f"{self.scenario}/{self.seed}@{self.index}{'~' if self.flight else ''}/{self.contents}/{self.names}/{self.salt}"

    @staticmethod
    def named(text):
        scenario, seed, contents, names, salt = text.replace("@", "/", 1).split("/")[0:2] + text.split("/")[2:]
        seed, index = text.split("/")[1].split("@")
        return Image(scenario, int(seed), int(index.rstrip("~")), index.endswith("~"), contents, names, int(salt))


def drawn(scenario, seed, log, count, source):
    """Places and modes: every call boundary with nothing and everything first, then at random."""
    # Boundaries of calls that change something; an image at a `start` would be the one before it.
    useful = [i for i, entry in enumerate(log) if entry.kind not in (START, END)]
    found = []
    for index in useful:
        for contents, names in [("none", "none"), ("all", "all"), ("none", "all"), ("all", "none")]:
            found.append(Image(scenario, seed, index, False, contents, names, 0))
        if log[index].kind == WRITE and log[index].durable:
            for contents in ("none", "sectors", "torn"):
                found.append(Image(scenario, seed, index, True, contents, "all", source.randrange(10**6)))
    source.shuffle(found)
    found = found[:count // 2]
    while len(found) < count:
        index = source.choice(useful)
        flight = log[index].kind == WRITE and bool(log[index].durable) and source.random() < 0.5
        found.append(
            Image(scenario, seed, index, flight, source.choice(CONTENT_MODES), source.choice(NAME_MODES), source.randrange(10**6))
        )
    return found


def cut(recording, log, wanted, failed_flush_loses, seen=None):
    """Yields (image, files, state) for each of `wanted`, in order of their places; those whose files were seen with the same answers
    before are left out."""
    wanted = sorted(wanted, key=lambda image: image.index)
    disk, state = Disk(recording.root, failed_flush_loses), State(recording)
    prepare(disk, recording)
    next_one = 0
    for index, entry in enumerate(log):
        due = []
        while next_one < len(wanted) and wanted[next_one].index == index:
            due.append(wanted[next_one])
            next_one += 1
        flying = [image for image in due if image.flight]
        if flying:
            mark = len(disk.pending)
            disk.pending.append(disk.content_change(entry))
            yield from images_here(disk, state, flying, seen)
            del disk.pending[mark:]
        disk.take(entry)
        state.take(entry)
        yield from images_here(disk, state, [image for image in due if not image.flight], seen)
    if next_one == len(wanted):
        compare(disk, recording)


def prepare(disk, recording):
    """Directories that the scenario made before anything was recorded."""
    for name in recording.made:
        node = Node(True)
        disk.root.names[name] = node
        disk.live[os.path.join(disk.root_path, name)] = node
        disk.nodes[os.stat(os.path.join(recording.root, name)).st_ino] = node


def images_here(disk, state, images, seen):
    known = None
    for image in images:
        files = disk.image(chooser(disk, image.contents, image.names, random.Random(image.salt)))
        if seen is not None:
            mark = fingerprint(files, len(state.acknowledged), state.begun, len(state.ended))
            if mark in seen:
                continue
            seen.add(mark)
        known = known or state.now()
        yield image, files, known


def compare(disk, recording):
    """The record must explain the directory as it is: else the library missed a call."""
    files = disk.image(lambda change: True)
    actual = {}
    for parent, directories, names in os.walk(recording.root):
        for name in directories:
            actual[os.path.relpath(os.path.join(parent, name), recording.root)] = None
        for name in names:
            path = os.path.join(parent, name)
            actual[os.path.relpath(path, recording.root)] = Path(path).read_bytes()
    for path in sorted(files.keys() | actual.keys()):
        if path.endswith("-lock"):
            continue
        if files.get(path, 0) != actual.get(path, 0):
            raise SystemExit(
                f"{recording.name}: the record does not explain {path} "
                f"({len(files.get(path) or b'')} bytes recorded, {len(actual.get(path) or b'')} there)"
            )


# MARK: Checking an image


class Checker:
    def __init__(self, tool, recording):
        self.tool, self.recording = tool, recording

    def check(self, image, state, directory):
        """Findings about an image that was built in `directory`."""
        steps = self.recording.steps
        env = {name: value.replace("ROOT", directory) for name, value in self.recording.env.items()}
        oracle = Oracle(self.tool, deep=image.salt % 10 == 7, env=env)
        step = steps[state.begun] if state.begun >= 0 else None
        journal = os.path.join(directory, "j")
        found = []
        if not state.begun < 0 and 0 not in state.ended:
            return self.beginning(oracle, journal, env)
        # The copies first: checking the journal changes it.
        if step.kind == "backup" or (step.kind == "submit" and image.salt % 7 == 3):
            found += self.backups(oracle, directory, state, env)
        for index, other in enumerate(steps[:state.begun + 1]):
            # Each copy while it is made, and the last one now and then.
            if other.kind in ("restore", "import") and (index == state.begun or image.salt % 5 == 2):
                found += self.copy(oracle, directory, state, index, other, env)
        found += self.journal(oracle, journal, state)
        if step.kind in ("backup", "rotate"):
            again = self.again(step, directory, journal, env)
            found += again
            if not again and step.kind == "rotate":
                found += [f"rotated again: {each}" for each in oracle.whole(journal)]
                found += [f"rotated again: left over: {name}" for name in torture.leftovers(journal)]
        return found

    def beginning(self, oracle, journal, env):
        """`init` had not answered: it is made, or can be made."""
        made = os.path.exists(os.path.join(journal, "FORMAT"))
        result = self.tool.init(journal, env=env)
        if wrong := shape(result):
            return [f"init again: {wrong}"]
        if result.code not in ((73,) if made else (0,)):
            return [f"init again: exit {result.code}: {text(result.err)}"]
        return oracle.check(journal, {})

    def journal(self, oracle, journal, state):
        more, path = (), journal + ".checkpoint"
        if state.checkpoints:
            # It was printed, so somebody may keep it: the journal has to hold against it for ever.
            Path(path).write_bytes(self.recording.steps[state.checkpoints[-1]].facts["out"])
            more = ("--checkpoint", path, "--log-key", os.path.join(self.recording.aside, "log.key.vkey"))
        return oracle.check(journal, state.acknowledged, state.sent, self.recording.lines.names, verify=more)

    def moved(self, args, directory):
        return [each.replace(self.recording.root, directory) for each in args]

    def again(self, step, directory, journal, env):
        result = self.tool.run([*self.moved(step.facts["args"], directory), "--journal", journal], env=env)
        if wrong := shape(result):
            return [f"{step.kind} again: {wrong}"]
        return [f"{step.kind} again: exit {result.code}: {text(result.err)}"] if result.code else []

    def backups(self, oracle, directory, state, env):
        """Each backup that had been finished once can be restored, with all that it held then."""
        found = []
        for backup, acknowledged in state.at_backup.items():
            target = os.path.join(directory, f"try-{backup}")
            result = self.tool.run(
                ["restore", os.path.join(directory, backup), "--keys", os.path.join(directory, "k"), "--journal", target], env=env
            )
            if wrong := shape(result):
                found.append(f"restore {backup}: {wrong}")
            elif result.code:
                found.append(f"restore {backup}: exit {result.code}: {text(result.err)}")
            else:
                found += [f"restored from {backup}: {each}" for each in self.restored(oracle, target, acknowledged, state)]
            shutil.rmtree(target, ignore_errors=True)
        return found

    def restored(self, oracle, journal, acknowledged, state):
        # Erasures that a list of erasures told are recorded there without their command, and the timers' clock may have come
        # further; what is sent is therefore only what was in the backup.
        return oracle.check(journal, acknowledged, sent=self.explained(acknowledged, state), names=self.recording.lines.names)

    @staticmethod
    def explained(acknowledged, state):
        return list(acknowledged) + [line for line in state.sent if line not in acknowledged]

    def copy(self, oracle, directory, state, index, step, env):
        """A restore or an import: done it is whole; not done it is no journal, and can be made."""
        target = os.path.join(directory, step.facts["journal"])
        what = f"{step.kind} of {step.facts['journal']}"
        done = index in state.ended
        if step.kind == "restore":
            acknowledged = state.at_backup.get(step.facts["backup"], {})
        else:
            acknowledged = dict(state.acknowledged) if step is self.recording.steps[state.begun] else None
        if acknowledged is None:
            acknowledged = {}
        args = self.moved(step.facts["args"], directory)
        args = [each for each in args]
        if done:
            return [f"{what}, done: {each}" for each in oracle.check(
                target, acknowledged, self.explained(acknowledged, state), self.recording.lines.names)]
        result = self.tool.run(["verify", "--journal", target], env=env)
        if wrong := shape(result):
            return [f"{what}, not done: verify: {wrong}"]
        found = []
        if result.code == 0:
            # It passes for a journal: then everything is to be there.
            found = [f"{what}, half done and passes for a journal: {each}" for each in oracle.check(
                target, acknowledged, self.explained(acknowledged, state), self.recording.lines.names)][:2]
        else:
            if result.code != 66:
                found.append(f"{what}, not done: verify: exit {result.code}: {text(result.err)}")
            result = self.tool.run([*args, "--journal", target], env=env)
            if wrong := shape(result):
                found.append(f"{what}, again: {wrong}")
            elif result.code:
                found.append(f"{what}, again: exit {result.code}: {text(result.err)}")
            else:
                found += [f"{what}, again: {each}" for each in oracle.check(
                    target, acknowledged, self.explained(acknowledged, state), self.recording.lines.names)]
        return found


# MARK: The program


def record(tool, name, seed, directory):
    recording = Recording(tool, name, seed, os.path.join(directory, f"{name}-{seed}"))
    trouble = None
    try:
        SCENARIOS[name](recording)
    except Trouble as error:
        trouble = str(error)
    log = entries(recording.log)
    created = {entry.path for entry in log if entry.kind in (CREATE, MKDIR)}
    moved = {entry.path2 for entry in log if entry.kind == RENAME}
    real = os.path.realpath(recording.root)
    # Directories that the scenario itself makes are on the disk from the beginning.
    recording.made = [
        each for each in sorted(os.listdir(recording.root))
        if os.path.join(real, each) not in created | moved and os.path.isdir(os.path.join(recording.root, each))
    ]
    return recording, log, trouble


class Program:
    def __init__(self, options):
        self.options = options
        self.tool = Tool(options.replay)
        torture.interposer()
        self.directory = torture.scratch()
        self.tried = 0
        self.failures = []
        self.lock = threading.Lock()
        self.serial = 0
        self.kinds = Counter()
        self.where = Counter()
        self.shown = Counter()

    def report(self, image, log, recording, findings, directory, files):
        with self.lock:
            self.failures.append(str(image))
            entry = log[image.index]
            for each in findings:
                self.kinds[general(each)] += 1
            kept = ""
            if self.options.keep:
                place = os.path.join(self.options.keep, str(image).replace("/", "_"))
                shutil.rmtree(place, ignore_errors=True)
                os.makedirs(self.options.keep, exist_ok=True)
                build(files, place)
                Path(place, "WHY").write_text(
                    f"{image}\nafter: {entry}\n" + "\n".join(findings) + "\n"
                )
                kept = f" (kept in {place})"
            rules = [each.facts["rule"] for each in recording.steps if "rule" in each.facts]
            # A fault that hits half of all images is told of a few times; the summary counts the rest.
            kind = frozenset(map(general, findings))
            self.shown[kind] += 1
            if self.shown[kind] > self.options.most and not self.options.only:
                return
            print(
                f"FAIL {image} at {entry}{' with ' + ' '.join(rules) if rules else ''}: {' ;; '.join(findings)[:700]}{kept}\n"
                f"     repeat: {sys.argv[0]} --replay {self.options.replay} --only '{image}'",
                flush=True,
            )

    def work(self, checker, image, files, state, log, recording):
        with self.lock:
            self.serial += 1
            directory = os.path.join(self.directory, f"image-{self.serial}")
        try:
            build(files, directory)
            findings = checker.check(image, state, directory)
            with self.lock:
                self.tried += 1
                self.where[image.scenario] += 1
            if findings:
                self.report(image, log, recording, findings, directory, files)
        except Exception as error:  # a harness that falls over has found nothing
            with self.lock:
                self.failures.append(str(image))
                print(f"FAIL {image}: the harness itself: {type(error).__name__}: {error}", flush=True)
                if self.options.verbose:
                    import traceback
                    traceback.print_exc()
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def scenario(self, name, seed, count, pool, only=None):
        recording, log, trouble = record(self.tool, name, seed, self.directory)
        if trouble:
            with self.lock:
                self.failures.append(f"{name}/{seed}")
                print(f"FAIL {name}/{seed}, undisturbed: {trouble}", flush=True)
        source = random.Random(f"images {name} {seed}")
        if only:
            chosen = [only]
        else:
            # More than are wanted, since many places give the same files; then as many as are wanted, from everywhere.
            seen = set()
            candidates = [image for image, _, _ in cut(
                recording, log, drawn(name, seed, log, count * 3, source), self.options.failed_flush_loses, seen)]
            source.shuffle(candidates)
            chosen = candidates[:count]
        checker = Checker(self.tool, recording)
        slots = threading.BoundedSemaphore(self.options.jobs * 4)

        def done(_):
            slots.release()

        futures = []
        for image, files, state in cut(recording, log, chosen, self.options.failed_flush_loses):
            slots.acquire()
            future = pool.submit(self.work, checker, image, files, state, log, recording)
            future.add_done_callback(done)
            futures.append(future)
        for future in futures:
            future.result()
        shutil.rmtree(recording.directory, ignore_errors=True)
        return len(futures)

    def run(self):
        options = self.options
        start = time.monotonic()
        try:
            with ThreadPoolExecutor(options.jobs) as pool:
                if options.only:
                    image = Image.named(options.only)
                    print(f"images: seed {image.seed}", flush=True)
                    self.scenario(image.scenario, image.seed, 1, pool, image)
                else:
                    print(f"images: seed {options.seed}", flush=True)
                    names = [options.scenario] if options.scenario else list(SHARES)
                    shares = sum(SHARES[name] for name in names)
                    round = 0
                    while self.tried < options.images and round < 400:
                        # A round has at most so many images; another round is another recording, with other kills and sizes.
                        wanted = min(options.images - self.tried, options.round)
                        for name in names:
                            left = options.images - self.tried
                            count = min(left, max(1, -(-wanted * SHARES[name] // shares)))
                            if count > 0:
                                self.scenario(name, options.seed * 1000 + round, count, pool)
                        round += 1
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        for kind, count in self.kinds.most_common(20):
            print(f"  {count:5} {kind}")
        where = ", ".join(f"{name} {count}" for name, count in self.where.items())
        print(f"images: {self.tried} tried, {len(self.failures)} failed ({where}; {time.monotonic() - start:.0f} s)")
        return 1 if self.failures else 0


def general(finding):
    """A finding without numbers and names, to count it by."""
    import re
    finding = re.sub(r"(/[\w.-]+)+", lambda match: os.path.basename(match.group()), finding)
    finding = re.sub(r"Zaq\w+-[\w-]+|mail-[\w@.-]+", "TEXT", finding)
    return re.sub(r"\d+", "N", finding)[:150]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--replay", required=True, help="the tool to test")
    parser.add_argument("--images", type=int, default=300)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a directory for images that failed")
    parser.add_argument("--scenario", choices=list(SCENARIOS))
    parser.add_argument("--round", type=int, default=700, help="images a recording of all scenarios")
    parser.add_argument("--only", metavar="IMAGE", help="one image, as a failure names it")
    parser.add_argument("--failed-flush-loses", action="store_true",
                        help="what a failed flush should have written is never written by a later one")
    parser.add_argument("--most", type=int, default=3, help="failures of one kind that are told of")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    sys.exit(Program(options).run())


if __name__ == "__main__":
    main()
