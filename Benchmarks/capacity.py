#!/usr/bin/env python3
"""How many nodes so many learners take: a simulated week, from measured numbers (capacity.json) and the assumptions below.

usage: capacity.py [--check | --write]

Prints the tables of docs/capacity.md; --write puts them there, --check fails if they are not there as printed.
Deterministic: chance comes from a seed, and from nothing but random.Random.random, which is the same in every version.
"""
import json
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(os.path.dirname(HERE), "docs", "capacity.md")
MEASURED = os.path.join(HERE, "capacity.json")
SEED = 20261126

# Assumptions. Each is a row of a table of the page, with where it comes from.

# Of a learner's week: on how many days they come, what they send on each, what is recorded of it; the share of all learners.
PRODUCTS = {
    "ExamRoom": (0.25, 1.0, 43, 47, "a paper of 20 questions a week: start, 20 answers, 20 times told, hand in, sign-in; "
                 "warnings and awards come of it"),
    "QuranFlow": (0.25, 4.0, 4, 5, "a lesson's two videos, one recording (two at most), feedback and its review, two live "
                  "sessions: 16 commands a week over four days"),
    "Learnable": (0.25, 4.0, 17, 22, "a topic with its engagement question and chat (10), a daily quiz of 5 questions and its "
                  "beginning; the pool grows by as much"),
    "Tafawoq": (0.25, 3.0, 27, 33, "one exam of 40 questions a week, the free plan's limit, and practice of 5 to 20 questions on "
                "two other days"),
}
# Shares of a day's commands in its 24 local hours: school in the morning, most in the evening.
HOURS = (1, 0, 0, 0, 1, 2, 4, 6, 7, 7, 6, 6, 5, 4, 5, 7, 9, 10, 11, 11, 9, 6, 3, 2)
# Learners by the hours that their clocks are ahead of UTC.
ZONES = ((0, 0.10), (1, 0.10), (2, 0.15), (3, 0.40), (4, 0.10), (5, 0.15))
LEARNERS_OF_A_TENANT = 2_000  # in the mean; sizes are log-normal
SPREAD = 1.2  # standard deviation of the logarithm of a tenant's size
SITTING_MINUTES = 30  # a tenant of ExamRoom sits its week's paper in one such span
HEADROOM = 0.5  # of a measured rate is planned with
YEARS = 3  # a journal keeps everything; so many years lie on the disk
NODE_GIB = 1_000  # of disk for journals
COPIES = 2  # of each event: the journal and a backup elsewhere
SCALES = (100_000, 1_000_000, 10_000_000, 100_000_000)
BINS = 7 * 24 * 12  # five minutes each


def measured():
    with open(MEASURED, encoding="utf-8") as file:
        return {name: each["value"] for name, each in json.load(file).items()}


class Chance:
    def __init__(self, seed):
        self._random = random.Random(seed)

    def unit(self):
        return self._random.random()

    def normal(self):
        return math.sqrt(-2 * math.log(1 - self.unit())) * math.cos(2 * math.pi * self.unit())

    def choice(self, weighted):
        rest = self.unit()
        for value, weight in weighted:
            rest -= weight
            if rest < 0:
                return value
        return weighted[-1][0]


def tenants(learners, chance):
    """Sizes, products and zones, until there are so many learners."""
    left, found = learners, []
    products = [(name, row[0]) for name, row in PRODUCTS.items()]
    while left > 0:
        size = int(LEARNERS_OF_A_TENANT * math.exp(SPREAD * chance.normal() - SPREAD * SPREAD / 2)) + 1
        size = min(size, left)
        found.append((size, chance.choice(products), chance.choice(ZONES), chance.unit()))
        left -= size
    return found


def hour_shares():
    total = sum(HOURS)
    return [hour / total for hour in HOURS]


