#!/usr/bin/env python3
"""Measures one journal as it grows and draws docs/growth.svg (Benchmarks/README.md, Growth).

    growth.py --benchmark PROGRAM --replay PROGRAM --work DIRECTORY [--events N] [--svg FILE]

Prints the table. Python's standard library only.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

STOPS = [10_000, 100_000, 1_000_000, 10_000_000]


def say(text):
    print(text, file=sys.stderr, flush=True)


def child(command, output):
    """Runs a process to its end; gives its seconds and its greatest memory in MiB."""
    with open(output, "w", encoding="utf8") as file:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=file, stderr=subprocess.PIPE)
        said = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        last = (said.strip().splitlines() or ["no reason given"])[-1]
        sys.exit(f"{os.path.basename(command[0])} {command[1]}: {last}")
    return seconds, usage.ru_maxrss / 1024


def measure(options):
    directory = options.work
    journal = os.path.join(directory, "journal")
    output = os.path.join(directory, "output")
    grower = subprocess.Popen(
        [options.benchmark, "--grow", directory, "--term", str(options.term)], text=True, bufsize=1,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    found = []
    for stop in [stop for stop in STOPS if stop <= options.events]:
        try:
            grower.stdin.write(f"{stop}\n")
            line = grower.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            sys.exit(f"the journal did not grow to {stop} events")
        grown = json.loads(line)
        events = grown["events"]
        # Three times where it is quick: the first one also warms the files.
        runs = [child([options.replay, "rebuild", "examroom.policy", "--journal", journal], output)
                for _ in range(3 if stop <= 1_000_000 else 1)]
        child([options.benchmark, "--probe", journal, "--term", str(options.term)], output)
        with open(output, encoding="utf8") as file:
            probe = json.load(file)
        rebuild = statistics.median(seconds for seconds, _ in runs)
        found.append({
            "events": events,
            "append": grown["appendSeconds"] / grown["appended"] * 1e6,
            "fill": grown["filled"] / grown["fillSeconds"],
            "bytes": grown["bytes"] / events,
            "open": probe["openSeconds"] * 1e3,
            "first": probe["firstShowSeconds"] * 1e3,
            "show": probe["showSeconds"] * 1e6,
            "as-of": probe["asOfSeconds"] * 1e3,
            "stream": probe["streamSeconds"] * 1e6,
            "read": events / probe["readSeconds"],
            "rebuild": events / rebuild,
            "rebuild-seconds": rebuild,
            "rebuild-memory": max(memory for _, memory in runs),
            "memory": probe["peakMiB"],
            "own": probe["ownMiB"],
        })
        say(f"growth: {events:,} events")
    grower.stdin.close()
    grower.wait()
    return found


ROWS = [
    ("append", "append, 100 a commit", "µs an event"),
    ("fill", "append, 500 a commit, on the way there", "events/s"),
    ("stream", "a stream of about 100 events", "µs"),
    ("open", "opening the engine", "ms"),
    ("first", "first `show` of a key after it", "ms"),
    ("show", "`show` of a stored key", "µs"),
    ("as-of", "`show --as-of` half-way", "ms"),
    ("memory", "memory of that reader, mapped pages included", "MiB"),
    ("own", "memory of that reader, its own", "MiB"),
    ("read", "read, check and inflate all", "events/s"),
    ("rebuild", "`replay rebuild examroom.policy`, whole process", "events/s"),
    ("rebuild-seconds", "`replay rebuild examroom.policy`, whole process", "s"),
    ("rebuild-memory", "memory of the rebuild, mapped pages included", "MiB"),
    ("bytes", "bytes an event", "bytes"),
]


def number(value):
    """Three significant figures, thousands apart."""
    if value < 100:
        return f"{value:.3g}"
    step = 10 ** max(0, len(str(int(value))) - 3)
    return f"{round(value / step) * step:,}"


def table(found):
    rows = [["one growing journal", "unit"] + [f"{point['events']:,} events" for point in found]]
    rows += [[title, unit] + [number(point[key]) for point in found] for key, title, unit in ROWS]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]

    def line(row):
        cells = [text.ljust(width) if column < 2 else text.rjust(width)
                 for column, (text, width) in enumerate(zip(row, widths))]
        return "| " + " | ".join(cells) + " |"

    rule = ["-" * width if column < 2 else "-" * (width - 1) + ":"
            for column, width in enumerate(widths)]
    return "\n".join([line(rows[0]), "| " + " | ".join(rule) + " |"] + [line(r) for r in rows[1:]])


#: What is drawn, each in a panel with its own scale: (key, title, unit).
PANELS = [
    ("append", "append, 100 a commit", "µs an event"),
    ("stream", "a stream of about 100 events", "µs"),
    ("show", "show of a stored key", "µs"),
    ("as-of", "show --as-of half-way", "ms"),
    ("open", "opening the engine", "ms"),
    ("rebuild", "rebuild of all, one digest", "events/s"),
    ("read", "read, check and inflate all", "events/s"),
    ("rebuild-memory", "memory of the rebuild", "MiB"),
    ("bytes", "bytes an event", "bytes"),
]


def short(count):
    for size, letter in ((1_000_000, " M"), (1_000, " k")):
        if count >= size:
            return f"{count / size:.3g}{letter}"
    return f"{count:.3g}"


def svg(found):
    """Small panels over a logarithmic axis of events; each value stands at its point."""
    from math import log10

    width, height, columns, left, top = 300, 150, 3, 16, 42
    rows = -(-len(PANELS) // columns)
    full_width, full_height = width * columns, height * rows + 8
    low, high = log10(found[0]["events"]), log10(found[-1]["events"])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full_width} {full_height}" '
        f'width="{full_width}" height="{full_height}" font-family="sans-serif" font-size="11">',
        f'<rect width="{full_width}" height="{full_height}" fill="#ffffff"/>',
    ]
    for index, (key, title, unit) in enumerate(PANELS):
        x0, y0 = index % columns * width + left, index // columns * height
        inner, bottom = width - 3 * left - 16, y0 + height - 30
        tall = bottom - y0 - top
        most = max(point[key] for point in found) or 1

        def place(point):
            share = (log10(point["events"]) - low) / (high - low) if high > low else 0.5
            return x0 + 24 + share * inner, bottom - point[key] / most * tall

        lines.append(f'<text x="{x0}" y="{y0 + 20}" fill="#222222"><tspan font-weight="bold">{title}'
                     f'</tspan>, {unit}</text>')
        lines.append(f'<path d="M{x0} {bottom}H{x0 + inner + 48}" stroke="#999999" fill="none"/>')
        points = [place(point) for point in found]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        lines.append(f'<path d="M{path}" stroke="#1f6f8b" stroke-width="2" fill="none"/>')
        for point, (x, y) in zip(found, points):
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#1f6f8b"/>')
        for point, (x, y) in zip(found, points):
            # First its own white edge, so that no line runs through the figures.
            for paint in ('stroke="#ffffff" stroke-width="3"', 'fill="#222222"'):
                lines.append(f'<text x="{x:.1f}" y="{y - 7:.1f}" text-anchor="middle" {paint}>'
                             f'{short(point[key])}</text>')
            lines.append(f'<text x="{x:.1f}" y="{bottom + 15}" text-anchor="middle" '
                         f'fill="#666666">{short(round(point["events"], -3))}</text>')
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--benchmark", required=True)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--events", type=int, default=STOPS[-1])
    parser.add_argument("--term", type=int, default=200_000)
    parser.add_argument("--svg")
    parser.add_argument("--results")
    options = parser.parse_args()
    found = measure(options)
    if options.results:
        with open(options.results, "w", encoding="utf8") as file:
            json.dump(found, file, indent=1)
    if options.svg:
        with open(options.svg, "w", encoding="utf8") as file:
            file.write(svg(found))
    print(table(found))


if __name__ == "__main__":
    main()
