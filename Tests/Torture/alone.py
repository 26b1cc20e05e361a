#!/usr/bin/env python3
"""One writer, alone with its journal, so that its commits wait in the log: killed, stopped, met by readers and by another writer right
behind an answer. Whoever comes finds every command that was acknowledged, or is told to come again.

    python3 Tests/Torture/alone.py --replay .build/release/replay --seconds 60 --seed 1

Exit code 1 if something failed."""

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from processes import Service, Tally, admin, exam, finish, proceed, register
from tool import Tool, outcomes, scratch, shape, text


class Life:
    def __init__(self, tool, directory, dice, tally):
        self.tool, self.dice, self.tally = tool, dice, tally
        self.journal = str(Path(directory) / "journal")
        self.serial = 0
        self.acknowledged = {}  # id -> outcome
        self.sent = {}  # id -> line
        self.met = {}

    def line(self):
        self.serial += 1
        id = f"c-{self.serial}"
        line = exam(id) if self.dice.random() < 0.6 else register(id, f"P-{self.serial}")
        self.sent[id] = line
        return line

    def ask(self, service, lines):
        """A writer that goes on answers every line; one may be told to come again, and has ended then."""
        answers = service.ask(lines)
        if answers is not None and len(answers) == len(lines):
            return self.take(answers)
        code = service.process.wait(30) if answers is None else None
        if code == 75:
            self.tally.busy += 1
        else:
            self.tally.find(f"a writer answered {answers} to {len(lines)} lines, exit {code}: {service.error() if answers is None else ''}")

    def submit(self, lines):
        """Another writer."""
        result, answers = self.tool.submit(lines, self.journal)
        self.take(answers)
        if wrong := shape(result):
            self.tally.find(f"submit: {wrong}")
        elif result.code == 75:
            self.tally.busy += 1
        elif result.code != 0 or len(answers) != len(lines):
            self.tally.find(f"submit: exit {result.code}, {len(answers)} answers: {text(result.err)}")

    def take(self, answers):
        for answer in answers:
            self.tally.outcomes += 1
            before = self.acknowledged.get(answer["id"])
            if before is None and answer["status"] in ("accepted", "duplicate"):
                self.acknowledged[answer["id"]] = answer
            elif before is None or answer["status"] != "duplicate":
                self.tally.find(f"{answer['id']}, acknowledged before: {before is not None}, is answered {json.dumps(answer)[:150]}")

    def run(self):
        made = self.tool.init(self.journal)
        if made.code != 0:
            sys.exit(f"alone: init: {text(made.err)}")
        self.submit([admin()])

    def burst(self):
        """A writer commits line after line; then something happens, right behind the last answer."""
        env = {"SIJILL_SEGMENT_EVENTS": str(self.dice.choice([50, 1024, 8192, 8192, 8192]))}
        service = Service(self.tool, self.journal, env)
        what = self.dice.choice(["kill", "kill", "kill in between", "read", "read stopped", "write", "end"])
        self.met[what] = self.met.get(what, 0) + 1
        for _ in range(self.dice.choice([3, 12, 20, 40, 90])):
            self.ask(service, [self.line() for _ in range(self.dice.choice([1, 1, 1, 5]))])
            if service.process.poll() is not None:
                break
        process = service.process
        if what == "kill in between":
            service.send([self.line() for _ in range(30)])
            time.sleep(self.dice.choice([0, 0.0002, 0.002, 0.004]))
        if what.startswith("kill"):
            process.kill()
            self.tally.kills += 1
        elif what == "read":
            self.read()
        elif what == "read stopped":
            process.send_signal(signal.SIGSTOP)
            self.tally.stops += 1
            self.read(in_full=True)
            proceed(process)
            self.ask(service, [self.line()])
        elif what == "write":
            self.submit([self.line(), self.line()])
            self.ask(service, [self.line()])
        if process.poll() is None and what != "kill":
            process.stdin.close()
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                self.tally.find("a writer whose input ended goes on")
        finish(process)
        self.read()

    def read(self, in_full=False):
        """All that was acknowledged is there for who comes now."""
        for args in [["verify"], ["rebuild", "journal.summary"], ["show", "journal.summary"]] if in_full else []:
            result = self.tool.run([*args, "--journal", self.journal])
            if result.code not in (0, 75) or shape(result):
                self.tally.find(f"{args}: exit {result.code}: {text(result.err)} {text(result.out)}")
        result = self.tool.run(["export", "--journal", self.journal])
        if result.code == 75:
            self.tally.busy += 1
            return None
        if wrong := shape(result):
            return self.tally.find(f"export: {wrong}")
        if result.code != 0:
            return self.tally.find(f"export: exit {result.code}: {text(result.err)}")
        there = {json.loads(raw)["accepted"] for raw in result.out.split(b"\n") if raw.startswith(b'{"accepted"')}
        if missing := sorted(set(self.acknowledged) - there):
            self.tally.find(f"acknowledged, and not there: {missing[:5]} of {len(missing)}")
        if strange := sorted(there - set(self.sent) - {"admin"}):
            self.tally.find(f"there, and never sent: {strange[:5]}")

    def judge(self):
        result = self.tool.run(["verify", "--journal", self.journal])
        report = (outcomes(result.out) or [{}])[0]
        if result.code != 0 or report.get("whole") is not True:
            self.tally.find(f"verify: exit {result.code}: {text(result.out)} {text(result.err)}")
        lines = [self.sent[id] for id in self.acknowledged if id in self.sent]
        for start in range(0, len(lines), 4000):
            self.submit(lines[start:start + 4000])


