#!/usr/bin/env python3
"""A rule over several journals: a coach who teaches in two institutes is in one of them at a time.

Each institute has a journal of its own. One more, `hours`, holds the hours of the coaches: its rule `coach-busy` lets
nobody take an hour twice. No transaction spans two journals; this does it instead, in steps that may be repeated:

    reserve    slot.offer in `hours`, as INSTITUTE.SLOT: the hour is held, or refused with coach-busy
    confirm    slot.offer in the institute, caused by the event of the first
    cancel     slot.withdraw in `hours`, where the institute refused, or was not reached, until it was too late
    release    slot.withdraw in `hours`, where the institute withdrew its slot later

A caller reserves. This program does the rest, and goes on where it stopped, whenever it is killed:

    reservations.py --address http://127.0.0.1:8180 --token TOKEN --hours hours --institutes noor,huda

The token's identity has the roles service (on behalf of coach), consumer, reader and operator. Its `behindSeconds` is how
long an hour is held without being confirmed: the command that confirms bears the instant of the reservation, so that the
service itself refuses it afterwards, whoever sends it.
"""
import argparse
import http.client
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "clients", "python"))
from sijill import Client, Problem  # noqa: E402

NAME = "reservations"
UNREACHED = (OSError, http.client.HTTPException)


def reservation(institute, slot, coach, starts_at, minutes, join_url):
    """The command that reserves an hour for a slot of an institute; sent again, it is recorded once."""
    return {"id": f"reserve:{institute}:{slot}", "command": "quranflow.slot.offer", "by": f"coach:{coach}",
            "data": {"slot": f"{institute}.{slot}", "coach": coach, "startsAt": starts_at, "minutes": minutes,
                     "joinUrl": join_url}}


class Refused(Exception):
    """An institute does not take a slot, at least not now."""


class Journal(Client):
    """A journal, and this program's place in it: one subscription with one partition."""

    def __init__(self, name, types, options):
        super().__init__(options.address, token=options.token, journal=name, timeout=10, tries=2)
        self.name, self._types, self._options = name, types, options
        self._lease, self._has_partition = None, False
        self._path = f"{self._prefix}/subscriptions/{NAME}"

    def _ask_as_holder(self, method, path, body=None):
        try:
            return self._json(method, self._path + path, None, body, {"Sijill-Lease": str(self._lease)})
        except Problem as problem:
            if problem.code == "lease-lost":
                self._lease = None
            raise

    def begin(self):
        """Whether this program has the partition. One that was killed has it until its lease is over."""
        if self._lease is None:
            self.put_subscriptions_name(
                NAME, {"filter": {"type": self._types}, "leaseSeconds": self._options.lease_seconds})
            held = self.post_subscriptions_name_leases(NAME, {"consumer": self._options.consumer})
        elif not self._has_partition:
            held = self._ask_as_holder("PUT", f"/leases/{self._lease}")
        else:
            return True
        self._lease, self._has_partition = held["lease"], bool(held["partitions"])
        return self._has_partition

    def next(self):
        """The events to be worked off next, in order; those set aside come first, once they are retried."""
        return (self._ask_as_holder("GET", "/partitions/0/events?max=10") or {}).get("events", [])

    def done(self, event):
        self._ask_as_holder("PUT", "/partitions/0/checkpoint", {"position": event["position"], "lease": self._lease})

    def set_aside(self, event, reason):
        """The event is tried again later, and those behind it of other streams are not kept waiting."""
        self._ask_as_holder(
            "POST", "/partitions/0/parked",
            {"position": event["position"], "reason": reason[:200], "lease": self._lease})

    def retry(self):
        parked = self.get_subscriptions_name_partitions_partition_parked(NAME, 0) or {}
        for each in (each for each in parked.get("parked", []) if each["status"] == "parked"):
            self.post_subscriptions_name_partitions_partition_parked_position_retry(NAME, 0, each["position"])


