#!/usr/bin/env python3
"""Many journals in one process: memory, files and threads of each that is open, how long opening takes, and how many commands
a second come through when so many of them are written to.

usage: journals.py BIN-DIRECTORY [--most N] [--seconds N]

Prints a JSON object, as Benchmarks/capacity.json has it under "journals". The programs that ask share the machine with the
service: the rates are those of both.
"""
import argparse
import http.client
import json
import os
import re
import shutil
import statistics
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Service"))

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("bin")
parser.add_argument("--most", type=int, default=400)
parser.add_argument("--seconds", type=float, default=5)
options = parser.parse_args()
os.environ["SIJILL_BUILD"] = os.path.abspath(options.bin)
# pylint: disable=wrong-import-position
from harness import Server, example_commands  # noqa: E402

CALLERS = 16


def status(server):
    with open(f"/proc/{server.process.pid}/status", encoding="ascii") as file:
        values = dict(re.findall(r"(\w+):\s+(\d+)", file.read()))
    return {"ownKiB": int(values["RssAnon"]), "residentKiB": int(values["VmRSS"]), "threads": int(values["Threads"]),
            "files": len(os.listdir(f"/proc/{server.process.pid}/fd"))}


def disk(path):
    return sum(os.stat(os.path.join(path, name)).st_blocks * 512 for name in os.listdir(path))


def commands_a_second(server, tenants, run):
    """Single commands, each answered when it is durable, to these journals in turn."""
    counts, stop = [0] * CALLERS, time.monotonic() + options.seconds

    def call(number):
        connection = http.client.HTTPConnection(server.host, server.port, timeout=60)
        while time.monotonic() < stop:
            which = (number + counts[number] * CALLERS) % tenants
            body = json.dumps({
                "id": f"{run}-{number}-{counts[number]}", "command": "examroom.connection.observe", "by": "system",
                "at": "2027-03-01T09:00:00Z", "data": {"device": f"D-{run}-{number}-{counts[number]}", "network": "wifi"}})
            connection.request(
                "POST", f"/v1/journals/t-{which}/commands", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            content = response.read()
            if response.status != 201:
                raise RuntimeError(content.decode())
            counts[number] += 1
        connection.close()

    callers = [threading.Thread(target=call, args=(number,)) for number in range(CALLERS)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    return round(sum(counts) / options.seconds)


server = Server()
try:
    empty = disk(server.journal)
    server.submit_all(example_commands("Examples/examroom/01-exam-day.jsonl"))
    server.stop()
    many = os.path.join(server.directory, "many")
    os.mkdir(many)
    for number in range(options.most):
        shutil.copytree(server.journal, os.path.join(many, f"t-{number}"))
    server.settings.update({
        "journals": many, "limits.openJournals": 400, "limits.journalIdleSeconds": 20})
    server.start()
    connection = http.client.HTTPConnection(server.host, server.port, timeout=60)

    def ask(number):
        start = time.monotonic()
        connection.request("GET", f"/v1/journals/t-{number}/models/examroom.exam/EX-1")
        response = connection.getresponse()
        response.read()
        assert response.status == 200
        return (time.monotonic() - start) * 1_000

    ask(0)
    before, opening = status(server), [ask(number) for number in range(1, options.most)]
    after, again = status(server), [ask(number) for number in range(options.most)]
    count = options.most - 1
    found = {
        "open": options.most, "events": server.get("/v1/journals/t-0/status").json["position"],
        "bytesOnDiskEmpty": empty,
        "each": {key: round((after[key] - before[key]) / count, 2) for key in before},
        "openingMilliseconds": {"median": round(statistics.median(opening), 2),
                                "p99": round(sorted(opening)[int(len(opening) * 0.99)], 2)},
        "againMilliseconds": round(statistics.median(again), 2),
        "commandsASecond": {
            str(tenants): commands_a_second(server, tenants, f"r{tenants}")
            for tenants in (1, 16, 100, options.most) if tenants <= options.most},
        "whileWritten": {},
        "load": os.getloadavg()[0],
    }
    written = status(server)
    found["whileWritten"] = {key: round((written[key] - before[key]) / count, 2) for key in before}
    time.sleep(45)
    idle = status(server)
    found["idle"] = {key: idle[key] - before[key] for key in before}
    connection.close()
    for number in range(options.most):
        ask(number)
    # What closed journals leave in the process is used again.
    second = status(server)
    found["openedAgain"] = {key: round((second[key] - before[key]) / count, 2) for key in before}
    print(json.dumps(found, indent=2))
finally:
    server.remove()