def adopted_and_killed(tool, tally):
    """While a writer whose commits wait stands still, another one adopts them, commits a new person's key, and is killed right
    behind LMDB's meta page, so that no reader sees its commit. The first one then commits a new person, too."""
    directory = scratch()
    journal = str(Path(directory) / "journal")
    tool.init(journal)
    tool.submit([admin()], journal)
    service = Service(tool, journal)
    try:
        for number in range(20):
            service.ask([exam(f"c-{number}")])
        service.process.send_signal(signal.SIGSTOP)
        tally.stops += 1
        other = tool.run(
            ["submit", "--journal", journal], stdin=register("b", "P-b") + "\n",
            preload=["pwrite:/journal.mdb:2:kill-after"], inside=journal,
        )
        proceed(service.process)
        answers = service.ask([register("a", "P-a")], 30)
        if [answer["status"] for answer in answers or []] != ["accepted"]:
            tally.find(f"a writer behind one that adopted and was killed answered {answers}")
        tally.kills += other.code == -signal.SIGKILL
    finally:
        finish(service.process)
    result = tool.run(["verify", "--journal", journal])
    if result.code != 0:
        tally.find(f"verify behind one that adopted and was killed: exit {result.code}: {text(result.err)}")
    shutil.rmtree(directory, ignore_errors=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--replay", required=True)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    tally = Tally()
    dice = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    met = {}
    for _ in range(3):
        adopted_and_killed(Tool(options.replay), tally)
    while time.monotonic() < end and not tally.findings:
        directory = scratch()
        life = Life(Tool(options.replay), directory, dice, tally)
        try:
            life.run()
            for _ in range(12):
                life.burst()
                if time.monotonic() > end or tally.findings:
                    break
            life.judge()
        finally:
            if not tally.findings:
                shutil.rmtree(directory, ignore_errors=True)
            else:
                print(f"  kept: {directory}")
        for what, count in life.met.items():
            met[what] = met.get(what, 0) + count
    print(
        f"alone: {tally.outcomes} outcomes, {tally.kills} kills, {tally.stops} stops, {tally.busy} told to come again, "
        f"{json.dumps(met)}, {len(tally.findings)} findings"
    )
    sys.exit(1 if tally.findings else 0)


if __name__ == "__main__":
    main()
