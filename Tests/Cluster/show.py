"""Shows a cluster: three nodes and three PostgreSQL servers play the demo, 8,009 commands of the LSAT's examinees. In the middle of it
the node that decides is killed, later the database that takes writes; what was answered is compared with a journal that stands alone."""
import json
import os
import subprocess
import sys
import threading
import time

from cluster import Cluster
from harness import REPLAY, ROOT
from replicas import Replicas

LINES = 50


def demo():
    """The demo's commands, in the order of their time."""
    lsat = os.path.join(ROOT, "Examples", "lsat")
    done = subprocess.run(
        ["awk", "-f", os.path.join(lsat, "commands.awk"), os.path.join(lsat, "lsat6.csv")], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


class Player(threading.Thread):
    """Sends the lines in order, some at a time, to one node after the other, and again what was not answered."""

    def __init__(self, cluster, lines):
        super().__init__(daemon=True)
        self.cluster, self.lines = cluster, lines
        self.outcomes = []
        self.again = 0
        self.longest = 0.0

    def run(self):
        nodes = list(self.cluster.nodes.values())
        turn, last = 0, time.monotonic()
        while len(self.outcomes) < len(self.lines):
            begin = len(self.outcomes)
            turn += 1
            try:
                found = nodes[turn % len(nodes)].post_lines(self.lines[begin:begin + LINES])
            except (OSError, ValueError):
                found = []
            for outcome in found:
                # What could not be decided has no outcome, and neither has what stands behind it.
                if outcome.get("status") not in ("accepted", "rejected"):
                    break
                self.outcomes.append(outcome)
            if len(self.outcomes) > begin:
                self.longest = max(self.longest, time.monotonic() - last)
                last = time.monotonic()
            else:
                self.again += 1
                time.sleep(0.05)

    def wait_for(self, count):
        self.cluster.wait(lambda: len(self.outcomes) >= count, 300, f"{count} outcomes")
        return len(self.outcomes)


def digests(cluster, journal):
    """A digest of each read model, made again from the first event."""
    answer = json.loads(cluster.replay("rebuild", "--json", "--journal", journal))
    return {model["model"]: model["digest"] for model in answer["models"]}


def main():
    lines = demo()
    print("Starting three PostgreSQL servers and three nodes.", flush=True)
    database = Replicas()
    cluster = Cluster(database, has_gates=False, takeOverSeconds=3)
    try:
        cluster.start()
        for node in cluster.nodes.values():
            print(f"node {node.name} at http://127.0.0.1:{node.port}: {node.ready().strip()}", flush=True)
        player = Player(cluster, lines)
        player.start()

        count = player.wait_for(len(lines) // 3)
        victim = cluster.decider()
        victim.kill()
        print(f"{count} commands answered; node {victim.name}, which decides, is killed with -9", flush=True)
        begin = time.monotonic()
        other = cluster.wait_for_decider()
        print(f"node {other.name} decides after {time.monotonic() - begin:.1f} s, term {other.status()['term']}", flush=True)
        victim.start()

        count = player.wait_for(2 * len(lines) // 3)
        old = database.fail_over()
        print(f"{count} commands answered; the database that took writes is killed with -9, and {database.primary.name} goes on", flush=True)
        player.wait_for(count + 1)
        database.bring_back(old)
        player.wait_for(len(lines))
        player.join(10)
        cluster.wait_until_equal()
        cluster.stop()

        accepted = sum(outcome["status"] == "accepted" for outcome in player.outcomes)
        print(f"{len(player.outcomes)} commands answered, {accepted} of them accepted; {player.again} requests sent again; "
              f"longest without an answer: {player.longest:.1f} s", flush=True)
        # The same commands in a journal that stands alone.
        alone = os.path.join(cluster.directory, "alone")
        cluster.replay("init", "--simulated", "--journal", alone)
        subprocess.run([REPLAY, "submit", "--journal", alone], input="\n".join(lines).encode(), check=False, stdout=subprocess.DEVNULL,
                       env=cluster.environment)
        wanted = digests(cluster, alone)
        problems, logs = [], set()
        for node in cluster.nodes.values():
            found = digests(cluster, node.journal)
            logs.add(found["audit.log"])
            # When an event was recorded is the wall clock's, and the audit log alone tells it.
            problems += [f"{node.name}: {model} is another"
                         for model in wanted if found.get(model) != wanted[model] and model != "audit.log"]
        if len(logs) != 1:
            problems.append("the audit logs of the nodes differ")
        events = [json.loads(line) for line in cluster.replay("events", "--json", "--journal", cluster["a"].journal).splitlines()]
        for outcome in player.outcomes:
            for event in outcome.get("events", []):
                if events[event["position"] - 1]["stream"] != event["stream"]:
                    problems.append(f"{event} was answered, and is not there")
        for problem in problems[:10]:
            print(f"PROBLEM: {problem}")
        if problems:
            sys.exit(1)
        print(f"each of the {len(events)} events is where it was answered; {len(wanted) - 1} read models of the three nodes are those of a "
              "journal that played the same alone (the audit log tells when each event was recorded)", flush=True)
    finally:
        cluster.remove()
        database.remove()


main()
