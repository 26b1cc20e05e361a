#!/usr/bin/env python3
"""How long the console's pages take, and how much of it is the service's own processor time.

Every page is asked for as often, over one connection, each time about another thing where the journal has more than one; the
first time does not count. Whose pages they are is asked of the service, so that any journal will do.

usage: console.py ADDRESS [--pid PID] [--times N] [--page WORDS] [--browser]

ADDRESS is that of a running sijilld, such as 127.0.0.1:8180, without access.file; PID is its process, of which /proc says
what it used. --page leaves out pages whose line does not contain the words. --browser asks by Chromium (Playwright from
PyPI, Debian's chromium) and tells when a page is interactive, and when the browser is idle for the first time.
"""
import argparse
import glob
import http.client
import json
import os
import sys
import time
import urllib.parse

# What a page is called, and its address: {model} is a key of the model, {model:part} a part of one.
PAGES = [
    ("overview", "/ui"),
    ("events, the newest", "/ui/events"),
    ("events of a type", "/ui/events?type=examroom.exam.*"),
    ("events from an instant", "/ui/events?at={instant}"),
    ("events by an actor", "/ui/events?by=student%3A{examroom.account}"),
    ("an event", "/ui/events/{position}"),
    ("an event, with the hashes of its proof", "/ui/events/{position}?proof=true"),
    ("a stream", "/ui/streams/examroom/attempt/{examroom.attempt}"),
    ("people", "/ui/people"),
    ("a person of ExamRoom", "/ui/people/examroom/{examroom.account}"),
    ("a person of QuranFlow", "/ui/people/quranflow/{quranflow.profile}"),
    ("a person of Learnable", "/ui/people/learnable/{learnable.home}"),
    ("a person of Tafawoq", "/ui/people/tafawoq/{tafawoq.profile}"),
    ("ExamRoom: exams", "/ui/examroom"),
    ("ExamRoom: an exam", "/ui/examroom/exams/{examroom.exam}"),
    ("ExamRoom: seats of an exam", "/ui/examroom/exams/{examroom.exam}/sitting"),
    ("ExamRoom: an attempt's result", "/ui/examroom/results/{examroom.result}"),
    ("ExamRoom: students", "/ui/examroom/students"),
    ("QuranFlow", "/ui/quranflow"),
    ("QuranFlow: a cohort", "/ui/quranflow/semesters/{quranflow.cohort}"),
    ("QuranFlow: a student", "/ui/quranflow/students/{quranflow.profile}"),
    ("QuranFlow: a coach", "/ui/quranflow/coaches/{quranflow.work-queue}"),
    ("Learnable", "/ui/learnable"),
    ("Learnable: a learner", "/ui/learnable/students/{learnable.home}"),
    ("Learnable: mastery", "/ui/learnable/students/{learnable.home}/mastery"),
    ("Tafawoq", "/ui/tafawoq"),
    ("Tafawoq: a student", "/ui/tafawoq/students/{tafawoq.profile}"),
    ("read models", "/ui/models"),
    ("keys of a read model", "/ui/models/examroom.result"),
    ("a document", "/ui/models/examroom.exam/{examroom.exam}"),
    ("a document of a past moment", "/ui/models/examroom.result/{examroom.result}?as-of={past}"),
    ("why a value is so", "/ui/models/examroom.result/{examroom.result}?why=%24.percent"),
    ("a document that rests on every event", "/ui/models/examroom.leaderboard/points"),
    ("the same at a past moment, event by event back", "/ui/models/examroom.leaderboard/points?as-of={step}"),
    ("what if: the form", "/ui/what-if?product=examroom"),
    ("what if, asked", "/ui/what-if?product=examroom&policy=defaultPassPercent&value={value}&model=examroom.overview"),
    ("audit", "/ui/audit"),
    ("operations", "/ui/operations"),
    ("timers", "/ui/timers"),
    ("jobs", "/ui/jobs"),
]


