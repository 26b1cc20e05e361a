#!/usr/bin/env python3
"""Flipped bits in what LMDB's pages say of themselves, in a journal whose files are larger than what is walked when they are opened:
headers, places and heads of nodes, branches. Whoever comes by answers as over whole files, or says that they are damaged.

    pages.py --replay PATH [--rounds N] [--seed S] [--jobs J] [--keep DIR] [--journal DIR] [--only ROUND]

See README.md. Exit code 1 if a round failed."""

import argparse
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
from images import general
from tool import Lines, Tool, shape, text

PAGE = 4096
HEADER = 16
BRANCH, LEAF = 1, 2  # of a page's flags
DATABASE = 2  # of a node's
WALKED = 8 << 20  # files up to so many bytes are walked whenever they are opened
FILES = ["views.mdb", "journal.mdb"]
CLOCK = "2026-03-20T08:00:00Z"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-."
# A trap is a signal at once: the runtime's own program that prints the stack would take minutes.
QUICK_TRAPS = {"SWIFT_BACKTRACE": "enable=no"}
# Each of them on a copy of its own. `submit` is given lines that are accepted.
CALLS = [
    ["show", "examroom.students"],
    ["show", "examroom.account", "S-7"],
    ["show", "examroom.exam", "LONG-2"],
    ["show", "journal.summary"],
    ["models"],
    ["events", "--json"],
    ["rebuild"],
    ["rebuild", "examroom.policy"],
    ["submit", "--clock", CLOCK],
    ["verify"],
]


class School(Lines):
    """Many accounts and attempts, and texts that no packer makes shorter."""

    def noise(self, length):
        return "".join(self.random.choices(LETTERS, k=length))

    def described(self, exam):
        """A row of its own in a leaf."""
        data = {"exam": exam, "title": f"Exam {exam}", "description": self.noise(1100), "durationMinutes": 60}
        return self.line("examroom.exam.create", data, "admin:A-1")

    def long_exam(self, exam, questions):
        """A row that fills pages of its own."""
        made = [self.line("examroom.exam.create", {"exam": exam, "title": f"Exam {exam}", "durationMinutes": 60}, "admin:A-1")]
        for number in range(1, questions + 1):
            options = [{"option": name, "text": self.noise(400), "correct": name == "b"} for name in "abcd"]
            data = {"exam": exam, "question": f"Q-{number}", "prompt": self.noise(1900), "options": options}
            made.append(self.line("examroom.question.add", data, "admin:A-1"))
        return made

    def batches(self):
        """Several commits, so that there are free pages; the last ones are small, and are not sealed."""
        yield self.school(1800, 1)
        yield [line for number in range(32) for line in self.long_exam(f"LONG-{number}", 50)]
        yield [self.described(f"TEXT-{number}") for number in range(4000)]
        yield [self.erase(f"S-{number}") for number in range(20, 40)]
        for number in range(24):
            yield [self.described(f"TAIL-{number}-{each}") for each in range(10)] + [self.register(f"TAIL-{number}")]

    def accepted(self):
        self.minutes = 27 * 1440 - 60
        return [self.register("NEW-1"), *self.exam("NEW-1"), self.revise("S-7"), self.erase("S-50")]


class Whole:
    """A file of LMDB, and which of its pages the trees of the last commit have."""

    def __init__(self, path):
        self.name = path.name
        self.bytes = path.read_bytes()
        self.pages = len(self.bytes) // PAGE
        self.trees = {BRANCH: [], LEAF: []}
        meta = max((HEADER, PAGE + HEADER), key=lambda meta: self.number("Q", meta + 128))
        for database in (24, 72):  # free pages, and the names of all others
            self.walk(self.number("Q", meta + database + 40))

    def number(self, form, offset):
        return struct.unpack_from("<" + form, self.bytes, offset)[0]

    def walk(self, page):
        start = page * PAGE
        if page >= self.pages:  # an empty tree
            return
        kind = self.number("H", start + 10)
        self.trees[kind].append(page)
        for place in range(start + HEADER, start + self.number("H", start + 12), 2):
            node = start + self.number("H", place)
            low, high, flags, key = struct.unpack_from("<HHHH", self.bytes, node)
            if kind == BRANCH:
                self.walk(low | high << 16 | flags << 32)
            elif flags & DATABASE:
                self.walk(self.number("Q", node + 8 + key + 40))


