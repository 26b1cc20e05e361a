#!/usr/bin/env python3
"""Checks that copies of a history are the same history under other names and at other times.

    benchmark --make-journal J --copies 3 --term 20000
    check-copies.py REPLAY J

Every event of the second and third copy, and the documents of a sample of keys of each keyed read
model, must be those of the first once names and times are mapped. Python's standard library only.
"""
import json
import re
import subprocess
import sys
from datetime import datetime, timedelta

REPLAY, JOURNAL = sys.argv[1:3]
INSTANT = re.compile(r'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?)Z"')
DATE = re.compile(r'"(\d{4}-\d\d-\d\d)"')
# Instants in a notification's free-form data stay as they were.
FREE_FORM = re.compile(r'"(facts|about)":\{[^{}]*\}')
IMAGE = re.compile(r"b0000\d{3}")


def run(*arguments):
    done = subprocess.run([REPLAY, *arguments, "--journal", JOURNAL, "--json"], capture_output=True)
    if done.returncode:
        sys.exit(f"{arguments}: {done.stderr.decode().strip()}")
    return FREE_FORM.sub(r'"\1":{}', done.stdout.decode())


def as_first(text, copy, days):
    """A document of a copy, told with the names and times of the first."""

    def instant(match):
        moment = datetime.fromisoformat(match[1]) - timedelta(days=days)
        return f'"{moment.isoformat(timespec="milliseconds" if "." in match[1] else "seconds")}Z"'

    def date(match):
        return f'"{datetime.fromisoformat(match[1]).date() - timedelta(days=days)}"'

    text = text.replace(f"L{copy}-", "L1-")
    text = IMAGE.sub("b0000001", text)
    return DATE.sub(date, INSTANT.sub(instant, text))


def main():
    copies = {}
    for line in run("events").splitlines():
        event = json.loads(line)
        names = re.search(r"\bL(\d+)-", event["stream"] + event["by"] + line)
        if names and not event["stream"].endswith("/policy"):
            copies.setdefault(int(names[1]), []).append(line)
    counts = {copy: len(lines) for copy, lines in copies.items()}
    print("events of each copy:", counts)
    last = max(copies)
    first_at = datetime.fromisoformat(json.loads(copies[1][0])["at"][:-1])
    faults = 0
    days = {}
    for copy in range(2, last + 1):
        at = datetime.fromisoformat(json.loads(copies[copy][0])["at"][:-1])
        days[copy] = (at - first_at).days
        if len(copies[copy]) != len(copies[1]):
            faults += 1
            print(f"copy {copy} has another number of events")
        # What is said once, such as a policy, leaves no place in later copies: events are matched in order.
        places = {json.loads(ours)["position"]: json.loads(theirs)["position"]
                  for ours, theirs in zip(copies[1], copies[copy])}
        for ours, theirs in zip(copies[1], copies[copy]):
            event = json.loads(as_first(theirs, copy, days[copy]))
            first = json.loads(ours)
            first["position"] = places[first["position"]]
            first["cause"] = places.get(first["cause"])
            # That is the batch's, and a copy's last batch ends where the copy does.
            del event["recordedAt"], first["recordedAt"]
            # A stream that is the same for all copies, such as a lesson's, goes on.
            if "L1-" not in first["stream"]:
                del event["revision"], first["revision"]
            if event != first:
                faults += 1
                if faults < 4:
                    print(f"copy {copy}:\n  {ours}\n  {json.dumps(event)}")
    asked = 0
    # Each copy is asked at the same moment of its own time.
    end = datetime.fromisoformat(json.loads(copies[1][-1])["at"][:-1])

    def show(model, key, copy):
        now = (end + timedelta(days=days.get(copy, 0))).isoformat() + "Z"
        return run("show", model, key, "--now", now)

    def key_of(name, kind, copy, number):
        prefix = f"L{copy}-{kind}"
        return f"{prefix}-{number}" if name.startswith("learnable.") else f"{prefix}{number}"

    for model in (json.loads(line) for line in run("models").splitlines()):
        key = model.get("key")
        kinds = {"account": "S", "student": "S", "exam": "E", "attempt": "T", "session": "N", "device": "D"}
        name = model["name"]
        # What a device has not seen yet, and which exams there are, is of the whole room.
        if key not in kinds or name in ("examroom.changes", "examroom.available"):
            continue
        # Only students are named alike in all products; some of QuranFlow is told in New York's time, whose
        # clocks change at other days of a copy; the library, and the export with it, tells dates in words;
        # a calendar has whole months.
        if name in ("learnable.library", "learnable.export", "learnable.calendar"):
            continue
        if name.startswith("quranflow.") or not name.startswith("examroom.") and key != "student":
            continue
        for number in range(0, 40, 13):
            ours = show(name, key_of(name, kinds[key], 1, number), 1)
            for copy in range(2, last + 1):
                theirs = show(name, key_of(name, kinds[key], copy, number), copy)
                theirs = as_first(theirs, copy, days[copy])
                asked += 1
                if theirs != ours:
                    faults += 1
                    if faults < 10:
                        print(f"{name} of {number}, copy {copy}:\n  {ours[:600]}\n  {theirs[:600]}")
    # What stands in streams' names alone is found again.
    for copy in range(1, last + 1):
        for number in range(0, 40, 13):
            week = json.loads(run("show", "quranflow.week", f"L{copy}-E{number}", "--arg", "week=2"))
            asked += 1
            for item in week["feedback"]["items"] if week else []:
                if not item["recording"]:
                    faults += 1
                    print(f"copy {copy}: feedback to no recording in week 2 of enrolment {number}")
    print(f"{asked} documents compared, {faults} differences")
    sys.exit(1 if faults else 0)


main()
