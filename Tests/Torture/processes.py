#!/usr/bin/env python3
"""Many processes on one journal: writers, sealers and readers are killed, stopped and continued at random, beside a checker of
every outcome that was acknowledged; then the instants that chance seldom meets, each by name.

    python3 Tests/Torture/processes.py --seconds 120 --seed 1
    python3 Tests/Torture/processes.py --only behind-the-meta-page
    python3 Tests/Torture/processes.py --again FILE      # the actions of a run that failed, at their times

Exit code 1 if something failed."""

import argparse
import fcntl
import json
import os
import random
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tool import Tool, leftovers, outcomes, own_places, places, scratch, shape, text

# A trap is a signal at once: the runtime's own program that prints the stack would take minutes.
QUICK_TRAPS = {"SWIFT_BACKTRACE": "enable=no"}
# A `submit` beside a process that stands still ends by itself within so many seconds.
PATIENCE = 20


class Tally:
    """Counts and findings of a run."""

    def __init__(self):
        self.kills = self.stops = self.outcomes = self.busy = 0
        self.findings = []
        self.lock = threading.Lock()

    def find(self, what):
        with self.lock:
            if what not in self.findings:
                self.findings.append(what)
                print(f"  {what}", flush=True)


def register(id, person):
    return json.dumps(
        {
            "id": id, "command": "examroom.account.register", "at": "2026-02-01T08:00:00Z", "by": "system",
            "data": {"account": person, "role": "student", "name": f"Zqname{person}x",
                     "credential": {"scheme": "bcrypt", "salt": "c2FsdA", "digest": "made-by-the-caller"}},
        },
        separators=(",", ":"),
    )


def exam(id):
    """Nothing personal: no key is made."""
    return json.dumps(
        {"id": id, "command": "examroom.exam.create", "at": "2026-02-01T08:00:00Z", "by": "admin:A-1",
         "data": {"exam": id, "title": f"Exam {id}", "durationMinutes": 30}},
        separators=(",", ":"),
    )


def admin():
    return register("admin", "A-1").replace('"role":"student"', '"role":"admin"')


def joined(lines):
    return "".join(line + "\n" for line in lines).encode()


def small_pipe(stream):
    try:
        fcntl.fcntl(stream.fileno(), 1031, 4096)  # F_SETPIPE_SZ
    except OSError:
        pass


def proceed(process):
    try:
        process.send_signal(signal.SIGCONT)
    except OSError:
        pass


def finish(process):
    """Ends a process that this program started."""
    if process.poll() is None:
        process.kill()
        proceed(process)
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream:
            try:
                stream.close()
            except OSError:
                pass


