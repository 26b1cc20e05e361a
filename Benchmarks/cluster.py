#!/usr/bin/env python3
"""A cluster beside one node: commands a second and how long they take, in one run; how long nobody is answered after a fault; how
fast a new node catches up. Three nodes, with one PostgreSQL server and with three of which two have each commit, all on this machine.

usage: cluster.py BIN-DIRECTORY [--seconds N] [--rounds N] [--only rates,stalls,catching]

Wants PostgreSQL, openssl and wrk (Debian's packages). Prints the tables of docs/benchmarks.md.
"""
import argparse
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Tests", "Cluster"))

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("bin")
parser.add_argument("--seconds", type=int, default=5)
parser.add_argument("--rounds", type=int, default=3)
parser.add_argument("--only", default="rates,stalls,catching")
options = parser.parse_args()
os.environ["SIJILL_BUILD"] = os.path.abspath(options.bin)
# pylint: disable=wrong-import-position
from cluster import SIJILLD, Cluster, free_port, replay  # noqa: E402
from history import Client  # noqa: E402
from replicas import Replicas  # noqa: E402
from servers import PostgresLog  # noqa: E402

# What is sent, by the script that writes it: a new person's key is on two nodes before their event is.
KINDS = (("new persons", "submit.lua"), ("nobody's", "observe.lua"))


class Alone:
    """A node without others, and without a log."""

    def __init__(self, directory):
        self.port = free_port()
        journal, config = os.path.join(directory, "alone"), os.path.join(directory, "alone.json")
        environment = dict(os.environ, SIJILL_MASTER_KEY_FILE=os.path.join(directory, "master.key"))
        replay("init", "--simulated", "--journal", journal, environment=environment)
        with open(config, "w", encoding="utf-8") as file:
            json.dump({"journal": journal, "http": {"port": self.port}}, file)
        self.process = subprocess.Popen(
            [SIJILLD, "--config", config], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def wrk(port, connections, script):
    """Commands a second, and milliseconds in the median and at the 99th percentile."""
    out = subprocess.run(
        ["wrk", "-t", "1", "-c", str(connections), "-d", f"{options.seconds}s", "--latency", "-s", os.path.join(HERE, script),
         f"http://127.0.0.1:{port}/v1/commands"], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit("not all were answered well:\n" + out)

    def milliseconds(percent):
        number, unit = re.search(rf"{percent}%\s+([\d.]+)(us|ms|s)", out).groups()
        return float(number) * {"us": 0.001, "ms": 1, "s": 1_000}[unit]

    return float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), milliseconds(50), milliseconds(99)


def rates():
    print("| commands | callers | node | commands/s | median, ms | 99 %, ms | of one alone |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |")
    one, three = PostgresLog("max_connections=100", "fsync=on"), Replicas()
    clusters = [("one database", Cluster(one, has_gates=False)), ("three databases", Cluster(three, has_gates=False))]
    alone = Alone(clusters[0][1].directory)
    try:
        for _, each in clusters:
            each.start()
        places = [("alone", alone.port)]
        for name, each in clusters:
            decider = each.decider()
            follower = next(node for node in each.nodes.values() if node is not decider)
            places += [(f"{name}, which decides", decider.port), (f"{name}, which hands on", follower.port)]
        for kind, script in KINDS:
            for connections in (1, 16, 64):
                found = {name: [] for name, _ in places}
                for _ in range(options.rounds):
                    for name, port in places:
                        found[name].append(wrk(port, connections, script))
                for name, rounds in found.items():
                    rate, median, late = (statistics.median(column) for column in zip(*rounds))
                    ratio = statistics.median(
                        mine[0] / base[0] for mine, base in zip(rounds, found["alone"]))
                    print(f"| {kind} | {connections} | {name} | {rate:,.0f} | {median:.1f} | {late:.1f} | {ratio:.2f} |", flush=True)
    finally:
        alone.stop()
        for _, each in clusters:
            each.remove()
        one.remove()
        three.remove()


def longest(clients, begin):
    """The longest time since `begin` in which none of them was answered."""
    times = sorted(each["answered"] for client in clients for each in list(client.done) if each["answered"] >= begin)
    return max((b - a for a, b in zip([begin, *times], times)), default=float("nan"))


def stalls():
    print("| fault | seconds without an answer, median (all) |\n| --- | --- |")
    database = Replicas()
    cluster = Cluster(database, has_gates=False, takeOverSeconds=3)
    try:
        cluster.start()
        clients = [Client(cluster, number, random.Random(number)) for number in range(4)]
        for client in clients:
            client.start()

        def kill():
            node = cluster.wait_for_decider()
            node.kill()
            return node.start

        def pause():
            node = cluster.wait_for_decider()
            node.pause()
            return node.resume

        def end():
            node = cluster.wait_for_decider()
            node.stop()
            return node.start

        def kill_database():
            old = database.fail_over()
            return lambda: database.bring_back(old)

        faults = (("the node that decides: kill -9", kill), ("the same: SIGSTOP", pause), ("the same: ended in good order", end),
                  ("the database: kill -9, promoted at once", kill_database))
        for name, fault in faults:
            found = []
            for _ in range(options.rounds):
                time.sleep(2)
                begin = time.monotonic()
                mend = fault()
                time.sleep(10)
                found.append(longest(clients, begin))
                mend()
                cluster.wait_for_decider()
            print(f"| {name} | {statistics.median(found):.1f} ({', '.join(f'{each:.1f}' for each in sorted(found))}) |", flush=True)
        for client in clients:
            client.is_over = True
        for client in clients:
            client.join(60)
    finally:
        cluster.remove()
        database.remove()


def catching():
    """A new node that takes in a log of single commands, and one of large commits."""
    print("| the log | frames | events | seconds | frames/s | events/s |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, connections, count in (("commits of some commands", 64, 20_000), ("commits of many lines", None, 100_000)):
        server = PostgresLog("max_connections=100", "fsync=on")
        cluster = Cluster(server, has_gates=False)
        try:
            cluster.start()
            decider = cluster.wait_for_decider()
            if connections:
                end = time.monotonic() + count / 1_000
                while time.monotonic() < end:
                    wrk(decider.port, connections, "observe.lua")
            else:
                lines = [json.dumps({
                    "id": f"o-{number}", "command": "examroom.connection.observe", "at": "2026-02-02T08:00:00Z", "by": "system",
                    "data": {"device": f"D-{number % 500}", "network": "wifi" if number // 500 % 2 else "cellular"}})
                    for number in range(count)]
                for place in range(0, count, 5_000):
                    decider.post_lines(lines[place:place + 5_000], 600)
            cluster.wait_until_equal()
            node = cluster.add("d")
            begin = time.monotonic()
            threading.Thread(target=node.start).start()
            frames = cluster["a"].status()["frames"]

            def is_there():
                try:
                    return node.status()["frames"] == frames
                except (OSError, ValueError, KeyError, TypeError):
                    return False

            cluster.wait(is_there, 600, "the new node")
            seconds = time.monotonic() - begin
            events = json.loads(node.ask("GET", "/v1/events?reverse=true&limit=1")[2])["position"]
            print(f"| {name} | {frames:,} | {events:,} | {seconds:.1f} | {frames / seconds:,.0f} | {events / seconds:,.0f} |", flush=True)
        finally:
            cluster.remove()
            server.remove()


for program in ("wrk", "openssl"):
    if not shutil.which(program):
        sys.exit(f"cluster.py: {program} is not there; install it: apt-get install {program}")
for measure in (rates, stalls, catching):
    if measure.__name__ in options.only.split(","):
        measure()
        print(flush=True)
