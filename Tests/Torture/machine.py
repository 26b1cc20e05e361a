#!/usr/bin/env python3
"""A scenario machine: random sequences of everything that an operator, a client, a crash and a restore can do to a journal, beside
a model in memory of what was acknowledged and who is erased. What the tool says is compared with the model after every step.

    python3 Tests/Torture/machine.py --sequences 200 --seed 1
    python3 Tests/Torture/machine.py --again 'clock:8,batch:11,erase:12'   # as it was printed

A sequence that fails is shrunk by dropping steps. Exit code 1 if one failed."""

import argparse
import copy
import json
import os
import random
import re
import select
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from tool import Tool, clear_texts, identity_of, leftovers, live_slots, outcomes, own_places, places, scratch, shape, text

# Pairs that some comparison of texts takes for one, and texts that are hard in other ways.
PAIRS = [
    ("caf\u00e9", "cafe\u0301"),  # NFC and NFD
    ("\u00c5", "A\u030a"),
    ("\u212b", "\u00c5"),  # one character by canonical equivalence
    ("\ud55c", "\u1112\u1161\u11ab"),  # a Hangul syllable and its letters
    ("\u0622", "\u0627\u0653"),  # alef with madda
    ("q\u0307\u0323", "q\u0323\u0307"),  # the order of marks
    ("\u2126", "\u03a9"),
]
NEIGHBOURS = [
    ("Stra\u00dfe", "STRASSE"),  # one by case folding only
    ("\u0130", "i\u0307"),
    ("\ufb01n", "fin"),
    ("\u0643\u200d\u062a", "\u0643\u062a"),  # with and without a joiner
    ("\u202eabc", "abc"),
    ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\U0001f469\U0001f467"),
    ("a\u00a0b", "a b"),
    ("\u0000x".replace("\u0000", "\u0001"), "x"),
]
# A trap is a signal at once: the runtime's own program that prints the stack would take minutes.
QUICK_TRAPS = {"SWIFT_BACKTRACE": "enable=no"}
# Around a personal text that a search must find, so that it is no plain ASCII.
FRAMES = ["{}", "\u202b{}\u202c", "e\u0301{}", "\u0633\u0627\u0631\u0629 {}", "{}\u200d\u2028", "\U0001f9d5\U0001f3fd{}", "\"\\{}/\t"]

MARK = re.compile(r"Zq\d{5,}x")

# What `--pass` may leave out; `pairs`: no two ids of a batch are equal by canonical equivalence.
KINDS = [
    "acknowledged", "readable", "clear", "slot", "attest", "leftover", "root", "export", "whole", "half", "nonce", "lost", "shape",
    "refused", "pairs",
]


class Finding(Exception):
    """One thing that does not hold: its kind, a word of KINDS, and a sentence."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        # The same trouble in another directory, with other numbers.
        self.sign = re.sub(r"/\S+|[\d'\"]+|\\\\u\w+", "#", f"{kind}: {message}")[:70]


class Text:
    """A personal text that was acknowledged."""

    def __init__(self, mark, unit, key, person):
        self.mark = mark  # ASCII, nowhere else
        self.unit = unit  # whose key seals it: PRODUCT/ID or PRODUCT/ID/N
        self.key = key  # a number for each key that a unit ever had
        self.person = person
        self.state = "live"  # `lost`: its key is not here; `dead`: it must not be readable


class Model:
    """What was acknowledged in one journal."""

    def __init__(self):
        self.acknowledged = {}  # line -> outcome
        self.texts = []
        self.persons = {}  # PRODUCT/ID -> epoch
        self.erased = set()  # persons
        self.ended = set()  # units that ended of persons who go on
        self.keys = {}  # unit -> the key in use
        self.is_blind = False  # the secret of the commands' codes is not here: nobody can say whether an id came with other content

    def copy(self):
        other = copy.copy(self)
        other.acknowledged = dict(self.acknowledged)
        other.texts = [copy.copy(each) for each in self.texts]
        other.persons = dict(self.persons)
        other.erased, other.ended = set(self.erased), set(self.ended)
        other.keys = dict(self.keys)
        return other

    def bury(self):
        """Texts of whoever is erased are dead, keys gone."""
        for each in self.texts:
            if each.person in self.erased or each.unit in self.ended:
                each.state = "dead"
        for unit in [unit for unit in self.keys if unit in self.ended or owner(unit) in self.erased]:
            del self.keys[unit]


def owner(unit):
    return "/".join(unit.split("/")[:2])


class Site:
    """A journal's directory and where its master key lies."""

    def __init__(self, path, master=None):
        self.path = str(path)
        self.master = master and str(master)

    @property
    def env(self):
        return {"SIJILL_MASTER_KEY_FILE": self.master} if self.master else {}

    @property
    def master_file(self):
        return self.master or self.path + "/master.key"


