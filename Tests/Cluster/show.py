"""Shows a cluster: three nodes, clients, the one that decides is killed, and nothing that was answered is lost."""
import random
import sys
import time

from cluster import Cluster, Postgres
from history import Client, check, longest_stall

PEOPLE = 1_000


def main():
    server = Postgres("max_connections=100", "fsync=on")
    cluster = Cluster(server, takeOverSeconds=3)
    try:
        cluster.start()
        for node in cluster.nodes.values():
            print(f"node {node.name} at http://127.0.0.1:{node.port}: {node.ready().strip()}", flush=True)
        clients = [Client(cluster, number, random.Random(number)) for number in range(4)]
        for client in clients:
            client.start()

        def answered():
            return sum(len(client.done) for client in clients)

        cluster.wait(lambda: answered() >= PEOPLE // 2, 100, "answers")
        victim = cluster.decider()
        victim.kill()
        print(f"{answered()} commands answered; node {victim.name}, which decided, is killed with -9", flush=True)
        begin = time.monotonic()
        other = cluster.wait_for_decider()
        print(f"node {other.name} decides after {time.monotonic() - begin:.1f} s, term {other.status()['term']}", flush=True)
        victim.start()
        cluster.wait(lambda: answered() >= PEOPLE, 100, "answers")
        for client in clients:
            client.is_over = True
        for client in clients:
            client.join(60)
        cluster.wait_until_equal()
        cluster.stop()
        operations = [operation for client in clients for operation in client.done]
        problems = [problem for client in clients for problem in client.problems] + check(cluster, operations)
        print(f"{len(operations)} commands answered, {sum(each['tries'] > 1 for each in operations)} of them asked again; "
              f"longest without an answer: {longest_stall(operations):.1f} s", flush=True)
        for problem in problems[:20]:
            print(f"PROBLEM: {problem}")
        if problems:
            sys.exit(1)
        print("every one of them is once, and where it was answered, in the journals of all three nodes, which are equal",
              flush=True)
    finally:
        cluster.remove()
        server.remove()


main()
