#!/usr/bin/env python3
"""Failing calls: each sub-command's run with an error at the n-th call, for every call and every n; then the oracle.

    faults.py --replay PATH [--quick [N]] [--seed S] [--jobs J] [--keep DIR] [--command NAME] [--only FAULT]

See README.md. Exit code 1 if a run failed."""

import argparse
import os
import random
import shutil
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
import tool as torture
from images import general
from tool import Known, Lines, Oracle, Tool, shape, text

KILLS = ["kill-before", "kill-after"]
# What is done to which call.
ACTIONS = {
    "write": ["EIO", "ENOSPC", "EINTR", "short", "cut-ENOSPC", "kill-half", *KILLS],
    "pwrite": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short", "cut-ENOSPC", "cut-EIO", "kill-half", *KILLS],
    "writev": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short", "cut-ENOSPC", "kill-half", *KILLS],
    "pwritev": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short", "cut-ENOSPC", "kill-half", *KILLS],
    "read": ["EIO", "EINTR", "short"],
    "pread": ["EIO", "EINTR", "short"],
    "open": ["EIO", "ENOSPC", "EINTR", "EMFILE", "EACCES", "kill-after"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR", *KILLS],
    "fallocate": ["EIO", "ENOSPC", "EDQUOT", "EINTR", *KILLS],
    "fsync": ["EIO", "ENOSPC", "EINTR", *KILLS],
    "fdatasync": ["EIO", "ENOSPC", "EINTR", *KILLS],
    "msync": ["EIO"],
    "rename": ["EIO", "ENOSPC", "EDQUOT", *KILLS],
    "link": ["EIO", "ENOSPC", *KILLS],
    "unlink": ["EIO", "EACCES", *KILLS],
    "mkdir": ["EIO", "ENOSPC", "EDQUOT", *KILLS],
    "rmdir": ["EIO", *KILLS],
    "mmap": ["ENOMEM", "EACCES"],
}


class Command:
    """A sub-command with the directory that it is run in: `j` the journal, `b` a backup, `k` keys, `t` what it makes."""

    def __init__(self, name, args, lines=(), target="j", segment=None, reads=False, key=False):
        self.name, self.args, self.lines, self.target = name, args, list(lines), target
        self.env = {"SIJILL_MASTER_KEY_FILE": "ROOT/m/master.key"} if name in ("restore", "import") else {}
        if segment:
            self.env["SIJILL_SEGMENT_EVENTS"] = str(segment)
        self.reads = reads  # prints and changes nothing that matters
        self.known = Known()
        self.expected = None  # what it prints undisturbed, of those that read
        self.counts = {}
        self.template = None

    def arguments(self, root):
        return [each.replace("ROOT", root) for each in self.args] + ["--journal", os.path.join(root, self.target)]

    def environment(self, root):
        return {name: value.replace("ROOT", root) for name, value in self.env.items()}


class Stage:
    """Makes each command's directory once, and knows what was acknowledged in it."""

    def __init__(self, tool, directory, seed, only=None):
        self.tool, self.directory, self.only = tool, directory, only
        lines = Lines(seed)
        self.names = lines.names
        some = [lines.register("A-1", "admin"), lines.register("S-1"), lines.register("S-2"), *lines.exam("EX-1", 2)]
        more = [*lines.attempt("AT-1", "EX-1", "S-1", 2), lines.erase("S-2"), lines.register("S-3"), lines.revise("S-3")]
        new = [lines.register("S-4"), lines.revise("S-1"), *lines.attempt("AT-2", "EX-1", "S-3", 2)]
        erase = [lines.erase("S-1"), lines.erase("S-3")]
        bulk = [lines.register(f"T-{number}") for number in range(9)]
        simulated = ["--simulated"] if tool.knows_simulated else []
        made = [
            self.made(Command("init", ["init", *simulated]), []),
            self.made(Command("first", ["submit"], some[:2]), [[]]),
            self.made(Command("submit", ["submit"], new), [some, more]),
            self.made(Command("erase", ["submit"], erase), [some, more]),
            self.made(Command("seal", ["submit"], bulk, segment=4), [some[:3], some[3:], more]),
            self.made(Command("rotate", ["key", "rotate"]), [some, more]),
            self.made(Command("backup", ["backup", "ROOT/b", "--keys", "ROOT/k"]), [some, more]),
            self.made(Command("backup-on", ["backup", "ROOT/b", "--keys", "ROOT/k"]), [some, "backup", more]),
            self.made(Command("restore", ["restore", "ROOT/b", "--keys", "ROOT/k"], target="t"), [some, more, "backup", erase]),
            self.made(Command("import", ["import", "ROOT/export"], target="t"), [some, more, "export"]),
            self.made(Command("checkpoint", ["checkpoint", "--key", "ROOT/log.key", "--attest"]), [some, more]),
            self.made(Command("rebuild", ["rebuild"], reads=True), [some, more]),
            self.made(Command("verify", ["verify"], reads=True), [some, more]),
            self.made(Command("export", ["export"], reads=True), [some, more]),
            self.made(Command("show", ["show", "examroom.account", "S-1"], reads=True), [some, more]),
            self.made(Command("events", ["events", "--json"], reads=True), [some, more]),
        ]
        self.commands = [command for command in made if command]

    def made(self, command, steps):
        if self.only and command.name != self.only:
            return None
        root = command.template = os.path.join(self.directory, command.name)
        os.mkdir(root, 0o700)
        os.mkdir(os.path.join(root, "m"), 0o700)
        # Each run has its own: to one key, runs that go on from the same journal would be forks.
        self.tool.run(["key", "new", os.path.join(root, "log.key"), "--name", "example.org/torture"])
        journal, env = os.path.join(root, "j"), command.environment(root)
        command.known = known = Known(self.names)
        command.backed = None
        if steps:
            self.must(self.tool.init(journal, env=env), "init")
        for step in steps:
            if step == "backup":
                self.must(self.tool.run(
                    ["backup", os.path.join(root, "b"), "--keys", os.path.join(root, "k"), "--journal", journal], env=env), "backup")
                command.backed = dict(known.acknowledged)
            elif step == "export":
                result = self.tool.run(["export", "--journal", journal], env=env)
                self.must(result, "export")
                Path(root, "export").write_bytes(result.out)
            elif step:
                result, answers = self.tool.submit(step, journal, env=env)
                self.must(result, "submit")
                known.take(step, answers)
        # How many calls of each kind an undisturbed run makes, and what it prints.
        copy = os.path.join(self.directory, "count")
        shutil.copytree(root, copy, symlinks=True)
        fired = os.path.join(self.directory, "fired")
        result = self.tool.run(
            command.arguments(copy), stdin=torture.joined(command.lines) if command.lines else None,
            env=command.environment(copy), preload=[f"{call}::1000000000:EIO" for call in ACTIONS], inside=copy, fired=fired,
        )
        self.must(result, command.name)
        command.expected = result.out
        for line in Path(fired).read_text().split("\n"):
            words = line.split()
            if words and words[0] == "total":
                command.counts[words[1]] = int(words[2])
        os.unlink(fired)
        shutil.rmtree(copy)
        return command

    @staticmethod
    def must(result, what):
        if result.code != 0:
            raise SystemExit(f"faults: undisturbed, {what}: exit {result.code}: {text(result.err)}")


class Fault:
    def __init__(self, command, call, n, action):
        self.command, self.call, self.n, self.action = command, call, n, action

    def __str__(self):
        return f"{self.command}/{self.call}/{self.n}/{self.action}"


class Program:
    def __init__(self, options):
        self.options = options
        self.tool = Tool(options.replay, timeout=30)
        torture.interposer()
        self.directory = torture.scratch()
        self.lock = threading.Lock()
        self.serial = self.runs = self.failed = self.untouched = 0
        self.kinds, self.shown, self.where = Counter(), Counter(), Counter()

    def judge(self, fault, command, root, fired):
        """Findings of one run, or None if nothing was disturbed."""
        tool, env = self.tool, command.environment(root)
        rule = f"{fault.call}::{fault.n}:{fault.action}"
        result = tool.run(
            command.arguments(root), stdin=torture.joined(command.lines) if command.lines else None, env=env,
            preload=[rule], inside=root, fired=fired,
        )
        told = [line for line in Path(fired).read_text().split("\n") if line and not line.startswith("total")] \
            if os.path.exists(fired) else []
        if not told:
            return None
        fault.path = told[0].split(" ", 2)[2].rsplit(" ", 1)[0].replace(root, "")
        found = []
        killed = fault.action.startswith("kill") and result.code == -9
        if not killed and (wrong := shape(result)):
            found.append(f"{command.name}: {wrong}")
        if command.reads:
            if result.code == 0 and command.name not in ("rebuild", "verify") and result.out != command.expected:
                found.append(f"{command.name}: exit 0, and printed something else")
        elif (result.code == 0 and fault.call in ("fsync", "fdatasync") and fault.action in ("EIO", "ENOSPC")
                and "views.mdb" not in fault.path and not command.lines):
            found.append(f"{command.name}: exit 0 though a flush failed")
        known = Known(self.stage.names)
        known.take(command.known.acknowledged, command.known.acknowledged.values())
        if command.lines:
            known.take(command.lines, torture.outcomes(result.out))
        oracle = Oracle(tool, deep=fault.n % 7 == 1, env=env)
        journal = os.path.join(root, "j")
        if command.name == "init":
            found += self.after_init(oracle, journal, result, env)
        elif command.target == "t":
            found += self.after_copy(oracle, command, root, result, known, env)
        else:
            if command.name.startswith("backup"):
                found += self.after_backup(oracle, command, root, result, known, env)
            found += oracle.check(journal, known.acknowledged, known.sent, self.stage.names)
            if command.name in ("rotate", "checkpoint", "rebuild"):
                found += self.again(command, root, env)
                if command.name != "rebuild":
                    found += [f"again: {each}" for each in oracle.whole(journal)]
                    found += [f"again: left over: {name}" for name in torture.leftovers(journal)]
        return found

    def again(self, command, root, env):
        result = self.tool.run(command.arguments(root), env=env)
        if wrong := shape(result):
            return [f"{command.name} again: {wrong}"]
        return [f"{command.name} again: exit {result.code}: {text(result.err)}"] if result.code else []

    def after_init(self, oracle, journal, result, env):
        if result.code != 0:
            again = self.tool.init(journal, env=env)
            made = again.code == 73 and b"already" in again.err and os.path.exists(os.path.join(journal, "FORMAT"))
            if again.code != 0 and not made:
                return [f"init again: exit {again.code}: {text(again.err)}"]
        return oracle.check(journal, {})

    def after_backup(self, oracle, command, root, result, known, env):
        """What the backup held before it still holds; the next run goes on; what that leaves can be restored, keys too."""
        found = []
        if command.backed is not None:
            found += self.restored(oracle, root, command.backed, known, env, "before the next run")
        found += self.again(command, root, env)
        if not found:
            found += self.restored(oracle, root, known.acknowledged, known, env, "after the next run")
        return found

    def restored(self, oracle, root, acknowledged, known, env, when):
        target = os.path.join(root, "tried")
        result = self.tool.run(
            ["restore", os.path.join(root, "b"), "--keys", os.path.join(root, "k"), "--journal", target],
            env={**env, "SIJILL_MASTER_KEY_FILE": os.path.join(root, "j", "master.key")},
        )
        if wrong := shape(result):
            found = [f"restore {when}: {wrong}"]
        elif result.code:
            found = [f"restore {when}: exit {result.code}: {text(result.err)}"]
        else:
            other = Oracle(self.tool, env={**env, "SIJILL_MASTER_KEY_FILE": os.path.join(root, "j", "master.key")})
            found = [f"restored {when}: {each}" for each in other.check(target, acknowledged, known.sent, self.stage.names)]
        shutil.rmtree(target, ignore_errors=True)
        return found

    def after_copy(self, oracle, command, root, result, known, env):
        target = os.path.join(root, command.target)
        acknowledged = command.backed if command.backed is not None else known.acknowledged
        found = []
        if result.code != 0:
            passes = self.tool.run(["verify", "--journal", target], env=env)
            if passes.code == 0:
                found += [f"failed, and passes for a journal: {each}" for each in
                          oracle.check(target, acknowledged, known.sent, self.stage.names)][:2]
                return found
            if passes.code != 66:
                found.append(f"failed, and verify says: exit {passes.code}: {text(passes.err)}")
            found += self.again(command, root, env)
            if found:
                return found
        found += [f"{command.name}: {each}" for each in oracle.check(target, acknowledged, known.sent, self.stage.names)]
        return found

    def work(self, fault):
        command = self.commands[fault.command]
        with self.lock:
            self.serial += 1
            root = os.path.join(self.directory, f"run-{self.serial}")
        fired = root + ".fired"
        fault.path = ""
        try:
            shutil.copytree(command.template, root, symlinks=True)
            findings = self.judge(fault, command, root, fired)
            with self.lock:
                if findings is None:
                    self.untouched += 1
                    return
                self.runs += 1
                self.where[command.name] += 1
                if findings:
                    self.failed += 1
                    self.tell(fault, command, root, findings)
        except Exception as error:
            with self.lock:
                self.runs += 1
                self.failed += 1
                print(f"FAIL {fault}: the harness itself: {type(error).__name__}: {error}", flush=True)
                if self.options.verbose:
                    import traceback
                    traceback.print_exc()
        finally:
            shutil.rmtree(root, ignore_errors=True)
            if os.path.exists(fired):
                os.unlink(fired)

    def tell(self, fault, command, root, findings):
        for each in findings:
            self.kinds[general(each)] += 1
        kept = ""
        if self.options.keep:
            place = os.path.join(self.options.keep, str(fault).replace("/", "_"))
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(root, place, symlinks=True)
            kept = f" (kept in {place})"
        kind = frozenset(map(general, findings))
        self.shown[kind] += 1
        if self.shown[kind] > self.options.most and not self.options.only:
            return
        print(
            f"FAIL {fault} on {fault.path}: {' ;; '.join(findings)[:600]}{kept}\n"
            f"     repeat: {sys.argv[0]} --replay {self.options.replay} --seed {self.options.seed} --only '{fault}'",
            flush=True,
        )

    def all_faults(self):
        found = []
        for command in self.commands.values():
            if self.options.command and command.name != self.options.command:
                continue
            for call, count in command.counts.items():
                if self.options.call and call != self.options.call:
                    continue
                for n in range(1, count + 1):
                    for action in ACTIONS[call]:
                        if command.reads and action in ("kill-before", "kill-half"):
                            continue
                        found.append(Fault(command.name, call, n, action))
        return found

    def chosen(self):
        if self.options.only:
            command, call, n, action = self.options.only.split("/")
            return [Fault(command, call, int(n), action)]
        every = self.all_faults()
        if not self.options.quick:
            return every
        source = random.Random(self.options.seed)
        source.shuffle(every)
        # One of each command and call first, then whatever comes.
        first, rest, seen = [], [], set()
        for fault in every:
            key = (fault.command, fault.call)
            (rest if key in seen else first).append(fault)
            seen.add(key)
        return (first + rest)[:self.options.quick]

    def run(self):
        start = time.monotonic()
        print(f"faults: seed {self.options.seed}", flush=True)
        try:
            only = self.options.only.split("/")[0] if self.options.only else self.options.command
            self.stage = Stage(self.tool, self.directory, self.options.seed, only)
            self.commands = {command.name: command for command in self.stage.commands}
            faults = self.chosen()
            if self.options.count:
                for command in self.stage.commands:
                    print(command.name, {call: n for call, n in command.counts.items() if n})
                print(len(faults))
                return 0
            with ThreadPoolExecutor(self.options.jobs) as pool:
                list(pool.map(self.work, faults))
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        for kind, count in self.kinds.most_common(25):
            print(f"  {count:5} {kind}")
        if self.untouched:
            print(f"  {self.untouched} rules had no call to act on")
        print(f"faults: {self.runs} runs, {self.failed} failed ({time.monotonic() - start:.0f} s)")
        return 1 if self.failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--replay", required=True, help="the tool to test")
    parser.add_argument("--quick", type=int, nargs="?", const=250, default=0, help="only so many runs, at random")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="a directory for what failing runs left")
    parser.add_argument("--command", help="only this sub-command")
    parser.add_argument("--call", help="only this call")
    parser.add_argument("--only", metavar="FAULT", help="one run, as a failure names it")
    parser.add_argument("--most", type=int, default=3, help="failures of one kind that are told of")
    parser.add_argument("--count", action="store_true", help="say how many runs there would be")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    sys.exit(Program(options).run())


if __name__ == "__main__":
    main()