class Service:
    """A `submit` that stays, fed line by line."""

    def __init__(self, world, site):
        self.world = world
        self.process = world.tool.start(
            ["submit", "--journal", site.path, *world.clock_arguments], env=site.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        self.rest = b""

    def tell(self, lines):
        def feed():
            try:
                self.process.stdin.write(joined(lines))
                self.process.stdin.flush()
            except OSError:
                pass

        feeder = threading.Thread(target=feed, daemon=True)
        feeder.start()
        found = []
        deadline = time.monotonic() + 60
        while len(found) < len(lines):
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                self.end(kill=True)
                raise Finding("shape", f"a long-lived submit gave {len(found)} answers to {len(lines)} lines in 60 s")
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                code = self.process.wait(60)
                error = self.process.stderr.read()
                raise Finding("shape", f"a long-lived submit ended, exit {code}: {text(error)}")
            self.rest += piece
            *whole, self.rest = self.rest.split(b"\n")
            found += [json.loads(each) for each in whole]
        feeder.join()
        return found

    def end(self, kill=False):
        if kill:
            self.process.kill()
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Finding("shape", "a submit whose input ended did not end in 60 s")
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        if not kill and code != 0:
            raise Finding("shape", f"a long-lived submit ended with exit code {code}")


def joined(lines):
    return "".join(line + "\n" for line in lines).encode("utf-8", "surrogatepass")


class World:
    def __init__(self, tool, root, passed=(), verbose=False, seed=0):
        self.tool = tool
        self.root = Path(root)
        self.passed = set(passed)
        self.pairs = NEIGHBOURS if "pairs" in self.passed else PAIRS
        self.verbose = verbose
        self.clock = None
        self.count = 0  # of ids and persons
        self.second = 0
        self.key_count = 0
        self.sites = 0
        self.model = Model()
        self.service = None
        self.readers = []
        self.chosen = []
        self.backups = {}
        self.key_copies = {}
        self.lineage = 0
        self.nonces = {}
        self.metas = {}  # line -> what it would make personal, or end
        self.is_torn = False  # the list of erasures is damaged
        self.unsettled = False  # a process was killed, and no writer was there since
        self.lost_lines = []
        self.site = self.new_site(random.Random(0).random() < 0.5)
        self.expect(self.tool.init(self.site.path, env=self.site.env), "init")
        self.submit([self.admin()])

    def admin(self):
        mark = self.mark()
        credential = {"scheme": "bcrypt", "salt": "c2FsdA", "digest": "made-by-the-caller"}
        line = self.command("examroom.account.register", {"account": "A-1", "role": "admin", "name": mark, "credential": credential})
        self.metas[line] = ("admin", "examroom/A-1", [mark])
        return line

    # MARK: Small things

    def new_site(self, is_outside):
        self.sites += 1
        path = self.root / f"j{self.sites}"
        return Site(path, self.root / f"master-{self.sites}" if is_outside else None)

    @property
    def clock_arguments(self):
        return ["--clock", self.clock] if self.clock else []

    def find(self, kind, message):
        if kind not in self.passed:
            raise Finding(kind, message)

    def run(self, *args, site=None, **options):
        site = site or self.site
        return self.tool.run([*args, "--journal", site.path], env=site.env, **options)

    def expect(self, result, what, codes=(0,)):
        if wrong := shape(result):
            self.find("shape", f"{what}: {wrong}")
        elif result.code not in codes:
            self.find("refused", f"{what}: exit {result.code}: {text(result.err)}")
        return result

    def say(self, message):
        if self.verbose:
            print(f"    {message}", flush=True)

    def number(self):
        self.count += 1
        return self.count

    def at(self):
        self.second += 1
        return time.strftime("2026-02-%dT%H:%M:%SZ", time.gmtime(86400 * 1 + 8 * 3600 + self.second))

    def mark(self):
        return f"Zq{self.number():05d}x"

    # MARK: Lines

    def command(self, name, data, by="system", id=None, device=None):
        line = {"id": id or f"c-{self.number()}", "command": name, "at": self.at(), "by": by, "data": data}
        if device:
            line["device"] = device
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))

    def personal(self, dice, mark):
        return dice.choice(FRAMES).format(mark)

    def register(self, dice, id=None, device=None):
        person = f"P-{self.number()}"
        name, mail, digest = self.mark(), self.mark(), self.mark()
        line = self.command(
            "examroom.account.register",
            {
                "account": person, "role": "student", "name": self.personal(dice, name), "email": f"{mail}@example.org",
                "credential": {"scheme": "bcrypt", "salt": "c2FsdA", "digest": digest},
            },
            id=id, device=device,
        )
        self.metas[line] = ("text", f"examroom/{person}", [name, mail, digest])
        return line

    def join(self, dice):
        person = f"L-{self.number()}"
        student = f"student:{person}"
        first = self.command("learnable.student.join", {"student": person, "timeZone": "Asia/Riyadh"}, student)
        self.metas[first] = ("join", f"learnable/{person}", [])
        return [first, self.edit(dice, f"learnable/{person}")]

    def edit(self, dice, person):
        product, id = person.split("/")
        mark = self.mark()
        if product == "examroom":
            line = self.command("examroom.profile.revise", {"account": id, "name": self.personal(dice, mark)}, f"student:{id}")
        else:
            line = self.command(
                "learnable.profile.edit", {"student": id, "name": self.personal(dice, mark), "occupation": "Nurse"}, f"student:{id}"
            )
        self.metas[line] = ("text", person, [mark])
        return line

    def erasure(self, dice, person):
        product, id = person.split("/")
        kind = dice.random()
        if kind < 0.6:
            line = self.command("account.erase", {"subject": person})
        elif product == "examroom":
            line = self.command("examroom.account.delete", {"account": id}, "admin:A-1")
        else:
            line = self.command("learnable.account.delete", {"student": id, "confirmed": True}, f"student:{id}")
        self.metas[line] = ("erase", person, [])
        return line

    def renewal(self, person):
        id = person.split("/")[1]
        line = self.command("learnable.student.start-over", {"student": id, "confirmed": True}, f"student:{id}")
        self.metas[line] = ("renew", person, [])
        return line

    def living(self, product=None):
        return [
            person for person in sorted(self.model.persons)
            if person not in self.model.erased and (product is None or person.startswith(product + "/"))
        ]

    def some_lines(self, dice, count):
        lines = []
        while len(lines) < count:
            kind = dice.random()
            living = self.living()
            number = self.number()
            if kind < 0.25:
                lines.append(self.register(dice))
            elif kind < 0.45:
                # Two ids of one batch, and the devices too, that are equal to whoever compares loosely.
                one, two = dice.choice(self.pairs if dice.random() < 0.7 else NEIGHBOURS)
                pair = [self.register(dice, f"{one}-{number}", dice.choice([None, "D-1"])),
                        self.register(dice, f"{two}-{number}", dice.choice([None, "d-1"]))]
                if dice.random() < 0.3:
                    pair.reverse()
                lines += pair
            elif kind < 0.6:
                lines += self.join(dice)
            elif kind < 0.8 and living:
                lines.append(self.edit(dice, dice.choice(living)))
            elif kind < 0.86:
                one, two = dice.choice(PAIRS)
                lines.append(self.command("examroom.exam.create", {"exam": f"EX-{number}", "title": one + two, "durationMinutes": 30}))
            elif kind < 0.92 and self.model.acknowledged:
                lines.append(dice.choice(list(self.model.acknowledged)))  # a duplicate
            elif kind < 0.96 and len(lines) < count - 1:
                lines.append(self.command("examroom.exam.publish", {"exam": "EX-none"}))  # a rejection
            else:
                lines.append(self.command("clock.advance", {}))
        return lines

    # MARK: Answers

    def take(self, lines, answers):
        self.unreadable("an answer", "\n".join(json.dumps(each, ensure_ascii=False) for each in answers))
        for line, answer in zip(lines, answers):
            status = answer.get("status")
            before = self.model.acknowledged.get(line)
            if before is not None:
                if self.model.is_blind and answer.get("code") == "id-reused":
                    continue
                if status != "duplicate" or places(answer) != own_places(before, answer):
                    self.find(
                        "acknowledged",
                        f"{json.loads(line)['id']!a} was acknowledged at {places(before)[:2]}, and is answered {status} "
                        f"{answer.get('code', '')} {places(answer)[:2]}",
                    )
            elif status in ("accepted", "duplicate"):
                self.acknowledge(line, answer)
            elif status == "rejected" and self.metas.get(line, ("",))[0] == "erase" and self.metas[line][1] not in self.model.erased:
                self.find("refused", f"the erasure of {self.metas[line][1]} is rejected: {answer.get('code')} {answer.get('message')}: {line}")
            elif status != "rejected" or answer.get("code") == "malformed":
                self.find("refused", f"an answer of another kind: {json.dumps(answer)[:300]} to {line[:200]}")

    def acknowledge(self, line, answer):
        self.model.acknowledged[line] = answer
        kind, person, marks = self.metas.get(line, (None, None, []))
        model = self.model
        if kind in ("text", "join"):
            model.persons.setdefault(person, 1)
        if kind in ("text", "admin"):
            unit = person if model.persons.get(person, 1) == 1 else f"{person}/{model.persons[person]}"
            if unit not in model.keys:
                self.key_count += 1
                model.keys[unit] = self.key_count
            for mark in marks:
                one = Text(mark, unit, model.keys[unit], person)
                if person in model.erased:
                    one.state = "dead"
                model.texts.append(one)
        elif kind == "erase":
            model.erased.add(person)
            model.bury()
        elif kind == "renew":
            epoch = model.persons.get(person, 1)
            model.ended.add(person if epoch == 1 else f"{person}/{epoch}")
            model.persons[person] = epoch + 1
            model.bury()

    def submit(self, lines, dice=None):
        """Through the long-lived writer, if there is one and the dice say so, else by a process of its own."""
        if self.service and (dice is None or dice.random() < 0.6):
            answers = self.service.tell(lines)
        else:
            result = self.run("submit", *self.clock_arguments, stdin=joined(lines))
            answers = outcomes(result.out)
            self.take(lines, answers)
            self.expect(result, "submit")
            if len(answers) != len(lines):
                self.find("shape", f"{len(answers)} answers to {len(lines)} lines")
            self.unsettled = False
            return
        self.take(lines, answers)

    # MARK: What must hold

    def dead(self):
        return [each.mark for each in self.model.texts if each.state == "dead"]

    def unreadable(self, what, printed):
        if marks := set(self.dead()).intersection(MARK.findall(printed)):
            self.find("readable", f"{what} shows {min(marks)}, of somebody erased")

    def check(self, writes=False, all=True):
        export = self.expect(self.run("export"), "export").out.decode("utf-8", "replace")
        # Each question is a process: not every one after every step.
        events = self.expect(self.run("events", "--json"), "events").out.decode("utf-8", "replace") if all else export
        self.unreadable("export", export)
        self.unreadable("events", events)
        shown = set(MARK.findall(export)).intersection(MARK.findall(events))
        for each in self.model.texts:
            if each.state == "live" and each.mark not in shown:
                self.find("lost", f"{each.mark} of {each.unit} is not erased, its key was kept, and it is not readable")
        gone = sorted(self.model.erased)
        for person in gone[-2:] if all else []:
            product, id = person.split("/")
            for args in (["audit.subject", person], [f"{product}.account", id], ["person.timeline", person]):
                shown = self.expect(self.run("show", *args), f"show {args[0]}")
                self.unreadable(f"show {' '.join(args)}", shown.out.decode("utf-8", "replace"))
        self.recorded(export)
        self.unreadable_files(self.site.path)
        self.receipts(gone)
        self.boxes(export)
        self.whole()
        if writes:
            self.submit(list(self.model.acknowledged)[-400:])
        if not self.unsettled and not self.service:
            self.settled()

    def recorded(self, export):
        """By what the export says; by the answers of another `submit` where a writer does no harm to what is looked for."""
        if "acknowledged" in self.passed:
            return
        commands = {}
        for raw in export.split("\n"):
            if raw.startswith('{"accepted"'):
                line = json.loads(raw)
                commands[line["accepted"]] = line
        for line, outcome in self.model.acknowledged.items():
            id = json.loads(line)["id"]
            if id not in commands:
                self.find("acknowledged", f"{id!a} was acknowledged, and the export has no line for it")
            elif (mine := places(outcome)) and commands[id]["events"]:
                first = commands[id]["first"]
                if first not in [place[0] for place in mine]:
                    self.find("acknowledged", f"{id!a} was acknowledged at {mine[0][0]}, and the export says {first}")

    def unreadable_files(self, directory):
        if marks := self.dead():
            for file, mark in clear_texts(directory, marks)[:1]:
                self.find("clear", f"the file {file} holds {mark}, of somebody erased")
        units = set(self.model.ended)
        for person in self.model.erased:
            units |= {person} | {f"{person}/{number}" for number in range(2, self.model.persons.get(person, 1) + 2)}
        for file, slot, person in live_slots(directory, identity_of(directory), units)[:1]:
            if not self.unsettled or file == "keys":
                self.find("slot", f"slot {slot} of {file} still holds a key of {person}, who was erased")

    def receipts(self, gone):
        if not gone:
            return
        receipts = {each["person"]: each for each in outcomes(self.expect(self.run("erase", "--attest"), "erase --attest").out)}
        for person in gone:
            receipt = receipts.get(person)
            if receipt is None:
                self.find("attest", f"erase --attest has no receipt for {person}, who was erased")
            elif receipt.get("keyDestroyed") is not True:
                self.find("attest", f"erase --attest says that the key of {person} is left")

    def boxes(self, export):
        """No two boxes of a person have one nonce, in whatever journal of the family."""
        if "nonce" in self.passed:
            return
        for raw in export.split("\n"):
            if '"sealed":{' not in raw:
                continue
            line = json.loads(raw)
            sealed = line["sealed"]
            nonce = sealed["box"][:16] if "term" in sealed else f"{line['recordedAt']} {line['position']}"
            before = self.nonces.setdefault((sealed["person"], nonce), sealed["box"])
            if before != sealed["box"]:
                self.find("nonce", f"two boxes of {sealed['person']} with one nonce, at position {line['position']}")

    def whole(self):
        result = self.run("verify")
        report = (outcomes(result.out) or [{}])[0]
        if wrong := shape(result):
            self.find("shape", f"verify: {wrong}")
        elif self.is_torn and report.get("findings") and all("erasures.jsonl" in each for each in report["findings"]):
            pass  # said, as it should be, until somebody makes the list again
        elif result.code != 0 or report.get("whole") is not True or report.get("findings"):
            self.find("whole", f"verify: exit {result.code}: {text(result.out)} {text(result.err)}")
        return report

    def settled(self):
        for name in leftovers(self.site.path):
            self.find("leftover", f"{name} lies in the directory after a writer has been and gone")

    def summary(self, site):
        result = self.expect(self.run("show", "journal.summary", site=site), "show journal.summary")
        report = (outcomes(result.out) or [{}])[0]
        return report.get("rootHash"), report.get("events")

    # MARK: Steps

    def step(self, name, seed):
        """A seed may be followed by choices that are made for the dice: restore:7/A/K1."""
        seed, *self.chosen = str(seed).split("/")
        getattr(self, "step_" + name)(random.Random(int(seed)))

    def pick(self, dice, options):
        drawn = dice.choice(options)
        if not self.chosen:
            return drawn
        given = self.chosen.pop(0)
        return next((each for each in options if str(each) == given), drawn)

    def step_clock(self, dice):
        """From here on everything is recorded at one instant."""
        self.end_service()
        self.clock = "2026-02-02T08:00:00Z"

    def step_batch(self, dice):
        self.submit(self.some_lines(dice, dice.randint(1, 12)), dice)

    def step_bulk(self, dice):
        self.submit([self.register(dice) for _ in range(dice.randint(150, 900))], dice)

    def step_erase(self, dice):
        living = self.living()
        if not living:
            return
        persons = dice.sample(living, min(len(living), dice.choice([1, 1, 1, 2, 4])))
        lines = [self.edit(dice, persons[0])] if dice.random() < 0.3 else []
        lines += [self.erasure(dice, person) for person in persons]
        self.submit(lines, dice)

    def step_renew(self, dice):
        living = self.living("learnable")
        if not living:
            return
        person = dice.choice(living)
        lines = [self.renewal(person)]
        self.submit(lines, dice)
        if dice.random() < 0.7:
            self.submit([self.edit(dice, person)], dice)

    def step_kill(self, dice):
        """A writer dies at any instant; a client sends again what was not answered."""
        lines = self.some_lines(dice, dice.choice([3, 20, 80]))
        living = self.living()
        if living and dice.random() < 0.6:
            place = dice.randrange(len(lines))
            lines.insert(place, self.erasure(dice, dice.choice(living)))
        process = self.tool.start(
            ["submit", "--journal", self.site.path, *self.clock_arguments], env=self.site.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        pieces = []
        reader = threading.Thread(target=lambda: pieces.append(process.stdout.read()))
        reader.start()
        try:
            size = dice.choice([1, 4, 1000])
            pause = dice.uniform(0, 0.004)
            end = time.monotonic() + dice.uniform(0, 0.09)
            for start in range(0, len(lines), size):
                process.stdin.write(joined(lines[start:start + size]))
                process.stdin.flush()
                time.sleep(pause)
            time.sleep(max(0, end - time.monotonic()))
        except OSError:
            pass
        process.kill()
        process.wait()
        reader.join()
        try:
            process.stdin.close()
        except OSError:
            pass
        process.stdout.close()
        self.unsettled = True
        self.take(lines, outcomes(pieces[0]))
        if dice.random() < 0.5:
            self.check()
        self.submit(lines)

    def step_rotate(self, dice):
        if dice.random() < 0.5:
            result = self.run("key", "rotate")
            self.expect(result, "key rotate")
            self.unsettled = False
            return
        process = self.tool.start(
            ["key", "rotate", "--journal", self.site.path], env=self.site.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        # Often just when the new file is there, else at any instant.
        watched = self.site.path + "/keys.new" if dice.random() < 0.7 else None
        until = time.monotonic() + (2 if watched else dice.uniform(0, 0.06))
        while time.monotonic() < until and process.poll() is None:
            if watched and os.path.exists(watched):
                break
        time.sleep(dice.choice([0, 0, 0.001]))
        process.kill()
        process.wait()
        self.unsettled = True
        living = self.living()
        if living and dice.random() < 0.6:
            self.submit([self.erasure(dice, dice.choice(living))])

    def step_open(self, dice):
        if not self.service:
            self.service = Service(self, self.site)
            self.submit(self.some_lines(dice, 2))

    def step_close(self, dice):
        self.end_service(kill=dice.random() < 0.4)

    def end_service(self, kill=False):
        if self.service:
            service, self.service = self.service, None
            service.end(kill)
            if kill:
                self.unsettled = True

    def step_reader(self, dice):
        """A reader that nobody reads from; killed at some time."""
        if len(self.readers) > 2:
            self.readers.pop(0).end()
            return
        args = dice.choice([["export"], ["events", "--follow"], ["export", "--sealed"], ["events", "--json"]])
        self.readers.append(Reader(self.tool, self.site, args))
        time.sleep(0.05)

    def step_unread(self, dice):
        for reader in self.readers:
            reader.end()
        self.readers = []

    def step_rebuild(self, dice):
        self.expect(self.run("rebuild", *dice.choice([[], ["--check"], ["--tree"]])), "rebuild")

    def step_again(self, dice):
        """What was acknowledged is sent again; so is what a restore took back, of those who are not erased."""
        lines = list(self.model.acknowledged)
        if self.lost_lines and dice.random() < 0.7:
            gone = self.model.erased
            lines = [
                line for line in self.lost_lines
                if self.metas.get(line, (None, None))[1] not in gone and self.metas.get(line, (None, None))[0] in ("text", "join", None)
            ]
            self.lost_lines = []
        self.submit(lines[-500:], dice)

    # MARK: Copies

    def masters(self):
        """The master key, and the next one while a rotation is under way."""
        found = {}
        for suffix in ("", ".next"):
            try:
                found[suffix] = Path(self.site.master_file + suffix).read_bytes()
            except FileNotFoundError:
                pass
        return found

    def step_backup(self, dice):
        name = self.pick(dice, "AB")
        known = self.backups.get(name)
        if known is None or known["lineage"] != self.lineage:
            known = {"path": self.root / f"backup-{self.number()}", "lineage": self.lineage, "ended": set(), "erased": set()}
        args = ["backup", str(known["path"])]
        keys = self.pick(dice, [None, "K1", "K1", "K2"]) if self.model.keys else None
        copied = self.key_copies.get(keys)
        if copied is None or copied["lineage"] != self.lineage:
            copied = {"path": self.root / f"{keys}-{self.number()}", "erased": set(), "ended": set()}
        if keys:
            args += ["--keys", str(copied["path"])]
        result = self.expect(self.run(*args), "backup")
        self.unsettled = False
        known["model"] = self.model.copy()
        known["erased"] |= self.model.erased
        known["ended"] |= self.model.ended
        known["root"] = self.summary(self.site)
        self.backups[name] = known
        if keys:
            self.key_copies[keys] = {
                "path": copied["path"], "lineage": self.lineage, "masters": self.masters(), "keys": dict(self.model.keys),
                "erased": copied["erased"] | self.model.erased, "ended": copied["ended"] | self.model.ended,
            }
            if dice.random() < 0.5:
                self.try_restore(name, keys)
        elif dice.random() < 0.3:
            self.try_restore(name, None)

    def step_past(self, dice):
        """Back to an older backup, with newer keys: what the keys have been told of is not in the journal yet."""
        one, other = dice.choice(["AB", "BA"])
        for name, seed in [
            ("backup", f"{one}/K1"), ("batch", ""), ("batch", ""), ("erase", ""), ("backup", f"{other}/{dice.choice(['K1', 'K1', 'K2'])}"),
            ("restore", f"{one}/{dice.choice(['K1', 'K1', 'K2'])}"),
        ]:
            self.step(name, f"{dice.getrandbits(32)}/{seed}".rstrip("/"))

    def restored_site(self, keys, dice=None):
        """Where to restore to, with the master key that the copy of keys needs."""
        copied = self.key_copies.get(keys)
        beside = self.tool.knows_simulated and dice is not None and dice.random() < 0.3
        site = self.new_site(not beside)
        if copied:
            for suffix, content in copied["masters"].items():
                place = str(copied["path"] / "master.key") if beside else site.master
                write_secret(place + suffix, content)
        return site

    def try_restore(self, name, keys):
        """What was just backed up has the same root, and the same lines."""
        site = self.restored_site(keys)
        args = ["restore", str(self.backups[name]["path"])] + (["--keys", str(self.key_copies[keys]["path"])] if keys else [])
        self.expect(self.run(*args, site=site), f"restore of a backup just made, {'with' if keys else 'without'} keys")
        self.same(self.site, site, "the restored journal", plain=bool(keys))
        self.discard(site)

    def same(self, one, two, what, plain):
        if self.summary(one) != self.summary(two):
            self.find("root", f"{what} has the root {self.summary(two)}, not {self.summary(one)}")
        for args in [["export", "--sealed"]] + ([["export"]] if plain else []):
            first, second = (self.expect(self.run(*args, site=site), " ".join(args)).out for site in (one, two))
            if first != second:
                self.find("export", f"{what}: {' '.join(args)} differs: {difference(first, second)}")

    def discard(self, site):
        shutil.rmtree(site.path, ignore_errors=True)

    def step_restore(self, dice):
        if not self.backups:
            return
        # Rather an old one, with whatever keys.
        name = self.pick(dice, sorted(self.backups, key=lambda each: self.backups[each]["root"][1]) + sorted(self.backups))
        keys = self.pick(dice, [None, *sorted(self.key_copies) * 3])
        backup = self.backups[name]
        args = ["restore", str(backup["path"])]
        copied = self.key_copies.get(keys)
        # Keys of another journal are refused, and none are taken then.
        if copied and copied["lineage"] != backup["lineage"]:
            keys = copied = None
        if copied:
            args += ["--keys", str(copied["path"])]
        erased, ended = set(backup["erased"]), set(backup["ended"])
        if copied:
            erased |= copied["erased"]
            ended |= copied["ended"]
        if self.pick(dice, [True, False, False]) and os.path.exists(self.site.path + "/erasures.jsonl"):
            args += ["--erasures", self.site.path + "/erasures.jsonl"]
            erased |= self.model.erased
            ended |= self.model.ended
        self.say(f"restore {name} (up to {backup['root'][1]}) with keys {keys}, {len(erased)} erased, to j{self.sites + 1}")
        site = self.restored_site(keys, dice)
        if dice.random() < 0.3:
            self.killed(args, site, backup["root"], dice)
        self.expect(self.run(*args, site=site), f"restore {name} with keys {keys}")
        model = backup["model"].copy()
        model.erased |= {person for person in erased if person in model.persons}
        model.ended |= ended
        kept = copied["keys"] if copied else {}
        for each in model.texts:
            if each.state == "live" and kept.get(each.unit) != each.key:
                each.state = "lost"
        # Keys of whom the journal says nothing may or may not be kept: nothing is expected of them.
        model.keys = {each.unit: each.key for each in model.texts if each.state == "live"}
        model.is_blind |= not copied
        # Of whom the backup knows nothing, the list may: nothing of theirs is sent again.
        self.go_on(site, model, [line for line in self.model.acknowledged if line not in model.acknowledged], erased)
        if not (model.erased - backup["model"].erased) and not (model.ended - backup["model"].ended):
            if self.summary(site) != backup["root"]:
                self.find("root", f"restored: {self.summary(site)}, backed up: {backup['root']}")

    def go_on(self, site, model, lost=(), gone=()):
        """The journal in another directory is the journal from here on."""
        self.end_service()
        model.bury()
        self.lost_lines = [line for line in lost if self.metas.get(line, (0, None))[1] not in gone]
        self.site, self.model = site, model
        self.is_torn = False
        self.lineage = self.number()
        self.unsettled = False
        self.read_epochs()

    def read_epochs(self):
        """A restore gives a learner's command of starting over again."""
        for person in self.model.persons:
            if person.startswith("learnable/"):
                self.model.persons[person] = 1
        result = self.expect(self.run("events", "--json", "--type", "learnable.student.started-over"), "events")
        for event in outcomes(result.out):
            person = f"learnable/{event['data']['student']}"
            if person in self.model.persons:
                self.model.persons[person] = event["data"]["epoch"]

    def killed(self, args, site, expected, dice, stdin=None):
        """A restore or an import that dies leaves no journal, or the whole one; and it can be run again."""
        process = self.tool.start(
            [*args, "--journal", site.path], env=site.env,
            stdin=open(stdin, "rb") if stdin else subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        watched = site.path + "/journal.mdb"
        least = dice.choice([0, 1, 40_000, 100_000, 400_000])
        until = time.monotonic() + 5
        while process.poll() is None and time.monotonic() < until:
            try:
                if os.path.getsize(watched) >= least:
                    break
            except OSError:
                pass
        time.sleep(dice.choice([0, 0, 0.002, 0.01]))
        ended = process.poll() is not None
        process.kill()
        process.wait()
        self.say(f"killed {'too late' if ended else 'in time'} {args[0]}")
        if os.path.isdir(site.path):
            result = self.run("verify", site=site)
            report = (outcomes(result.out) or [{}])[0]
            if wrong := shape(result):
                self.find("shape", f"verify after a killed {args[0]}: {wrong}")
            if result.code == 0:
                root, events = self.summary(site)
                if events < expected[1] or (events == expected[1] and root != expected[0]):
                    self.find("half", f"a {args[0]} killed half-way passes for whole: {events} of {expected[1]} events")
                self.say(f"the killed {args[0]} was complete: {report.get('events')}")
                self.discard(site)
            elif not self.tool.knows_simulated:
                self.discard(site)  # the former build wants an empty place

    def step_carry(self, dice):
        """Export, import, export: the same bytes."""
        sealed = dice.random() < 0.3
        args = ["export", "--sealed"] if sealed else ["export"]
        exported = self.expect(self.run(*args), "export").out
        file = self.root / f"export-{self.number()}.jsonl"
        file.write_bytes(exported)
        site = self.new_site(dice.random() < 0.5)
        if dice.random() < 0.3:
            self.killed(["import"], site, self.summary(self.site), dice, stdin=file)
        self.expect(self.run("import", str(file), site=site), f"import of {' '.join(args)}")
        again = self.expect(self.run(*args, site=site), "export of what was imported").out
        if again != exported:
            self.find("export", f"export, import, export differ: {difference(exported, again)}")
        if self.summary(site) != self.summary(self.site):
            self.find("root", f"imported: {self.summary(site)}, exported: {self.summary(self.site)}")
        file.unlink()
        if dice.random() < 0.5:
            model = self.model.copy()
            for each in model.texts:
                if sealed and each.state == "live":
                    each.state = "lost"
            model.keys = {each.unit: each.key for each in model.texts if each.state == "live"}
            model.is_blind |= sealed
            self.go_on(site, model)
        else:
            self.discard(site)

    def step_copy(self, dice):
        """The directory is copied while nobody writes, and opened there."""
        self.end_service()
        site = self.new_site(bool(self.site.master))
        shutil.copytree(self.site.path, site.path)
        for suffix, content in self.masters().items():
            if site.master:
                write_secret(site.master + suffix, content)
        lock = Path(site.path, "journal.mdb-lock")
        if dice.random() < 0.5 and lock.exists():
            lock.unlink()
        self.same(self.site, site, "the copy", plain=True)
        if dice.random() < 0.7:
            unsettled, torn = self.unsettled, self.is_torn
            self.go_on(site, self.model)
            self.unsettled, self.is_torn = unsettled, torn
        else:
            self.discard(site)

    def step_tail(self, dice):
        """What a power loss leaves at the end of the list of erasures."""
        path = self.site.path + "/erasures.jsonl"
        with open(path, "ab") as file:
            file.write(dice.choice([b'{"erasedAt":"2026-02-03T08:00', b"\0\0\0\0", b'{"erasedAt":"2026', b"\xff\xfe"]))
        os.chmod(path, 0o600)
        self.is_torn = True

    def mended(self):
        """A list that can be made again is made again: by the next writer, or else when it is asked for."""
        if self.is_torn:
            self.expect(self.run("rebuild"), "rebuild")
            self.is_torn = False

    def end(self):
        for reader in self.readers:
            reader.end()
        self.readers = []
        if self.service:
            self.service.process.kill()
            self.service.process.wait()


class Reader:
    def __init__(self, tool, site, args):
        self.process = tool.start(
            [*args, "--journal", site.path], env=site.env,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        shrink_pipe(self.process.stdout)

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def shrink_pipe(stream):
    """So that little output blocks whoever writes it."""
    import fcntl

    try:
        fcntl.fcntl(stream.fileno(), 1031, 4096)  # F_SETPIPE_SZ
    except OSError:
        pass


def write_secret(path, content):
    Path(path).unlink(missing_ok=True)
    with open(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def difference(one, two):
    first, second = one.split(b"\n"), two.split(b"\n")
    for number, (before, after) in enumerate(zip(first, second), 1):
        if before != after:
            return f"line {number}: {text(before, 260)!a} became {text(after, 260)!a}"
    return f"{len(first)} lines became {len(second)}"


# MARK: Sequences

WEIGHTS = {
    "batch": 22, "bulk": 3, "erase": 12, "renew": 6, "kill": 8, "rotate": 6, "open": 6, "close": 4, "reader": 4, "unread": 2,
    "rebuild": 2, "again": 4, "backup": 11, "restore": 9, "carry": 5, "copy": 4, "past": 4, "tail": 1,
}

# What is more likely to be met just behind it.
OFTEN_AFTER = {
    "open": ["batch", "rotate"], "rotate": ["erase", "erase", "renew"], "restore": ["erase", "erase", "batch"],
    "past": ["erase", "erase", "renew"], "carry": ["erase"],
    "copy": ["batch", "erase"], "erase": ["backup", "backup", "batch"], "backup": ["batch", "erase"], "kill": ["batch", "erase"],
}


def sequence_of(seed, length, names):
    dice = random.Random(seed)
    steps = [("clock", 0)] if dice.random() < 0.35 else []
    steps.append(("batch", dice.getrandbits(32)))
    weights = [WEIGHTS[name] for name in names]
    while len(steps) < length:
        after = [name for name in OFTEN_AFTER.get(steps[-1][0], []) if name in names]
        name = dice.choice(after) if after and dice.random() < 0.5 else dice.choices(names, weights)[0]
        steps.append((name, dice.getrandbits(32)))
    return steps


def play(tool, steps, passed, verbose=False, keep=None):
    """(finding or None, number of the step that showed it)."""
    root = scratch("sijill-machine-")
    world = None
    finding, at = None, len(steps)
    try:
        world = World(tool, root, passed, verbose)
        for number, (name, seed) in enumerate(steps):
            at = number
            if verbose:
                print(f"  {number}: {name}:{seed}", flush=True)
            world.step(name, seed)
            world.check(all=int(str(seed).split("/")[0]) % 4 == 0)
        at = len(steps)
        world.end_service()
        world.submit([world.register(random.Random(0))])  # the next writer
        world.mended()
        world.check(writes=True)
    except Finding as found:
        finding = found
    finally:
        if world:
            world.end()
        if finding and keep:
            shutil.rmtree(keep, ignore_errors=True)
            shutil.copytree(root, keep, symlinks=True)
        shutil.rmtree(root, ignore_errors=True)
    return finding, at


def shrink(tool, steps, sign, passed, budget):
    """Drops steps while a finding of the same kind stays; each try costs a run."""
    end = time.monotonic() + budget
    size = max(1, len(steps) // 2)
    while size >= 1:
        start, dropped = 0, False
        while start < len(steps) and time.monotonic() < end:
            fewer = steps[:start] + steps[start + size:]
            # Kills hit by chance: twice, before a step is held to be needed.
            for _ in range(2):
                finding, _ = play(tool, fewer, passed) if fewer else (None, 0)
                if finding:
                    break
            if finding and finding.sign == sign:
                steps, dropped = fewer, True
            else:
                start += size
        if time.monotonic() >= end:
            break
        size = size // 2 if size > 1 else (1 if dropped else 0)
    return steps


def written(steps):
    return ",".join(f"{name}:{seed}" for name, seed in steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--replay", default=".build/release/replay", help="the program to try")
    parser.add_argument("--sequences", type=int, default=20)
    parser.add_argument("--steps", type=int, default=18, help="of a sequence")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--pass", dest="passed", default="", help=f"kinds of findings to pass over: {','.join(KINDS)}")
    parser.add_argument("--only", default="", help=f"steps to choose among: {','.join(WEIGHTS)}")
    parser.add_argument("--without", default="", help="steps to leave out")
    parser.add_argument("--again", default="", help="steps, as they were printed")
    parser.add_argument("--keep", default=None, help="a directory for what the last failure left")
    parser.add_argument("--shrink", type=int, default=60, help="seconds for making a failure smaller")
    parser.add_argument("--failures", type=int, default=5, help="stop after so many failed sequences")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    tool = Tool(options.replay, env=QUICK_TRAPS)
    passed = [kind for kind in options.passed.split(",") if kind]
    if unknown := set(passed) - set(KINDS):
        sys.exit(f"machine: no such kind: {', '.join(sorted(unknown))}")

    if options.again:
        steps = [(name, seed) for name, seed in (each.split(":") for each in options.again.split(","))]
        finding, at = play(tool, steps, passed, verbose=True, keep=options.keep)
        print(f"step {at}: {finding}" if finding else "nothing found")
        print(f"machine: 1 sequences, {len(steps)} steps, {int(finding is not None)} failed")
        sys.exit(1 if finding else 0)

    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    print(f"machine: seed {seed}", flush=True)
    names = [name for name in WEIGHTS if not options.only or name in options.only.split(",")]
    names = [name for name in names if name not in options.without.split(",")]
    total = failed = run = 0
    for number in range(options.sequences):
        steps = sequence_of(f"{seed}/{number}", options.steps, names)
        finding, at = play(tool, steps, passed, options.verbose, options.keep)
        run += 1
        total += min(at + 1, len(steps))
        if finding:
            failed += 1
            print(f"sequence {number}, step {at}: {finding}", flush=True)
            small = shrink(tool, steps[:at + 1], finding.sign, passed, options.shrink)
            print(f"  {len(small)} steps: --again '{written(small)}'", flush=True)
            if failed >= options.failures:
                break
    print(f"machine: {run} sequences, {total} steps, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
