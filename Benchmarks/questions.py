#!/usr/bin/env python3
"""Measures `why`, `bisect`, `diff --all` and `what-if` on a large journal, each as a process of its own.

questions.py --replay PROGRAM --journal DIRECTORY [--rounds N]

Prints a table for docs/benchmarks.md: medians, with the least and the most beside them. `show` of the same document stands
beside `why` and `bisect`: what a process costs that opens the journal and answers one question.
"""

import argparse
import json
import re
import statistics
import subprocess
import time

# A model, the type of an event whose data name a key of it and in which field, a path and a condition.
ASKED = [
    ("examroom.result", "examroom.attempt.submitted", "attempt", "$.answered", "$.answered > 5"),
    ("examroom.achievements", "examroom.points.awarded", "student", "$.points", "$.points > 100"),
    ("learnable.home", "learnable.student.joined", "student", "$.landing", '$.landing == "daily-quiz"'),
    ("tafawoq.subscription", "tafawoq.checkout.begun", "student", "$.status", '$.status == "active"'),
    ("quranflow.today", "quranflow.enrollment.*", "student", "$.week", "$.week"),
]
COMPARED = ["examroom.result", "learnable.home", "tafawoq.subscription"]


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--replay", required=True)
    options.add_argument("--journal", required=True)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()

    def run(*words):
        start = time.monotonic()
        done = subprocess.run(
            [given.replay, *words, "--journal", given.journal], capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip()}")
        return time.monotonic() - start, done.stdout, done.stderr

    def measure(rounds, *words):
        return [run(*words)[0] for _ in range(rounds)]

    def row(what, unit, times, note):
        scale = 1000 if unit == "ms" else 1
        middle, least, most = (
            f"{scale * value:.3g}" for value in (statistics.median(times), min(times), max(times)))
        print(f"| {what} | {unit} | {middle} | {least}–{most} | {note} |")

    # Read models are stored, as a service leaves them; what only asks stores nothing.
    rebuilt = measure(1, "rebuild")
    print("| | | median | least–most | |\n| --- | --- | ---: | ---: | --- |")
    for model, event_type, field, path, condition in ASKED:
        events = [json.loads(line) for line in run("events", "--type", event_type, "--limit", "40")[1].splitlines()]
        if not events:
            continue
        key = events[len(events) // 2]["data"][field]
        row(f"`show {model}`", "ms", measure(given.rounds, "show", model, key), "the process and one answer")
        _, answer, notes = run("why", model, key, "--limit", "100000")
        basis = re.search(r"looked at ([\d,]+) events", notes)
        note = f"{len(answer.splitlines())} of {basis.group(1) if basis else 'all'} events changed it"
        row(f"`why {model}`", "ms", measure(given.rounds, "why", model, key), note)
        row(f"`why {model} {path}`", "ms", measure(given.rounds, "why", model, key, path), "")
        row(f"`bisect {model}`", "ms", measure(given.rounds, "bisect", model, key, condition), f"`{condition}`")
    last = int(json.loads(run("events", "--reverse", "--limit", "1")[1])["position"])
    moments = [str(last // 2), str(last * 9 // 10)]
    for model in COMPARED:
        times = measure(min(3, given.rounds), "diff", "--all", model, *moments)
        row(f"`diff --all {model}`", "s", times, f"positions {moments[0]} and {moments[1]}")
    rounds = min(2, given.rounds)
    row("`rebuild`", "s", rebuilt + measure(rounds - 1, "rebuild"), "every document of every model")
    for policy in ['examroom={"defaultPassPercent":55}', 'tafawoq={"trial.days":3}']:
        row(f"`what-if --policy '{policy}'`", "s", measure(rounds, "what-if", "--policy", policy), "every model")


main()