class Service:
    """A `submit` that stays, asked line by line."""

    def __init__(self, tool, journal, env=None):
        self.process = tool.start(
            ["submit", "--journal", journal], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.rest = b""

    def send(self, lines):
        try:
            self.process.stdin.write(joined(lines))
            self.process.stdin.flush()
            return True
        except OSError:
            return False

    def answers(self, wait):
        """Whole answers that came within `wait` seconds; None once it has ended."""
        if not select.select([self.process.stdout], [], [], wait)[0]:
            return []
        piece = os.read(self.process.stdout.fileno(), 1 << 16)
        if not piece:
            return None
        self.rest += piece
        *whole, self.rest = self.rest.split(b"\n")
        return [json.loads(each) for each in whole]

    def ask(self, lines, patience=60):
        found = []
        if not self.send(lines):
            return None
        end = time.monotonic() + patience
        while len(found) < len(lines) and time.monotonic() < end:
            more = self.answers(max(0, end - time.monotonic()))
            if more is None:
                return None
            found += more
        return found

    def error(self):
        return text(self.process.stderr.read())


# MARK: At random

class Book:
    """Every outcome that was ever acknowledged, of all writers."""

    def __init__(self, tally):
        self.tally = tally
        self.acknowledged = {}  # id -> outcome
        self.at = {}  # position -> id
        self.sent = {}  # id -> line
        self.lock = threading.Lock()

    def take(self, answer):
        id = answer.get("id")
        with self.lock:
            self.tally.outcomes += 1
            before = self.acknowledged.get(id)
            status = answer.get("status")
            if before is not None:
                if status != "duplicate":
                    return self.tally.find(f"{id} was acknowledged at {places(before)[:1]}, and is answered {status} {answer.get('code', '')}")
                if places(answer) != own_places(before, answer):
                    self.tally.find(f"{id} has moved from {places(before)[:1]} to {places(answer)[:1]}")
                return None
            if status not in ("accepted", "duplicate"):
                return self.tally.find(f"{id} is answered {json.dumps(answer)[:200]}")
            self.acknowledged[id] = answer
            for event in answer["events"]:
                other = self.at.setdefault(event["position"], id)
                if other != id:
                    self.tally.find(f"{id} and {other} were both acknowledged at {event['position']}")
        return None


class Writer(threading.Thread):
    """Sends lines to one process after another; what one left unanswered is sent to the next."""

    def __init__(self, stress, number):
        super().__init__(daemon=True)
        self.stress = stress
        self.number = number
        self.service = None
        self.is_stopped = False
        self.is_killed = False
        self.since = time.monotonic()
        self.pause = 0.0

    def run(self):
        serial, waiting = 0, []
        dice = random.Random(f"{self.stress.seed}/writer/{self.number}")
        while not self.stress.over:
            env = {"SIJILL_SEGMENT_EVENTS": str(dice.choice([20, 50, 1024, 2048, 8192]))}
            self.is_killed = self.is_stopped = False
            self.service = service = Service(self.stress.tool, self.stress.journal, env)
            while True:
                if self.stress.over and not waiting:
                    break
                if not waiting:
                    for _ in range(dice.choice([1, 1, 2, 7, 60])):
                        serial += 1
                        id = f"w{self.number}-{serial}"
                        line = register(id, f"P-{self.number}-{serial}") if serial % 3 else exam(id)
                        waiting.append((id, line))
                        self.stress.book.sent[id] = line
                self.since = time.monotonic()
                if not self.exchange(service, waiting):
                    break
                time.sleep(dice.choice([0, 0, 0.01, 0.05]))
            self.ended(service)

    def exchange(self, service, waiting):
        """True once all is answered, False when the process is gone."""
        if not service.send([line for _, line in waiting]):
            self.drain(service, waiting)
            return False
        while waiting:
            found = service.answers(0.5)
            if found is None:
                return False
            self.note(found, waiting)
            if found or self.is_stopped:
                self.since = time.monotonic()
            elif time.monotonic() - self.since > self.stress.patience:
                self.stress.tally.find(f"a submit gave no answer for {self.stress.patience} s, and did not end")
                finish(service.process)
                self.is_killed = True
                return False
        return True

    def drain(self, service, waiting):
        while (found := service.answers(1)) is not None:
            self.note(found, waiting)
            if not found and service.process.poll() is None:
                break

    def note(self, found, waiting):
        for answer in found:
            if waiting and answer.get("id") == waiting[0][0]:
                waiting.pop(0)
            else:
                self.stress.tally.find(f"an answer out of order: {json.dumps(answer)[:150]}")
            self.stress.book.take(answer)

    def ended(self, service):
        process = service.process
        try:
            process.stdin.close()
        except OSError:
            pass
        try:
            code = process.wait(self.stress.patience + 10)
        except subprocess.TimeoutExpired:
            if not self.is_stopped:
                self.stress.tally.find("a submit whose input ended goes on without end")
            finish(process)
            return
        error = process.stderr.read()
        finish(process)
        if self.is_killed or code == -9:
            return
        if code == 75:
            self.stress.tally.busy += 1
            if len(error.strip().split(b"\n")) != 1:
                self.stress.tally.find(f"exit 75 without one line: {text(error)}")
        elif code != 0:
            self.stress.tally.find(f"a submit that nobody killed ended with exit {code}: {text(error)}")


class Stress:
    def __init__(self, tool, directory, seed, seconds, tally, patience, actions=None):
        self.tool, self.seed, self.tally, self.patience = tool, seed, tally, patience
        self.journal = str(Path(directory) / "journal")
        self.seconds = seconds
        self.book = Book(tally)
        self.over = False
        self.actions = actions if actions is not None else self.planned()
        self.readers = []

    def planned(self):
        """(seconds from the start, what, number of the process, seconds)."""
        dice = random.Random(f"{self.seed}/actions")
        found, at = [], 0.3
        while at < self.seconds:
            what = dice.choices(["kill", "stop", "reader", "kill-reader", "stop-reader"], [10, 6, 5, 3, 2])[0]
            # Mostly short; sometimes longer than anybody waits for the lock.
            span = round(dice.choice([0.02, 0.1, 0.5, 2.0, 2.0, 13.0]), 3)
            found.append((round(at, 3), what, dice.randrange(1000), span))
            at += dice.expovariate(2.5)
        return found

    def run(self):
        made = self.tool.init(self.journal)
        if made.code != 0:
            sys.exit(f"processes: init: {text(made.err)}")
        self.tool.submit([admin()], self.journal)
        writers = [Writer(self, number) for number in range(3)]
        for writer in writers:
            writer.start()
        threads = []
        start = time.monotonic()
        for at, what, number, span in self.actions:
            time.sleep(max(0, start + at - time.monotonic()))
            if what in ("kill", "stop"):
                writer = writers[number % len(writers)]
                if writer.service is None or writer.service.process.poll() is not None or writer.is_stopped:
                    continue
                if what == "kill":
                    self.kill(writer)
                else:
                    threads.append(self.stop(writer, span, number % 2 == 0))
            elif what == "reader":
                self.read(number)
            elif self.readers:
                reader = self.readers[number % len(self.readers)]
                if what == "kill-reader":
                    self.readers.remove(reader)
                    finish(reader)
                    self.tally.kills += 1
                else:
                    reader.send_signal(signal.SIGSTOP)
                    self.tally.stops += 1
        time.sleep(max(0, start + self.seconds - time.monotonic()))
        self.over = True
        for thread in threads:
            thread.join()
        for writer in writers:
            writer.join(3 * self.patience + 30)
            if writer.is_alive():
                self.tally.find("a writer does not come to an end")
        for reader in self.readers:
            finish(reader)
        self.judge()

    def kill(self, writer):
        writer.is_killed = True
        writer.service.process.kill()
        proceed(writer.service.process)
        self.tally.kills += 1

    def stop(self, writer, span, is_killed_then):
        process = writer.service.process
        writer.is_stopped = True
        process.send_signal(signal.SIGSTOP)
        self.tally.stops += 1

        def go_on():
            time.sleep(span)
            writer.since = time.monotonic()
            if is_killed_then and writer.service.process is process:
                writer.is_killed = True
                process.kill()
                self.tally.kills += 1
            writer.is_stopped = False
            proceed(process)

        thread = threading.Thread(target=go_on, daemon=True)
        thread.start()
        return thread

    def read(self, number):
        if len(self.readers) > 4:
            return
        args = [["export"], ["events", "--follow"], ["export", "--sealed"], ["verify"], ["show", "journal.summary"]][number % 5]
        reader = self.tool.start(
            [*args, "--journal", self.journal], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        small_pipe(reader.stdout)
        self.readers.append(reader)

    def judge(self):
        """Whole; every acknowledged id is where it was; nothing is there that nobody sent."""
        book, find = self.book, self.tally.find
        lines = list(book.sent.values())
        for start in range(0, len(lines), 4000):
            result, answers = self.tool.submit(lines[start:start + 4000], self.journal)
            if wrong := shape(result):
                find(f"submit again: {wrong}")
            if len(answers) != len(lines[start:start + 4000]):
                find(f"submit again: {len(answers)} answers: {text(result.err)}")
            for answer in answers:
                book.take(answer)
        result = self.tool.run(["verify", "--journal", self.journal])
        report = (outcomes(result.out) or [{}])[0]
        if result.code != 0 or report.get("whole") is not True:
            find(f"verify: exit {result.code}: {text(result.out)} {text(result.err)}")
        elif report["events"] != max(book.at, default=1):
            find(f"verify counts {report['events']} events, the last that was acknowledged is {max(book.at, default=1)}")
        exported = self.tool.run(["export", "--journal", self.journal]).out
        ids = {json.loads(raw)["accepted"] for raw in exported.split(b"\n") if raw.startswith(b'{"accepted"')}
        if strange := sorted(ids - set(book.sent) - {"admin"}):
            find(f"ids that nobody sent: {strange[:5]}")
        for name in leftovers(self.journal):
            find(f"left over: {name}")


# MARK: What chance seldom meets

class LockFile:
    """What LMDB 0.9 with POSIX mutexes keeps in its lock file, and the transaction of the last meta page."""

    def __init__(self, journal):
        self.lock = os.open(journal + "/journal.mdb-lock", os.O_RDONLY)
        self.data = os.open(journal + "/journal.mdb", os.O_RDONLY)

    def close(self):
        os.close(self.lock)
        os.close(self.data)

    def owner(self):
        """The thread that holds the write mutex, 0 if none."""
        return struct.unpack("<I", os.pread(self.lock, 4, 64))[0] & 0x3FFFFFFF

    def told(self):
        return struct.unpack("<Q", os.pread(self.lock, 8, 48))[0]

    def written(self):
        return max(struct.unpack("<Q", os.pread(self.data, 8, page * 4096 + 144))[0] for page in (0, 1))


def threads_of(process):
    try:
        return {int(name) for name in os.listdir(f"/proc/{process.pid}/task")}
    except OSError:
        return set()


def is_free(journal):
    """Whether nobody holds the writer's lock."""
    try:
        file = os.open(journal + "/writer.lock", os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    except OSError:
        return False
    finally:
        os.close(file)


class Instants:
    """Scenarios by name. Each makes its journal below `directory` and adds to the tally."""

    def __init__(self, tool, directory, tally, dice, options):
        self.tool, self.directory, self.tally, self.dice, self.options = tool, Path(directory), tally, dice, options
        self.serial = 0

    def made(self, events=0):
        self.serial += 1
        journal = str(self.directory / f"instant-{self.serial}")
        result = self.tool.init(journal)
        if result.code != 0:
            sys.exit(f"processes: init: {text(result.err)}")
        self.tool.submit([admin()] + [exam(f"m-{number}") for number in range(events)], journal)
        return journal

    def bounded(self, journal, line, what):
        """One `submit` ends by itself in time: it succeeds, or says in one line that somebody else is in the way."""
        start = time.monotonic()
        result = self.tool.run(["submit", "--journal", journal], stdin=joined([line]), timeout=PATIENCE + 5)
        span = time.monotonic() - start
        if result.code == -1000:
            self.tally.find(f"{what}: a submit beside it did not end within {PATIENCE + 5} s")
        elif result.code not in (0, 75):
            self.tally.find(f"{what}: a submit beside it ended with exit {result.code}: {text(result.err)}")
        elif result.code == 75 and len(result.err.strip().split(b"\n")) != 1:
            self.tally.find(f"{what}: exit 75 without one line: {text(result.err)}")
        elif span > PATIENCE:
            self.tally.find(f"{what}: a submit beside it took {span:.0f} s")
        if result.code == 75:
            self.tally.busy += 1
        return result

    def recovered(self, journal, lines, what):
        """After the stop: the other goes on, and all is whole."""
        result, answers = self.tool.submit(lines, journal)
        self.tally.outcomes += len(answers)
        if result.code != 0 or len(answers) != len(lines):
            self.tally.find(f"{what}: afterwards a submit ends with exit {result.code}: {text(result.err)}")
        result = self.tool.run(["verify", "--journal", journal])
        if result.code != 0:
            self.tally.find(f"{what}: afterwards verify: exit {result.code}: {text(result.out)} {text(result.err)}")

    def stopped(self, what, wanted, segment):
        """Stops a writer at the instants that `wanted(lock is free, mutex is its own)` says, and asks another one."""
        end = time.monotonic() + self.options.instant_seconds
        met, tries = 0, 0
        while time.monotonic() < end and met < 2 and not self.tally.findings:
            tries += 1
            journal = self.made()
            lines = [exam(f"s-{number}") for number in range(6000)]
            file = Path(journal + ".jsonl")
            file.write_bytes(joined(lines))
            process = self.tool.start(
                ["submit", "--journal", journal, str(file)], env={"SIJILL_SEGMENT_EVENTS": str(segment)},
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )
            lock = LockFile(journal)
            wait = self.dice.uniform(0, 0.2)
            time.sleep(wait)
            while process.poll() is None and time.monotonic() < end:
                owner = lock.owner()
                if not owner or owner not in threads_of(process):
                    if wanted(True, True):
                        continue
                process.send_signal(signal.SIGSTOP)
                self.tally.stops += 1
                time.sleep(0.005)
                if wanted(is_free(journal), lock.owner() in threads_of(process)):
                    met += 1
                    self.bounded(journal, exam("beside"), what)
                    proceed(process)
                    break
                proceed(process)
                time.sleep(self.dice.uniform(0, 0.02))
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                self.tally.find(f"{what}: the one that was stopped does not go on")
            finish(process)
            lock.close()
            self.recovered(journal, lines[-20:] + [exam("after")], what)
            shutil.rmtree(journal, ignore_errors=True)
            file.unlink()
        print(f"  {what}: met {met} times in {tries} tries", flush=True)

    def run_stopped_sealer(self):
        """Stopped while it holds LMDB's mutex, the writer's lock being free: nobody could wait in bounds (S12)."""
        self.stopped("a process stopped with LMDB's mutex, the writer's lock being free", lambda free, own: free and own, 1024)

    def run_stopped_in_transaction(self):
        """Stopped while it holds LMDB's mutex, whatever else it holds."""
        self.stopped("a process stopped with LMDB's mutex", lambda free, own: own, 64)

    def run_stopped_writer(self):
        """Stopped while it holds the writer's lock."""
        self.stopped("a process stopped with the writer's lock", lambda free, own: not free, 8192)

    def run_behind_the_meta_page(self):
        """Killed when the meta page is written and other processes are not told of it yet (S13)."""
        what = "a writer killed right behind the meta page"
        end = time.monotonic() + self.options.instant_seconds
        met = tries = 0
        journal = self.made()
        follower = self.tool.start(["events", "--follow", "--journal", journal], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        service = Service(self.tool, journal)
        service.ask([exam("first")])
        lock = LockFile(journal)
        try:
            while time.monotonic() < end and met < 3 and not self.tally.findings:
                tries += 1
                line = exam(f"k-{tries}")
                process = self.tool.start(["submit", "--journal", journal], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE)
                process.stdin.write(joined([line]))
                process.stdin.flush()
                hit = False
                until = time.monotonic() + 5
                while time.monotonic() < until and process.poll() is None:
                    if lock.written() > lock.told():
                        process.kill()
                        hit = True
                        break
                    if select.select([process.stdout], [], [], 0)[0]:
                        break
                finish(process)
                self.tally.kills += 1
                if not hit or lock.written() == lock.told():
                    continue
                met += 1
                seen = self.tool.run(["events", "--json", "--journal", journal]).out.count(b"\n")
                result = self.tool.run(["submit", "--journal", journal], stdin=joined([exam(f"n-{tries}")]), timeout=60)
                if result.code != 0:
                    self.tally.find(f"{what}: the next submit ends with exit {result.code}: {text(result.err)}")
                now = self.tool.run(["events", "--json", "--journal", journal]).out.count(b"\n")
                # Nobody was told of the killed one's event: it may show before the next writer, or only behind it.
                if now not in (seen + 1, seen + 2):
                    self.tally.find(f"{what}: events shows {seen} events, and {now} after one more was recorded")
                answers = service.ask([exam(f"o-{tries}")])
                if not answers or answers[0].get("status") != "accepted":
                    self.tally.find(f"{what}: the long-lived writer beside it answers {answers}: "
                                    f"{service.error() if service.process.poll() is not None else ''}")
                    break
        finally:
            finish(follower)
            finish(service.process)
            lock.close()
        self.recovered(journal, [exam("after")], what)
        print(f"  {what}: met {met} times in {tries} tries", flush=True)

    def run_stale_readers(self):
        """A reader that is killed, blocked or stopped must not make the journal of a long-lived writer grow (S11)."""
        sizes = {}
        for kind in ("nobody", "a killed export", "a blocked export", "a blocked events", "a blocked events --follow",
                     "a killed events --follow", "a stopped events --follow", "a blocked export --csv"):
            journal = self.made(3000)
            service = Service(self.tool, journal)
            if service.ask([exam("first")]) is None:
                self.tally.find(f"beside {kind}: {service.error()}")
                continue
            reader = None
            if kind != "nobody":
                args = kind.split(" ")[2:]
                reader = self.tool.start([*args, "--journal", journal], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL)
                small_pipe(reader.stdout)
                time.sleep(1)
                if "killed" in kind:
                    finish(reader)
                    self.tally.kills += 1
                elif "stopped" in kind:
                    reader.send_signal(signal.SIGSTOP)
                    self.tally.stops += 1
            before = os.path.getsize(journal + "/journal.mdb")
            for number in range(self.options.commits):
                answers = service.ask([exam(f"g-{number}")])
                if not answers:
                    self.tally.find(f"beside {kind} the long-lived writer ended: {service.error()}")
                    break
                self.tally.outcomes += 1
            sizes[kind] = os.path.getsize(journal + "/journal.mdb")
            print(f"  beside {kind}: {before / 1e6:.1f} MB, {sizes[kind] / 1e6:.1f} MB after {self.options.commits} commits", flush=True)
            if reader:
                finish(reader)
            finish(service.process)
            if sizes[kind] > 2 * sizes["nobody"] + (8 << 20):
                self.tally.find(f"beside {kind} the journal grew to {sizes[kind] / 1e6:.1f} MB, beside nobody to {sizes['nobody'] / 1e6:.1f}")
            shutil.rmtree(journal, ignore_errors=True)

    def run_rotation_beside(self):
        """A long-lived writer erases after another process has put new keys in the place of the old ones (S4)."""
        journal = self.made()
        service = Service(self.tool, journal)
        service.ask([register(f"r-{number}", f"S-{number}") for number in range(6)])

        def erased(id, person):
            return json.dumps({"id": id, "command": "account.erase", "at": "2026-02-01T08:00:00Z", "by": "system",
                               "data": {"subject": f"examroom/{person}"}})

        for number in range(3):
            rotated = self.tool.run(["key", "rotate", "--journal", journal])
            if rotated.code != 0:
                self.tally.find(f"key rotate beside a long-lived writer: exit {rotated.code}: {text(rotated.err)}")
            answers = service.ask([erased(f"x-{number}", f"S-{number}")])
            self.tally.outcomes += 1
            if not answers or answers[0].get("status") != "accepted":
                self.tally.find(f"after a rotation by another process an erasure is answered {answers}")
                break
            receipts = outcomes(self.tool.run(["erase", "--attest", "--journal", journal]).out)
            if left := [each["person"] for each in receipts if each.get("keyDestroyed") is not True]:
                self.tally.find(f"a long-lived writer erased after a rotation by another process, and the keys of {left} are left")
                break
        finish(service.process)
        self.recovered(journal, [exam("after")], "a rotation beside a long-lived writer")


SCENARIOS = ["stress", "rotation-beside", "behind-the-meta-page", "stopped-sealer", "stopped-in-transaction", "stopped-writer", "stale-readers"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--replay", default=".build/release/replay", help="the program to try")
    parser.add_argument("--seconds", type=float, default=30, help="of the part that goes at random")
    parser.add_argument("--instant-seconds", type=float, default=45, help="at most, for each instant that is waited for")
    parser.add_argument("--commits", type=int, default=2000, help="beside stale readers")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", default="", help=f"among {','.join(SCENARIOS)}")
    parser.add_argument("--again", default="", help="a file of actions that a failed run left")
    parser.add_argument("--disk", default=tempfile.gettempdir(), help="a directory on a real disk, where flushing takes its time")
    options = parser.parse_args()
    tool = Tool(options.replay, env=QUICK_TRAPS)
    chosen = options.only.split(",") if options.only else SCENARIOS
    if unknown := set(chosen) - set(SCENARIOS):
        parser.error(f"no such scenario: {', '.join(sorted(unknown))}")
    actions = None
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    if options.again:
        kept = json.loads(Path(options.again).read_text())
        seed, options.seconds, actions, chosen = kept["seed"], kept["seconds"], kept["actions"], ["stress"]
    print(f"processes: seed {seed}", flush=True)
    total = Tally()
    failed = 0
    for name in chosen:
        tally = Tally()
        started = time.monotonic()
        print(f"{name}:", flush=True)
        # Stopping and killing need calls that take their time; growth is the same in memory.
        base = scratch("sijill-processes-") if name == "stale-readers" else tempfile.mkdtemp(prefix="sijill-processes-", dir=options.disk)
        stress = None
        try:
            if name == "stress":
                stress = Stress(tool, base, seed, options.seconds, tally, PATIENCE + 10, actions)
                stress.run()
            else:
                instants = Instants(tool, base, tally, random.Random(f"{seed}/{name}"), options)
                getattr(instants, "run_" + name.replace("-", "_"))()
        finally:
            shutil.rmtree(base, ignore_errors=True)
        if tally.findings and stress:
            file = f"processes-{seed}.json"
            Path(tempfile.gettempdir(), file).write_text(
                json.dumps({"seed": seed, "seconds": options.seconds, "actions": stress.actions}))
            print(f"  again: --again {Path(tempfile.gettempdir(), file)}")
        print(f"  {tally.kills} kills, {tally.stops} stops, {tally.outcomes} outcomes, {tally.busy} times busy, "
              f"{len(tally.findings)} findings, {time.monotonic() - started:.0f} s", flush=True)
        total.kills += tally.kills
        total.stops += tally.stops
        total.outcomes += tally.outcomes
        failed += len(tally.findings)
    print(f"processes: {total.kills} kills, {total.stops} stops, {total.outcomes} outcomes, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