class Damage:
    """The bits of one round."""

    def __init__(self, seed, round, wholes):
        dice = random.Random(f"pages {seed} {round}")
        self.round = round
        self.whole = wholes[round % 2]
        self.file = self.whole.name
        self.count = dice.choice([1, 1, 5, 50, 400])
        self.bits = set()
        while len(self.bits) < self.count:
            self.bits.add((self.place(dice), dice.randrange(8)))

    def place(self, dice):
        """An offset in the file, behind the two meta pages."""
        whole = self.whole
        page = dice.choice([dice.choice(whole.trees[BRANCH]), dice.choice(whole.trees[LEAF]), dice.randrange(2, whole.pages)])
        start = page * PAGE
        # Where the places of the nodes end, if this is a page of a tree.
        end = min(max(whole.number("H", start + 12), HEADER + 2), PAGE)
        node = whole.number("H", start + dice.randrange(HEADER, end - 1, 2))
        return start + dice.choice([
            dice.randrange(HEADER), dice.randrange(HEADER, end), min(node + dice.randrange(8), PAGE - 1), dice.randrange(PAGE),
        ])

    def bytes(self):
        damaged = bytearray(self.whole.bytes)
        for offset, bit in self.bits:
            damaged[offset] ^= 1 << bit
        return damaged

    def __str__(self):
        some = ", ".join(f"{offset // PAGE}+{offset % PAGE}.{bit}" for offset, bit in sorted(self.bits)[:5])
        return f"round {self.round}, {self.file}, bits {self.count} ({some}{' …' if self.count > 5 else ''})"


