#!/usr/bin/env python3
"""Makes a journal in which every product has a life: the LSAT's 1,000 people, and one scenario of each other product.

usage: console-journal.py REPLAY DIRECTORY
"""
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCENARIOS = [
    "examroom/04-extra-time", "quranflow/11-first-semester", "learnable/a-whole-life", "tafawoq/dashboard",
    "tafawoq/renewal-failure",
]


def scenario(name):
    """The commands of a scenario; their ids are made its own, since all of them count from c-1."""
    with open(os.path.join(ROOT, "Examples", name + ".jsonl"), encoding="utf-8") as file:
        for line in file:
            command = json.loads(line).get("do", {})
            if "command" in command:
                yield {**command, "id": f"{name.replace('/', '-')}:{command['id']}"[-64:]} if "id" in command else command


def classmate():
    """Who began the same semester as the student of QuranFlow's scenario, and did nothing from the end of February on."""
    others = {"student": "S-2", "enrollment": "E-2"}
    for command in scenario("quranflow/11-first-semester"):
        data = dict(command.get("data") or {})
        if command["at"] > "2026-03" or not {"student", "enrollment", "recording"} & set(data):
            continue
        for field in set(data) & set(others):
            data[field] = others[field]
        if "recording" in data:
            data["recording"] = "M" + data["recording"]
        if command["command"] == "quranflow.student.register":
            data.update(name="Huda Salem", email="huda@example.org")
        yield {**command, "id": "mate:" + command["id"][-50:], "by": command["by"].replace("student:S-1", "student:S-2"),
               "data": data}


def lsat():
    examples = os.path.join(ROOT, "Examples", "lsat")
    done = subprocess.run(
        ["awk", "-f", os.path.join(examples, "commands.awk"), os.path.join(examples, "lsat6.csv")],
        capture_output=True, check=True, text=True)
    for line in done.stdout.splitlines():
        yield json.loads(line)


def main(replay, directory):
    commands = [command for name in SCENARIOS for command in scenario(name)] + list(classmate()) + list(lsat())
    # The journal's clock never goes back: all lives go on side by side.
    commands.sort(key=lambda command: command["at"])
    subprocess.run([replay, "init", "--journal", directory, "--simulated"], check=True, stdout=subprocess.DEVNULL)
    text = "".join(json.dumps(command, ensure_ascii=False) + "\n" for command in commands)
    done = subprocess.run(
        [replay, "submit", "--journal", directory, "--json", "-"], input=text, capture_output=True, text=True,
        check=False)
    outcomes = [json.loads(line) for line in done.stdout.splitlines()]
    if len(outcomes) != len(commands):
        sys.exit(f"console-journal: {done.stderr}")
    refused = sum(outcome["status"] == "rejected" for outcome in outcomes)
    print(f"{len(commands)} commands, of which {refused} are refused, as some scenarios want it")


if __name__ == "__main__":
    main(*sys.argv[1:])