class Manager:
    """Works off what was reserved, and what was withdrawn."""

    def __init__(self, options):
        self.margin = options.margin
        self.hours = Journal(options.hours, "quranflow.slot.offered", options)
        names = options.institutes.split(",")
        self.institutes = {name: Journal(name, "quranflow.slot.withdrawn", options) for name in names}

    def step(self):
        """Works off what there is; whether there was anything."""
        worked = self._work(self.hours, self._settle)
        for institute in self.institutes.values():
            worked = self._work(institute, lambda event, from_=institute.name: self._release(event, from_)) or worked
        return worked

    def retry(self):
        for journal in [self.hours, *self.institutes.values()]:
            try:
                journal.retry()
            except (Problem, *UNREACHED) as error:
                tell(f"{journal.name}: {error}")

    def _work(self, journal, act):
        try:
            if not journal.begin():
                return False
            events = journal.next()
            for event in events:
                try:
                    act(event)
                except (Refused, Problem, *UNREACHED) as error:
                    journal.set_aside(event, str(error))
                    # What was read behind it may have to wait for it.
                    break
                journal.done(event)
            return bool(events)
        except (Problem, *UNREACHED) as error:
            tell(f"{journal.name}: {error}")
            return False

    def _settle(self, event):
        """Confirms what is reserved, or cancels it."""
        name, _, slot = event["stream"].removeprefix("quranflow/slot/").partition(".")
        institute = self.institutes.get(name)
        if institute is None or not self._confirm(institute, slot, event):
            self._withdraw(event, f"cancel:{event['position']}")

    def _confirm(self, institute, slot, event):
        """Whether the institute has the slot. Raises what leaves that open."""
        data = event["data"]
        command = {"id": f"confirm:{event['position']}", "command": "quranflow.slot.offer", "at": event["at"],
                   "by": f"coach:{data['coach']}",
                   "data": {"slot": slot, "coach": data["coach"], "startsAt": data["startsAt"],
                            "minutes": minutes(data), "joinUrl": data["joinUrl"]}}
        try:
            outcome = institute.submit(command)
        except Problem as problem:
            if problem.code == "not-found":
                return False
            if problem.code != "clock-skew":
                raise
            # Nobody can confirm it any more; but somebody may have, and the answer was lost. What the service let through
            # just in time is recorded when the margin is over.
            time.sleep(self.margin)
            return any(recorded["command"] == command["id"] for recorded in self._events(institute, slot))
        if outcome["status"] == "rejected":
            # Not for good: what is refused now may be accepted from another run of this program that was only paused.
            raise Refused(outcome["code"])
        return True

    @staticmethod
    def _events(institute, slot):
        return institute.get_events(stream=f"quranflow/slot/{slot}")["events"]

    def _release(self, event, name):
        """The institute gives the hour back."""
        slot = event["stream"].removeprefix("quranflow/slot/")
        held = self._events(self.hours, f"{name}.{slot}")
        if held:
            self._withdraw(held[0], f"release:{name}:{event['position']}")

    def _withdraw(self, reserved, id):
        """Frees the hour. Refused, it is free already, or over with its coach."""
        self.hours.submit({
            "id": id, "command": "quranflow.slot.withdraw", "by": f"coach:{reserved['data']['coach']}",
            "data": {"slot": reserved["stream"].removeprefix("quranflow/slot/")}})


def minutes(data):
    def second(text):
        return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))

    return int(second(data["endsAt"]) - second(data["startsAt"])) // 60


def tell(text):
    print(text, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--address", required=True)
    parser.add_argument("--token")
    parser.add_argument("--hours", required=True, help="the journal that holds the hours")
    parser.add_argument("--institutes", required=True, help="the institutes' journals, parted by commas")
    parser.add_argument("--consumer", default=NAME)
    parser.add_argument("--lease-seconds", type=int, default=30)
    parser.add_argument("--margin", type=float, default=10, help="seconds: longer than a command waits in the service")
    parser.add_argument("--retry-seconds", type=float, default=5, help="how often what was set aside is tried again")
    options = parser.parse_args()
    manager = Manager(options)
    retried = time.monotonic()
    while True:
        if not manager.step():
            time.sleep(0.1)
        if time.monotonic() - retried >= options.retry_seconds:
            manager.retry()
            retried = time.monotonic()


if __name__ == "__main__":
    main()
