#!/usr/bin/env python3
"""Writes Sources/Core/Text/TimeZoneTable.swift from the IANA data in PyPI's `tzdata`.

    python3 -m venv /tmp/tz && /tmp/tz/bin/pip install tzdata==2026.6
    /tmp/tz/bin/python Scripts/timezones.py            # the table
    /tmp/tz/bin/python Scripts/timezones.py samples    # what the test compares it with

Its version stands in Tests/Dates/requirements.txt, too: dates are compared with the same. A new version of the data may change what an old journal's days are: see ADR on time zones before
running this with another one. The form of the table is described in TimeZoneDecoder.swift.
"""

import bisect
import datetime
import importlib.resources
import pathlib
import random
import re
import struct
import sys
import zoneinfo

import tzdata

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Sources/Core/Text/TimeZoneTable.swift"
SAMPLES = ROOT / "Tests/EventTests/Fixtures/time-zones.txt"
#: One digit of the table holds five bits and whether more follow: 64 characters from "0" on, among
#: them neither `"` nor `#`, so that a raw string literal can hold them.
FIRST_DIGIT = 48
#: Seconds; the coarsest unit that all changes since 1970 fall on.
UNIT = 30


def file_of(name):
    return importlib.resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))


def names():
    text = importlib.resources.files("tzdata").joinpath("zones").read_text()
    return sorted(text.split())


def parse(data):
    """The 64-bit part of a TZif file (RFC 8536): changes, their offsets, the footer."""

    def header(at):
        assert data[at : at + 4] == b"TZif" and data[at + 4 : at + 5] >= b"2"
        return struct.unpack(">6I", data[at + 20 : at + 44])

    isut, isstd, leap, times, types, chars = header(0)
    at = 44 + times * 5 + types * 6 + chars + leap * 8 + isstd + isut
    isut, isstd, leap, times, types, chars = header(at)
    assert leap == 0
    at += 44
    moments = struct.unpack(f">{times}q", data[at : at + 8 * times])
    at += 8 * times
    index = data[at : at + times]
    at += times
    offsets = [struct.unpack(">i", data[at + 6 * i : at + 6 * i + 4])[0] for i in range(types)]
    at += types * 6 + chars + isstd + isut
    return moments, [offsets[i] for i in index], offsets[0], data[at:].strip(b"\n").decode()


def seconds(text):
    sign = -1 if text.startswith("-") else 1
    parts = [int(part) for part in text.lstrip("+-").split(":")] + [0, 0]
    return sign * (parts[0] * 3600 + parts[1] * 60 + parts[2])


def rule(footer):
    """The footer (POSIX TZ with the extension of RFC 8536) as numbers: the offset, or the offset in
    winter, that in summer, and twice month, week, weekday, second of the day."""
    name = r"(?:<[^>]+>|[A-Za-z]+)"
    time = r"[-+]?\d+(?::\d+)*"
    match = re.fullmatch(
        rf"{name}({time})(?:{name}({time})?,M([\d.]+)(?:/({time}))?,M([\d.]+)(?:/({time}))?)?", footer
    )
    assert match, footer
    standard, summer, start, start_time, end, end_time = match.groups()
    standard = -seconds(standard)
    if start is None:
        return [standard]
    summer = standard + 3600 if summer is None else -seconds(summer)
    numbers = [standard, summer]
    for date, at in ((start, start_time), (end, end_time)):
        numbers += [int(part) for part in date.split(".")] + [7200 if at is None else seconds(at)]
    return numbers