def commands_a_bin(size, product, zone, bin_):
    """Of what is not sat together, in one span of five minutes."""
    _, days, commands, _, _ = PRODUCTS[product]
    hour = (bin_ // 12 + zone) % 24
    return size * days / 7 * commands * hour_shares()[hour] / 12


def simulate(learners):
    """A week of all learners, in spans of five minutes."""
    chance = Chance(SEED + learners)
    all_ = tenants(learners, chance)
    shares, load = hour_shares(), [0.0] * BINS
    together, events, largest = {}, 0.0, 0.0
    sitting = SITTING_MINUTES // 5
    for size, product, zone, when in all_:
        _, days, commands, recorded, _ = PRODUCTS[product]
        events += size * days * recorded
        if product == "ExamRoom":
            # A school morning, 8 to 13 o'clock of its clocks, Sunday to Thursday.
            slot = int(when * 5 * 60)
            start = ((slot // 60) * 24 + 8 - zone) * 12 + slot % 60
            for offset in range(sitting):
                load[(start + offset) % BINS] += size * commands / sitting
            largest = max(largest, size * commands / sitting / 300)
        else:
            key = (product, zone)
            together[key] = together.get(key, 0) + size
            largest = max(largest, size * days / 7 * commands * max(shares) / 3_600)
    for (product, zone), size in sorted(together.items()):
        _, days, commands, _, _ = PRODUCTS[product]
        for bin_ in range(BINS):
            load[bin_] += size * days / 7 * commands * shares[(bin_ // 12 + zone) % 24] / 12
    busiest = max(range(BINS), key=lambda bin_: (load[bin_], -bin_))
    active = sum(
        1 - math.exp(-commands_a_bin(size, product, zone, busiest) / 5)
        for size, product, zone, _ in all_ if product != "ExamRoom")
    at_once = sum(1 for _, product, zone, when in all_ if product == "ExamRoom" and is_sitting(zone, when, busiest, sitting))
    return {"tenants": len(all_), "events": events / 7, "mean": sum(load) / (7 * 86_400), "peak": max(load) / 300,
            "largest": largest, "learners of the largest": max(size for size, *_ in all_), "active": active + at_once,
            "events of the largest": max(size * PRODUCTS[product][1] * PRODUCTS[product][3] for size, product, *_ in all_) * 52}


def is_sitting(zone, when, bin_, sitting):
    slot = int(when * 5 * 60)
    start = ((slot // 60) * 24 + 8 - zone) * 12 + slot % 60
    return (bin_ - start) % BINS < sitting


def rounded(number):
    """Two digits that count."""
    if number <= 0:
        return "0"
    if number < 10:
        return f"{number:.1f}".rstrip("0").rstrip(".")
    step = 10 ** (int(math.floor(math.log10(number))) - 1)
    return f"{int(round(number / step) * step):,}"


def table(head, rows):
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def tables():
    known = measured()
    rate = known["commands a second, many journals"] * HEADROOM
    results = {learners: simulate(learners) for learners in SCALES}
    gib = {learners: result["events"] * 365 * YEARS * known["bytes an event"] * COPIES / 2**30
           for learners, result in results.items()}
    nodes = {}
    for learners, result in results.items():
        nodes[learners] = {
            "commands": math.ceil(result["peak"] / rate),
            "journals": math.ceil(result["active"] / (known["open journals"] * HEADROOM)),
            "disk": math.ceil(gib[learners] / NODE_GIB)}

    def row(name, value):
        return [name, *(value(learners, results[learners]) for learners in SCALES)]

    needs = [
        row("tenants, a journal each", lambda _, r: rounded(r["tenants"])),
        row("events a day", lambda _, r: rounded(r["events"])),
        row("commands a second, mean of the week", lambda _, r: rounded(r["mean"])),
        row("commands a second, busiest five minutes", lambda _, r: rounded(r["peak"])),
        row("journals that are written to in its busiest minute", lambda _, r: rounded(r["active"])),
        row(f"GiB after {YEARS} years, {COPIES} copies", lambda n, _: rounded(gib[n])),
        row("nodes, for the commands", lambda n, _: f"{nodes[n]['commands']:,}"),
        row("nodes, for the open journals", lambda n, _: f"{nodes[n]['journals']:,}"),
        row("nodes, for the disk", lambda n, _: f"{nodes[n]['disk']:,}"),
        row("**nodes**", lambda n, _: f"**{max(nodes[n].values()):,}**"),
        row("learners of the largest tenant", lambda _, r: rounded(r["learners of the largest"])),
        row("commands a second of the busiest journal", lambda _, r: rounded(r["largest"])),
        row("… in percent of what one journal takes",
            lambda _, r: rounded(100 * r["largest"] / known["commands a second, one journal, in process"])),
        row("minutes to rebuild the largest after a year",
            lambda _, r: rounded(r["events of the largest"] / known["events a second, a rebuild"] / 60)),
    ]
    assumptions = [
        [name, f"{days:g}", str(commands), str(recorded), why] for name, (_, days, commands, recorded, why) in PRODUCTS.items()]
    with open(MEASURED, encoding="utf-8") as file:
        inputs = [[name, f"{each['value']:,}", each["source"]] for name, each in json.load(file).items()]
    return {
        "measured": table(["what", "value", "by"], inputs),
        "assumed": table(["a learner of", "days a week", "commands a day", "events of them", "because"], assumptions),
        "simulated": table(["learners", *(f"{learners:,}" for learners in SCALES)], needs),
    }


def filled(page):
    for name, text in tables().items():
        first, last = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = page.split(first, 1)
        page = before + first + "\n\n" + text + "\n\n" + last + rest.split(last, 1)[1]
    return page


def main():
    if "--check" in sys.argv or "--write" in sys.argv:
        with open(PAGE, encoding="utf-8") as file:
            page = file.read()
        made = filled(page)
        if "--write" in sys.argv:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(made)
        elif made != page:
            sys.exit("docs/capacity.md is not what Benchmarks/capacity.py says: run it with --write")
        return
    for text in tables().values():
        print(text, end="\n\n")


if __name__ == "__main__":
    main()