class Service:
    def __init__(self, address, pid):
        self.connection = http.client.HTTPConnection(address, timeout=300)
        self.pid = pid
        self.keys = {}
        newest = self.json("/v1/events?reverse=true&limit=1")
        self.head = newest["position"]
        middle = self.json(f"/v1/events?from={self.head // 2}&limit=1")["events"]
        self.instant = middle[0]["at"][:16]

    def get(self, path):
        """The status, the body, and the milliseconds; a page that is being worked out is asked for again until it is there."""
        start = time.perf_counter()
        self.connection.request("GET", path, headers={"Accept-Language": "en"})
        answer = self.connection.getresponse()
        body = answer.read()
        return answer.status, body, (time.perf_counter() - start) * 1000

    def json(self, path):
        return json.loads(self.get(path)[1])

    def key(self, model, number):
        if model not in self.keys:
            found = self.json(f"/v1/keys/{model}?limit=1000")
            # A model whose keys are few is asked about again and again.
            self.keys[model] = found.get("keys") or []
        keys = self.keys[model]
        return keys[number * 37 % len(keys)] if keys else None

    def path(self, page, number):
        values = {
            "position": 1 + (number + 1) * 7919 % self.head, "instant": self.instant, "past": self.head - number * 1009 % (self.head // 2),
            "step": self.head * 3 // 4 - number, "value": 20 + number}
        path = ""
        for index, part in enumerate(page.replace("}", "{").split("{")):
            if index % 2 == 0:
                path += part
            elif part in values:
                path += str(values[part])
            else:
                key = self.key(part, number)
                if key is None:
                    return None
                path += urllib.parse.quote(key)
        return path

    def processor(self):
        """Milliseconds that all threads of the process have had so far."""
        total = 0
        for file in glob.glob(f"/proc/{self.pid}/task/*/schedstat"):
            try:
                with open(file, encoding="ascii") as text:
                    total += int(text.read().split()[0])
            except FileNotFoundError:
                pass
        return total / 1e6


def rank(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def ask(service, pages, times):
    print("| page | KiB | median | 95th percentile | slowest | the first | processor | until it was worked out |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |", flush=True)
    for name, page in pages:
        took, size, waited, used = [], 0, [], 0
        for number in range(times + 1):
            path = service.path(page, number)
            if path is None:
                break
            if number == 1:
                used = service.processor()
            start = time.perf_counter()
            status, body, milliseconds = service.get(path)
            took.append(milliseconds)
            while status == 202:
                time.sleep(0.05)
                status, body, milliseconds = service.get(path)
                took.append(milliseconds)
                if status != 202:
                    waited.append((time.perf_counter() - start) * 1000)
            if status != 200:
                sys.exit(f"{path}: {status} {body[:300]}")
            size = max(size, len(body))
        if len(took) < 2:
            print(f"| {name} | nothing of it is in this journal | | | | | | |")
            continue
        used = (service.processor() - used) / times if service.pid else None
        print(f"| {name} | {size / 1024:.0f} | {rank(took[1:], 0.5):.1f} | {rank(took[1:], 0.95):.1f} | {max(took[1:]):.0f} "
              f"| {took[0]:.0f} | {'' if used is None else f'{used:.1f}'} | {f'{rank(waited, 0.5):.0f}' if waited else ''} |", flush=True)


def browse(service, address, pages, times):
    from playwright.sync_api import sync_playwright

    # The first task that the browser has time for behind the page's load.
    idle = "() => new Promise((done) => requestIdleCallback(() => done(performance.now())))"
    navigation = "() => { const n = performance.getEntriesByType('navigation')[0]; return [n.responseEnd, n.domInteractive]; }"
    print("| page | answered | interactive, median | 95th percentile | idle, median | 95th percentile |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with sync_playwright() as player:
        chromium = player.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"] if os.geteuid() == 0 else [])
        tab = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en").new_page()
        for name, page in pages:
            answered, interactive, quiet = [], [], []
            for number in range(times + 1):
                path = service.path(page, number)
                if path is None:
                    break
                answer = tab.goto(f"http://{address}{path}")
                while answer is None or answer.status == 202:
                    # The page shows itself; what is measured is the one that was asked for.
                    tab.goto("about:blank")
                    tab.wait_for_timeout(200)
                    answer = tab.goto(f"http://{address}{path}")
                idled = tab.evaluate(idle)
                end, ready = tab.evaluate(navigation)
                if number > 0:
                    answered.append(end)
                    interactive.append(ready)
                    quiet.append(idled)
            if quiet:
                print(f"| {name} | {rank(answered, 0.5):.0f} | {rank(interactive, 0.5):.0f} | {rank(interactive, 0.95):.0f} "
                      f"| {rank(quiet, 0.5):.0f} | {rank(quiet, 0.95):.0f} |", flush=True)
        chromium.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("--pid", type=int)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--page", default="")
    parser.add_argument("--browser", action="store_true")
    asked = parser.parse_args()
    service = Service(asked.address, asked.pid)
    print(f"{service.head:,} events, load {os.getloadavg()[0]:.1f}", flush=True)
    pages = [page for page in PAGES if asked.page in page[0]]
    if asked.browser:
        browse(service, asked.address, pages, asked.times)
    else:
        ask(service, pages, asked.times)


if __name__ == "__main__":
    main()
