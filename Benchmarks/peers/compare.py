#!/usr/bin/env python3
"""Measures Sijill and its peers in turns and writes the tables (Benchmarks/README.md, The peers).

    compare.py --benchmark PROGRAM --peers LIST --work DIRECTORY [--events N] [--rounds N]
               [--results FILE]

LIST is what setup.sh printed. Python's standard library only.
"""
import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time

NAMES = {
    "sijill": "**Sijill**, journal",
    "commands": "**Sijill**, whole commands",
    "lmdb": "raw LMDB (C)",
    "sqlite": "SQLite, WAL, FULL (C)",
    "postgres": "PostgreSQL 15 (libpq)",
    "umadb": "UmaDB 0.7.8 (server, Python client)",
    "eventsourcing": "eventsourcing 9.5.6 (Python, SQLite)",
}
WORKLOADS = {"mixed": "All products' events, mixed", "plain": "Events of 200 bytes, 10,000 streams"}
#: In the order of the table: key, title, whether more is better.
MEASURES = [
    ("single", "1 a commit, events/s", True),
    ("hundred", "100 a commit, events/s", True),
    ("conditional", "16 submitters, conditional, events/s", True),
    ("read", "read all, events/s", True),
    ("stream", "a stream of 100, µs", False),
    ("bytes", "bytes an event", False),
]


class Left(Exception):
    """A peer that cannot go on; the others do."""