class Program:
    def __init__(self, options):
        self.options = options
        self.tool = Tool(options.replay, env=QUICK_TRAPS)
        self.directory = torture.scratch()
        self.journal = os.path.join(self.directory, "journal")
        self.lock = threading.Lock()
        self.codes = {name: Counter() for name in FILES}
        self.kinds = Counter()
        self.rounds = self.calls = self.failed = self.serial = 0

    # MARK: What is damaged

    def make(self):
        school = School(self.options.seed)
        batches = list(school.batches())
        if self.options.journal:
            shutil.copytree(self.options.journal, self.journal)
        else:
            self.fill(batches)
        self.accepted = torture.joined(school.accepted())
        self.wholes = [Whole(Path(self.journal, name)) for name in FILES]
        for whole in self.wholes:
            if len(whole.bytes) <= WALKED:
                sys.exit(f"pages: {whole.name} has {len(whole.bytes)} bytes only, and would be walked when it is opened")
        self.expected = [self.call(call) for call in CALLS]
        for call, result in zip(CALLS, self.expected):
            self.must(result, " ".join(call))
            if call[0] == "submit" and any(answer["status"] != "accepted" for answer in torture.outcomes(result.out)):
                sys.exit(f"pages: undisturbed, submit: {text(result.out)}")
            if self.call(call).out != result.out:
                sys.exit(f"pages: undisturbed, {' '.join(call)} prints something else when it is asked again")

    def fill(self, batches):
        self.must(self.tool.init(self.journal), "init")
        for lines in batches:
            result = self.tool.run(["submit", "--clock", CLOCK, "--journal", self.journal], stdin=torture.joined(lines))
            self.must(result, "submit")
            refused = [answer for answer in torture.outcomes(result.out) if answer["status"] != "accepted"]
            if refused:
                sys.exit(f"pages: undisturbed, submit: {json.dumps(refused[0])[:200]}")
        self.must(self.tool.run(["rebuild", "--journal", self.journal]), "rebuild")

    @staticmethod
    def must(result, what):
        if result.code != 0:
            sys.exit(f"pages: undisturbed, {what}: exit {result.code}: {text(result.err)}")

    def call(self, call, file=None, damaged=None):
        """One call to a copy of the journal."""
        with self.lock:
            self.serial += 1
            copy = os.path.join(self.directory, f"copy-{self.serial}")
        try:
            shutil.copytree(self.journal, copy)
            if damaged:
                Path(copy, file).write_bytes(damaged)
            return self.tool.run([*call, "--journal", copy], stdin=self.accepted if call[0] == "submit" else None)
        finally:
            shutil.rmtree(copy, ignore_errors=True)

    # MARK: What is checked

    @staticmethod
    def judge(call, result, expected):
        """What is wrong with an answer over damaged files; None if nothing is."""
        name = " ".join(call[:2]) if call[0] in ("show", "rebuild") else call[0]
        if wrong := shape(result):
            return f"{name}: {wrong}"
        if result.code not in ((0, 1) if call[0] == "verify" else (0, 65)):
            return f"{name}: exit {result.code}: {text(result.err)}"
        if result.code == 0 and result.out != expected.out:
            return f"{name}: exit 0, and printed something else: {difference(result.out, expected.out)}"
        # What was printed before the damage was met is true, and no line of it is cut.
        if result.code == 65 and (not expected.out.startswith(result.out) or result.out[-1:] not in (b"", b"\n")):
            return f"{name}: exit 65, and printed something else before: {difference(result.out, expected.out)}"
        return None

    def work(self, round):
        try:
            damage = Damage(self.options.seed, round, self.wholes)
            damaged = damage.bytes()
            results = [self.call(call, damage.file, damaged) for call in CALLS]
            found = [self.judge(*each) for each in zip(CALLS, results, self.expected)]
            found = [each for each in found if each]
            if results[-1].code == 0 and (missed := [call for call, result in zip(CALLS, results) if result.code == 65]):
                found.append(f"verify found nothing, and exit 65: {', '.join(' '.join(call) for call in missed)}")
            with self.lock:
                self.rounds += 1
                self.calls += len(CALLS)
                for call, result in zip(CALLS, results):
                    self.codes[damage.file][call[0], result.code] += 1
                if found:
                    self.tell(damage, damaged, found)
        except Exception as error:  # a harness that falls over has found nothing
            with self.lock:
                self.rounds += 1
                self.failed += 1
                print(f"FAIL round {round}: the harness itself: {type(error).__name__}: {error}", flush=True)

    def tell(self, damage, damaged, found):
        self.failed += 1
        for each in found:
            self.kinds[general(each)] += 1
        kept, journal = "", f" --journal {self.options.journal}" if self.options.journal else ""
        if self.options.keep:
            whole = os.path.join(self.options.keep, f"{self.options.seed}-whole")
            if not self.options.journal:
                shutil.copytree(self.journal, whole, dirs_exist_ok=True)
            place = os.path.join(self.options.keep, f"{self.options.seed}-{damage.round}")
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(self.journal, place)
            Path(place, damage.file).write_bytes(damaged)
            Path(place, "WHY").write_text(f"seed {self.options.seed}, {damage}\n" + "\n".join(found) + "\n")
            kept, journal = f" (kept in {place})", journal or f" --journal {whole}"
        print(
            f"FAIL {damage}: {' ;; '.join(found)[:700]}{kept}\n"
            f"     repeat: {sys.argv[0]} --replay {self.options.replay} --seed {self.options.seed} --only {damage.round}{journal}",
            flush=True,
        )

    def run(self):
        start = time.monotonic()
        print(f"pages: seed {self.options.seed}", flush=True)
        try:
            self.make()
            for whole in self.wholes:
                count = {kind: len(pages) for kind, pages in whole.trees.items()}
                print(f"  {whole.name}: {len(whole.bytes) / (1 << 20):.1f} MiB, {count[BRANCH]} branches, {count[LEAF]} leaves", flush=True)
            rounds = range(self.options.rounds) if self.options.only is None else [self.options.only]
            with ThreadPoolExecutor(self.options.jobs) as pool:
                list(pool.map(self.work, rounds))
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        for name, codes in self.codes.items():
            calls = dict.fromkeys(call[0] for call in CALLS)
            told = [f"{call} {' '.join(f'{code}×{n}' for (each, code), n in sorted(codes.items()) if each == call)}" for call in calls]
            if codes:
                print(f"  {name}, exit codes: {', '.join(told)}")
        for kind, count in self.kinds.most_common(25):
            print(f"  {count:5} {kind}")
        print(f"pages: {self.rounds} rounds, {self.calls} calls, {self.failed} failed ({time.monotonic() - start:.0f} s)")
        if self.rounds >= 10 and not any(codes["verify", 1] for codes in self.codes.values()):
            print("FAIL: verify found no damage in any round")
            return 1
        return 1 if self.failed else 0


def difference(printed, expected):
    """The first place at which they differ."""
    at = next((at for at, (one, other) in enumerate(zip(printed, expected)) if one != other), min(len(printed), len(expected)))
    return f"at byte {at}: {text(printed[at:], 80)} instead of {text(expected[at:], 80)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--replay", required=True, help="the tool to test")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a directory for the journal and the damaged ones of rounds that failed")
    parser.add_argument("--journal", help="a whole journal that --keep kept, instead of a new one")
    parser.add_argument("--only", type=int, metavar="ROUND", help="one round, as a failure names it")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    sys.exit(Program(options).run())


if __name__ == "__main__":
    main()
