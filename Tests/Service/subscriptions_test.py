"""Subscriptions: who works off what, in which order, and what is kept when the service is killed."""
import hashlib
import json
import os
import random
import shutil
import threading
import time
import unittest

from audit_test import account
from harness import Server, example_commands, replay, wait_until

EXAM_DAY = "Examples/examroom/01-exam-day.jsonl"
NAME = "/v1/subscriptions/index"


def partition_of(event, count, kind=None):
    key = event["stream"]
    if kind:
        key = next((tag for tag in event["tags"] if tag.startswith(kind + ":")), key)
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:8], "big") % count


class Consumer:
    def __init__(self, server, name, path=NAME, token=None):
        self.server, self.name, self.path, self.token = server, name, path, token
        self.lease, self.partitions = None, []

    def take(self):
        return self._hold(self.server.ask(
            "POST", f"{self.path}/leases", body={"consumer": self.name}, token=self.token))

    def renew(self):
        return self._hold(
            self.server.ask("PUT", f"{self.path}/leases/{self.lease}", token=self.token))

    def give_back(self):
        return self.server.ask("DELETE", f"{self.path}/leases/{self.lease}", token=self.token).status

    def _hold(self, answer):
        if answer.status in (200, 201):
            self.lease, self.partitions = answer.json["lease"], answer.json["partitions"]
        return answer

    def next(self, partition=0, most=100, wait=None):
        headers = {"Sijill-Lease": str(self.lease)}
        if wait:
            headers["Prefer"] = f"wait={wait}"
        return self.server.get(
            f"{self.path}/partitions/{partition}/events?max={most}", headers=headers, token=self.token)

    def events(self, partition=0, most=100):
        answer = self.next(partition, most)
        return answer.json["events"] if answer.status == 200 else []

    def positions(self, partition=0):
        return [event["position"] for event in self.events(partition)]

    def checkpoint(self, position, partition=0, lease=None):
        return self.server.ask(
            "PUT", f"{self.path}/partitions/{partition}/checkpoint",
            body={"position": position, "lease": lease or self.lease}, token=self.token).status

    def park(self, position, partition=0, reason="cannot be read"):
        return self.server.ask(
            "POST", f"{self.path}/partitions/{partition}/parked",
            body={"position": position, "reason": reason, "lease": self.lease}, token=self.token)


