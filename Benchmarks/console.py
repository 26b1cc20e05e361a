#!/usr/bin/env python3
"""How long the console's pages take: each asked for as often, over one connection, after a first time that does not count.

usage: console.py ADDRESS [TIMES] [PAGE...]    # of a running sijilld, such as 127.0.0.1:8180
"""
import http.client
import sys
import time

PAGES = [
    "/ui", "/ui/events", "/ui/events?type=examroom.exam.*", "/ui/events?at=2026-02-04T09:00", "/ui/people/examroom/{student}",
    "/ui/streams/examroom/attempt/{attempt}", "/ui/models", "/ui/models/examroom.exam/{exam}",
    "/ui/models/examroom.result/{attempt}", "/ui/models/examroom.result/{attempt}?why=%24.percent",
    "/ui/examroom", "/ui/examroom/exams/{exam}", "/ui/examroom/exams/{exam}/sitting", "/ui/examroom/results/{attempt}",
    "/ui/examroom/students", "/ui/audit", "/ui/operations", "/ui/timers", "/ui/events/{position}",
]


def main(address, times="40", *pages):
    connection = http.client.HTTPConnection(address, timeout=120)
    print("| page | KiB | median, ms | 95th percentile | slowest |\n| --- | --- | --- | --- | --- |")
    for page in pages or PAGES:
        took, size = [], 0
        for number in range(int(times) + 1):
            student = f"S{number % 10}-{number * 7 % 1000 + 1:04}"
            path = page.format(
                student=student, attempt="AT" + student[1:], exam=f"LSAT-{number % 10}", position=1000 + number * 977)
            start = time.perf_counter()
            connection.request("GET", path, headers={"Accept-Language": "en"})
            answer = connection.getresponse()
            body = answer.read()
            took.append((time.perf_counter() - start) * 1000)
            if answer.status != 200:
                sys.exit(f"{path}: {answer.status}")
            size = max(size, len(body))
        first, took = took[0], sorted(took[1:])
        print(f"| `{page}` | {size / 1024:.0f} | {took[len(took) // 2]:.1f} | {took[int(len(took) * 0.95)]:.1f} "
              f"| {took[-1]:.0f}; the first {first:.0f} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
