"""Faults at random while clients register accounts by any node; then the checker. usage: faults.py [ROUNDS]

Each kind once where no number is said. SEED repeats a run's choices; what the machine makes of them differs from run to run."""
import collections
import os
import random
import signal
import sys
import time

from cluster import KIND, SIJILLD, Cluster, find_server, make_server
from history import Client, check, longest_stall


class Faults:
    """Each does one thing, sees that it took place, waits, and puts it right again."""

    def __init__(self, cluster, people, chance):
        self.cluster, self.people, self.chance = cluster, people, chance
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
            "restart all, one after the other": self.restarted,
            "send each command to two nodes at once": self.doubled,
        }
        if all(node.injection.has_disk for node in cluster.nodes.values()):
            self.all["fill the disk of who decides"] = lambda: self.filled(self.decider(), hands_on=True)
            self.all["fill the disk of a follower"] = lambda: self.filled(self.follower())
        else:
            print("faults: no file system can be mounted; full disks were NOT tested", file=sys.stderr)
        if all(node.injection.has_libraries for node in cluster.nodes.values()):
            self.all["fail the writes of who decides"] = lambda: self.failed(self.decider(), hands_on=True)
            self.all["fail the writes of a follower"] = lambda: self.failed(self.follower())
            self.all["set the clock of who decides"] = lambda: self.clock_set(self.decider())
            self.all["set the clock of a follower"] = lambda: self.clock_set(self.follower())
        else:
            print("faults: no C compiler is there; failing writes and clocks were NOT tested", file=sys.stderr)
        if KIND == "nats":
            self.all["kill the stream's leader"] = self.leader_killed
            self.all["pause the stream's leader"] = self.leader_paused
            nats = cluster.server
            self.all["cut the stream's leader from the others"] = lambda: self.parted("cut", nats.leader())
            self.all["hold the stream's leader from the others"] = lambda: self.parted("held", nats.leader())
            self.all["let words between the stream's leader and the others through one way"] = lambda: self.parted("mute", nats.leader())
            self.all["cut a server that does not lead from the others"] = lambda: self.parted(
                "cut", chance.choice([server for server in nats.servers if server is not nats.leader()]))
            self.all["cut all servers from each other"] = lambda: self.parted("cut", *nats.servers)

    @property
    def answered(self):
        return sum(len(person.done) for person in self.people)

    @property
    def twins(self):
        return sum("twin" in operation for person in self.people for operation in person.done)

    def decider(self):
        return self.cluster.wait_for_decider()

    def follower(self):
        decider = self.decider()
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
        before = gate.count
        gate.set(state)
        self.cluster.wait(lambda: gate.count > before, name=f"a line of {node.name} that is {state}")
        self.pause(0.5, 4)
        gate.set("open")

    def database(self):
        self.cluster.server.kill()
        self.pause(0, 2)
        self.cluster.server.start()

    def restarted(self):
        nodes = list(self.cluster.nodes.values())
        for node in self.chance.sample(nodes, len(nodes)):
            self.ended(node)
            self.pause(0, 1)

    def doubled(self):
        before = self.twins
        for person in self.people:
            person.is_doubling = True
        self.pause(1, 4)
        for person in self.people:
            person.is_doubling = False
        self.cluster.wait(lambda: self.twins > before, name="a command that two nodes answered")

    def filled(self, node, hands_on=False):
        said = node.listen()
        node.injection.fill()
        self.cluster.wait(lambda: "No space left on device" in said(), name=f"a full disk of {node.name}")
        if hands_on:
            self.cluster.wait_for_decider(other_than=node.name)
        self.pause(0, 3)
        node.injection.clear()
        self.goes_on(node)

    def failed(self, node, hands_on=False):
        """Where a flush failed, the node writes nothing more before it is started anew."""
        said = node.listen()
        node.injection.fail("EIO")
        self.cluster.wait(lambda: "Input/output error" in said(), name=f"a failed write of {node.name}")
        if hands_on:
            self.cluster.wait_for_decider(other_than=node.name)
        self.pause(0, 3)
        node.stop()
        node.injection.mend()
        node.start()

    def clock_set(self, node):
        """Forth and back."""
        for seconds in (3_600 * self.chance.randint(1, 24), 0):
            node.injection.set_clock(seconds)
            self.cluster.wait(
                lambda seconds=seconds: abs(node.clock() - time.time() - seconds) < 60, name=f"the clock of {node.name}")
            self.pause(0.5, 3)
        self.goes_on(node)

    def goes_on(self, node):
        """Waits until clients are answered again and the node has no trouble."""
        before = self.answered
        self.cluster.wait(
            lambda: self.answered > before and node.status()["trouble"] is None, name=f"{node.name} without trouble")

    def leader_killed(self):
        self.cluster.server.leader().kill()
        self.pause(0, 12)
        self.cluster.server.start()

    def leader_paused(self):
        process = self.cluster.server.leader().process
        process.send_signal(signal.SIGSTOP)
        self.pause(0.5, 12)
        process.send_signal(signal.SIGCONT)

    def parted(self, state, *servers):
        nats = self.cluster.server
        before = nats.felt
        for server in servers:
            nats.part(server, state)
        self.cluster.wait(lambda: nats.felt > before, name=f"a way of {servers[0].name} to others that is {state}")
        self.pause(0.5, 12)
        for server in servers:
            nats.part(server, "open")


def show_logs(cluster):
    for node in cluster.nodes.values():
        with open(node.log, encoding="utf-8") as file:
            print(f"--- {node.name}\n{file.read()[-6000:]}", flush=True)


def run(rounds=None, clients=4):
    seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
    chance = random.Random(seed)
    server = make_server(is_replicated=True, is_gated=True)
    cluster = Cluster(server, is_injected=True)
    problems = []
    counts = collections.Counter()
    try:
        cluster.start()
        people = [Client(cluster, number, random.Random(seed + number)) for number in range(clients)]
        faults = Faults(cluster, people, chance)
        rounds = rounds or len(faults.all)
        print(f"seed {seed}, {rounds} faults", flush=True)
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
            before = faults.answered
            faults.all[name]()
            faults.pause(0.3, 1.5)
            print(f"{number + 1:4}  {name}: {faults.answered - before} answered", flush=True)
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
        print(f"{len(operations)} answered, {sum(each['isDuplicate'] for each in operations)} of them as duplicates, "
              f"{faults.twins} by two nodes; term {term}; 503: {refused}; "
              f"longest without an answer: {longest_stall(operations):.1f} s", flush=True)
        print("; ".join(f"{name}: {counts[name]}" for name in names), flush=True)
        for problem in problems[:20]:
            print(f"PROBLEM: {problem}", flush=True)
        if problems:
            show_logs(cluster)
    except Exception:
        show_logs(cluster)
        raise
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
    run(*map(int, sys.argv[1:2]))