class SubscriptionsTest(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        self.server.submit_all(example_commands(EXAM_DAY))
        self.events = [
            json.loads(line) for line in replay("events", "--journal", self.server.journal).splitlines()]

    def put(self, **definition):
        return self.server.ask("PUT", NAME, body=definition)

    def parked(self, partition=0):
        answer = self.server.get(f"{NAME}/partitions/{partition}/parked")
        return [item["position"] for item in answer.json["parked"]]

    def resolve(self, position, verb):
        path = f"{NAME}/partitions/0/parked/{position}"
        if verb == "retry":
            return self.server.ask("POST", path + "/retry").status
        return self.server.ask("DELETE", path).status

    def test_a_subscription_is_made_once_and_refuses_another_meaning_once_it_has_checkpoints(self):
        self.assertEqual(self.put(partitions=2).status, 201)
        self.assertEqual(self.put(partitions=2).status, 200)
        self.assertEqual(self.put(partitions=3).json["partitions"], 3)
        self.assertEqual(self.put(partitions=1).status, 200)
        consumer = Consumer(self.server, "a")
        self.assertEqual(consumer.take().status, 201)
        self.assertEqual(consumer.checkpoint(5), 204)
        self.assertEqual(self.put(partitions=2).json["code"], "subscription-differs")
        self.assertEqual(self.put(partitions=1, leaseSeconds=60).status, 200)
        listed = self.server.get("/v1/subscriptions").json["subscriptions"]
        self.assertEqual([(item["name"], item["checkpoints"]) for item in listed], [("index", [5])])
        self.assertEqual(self.server.ask("DELETE", NAME).status, 204)
        self.assertEqual(self.server.get(NAME).status, 404)
        self.assertEqual(self.server.ask("DELETE", NAME).status, 404)

    def test_what_is_wrongly_put_is_refused(self):
        for body in ({"partitions": 0}, {"partitions": 65}, {"partitionBy": "luck"}, {"x": 1},
                     {"filter": {"y": "z"}}, {"from": 0}, []):
            self.assertEqual(self.server.ask("PUT", NAME, body=body).status, 400, body)
        self.assertEqual(self.server.ask("PUT", "/v1/subscriptions/a%20b", body={}).status, 400)

    def test_events_of_a_partition_are_those_of_its_keys_in_order(self):
        for key, kind in (("stream", None), ("tag:student", "student")):
            self.server.ask("DELETE", NAME)
            self.put(partitions=4, partitionBy=key, filter={"type": "examroom.*"})
            consumer = Consumer(self.server, "a")
            consumer.take()
            for partition in range(4):
                expected = [event for event in self.events if partition_of(event, 4, kind) == partition]
                self.assertEqual(consumer.events(partition), expected)

    def test_events_of_a_person_are_in_one_partition(self):
        def key(event):
            tags = [tag.split(":", 1) for tag in event["tags"]]
            ids = [name for kind, name in tags if kind in ("student", "account")] or [
                name for kind, name in tags if kind == "coach"]
            return f"{event['type'].split('.')[0]}/{ids[0]}" if ids else event["stream"]

        def partition(event):
            return int.from_bytes(hashlib.sha256(key(event).encode()).digest()[:8], "big") % 4

        self.assertTrue({key(event) for event in self.events} - {event["stream"] for event in self.events})
        self.assertEqual(self.put(partitions=4, partitionBy="subject").status, 201)
        consumer = Consumer(self.server, "a")
        consumer.take()
        for number in range(4):
            self.assertEqual(
                consumer.events(number), [event for event in self.events if partition(event) == number])

    def test_a_partition_live_has_a_window_that_moves_with_the_checkpoint(self):
        self.put(leaseSeconds=30)
        consumer = Consumer(self.server, "a")
        consumer.take()
        positions = [event["position"] for event in self.events]
        path = f"{NAME}/partitions/0/events?max=3"
        stream = self.server.stream(path, headers={"Sijill-Lease": str(consumer.lease)})
        self.addCleanup(stream.close)
        take = lambda count: [(kind, int(number)) for kind, number, _ in stream.take(count)]
        events = lambda some: [("event", position) for position in some]
        self.assertEqual(take(3), events(positions[:3]))
        self.assertEqual(consumer.checkpoint(positions[0]), 204)
        self.assertEqual(take(1), events(positions[3:4]))
        self.assertEqual(consumer.checkpoint(positions[3]), 204)
        self.assertEqual(take(3), events(positions[4:7]))
        # A parked event takes those behind it in its stream along, and comes back as one that is tried again.
        self.assertEqual(consumer.park(positions[4]).status, 201)
        stream_of = {event["position"]: event["stream"] for event in self.events}
        rest = [position for position in positions[5:] if stream_of[position] != stream_of[positions[4]]]
        shown = [position for position in rest[:3] if position not in positions[5:7]]
        self.assertEqual(take(len(shown)), events(shown))
        self.assertEqual(consumer.checkpoint(rest[2]), 204)
        self.assertEqual(take(3), events(rest[3:6]))
        self.assertEqual(self.resolve(positions[4], "retry"), 202)
        self.assertEqual(take(1), [("retry", positions[4])])
        # Another takes the partition: the stream says so, and ends.
        other = Consumer(self.server, "a")
        other.take()
        last = [(kind, data) for kind, _, data in stream]
        self.assertEqual(last[-2:], [("lost", {"code": "lease-lost"}), ("end", {})])

    def test_a_partition_live_shows_what_comes(self):
        head = self.events[-1]["position"]
        self.put(**{"from": head + 1})
        consumer = Consumer(self.server, "a")
        consumer.take()
        stream = self.server.stream(
            f"{NAME}/partitions/0/events", headers={"Sijill-Lease": str(consumer.lease)})
        self.addCleanup(stream.close)
        time.sleep(0.3)
        self.assertEqual(self.server.submit(account("LATER", at="2030-01-01T00:00:00Z")).status, 201)
        self.assertEqual(int(stream.take(1)[0][1]), head + 1)

    def test_a_consumer_that_waits_is_answered_when_the_service_stops(self):
        head = self.events[-1]["position"]
        self.put(**{"from": head + 1})
        consumer = Consumer(self.server, "a")
        consumer.take()
        found = []
        thread = threading.Thread(target=lambda: found.append(consumer.next(wait=19).status))
        thread.start()
        time.sleep(0.5)
        start = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        thread.join(20)
        self.assertEqual(found, [204])
        self.assertLess(time.monotonic() - start, 8)

    def test_a_consumer_that_waits_is_woken_by_a_parked_event_that_is_tried_again(self):
        self.put()
        consumer = Consumer(self.server, "a")
        consumer.take()
        last = self.events[-1]["position"]
        self.assertEqual(consumer.park(last).status, 201)
        found = []
        thread = threading.Thread(target=lambda: found.append(consumer.next(wait=19)))
        thread.start()
        time.sleep(0.3)
        start = time.monotonic()
        self.assertEqual(self.resolve(last, "retry"), 202)
        thread.join(20)
        self.assertEqual([event["position"] for event in found[0].json["events"]], [last])
        self.assertLess(time.monotonic() - start, 3)

    def test_checkpoints_of_a_longer_journal_are_refused(self):
        self.put()
        consumer = Consumer(self.server, "a")
        consumer.take()
        self.assertEqual(consumer.checkpoint(self.events[-1]["position"]), 204)
        self.server.stop()
        kept = os.path.join(self.server.journal, "subscriptions.log")
        with Server() as shorter:
            shorter.submit_all(example_commands(EXAM_DAY)[:2])
            shorter.stop()
            shutil.copy(kept, shorter.journal)
            shorter.start()
            self.assertEqual(shorter.get("/v1/subscriptions").status, 503)
            # The log is read beside the answers.
            deadline = time.monotonic() + 10
            while not any("they are not of one time" in line for line in shorter.log):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
            # Everything else goes on.
            self.assertEqual(shorter.get("/v1/events").status, 200)

    def test_metrics_say_how_far_behind_a_subscription_is(self):
        def lag():
            lines = self.server.get("/metrics").body.decode().splitlines()
            found = [line.split()[-1] for line in lines if line.startswith(
                'sijill_subscription_lag_events{journal="",subscription="index"}')]
            return [float(number) for number in found]

        last = self.events[-1]["position"]
        self.assertEqual(lag(), [])
        self.put(partitions=2)
        self.assertEqual(lag(), [last])
        consumer = Consumer(self.server, "a")
        consumer.take()
        for partition in range(2):
            events = consumer.positions(partition)
            if events:
                self.assertEqual(consumer.checkpoint(events[-1], partition), 204)
            self.assertEqual(consumer.positions(partition), [])
        self.assertEqual(lag(), [0])
        self.server.ask("DELETE", NAME)
        self.assertEqual(lag(), [])

    def test_a_checkpoint_moves_forward_only(self):
        self.put()
        consumer = Consumer(self.server, "a")
        consumer.take()
        self.assertEqual(consumer.checkpoint(4), 204)
        self.assertEqual(consumer.checkpoint(4), 204)
        self.assertEqual(consumer.checkpoint(3), 412)
        self.assertEqual(consumer.checkpoint(10 ** 6), 400)
        self.assertEqual(consumer.positions()[0], 5)
        self.assertEqual(consumer.checkpoint(len(self.events)), 204)
        self.assertEqual(consumer.next().status, 204)

    def test_partitions_are_dealt_out_anew_when_consumers_come_and_go(self):
        self.put(partitions=5)
        first, second = Consumer(self.server, "a"), Consumer(self.server, "b")
        first.take()
        self.assertEqual(first.partitions, [0, 1, 2, 3, 4])
        second.take()
        self.assertEqual(len(second.partitions), 2)
        self.assertEqual(first.renew().status, 200)
        self.assertEqual(sorted(first.partitions + second.partitions), [0, 1, 2, 3, 4])
        before = first.lease
        self.assertEqual(second.give_back(), 204)
        first.renew()
        self.assertEqual(first.partitions, [0, 1, 2, 3, 4])
        self.assertGreater(first.lease, second.lease)
        self.assertEqual(first.checkpoint(1, 0, lease=before), 409)
        self.assertEqual(first.checkpoint(1, 0), 204)

    def test_who_lost_a_lease_is_refused(self):
        self.put()
        old, new = Consumer(self.server, "a"), Consumer(self.server, "a")
        old.take()
        new.take()
        self.assertGreater(new.lease, old.lease)
        self.assertEqual(old.next().json["code"], "lease-lost")
        self.assertEqual(old.checkpoint(1), 409)
        self.assertEqual(old.park(1).status, 409)
        self.assertEqual(old.renew().status, 409)
        self.assertEqual(new.checkpoint(1), 204)

    def test_a_lease_is_over_when_nobody_renews_it(self):
        self.put(leaseSeconds=1)
        old, new = Consumer(self.server, "a"), Consumer(self.server, "b")
        old.take()
        self.assertEqual(new.take().json["partitions"], [])
        time.sleep(0.7)
        new.renew()
        time.sleep(0.7)
        self.assertEqual(new.renew().json["partitions"], [0])
        self.assertEqual(old.checkpoint(1), 409)

    def test_waiting_ends_with_what_comes(self):
        commands = example_commands(EXAM_DAY)
        with Server() as server:
            server.submit_all(commands[:-1])
            head = int(server.get("/v1/events?limit=0").headers["sijill-position"])
            server.ask("PUT", NAME, body={"from": head + 1})
            consumer = Consumer(server, "a")
            consumer.take()
            found = []
            thread = threading.Thread(target=lambda: found.append(consumer.next(wait=15)))
            start = time.monotonic()
            thread.start()
            time.sleep(0.3)
            self.assertEqual(server.submit(commands[-1]).status, 201)
            thread.join(20)
            self.assertEqual(found[0].json["events"][0]["position"], head + 1)
            self.assertLess(time.monotonic() - start, 10)

    def test_a_parked_event_keeps_the_later_ones_of_its_stream_behind_it(self):
        self.put()
        consumer = Consumer(self.server, "a")
        consumer.take()
        streams = {}
        for event in self.events:
            streams.setdefault(event["stream"], []).append(event["position"])
        chain = max(streams.values(), key=len)
        bad = chain[1]
        self.assertEqual(consumer.park(bad).status, 201)
        self.assertEqual(consumer.park(bad).status, 200)
        rest = [event["position"] for event in self.events if event["position"] > bad]
        others = [position for position in rest if position not in chain]
        self.assertEqual(consumer.positions(), others)
        self.assertEqual(consumer.checkpoint(others[-1]), 204)
        self.assertEqual(self.parked(), [bad])
        behind = [position for position in chain if position > others[-1]]
        self.assertEqual(consumer.positions(), [])
        self.assertEqual(self.resolve(bad, "retry"), 202)
        self.assertEqual(self.resolve(bad, "retry"), 202)
        retried = consumer.next().json
        waiting = [position for position in chain[1:] if position <= others[-1]]
        self.assertTrue(retried["retry"])
        self.assertEqual([event["position"] for event in retried["events"]], waiting)
        self.assertEqual(consumer.checkpoint(bad), 204)
        self.assertEqual(consumer.park(waiting[1]).status, 201)
        self.assertEqual(self.parked(), [waiting[1]])
        self.assertEqual(self.resolve(waiting[1], "drop"), 204)
        self.assertEqual(consumer.positions(), waiting[2:])
        self.server.kill()
        self.server.start()
        self.assertEqual(consumer.positions(), waiting[2:])
        self.assertEqual(consumer.checkpoint(waiting[-1]), 204)
        self.assertEqual(self.parked(), [])
        self.assertEqual(consumer.positions(), behind)
        self.assertEqual(consumer.checkpoint(len(self.events)), 204)
        self.assertEqual(consumer.next().status, 204)

    def test_what_was_passed_over_is_not_lost_when_the_parked_event_is_dropped_meanwhile(self):
        self.put()
        consumer = Consumer(self.server, "a")
        consumer.take()
        streams = {}
        for event in self.events:
            streams.setdefault(event["stream"], []).append(event["position"])
        chain = max(streams.values(), key=len)
        self.assertEqual(consumer.park(chain[0]).status, 201)
        offered = consumer.positions()
        self.assertEqual(self.resolve(chain[0], "drop"), 204)
        self.assertEqual(consumer.checkpoint(offered[-1]), 204)
        passed = [position for position in chain[1:] if position <= offered[-1]]
        self.assertEqual(consumer.positions(), passed)
        self.assertEqual(consumer.checkpoint(passed[-1]), 204)
        self.assertEqual(
            consumer.positions(),
            [event["position"] for event in self.events if event["position"] > offered[-1]])

    def test_roles_of_subscriptions(self):
        def entry(name, *roles, **more):
            digest = hashlib.sha256(name.encode()).hexdigest()
            return {"name": name, "roles": list(roles), "tokenSHA256": digest, **more}

        self.put()
        self.server.stop()
        self.server.settings["access.file"] = self.server.file("access.json", json.dumps({"identities": [
            entry("op", "operator"), entry("mine", "consumer", subscriptions=["index"]),
            entry("other", "consumer", subscriptions=["else"]), entry("reader", "reader"),
            entry("foreign", "consumer", products=["quranflow"]),
            entry("clear", "consumer", personal=True)]}))
        self.server.start()
        status = lambda token, method, path, body=None: self.server.ask(
            method, path, body=body, token=token).status
        self.assertEqual(status("mine", "PUT", NAME, {}), 403)
        self.assertEqual(status("op", "PUT", NAME, {}), 200)
        self.assertEqual(status("reader", "GET", NAME), 403)
        self.assertEqual(status("other", "GET", NAME), 404)
        self.assertEqual(status("other", "POST", NAME + "/leases", {"consumer": "x"}), 404)
        self.assertEqual(status("op", "POST", NAME + "/leases", {"consumer": "x"}), 403)
        self.assertEqual(status("foreign", "POST", NAME + "/leases", {"consumer": "x"}), 404)
        self.assertEqual(status("op", "GET", NAME + "/partitions/0/parked"), 200)
        hidden, clear = (Consumer(self.server, name, token=name) for name in ("mine", "clear"))
        hidden.take()
        sealed = hidden.events()
        hidden.give_back()
        clear.take()
        self.assertEqual(clear.events(), self.events)
        self.assertEqual([event["position"] for event in sealed], [event["position"] for event in self.events])
        self.assertNotEqual(sealed, self.events)

    def test_consumers_that_come_and_go_see_every_event_of_a_partition_in_order_while_the_service_is_killed(self):
        self.put(partitions=4, leaseSeconds=2)
        done = {partition: [] for partition in range(4)}
        lock = threading.Lock()
        ending = threading.Event()
        dice = random.Random(7)

        def work(name, seed):
            luck = random.Random(seed)
            consumer = Consumer(self.server, name)
            while not ending.is_set():
                try:
                    if consumer.lease is None or luck.random() < 0.1:
                        consumer.take()
                    elif consumer.renew().status == 409:
                        consumer.lease = None
                        continue
                    for partition in consumer.partitions:
                        for event in consumer.events(partition, luck.randint(1, 3)):
                            with lock:
                                status = consumer.checkpoint(event["position"], partition)
                                # Where the answer is lost it was kept or not: the next offer tells.
                                if status == 204:
                                    done[partition].append(event["position"])
                            if status != 204:
                                break
                    if luck.random() < 0.1:
                        consumer.give_back()
                        consumer.lease = None
                except (OSError, ValueError):
                    time.sleep(0.05)
                except Exception:  # the connection was cut in the middle of an answer
                    time.sleep(0.05)

        expected = {p: [e["position"] for e in self.events if partition_of(e, 4) == p] for p in range(4)}
        workers = [threading.Thread(target=work, args=(name, seed)) for name, seed in (("a", 1), ("b", 2))]
        for worker in workers:
            worker.start()
        for _ in range(3):
            time.sleep(dice.uniform(0.05, 0.3))
            with lock:  # no checkpoint is under way: each that was answered must be there afterwards
                self.server.kill()
                self.server.start()
                kept = self.server.get(NAME).json["checkpoints"]
                for partition, positions in done.items():
                    self.assertGreaterEqual(kept[partition], positions[-1] if positions else 0)
        self.assertTrue(wait_until(lambda: all(len(done[p]) >= len(expected[p]) for p in done), 30), done)
        ending.set()
        for worker in workers:
            worker.join()
        self.assertEqual(done, expected)


if __name__ == "__main__":
    unittest.main()
