"""Faults at random while clients register accounts by any node; then the checker. usage: faults.py ROUNDS

SEED repeats a run's choices; what the machine makes of them differs from run to run."""
import collections
import os
import random
import signal
import sys
import time

from cluster import KIND, SIJILLD, Cluster, find_server, make_server
from history import Client, check, longest_stall


class Faults:
    """Each does one thing, waits, and puts it right again."""

    def __init__(self, cluster, chance):
        self.cluster, self.chance = cluster, chance
        self.all = {
            "kill who decides": lambda: self.killed([self.decider()]),
            "kill a follower": lambda: self.killed([self.follower()]),
            "kill all": lambda: self.killed(list(cluster.nodes.values())),
            "pause who decides": lambda: self.paused(self.decider()),
            "pause a follower": lambda: self.paused(self.follower()),
            "end who decides": lambda: self.ended(self.decider()),
            "cut who decides from the log": lambda: self.line(self.decider(), "cut"),
            "hold who decides from the log": lambda: self.line(self.decider(), "held"),
            "lose the log's answers to who decides": lambda: self.line(self.decider(), "mute"),
            "cut a follower from the log": lambda: self.line(self.follower(), "cut"),
            "kill the database": self.database,
        }
        if KIND == "nats":
            self.all["kill the stream's leader"] = self.leader_killed
            self.all["pause the stream's leader"] = self.leader_paused

    def decider(self):
        return self.cluster.decider() or self.follower()

    def follower(self):
        decider = self.cluster.decider()
        return self.chance.choice([node for node in self.cluster.nodes.values() if node is not decider])

    def pause(self, least, most):
        time.sleep(self.chance.uniform(least, most))

    def killed(self, nodes):
        for node in nodes:
            node.kill()
        self.pause(0, 3)
        for node in nodes:
            node.start()

    def paused(self, node):
        node.pause()
        self.pause(0.5, 5)
        node.resume()

    @staticmethod
    def ended(node):
        node.stop()
        node.start()

    def line(self, node, state):
        gate = self.cluster.gates[node.name]
        gate.set(state)
        self.pause(0.5, 4)
        gate.set("open")

    def database(self):
        self.cluster.server.kill()
        self.pause(0, 2)
        self.cluster.server.start()

    def leader_killed(self):
        self.cluster.server.leader().kill()
        self.pause(0, 12)
        self.cluster.server.start()

    def leader_paused(self):
        process = self.cluster.server.leader().process
        process.send_signal(signal.SIGSTOP)
        self.pause(0.5, 12)
        process.send_signal(signal.SIGCONT)


def run(rounds, clients=4):
    seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
    print(f"seed {seed}, {rounds} faults", flush=True)
    chance = random.Random(seed)
    server = make_server(is_replicated=True)
    cluster = Cluster(server)
    problems = []
    counts = collections.Counter()
    try:
        cluster.start()
        faults = Faults(cluster, chance)
        people = [Client(cluster, number, random.Random(seed + number)) for number in range(clients)]
        for person in people:
            person.start()
        time.sleep(1)
        names = sorted(faults.all)
        order = []
        for number in range(rounds):
            # Each kind as often as the others.
            if not order:
                order = chance.sample(names, len(names))
            name = order.pop()
            counts[name] += 1
            before = sum(len(person.done) for person in people)
            faults.all[name]()
            faults.pause(0.3, 1.5)
            print(f"{number + 1:4}  {name}: {sum(len(person.done) for person in people) - before} answered", flush=True)
        cluster.wait_for_decider()
        time.sleep(1)
        for person in people:
            person.is_over = True
        for person in people:
            person.join(60)
        cluster.wait_until_equal()
        cluster.wait(lambda: all(node.status()["missingKeys"] == 0 for node in cluster.up), 60, "all keys")
        term = cluster.decider().status()["term"]
        cluster.stop()
        operations = [operation for person in people for operation in person.done]
        problems = [problem for person in people for problem in person.problems] + check(cluster, operations)
        refused = {}
        for person in people:
            for code, count in person.refused.items():
                refused[code] = refused.get(code, 0) + count
        print(f"{len(operations)} answered, {sum(each['isDuplicate'] for each in operations)} of them as duplicates; term {term}; "
              f"503: {refused}; longest without an answer: {longest_stall(operations):.1f} s", flush=True)
        print("; ".join(f"{name}: {counts[name]}" for name in names), flush=True)
        for problem in problems[:20]:
            print(f"PROBLEM: {problem}", flush=True)
        if problems:
            for node in cluster.nodes.values():
                with open(node.log, encoding="utf-8") as file:
                    print(f"--- {node.name}\n{file.read()[-6000:]}", flush=True)
    finally:
        cluster.remove()
        server.remove()
    if not operations:
        raise SystemExit("nothing was answered at all")
    if problems:
        raise SystemExit(f"{len(problems)} problems; seed {seed}")
    print("nothing lost, nothing twice, order kept, journals equal", flush=True)


if __name__ == "__main__":
    if not find_server() or not os.path.exists(SIJILLD):
        print(f"faults: {KIND} or sijilld is not there; the cluster was NOT tested", file=sys.stderr)
        sys.exit(0)
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 11)