class Peer:
    """One peer in a process of its own, told what to do line by line."""

    def __init__(self, name, command, events, directory):
        os.makedirs(directory)
        self.name = name
        try:
            self.process = subprocess.Popen(
                shlex.split(command) + [events, directory], text=True, bufsize=1,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as fault:
            raise Left(fault) from fault
        self.hear()

    def hear(self):
        line = self.process.stdout.readline()
        if not line:
            said = self.process.stderr.read().strip().splitlines()
            raise Left(said[-1] if said else f"ended with {self.process.wait()}")
        return json.loads(line)

    def ask(self, *words):
        try:
            self.process.stdin.write(" ".join(str(word) for word in words) + "\n")
        except BrokenPipeError:
            pass
        return self.hear()

    def close(self):
        try:
            self.process.stdin.close()
            self.process.wait(30)
        except (BrokenPipeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def say(text):
    print(text, file=sys.stderr, flush=True)


def note_left(left, name, why):
    if name == "sijill":
        sys.exit(f"compare.py: {why}")
    left[name] = str(why)
    say(f"{name} left out: {why}")


def run_workload(workload, peers, work, events, rounds, left):
    """All rounds of one workload; gives {peer: {measure: [values]}}, and the disk's flushes."""
    running, found, flushes = [], {}, []
    for name, command, source in peers:
        if name in left:
            continue
        try:
            running.append(Peer(name, command, source, os.path.join(work, f"{workload}-{name}")))
            found[name] = {}
        except Left as why:
            note_left(left, name, why)

    def each(turn, measure):
        flushes.extend(flush_times(work, 20))
        # Each round begins with another peer, so that none is always first on a warm disk.
        for offset in range(len(running)):
            peer = running[(turn + offset) % len(running)]
            if peer.name in left:
                continue
            try:
                for key, value in measure(peer).items():
                    found[peer.name].setdefault(key, []).append(value)
            except Left as why:
                note_left(left, peer.name, why)

    def rate(answer):
        return answer["events"] / answer["seconds"]

    place = 0
    share = events // rounds
    for turn in range(rounds):
        each(turn, lambda peer: {"hundred": rate(peer.ask("append", place, share, 100))})
        place += share
        say(f"{workload}: loaded {place} events")
    each(0, lambda peer: {"bytes": peer.ask("bytes")["bytes"] / place})
    for turn in range(rounds):
        each(turn, lambda peer: {"read": rate(peer.ask("read-all"))})
        each(turn, lambda peer: {"read-bytes": rate(peer.ask("read-bytes"))}
             if peer.name == "sijill" else {})

        def median_stream(peer):
            times = peer.ask("streams", 200)["times"]
            return {"stream": statistics.median(times) * 1e6} if times else {}

        each(turn, median_stream)
    say(f"{workload}: read")
    for turn in range(rounds):
        each(turn, lambda peer: {"single": rate(peer.ask("append", place, SINGLE, 1))})
        place += SINGLE
    for turn in range(rounds):
        each(turn, lambda peer: {
            "conditional": rate(peer.ask("conditional", place, CONDITIONAL, 16))})
        place += CONDITIONAL
    if workload == "mixed":
        found["commands"] = {}
        for key, count, threads, size in (("single", SINGLE, 1, 1), ("hundred", 6000, 1, 100),
                                          ("conditional", 16 * SINGLE, 16, 1)):
            for _ in range(rounds):
                each(0, lambda peer: {
                    f"commands-{key}": rate(peer.ask("commands", count, threads, size))}
                    if peer.name == "sijill" else {})
            own = found.get("sijill", {})
            if f"commands-{key}" in own:
                found["commands"][key] = own.pop(f"commands-{key}")
    say(f"{workload}: appended one by one")
    for peer in running:
        peer.close()
        shutil.rmtree(os.path.join(work, f"{workload}-{peer.name}"), ignore_errors=True)
    kept = {name: values for name, values in found.items() if name not in left}
    return kept, sorted(flushes)


SINGLE = 500
CONDITIONAL = 1600


def flush_times(directory, count=100):
    """Microseconds of `fdatasync` after 4 KiB were overwritten: what the disk takes for a flush."""
    path = os.path.join(directory, "flush")
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        os.pwrite(file, bytes(4096 * 64), 0)
        os.fsync(file)
        times = []
        for turn in range(count):
            os.pwrite(file, bytes([turn]) * 4096, turn % 64 * 4096)
            start = time.perf_counter()
            os.fdatasync(file)
            times.append((time.perf_counter() - start) * 1e6)
        return times
    finally:
        os.close(file)
        os.unlink(path)


def number(value):
    """Three significant figures, thousands apart."""
    if value < 100:
        return f"{value:.3g}"
    step = 10 ** max(0, len(str(int(value))) - 3)
    return f"{round(value / step) * step:,}"


def cell(values):
    if not values:
        return ""
    middle = number(statistics.median(values))
    if len(values) == 1:
        return middle
    return f"{middle} ({number(min(values))}–{number(max(values))})"


def table(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row):
        cells = [row[0].ljust(widths[0])]
        cells += [text.rjust(width) for text, width in zip(row[1:], widths[1:])]
        return "| " + " | ".join(cells) + " |"

    rule = ["-" * widths[0]] + ["-" * (width - 1) + ":" for width in widths[1:]]
    return "\n".join([line(rows[0]), "| " + " | ".join(rule) + " |"] + [line(row) for row in rows[1:]])


def tables(results, flushes, left):
    parts = []
    for workload, found in results.items():
        titles = [title for _, title, _ in MEASURES]
        rows = [["median (least–most)"] + titles]
        ratios = [["Sijill's journal is so many times as good as"] + [t.split(",")[0] for t in titles]]
        own = found.get("sijill", {})
        for name in NAMES:
            values = found.get(name)
            if values is None:
                continue
            rows.append([NAMES[name]] + [cell(values.get(key)) for key, _, _ in MEASURES])
            if name in ("sijill", "commands"):
                continue
            line = [NAMES[name]]
            for key, _, is_rate in MEASURES:
                ours, theirs = own.get(key), values.get(key)
                if not ours or not theirs:
                    line.append("")
                    continue
                # Round by round: what slows the machine for a while slows both.
                ratio = statistics.median(a / b for a, b in zip(ours, theirs))
                line.append(f"{ratio if is_rate else 1 / ratio:.2g}")
            ratios.append(line)
        parts.append(f"### {WORKLOADS[workload]}\n\n{table(rows)}\n\n{table(ratios)}")
        times = flushes[workload]
        tenth = len(times) // 10
        more = [f"The disk took {number(statistics.median(times))} µs for a flush of 4 KiB in between, "
                f"{number(times[tenth])}–{number(times[-1 - tenth])} in four of five cases."]
        if own.get("read-bytes"):
            more.append(f"Sijill reading all undecoded, every payload byte touched: "
                        f"{cell(own['read-bytes'])} events/s.")
        parts.append(" ".join(more))
    for name, why in left.items():
        parts.append(f"{NAMES.get(name, name)} left out: {why}.")
    return "\n\n".join(parts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--benchmark", required=True)
    parser.add_argument("--peers", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--events", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(WORKLOADS))
    parser.add_argument("--results")
    options = parser.parse_args()
    left, commands = {}, []
    with open(options.peers, encoding="utf8") as file:
        for line in file:
            name, _, rest = line.strip().partition(" ")
            if rest.startswith("left out: "):
                note_left(left, name, rest.removeprefix("left out: "))
            elif rest:
                commands.append((name, rest))
    needed = options.events + options.rounds * (SINGLE + CONDITIONAL)
    results, flushes = {}, {}
    for workload in options.only.split(","):
        start = time.monotonic()
        journal = os.path.join(options.work, f"{workload}-source")
        events = os.path.join(options.work, f"{workload}.events")
        make = "--play-term" if workload == "mixed" else "--make-plain"
        for arguments in ([make, journal, "--events", str(needed)],
                          ["--write-events", journal, events, "--events", str(needed)]):
            done = subprocess.run([options.benchmark, *arguments], check=False)
            if done.returncode:
                sys.exit(f"{' '.join(arguments[:1])} failed")
        peers = [("sijill", f"{options.benchmark} --peer", journal)]
        peers += [(name, command, events) for name, command in commands]
        results[workload], flushes[workload] = run_workload(
            workload, peers, options.work, options.events, options.rounds, left)
        say(f"{workload}: {time.monotonic() - start:.0f} s")
    if options.results:
        with open(options.results, "w", encoding="utf8") as file:
            json.dump({"results": results, "flushes": flushes, "left": left}, file, indent=1)
    print(tables(results, flushes, left))


if __name__ == "__main__":
    main()