def rule_changes(numbers, years):
    """The changes that a rule makes, as (moment, offset)."""
    standard, summer = numbers[:2]
    changes = []
    for year in years:
        for (month, week, weekday, at), before, after in (
            (numbers[2:6], standard, summer),
            (numbers[6:10], summer, standard),
        ):
            first = datetime.date(year, month, 1)
            day = 1 + (weekday - first.isoweekday()) % 7 + 7 * (week - 1)
            following = datetime.date(year + month // 12, month % 12 + 1, 1)
            while day > (following - first).days:
                day -= 7
            midnight = (first - datetime.date(1970, 1, 1)).days + day - 1
            changes.append((midnight * 86400 + at - before, after))
    return sorted(changes)


def zone(data):
    """(offset at 1970, changes, rule), without the changes that the rule makes by itself."""
    moments, offsets, initial, footer = parse(data)
    numbers = rule(footer)
    current = initial
    changes = []
    for moment, offset in zip(moments, offsets):
        if moment <= 0:
            current = offset
        elif offset != (changes[-1][1] if changes else current):
            changes.append((moment, offset))
    if len(numbers) > 1:
        # The rule holds from the file's last entry on, even where that one changes no offset.
        last, offset = changes[-1] if changes else (0, current)
        if moments and moments[-1] > last:
            changes.append((moments[-1], offset))
        made = rule_changes(numbers, range(1970, 2038))
        told = list(changes)
        # The rule takes over at the last change that is kept. A year in which it was not
        # followed must stay in the table, hence the comparison of all that comes after.
        while len(changes) > 1 and told[len(changes) - 2 :] == [
            change for change in made if change[0] >= changes[-2][0]
        ]:
            changes.pop()
    else:
        assert (changes[-1][1] if changes else current) == numbers[0]
    return current, tuple(changes), tuple(numbers)


def digits(number):
    """An unsigned number, least significant five bits first."""
    text = ""
    while True:
        more = 32 if number >= 32 else 0
        text += chr(FIRST_DIGIT + more + number % 32)
        number //= 32
        if not more:
            return text


def signed(number):
    return digits(number * 2 if number >= 0 else -number * 2 - 1)


def encode(value):
    initial, changes, numbers = value
    offsets = sorted({initial} | {offset for _, offset in changes})
    text = digits(len(offsets))
    for offset in offsets:
        assert offset % UNIT == 0
        text += signed(offset // UNIT)
    text += digits(offsets.index(initial)) + digits(len(changes))
    last = 0
    for moment, offset in changes:
        assert moment % UNIT == 0
        text += digits((moment - last) // UNIT) + digits(offsets.index(offset))
        last = moment
    text += digits(0 if len(numbers) == 1 else 1)
    if len(numbers) > 1:
        for offset in numbers[:2]:
            text += signed(offset // UNIT)
        for at in (2, 6):
            text += "".join(digits(number) for number in numbers[at : at + 3])
            text += signed(numbers[at + 3] // UNIT)
    return text


def table():
    zones = {}
    for name in names():
        zones.setdefault(zone(file_of(name).read_bytes()), []).append(name)
    lines = [
        "// Written by Scripts/timezones.py; do not edit. Its form: TimeZoneDecoder.swift. A zone a line.",
        "// swift-format-ignore-file",
        "",
        "/// The time zones of the IANA data base, as far as they matter from 1970 on.",
        "enum TimeZoneTable {",
        "    /// The version of the data.",
        f'    static let version = "{tzdata.IANA_VERSION}"',
        "",
        f"    /// {len(zones)} zones under {sum(map(len, zones.values()))} names.",
        '    static let text = #"""',
    ]
    for value, known_as in sorted(zones.items(), key=lambda item: item[1]):
        lines.append(f"        {' '.join(known_as)} = {encode(value)}!")
    lines += ['        """#', "}"]
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"{TABLE}: {len(zones)} zones, {TABLE.stat().st_size} bytes")


def samples():
    """What Python's zoneinfo says, a zone a line: its name, then `SECONDS:OFFSET` for moments in UTC and
    `@LOCAL:SECONDS` for a time on the wall and the moment it stands for."""
    zoneinfo.reset_tzpath([])
    random.seed(1970)
    epoch = datetime.datetime(1970, 1, 1)
    end = 7_258_118_400
    lines = []
    for name in names():
        known = zoneinfo.ZoneInfo(name)
        current, changes, numbers = zone(file_of(name).read_bytes())
        made = rule_changes(numbers, range(2100, 2199)) if len(numbers) > 1 else []
        moments = [random.randrange(end) for _ in range(3)]
        for chosen in (changes[-200:], made):
            for moment, _ in random.sample(chosen, min(2, len(chosen))):
                moments += [moment - 1, moment]
        parts = []
        for moment in sorted(set(moments)):
            utc = (epoch + datetime.timedelta(seconds=moment)).replace(tzinfo=datetime.UTC)
            offset = int(utc.astimezone(known).utcoffset().total_seconds())
            parts.append(f"{moment}:{offset}")
        for moment, _ in random.sample(changes + tuple(made), min(1, len(changes + tuple(made)))):
            local = moment + current + random.randrange(-60, 61) * 60
            wall = (epoch + datetime.timedelta(seconds=local)).replace(tzinfo=known)
            parts.append(f"@{local}:{local - int(wall.utcoffset().total_seconds())}")
        lines.append(" ".join([name] + parts))
    SAMPLES.write_text("\n".join(lines) + "\n")
    print(f"{SAMPLES}: {SAMPLES.stat().st_size} bytes")


if __name__ == "__main__":
    samples() if sys.argv[1:] == ["samples"] else table()
