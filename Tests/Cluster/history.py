"""Clients that record what they sent and what they were answered, and a checker of that against the journals."""
import hashlib
import json
import threading
import time

AT = "2026-03-01T09:00:00Z"


def register(account):
    return {"id": f"r-{account}", "command": "examroom.account.register", "at": AT, "by": "system",
            "data": {"account": account, "role": "student", "name": f"Name {account}",
                     "credential": {"scheme": "argon2id", "salt": "c2FsdA", "digest": "d"}}}


class Client(threading.Thread):
    """Registers accounts, one after the other, by any node, or two at once; asks again until it is answered; reads what it
    wrote."""

    def __init__(self, cluster, number, chance, reads=0.3):
        super().__init__(daemon=True)
        self.cluster, self.number, self.chance, self.reads = cluster, number, chance, reads
        self.done = []
        self.problems = []
        self.refused = {}
        self.is_over = False
        self.is_doubling = False

    def run(self):
        count = 0
        while not self.is_over:
            account = f"S-{self.number}-{count}"
            count += 1
            operation = {"account": account, "sent": time.monotonic(), "tries": 0}
            if self.submit_twice(account, operation) if self.is_doubling else self.submit(account, operation):
                self.done.append(operation)
                if self.chance.random() < self.reads:
                    self.read(account, operation["position"])

    def submit_twice(self, account, operation):
        """The same by two nodes at once: the operation is what was answered first, its twin what was answered then."""
        both = [dict(operation), dict(operation)]
        nodes = self.chance.sample(list(self.cluster.nodes.values()), 2)
        threads = [threading.Thread(target=self.submit, args=(account, each, node)) for each, node in zip(both, nodes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        answered = sorted((each for each in both if "answered" in each), key=lambda each: each["answered"])
        if answered:
            operation.update(answered[0])
        if len(answered) == 2:
            operation["twin"] = answered[1]
        return bool(answered)

    def submit(self, account, operation, node=None):
        while not self.is_over:
            node = node or self.chance.choice(list(self.cluster.nodes.values()))
            operation["tries"] += 1
            try:
                status, _, body = node.post(register(account), timeout=20)
            except (OSError, ValueError):
                node = None
                time.sleep(0.02)
                continue
            if status in (200, 201):
                operation["answered"] = time.monotonic()
                operation["position"] = body["events"][0]["position"]
                operation["isDuplicate"] = status == 200
                return True
            self.refused[body.get("code")] = self.refused.get(body.get("code"), 0) + 1
            if status != 503:
                self.problems.append(f"{account}: {status} {body}")
                return False
            node = None
            time.sleep(0.05)
        return False

    def read(self, account, position):
        """The name is there, and readable, on whichever node answers."""
        node = self.chance.choice(list(self.cluster.nodes.values()))
        try:
            status, headers, body = node.ask(
                "GET", f"/v1/models/examroom.account/{account}?min-position={position}",
                headers={"Prefer": "wait=10"}, timeout=20)
        except OSError:
            return
        if status == 200:
            if int(headers["sijill-position"]) < position:
                self.problems.append(f"{account}: read at {headers['sijill-position']}, wanted {position}")
            if json.loads(body).get("name") != f"Name {account}":
                self.problems.append(f"{account} on {node.name}: {body[:200]}")


def check(cluster, operations):
    """What does not hold, as texts. All nodes are stopped, and had the time to take in everything."""
    problems = []
    names = sorted(cluster.nodes)
    exports = {}
    for name in names:
        path = cluster[name].journal
        verified = json.loads(cluster.replay("verify", "--json", "--journal", path))
        if verified["findings"]:
            problems.append(f"{name}: {verified['findings']}")
        exports[name] = (verified["rootHash"], verified["events"], hashlib.sha256(
            cluster.replay("export", "--journal", path).encode()).hexdigest())
    if len(set(exports.values())) != 1:
        problems.append(f"journals differ: {exports}")
    for name in names:
        events = [json.loads(line) for line in
                  cluster.replay("events", "--json", "--journal", cluster[name].journal).splitlines()]
        if [event["position"] for event in events] != list(range(1, len(events) + 1)):
            problems.append(f"{name}: positions have gaps")
        streams = {}
        for event in events:
            if event["type"] == "examroom.account.registered":
                streams.setdefault(event["stream"], []).append(event)
        for stream, found in streams.items():
            if len(found) != 1:
                problems.append(f"{name}: {stream} is there {len(found)} times")
        for operation in operations:
            found = streams.get(f"examroom/account/{operation['account']}", [])
            if not found or found[0]["position"] != operation["position"]:
                problems.append(f"{name}: {operation} was answered, and is not there")
            elif found[0]["data"]["name"] != f"Name {operation['account']}":
                problems.append(f"{name}: the name of {operation['account']} cannot be read")
    return problems + check_twins(operations) + check_order(operations)


def check_twins(operations):
    """What was sent to two nodes at once has one place, and is a duplicate to one of them; to both where an answer was lost."""
    problems = []
    for operation in operations:
        twin = operation.get("twin")
        if twin and (operation["position"] != twin["position"] or not (operation["isDuplicate"] or twin["isDuplicate"])):
            problems.append(f"{operation} was not answered as one command")
    return problems


def check_order(operations):
    """Whoever was sent when another had been answered stands behind it."""
    problems = []
    answered = sorted(operations, key=lambda each: each["answered"])
    highest, place = 0, 0
    for operation in sorted(operations, key=lambda each: each["sent"]):
        while place < len(answered) and answered[place]["answered"] < operation["sent"]:
            highest = max(highest, answered[place]["position"])
            place += 1
        if operation["position"] <= highest:
            problems.append(f"{operation} stands before what was answered before it was sent")
    return problems


def longest_stall(operations):
    """The longest time in which nobody was answered."""
    times = sorted(each["answered"] for each in operations)
    return max((later - earlier for earlier, later in zip(times, times[1:])), default=0)
