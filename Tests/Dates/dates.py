#!/usr/bin/env python3
"""Holds the four products' calendars to a table of their own: weeks, deadlines, local days, reminders, renewals.

usage: dates.py --replay PATH     exit status 1 if one case differs

The table is computed here, from the pages of docs/contract and Python's `zoneinfo`, with none of the engine's code: for
each zone the clock changes of 2026, and the dates around them. Each case says its rule.
"""
import argparse, collections, datetime, json, pathlib, subprocess, sys, tempfile, zoneinfo

UTC = datetime.timezone.utc
YEAR = 2026
ZONES = """Africa/Cairo America/Havana America/New_York America/Nuuk America/Santiago America/St_Johns Asia/Beirut
    Asia/Jerusalem Asia/Kathmandu Asia/Kolkata Asia/Riyadh Atlantic/Azores Australia/Adelaide Australia/Lord_Howe
    Europe/Berlin Europe/London Pacific/Auckland Pacific/Chatham Pacific/Kiritimati Pacific/Marquesas UTC""".split()
DAY = datetime.timedelta(days=1)
SECOND = datetime.timedelta(seconds=1)


def utc(*parts):
    return datetime.datetime(*parts, tzinfo=UTC)


def text(instant):
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def zone(name):
    return zoneinfo.ZoneInfo(name)


def offset(name, instant):
    return instant.astimezone(zone(name)).utcoffset()


def changes(name):
    """The instants of the year at which the zone's offset changes."""
    found, hour = [], utc(YEAR, 1, 1)
    while hour.year == YEAR:
        if offset(name, hour) != offset(name, hour + DAY):
            low, high = hour, hour + DAY
            while high - low > SECOND:
                middle = low + (high - low) // 2
                middle = middle.replace(microsecond=0)
                low, high = (low, middle) if offset(name, middle) != offset(name, hour) else (middle, high)
            found.append(high)
        hour += DAY
    return found


def before_change(name, date, hour=0, minute=0):
    """QuranFlow R4: a local time; one that is skipped by the offset before the change, of two the earlier."""
    return datetime.datetime(date.year, date.month, date.day, hour, minute, tzinfo=zone(name), fold=0).astimezone(UTC)


def end_of_gap(name, date, hour=0, minute=0):
    """Learnable R2: a local time; one that is skipped is the instant at which the gap ends, of two the earlier."""
    wanted = datetime.datetime(date.year, date.month, date.day, hour, minute)
    found = before_change(name, date, hour, minute)
    if found.astimezone(zone(name)).replace(tzinfo=None) == wanted:
        return found
    return max(change for change in changes(name) if change <= found)


def local_date(name, instant):
    return instant.astimezone(zone(name)).date()


def months_after(anchor, count):
    """Tafawoq R14: so many calendar months later in UTC, the day cut to the month's last."""
    index = anchor.year * 12 + anchor.month - 1 + count
    year, month = index // 12, index % 12 + 1
    following = datetime.date(year + month // 12, month % 12 + 1, 1)
    return anchor.replace(year=year, month=month, day=min(anchor.day, (following - DAY).day))


class Journal:
    """Commands in the order of their instants, and what is expected of their events."""

    def __init__(self, replay):
        self.replay, self.commands, self.cases = replay, [], []

    def do(self, at, command, by, data, cases=()):
        """Each case: its name, the event's type, the field, what is expected."""
        self.commands.append((at, len(self.commands), command, by, data, list(cases)))

    def run(self, *arguments, given=None):
        done = subprocess.run([self.replay, *arguments], input=given, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise SystemExit(f"dates: {' '.join(arguments[:2])}: {done.stderr.strip() or done.stdout.strip()[-300:]}")
        return done.stdout

    def compare(self, table, more=None):
        """Runs the commands; `more` takes what was recorded, as an export, to further cases."""
        ordered = sorted(self.commands, key=lambda entry: entry[:2])
        with tempfile.TemporaryDirectory() as folder:
            journal = str(pathlib.Path(folder) / "journal")
            self.run("init", "--simulated", "--journal", journal)
            lines = [
                # A free trial needs a device (Learnable R7): each student has one.
                json.dumps({"id": f"c-{number}", "command": command, "at": text(at), "by": by, "data": data}
                           | ({"device": by} if command.startswith("learnable.") else {}))
                for number, (at, _, command, by, data, _) in enumerate(ordered)]
            outcomes = self.run("submit", "--journal", journal, given="\n".join(lines) + "\n").splitlines()
            for (at, _, command, by, data, cases), line in zip(ordered, outcomes, strict=True):
                outcome = json.loads(line)
                if outcome["status"] != "accepted":
                    table.add(f"{command} {data} at {text(at)}", "accepted", outcome.get("code") or outcome)
                for name, kind, field, expected in cases:
                    events = [event["data"] for event in outcome.get("events", []) if event["type"] == kind]
                    table.add(name, expected, events[0].get(field) if events else "no event")
            if more:
                more([json.loads(line) for line in self.run("export", "--journal", journal).splitlines()])


class Table:
    def __init__(self):
        self.count, self.wrong = collections.Counter(), []

    def add(self, name, expected, actual):
        self.count[name.split()[0]] += 1
        if expected != actual:
            self.wrong.append(f"{name}: expected {json.dumps(expected)}, shown {json.dumps(actual)}")


def quranflow(replay, table):
    """Weeks, the opening of the EOC and the closing (R4, R6), around each clock change, in the semester's and in the student's zone."""
    journal = Journal(replay)
    at = utc(YEAR - 1, 12, 1)

    def do(command, by, data, cases=()):
        nonlocal at
        at += 60 * SECOND
        journal.do(at, f"quranflow.{command}", by, data, cases)

    def starts(name, first):
        return [text(before_change(name, first + 7 * week * DAY)) for week in range(4)]

    do("policy.adopt", "admin:A-1", {"changes": {"weeksPerSemester": 3, "classesStartAfterDays": 2}})
    do("coach.register", "admin:A-1", {"coach": "C-1", "name": "Coach", "gender": "female"})
    number = 0
    for place, name in enumerate(ZONES):
        dates = [local_date(name, change) for change in changes(name)] or [datetime.date(YEAR, 2, 28), datetime.date(YEAR, 12, 26)]
        for date in dates:
            number += 1
            # The second week begins on the very date.
            first, semester, student, theirs = date - 7 * DAY, f"SEM-{number}", f"S-{number}", ZONES[place - 1]
            weekday = first.strftime("%A").lower()
            own = number % 2 == 0
            calendar = theirs if own else name
            about = f"QuranFlow R4: {name} {first}"
            do("policy.adopt", "admin:A-1", {"changes": {"unlockWeekday": weekday, "weekZone": "student" if own else "semester"}})
            do("semester.schedule", "admin:A-1", {"semester": semester, "name": semester, "startsOn": str(first), "timeZone": name}, [
                (f"{about}: weeks", "quranflow.semester.scheduled", "weekStarts", starts(name, first)),
                (f"{about}: classes begin", "quranflow.semester.scheduled", "classesBeginOn", str(first + 2 * DAY))])
            do("student.register", "service:signup", {"student": student, "name": "N", "email": f"{student}@example.org", "gender": "female", "timeZone": theirs})
            do("assessment.submit", f"student:{student}", {"student": student, "audio": "a", "seconds": 60})
            opened = "quranflow.enrollment.opened"
            do("student.place", "coach:C-1", {"student": student, "level": 2, "coach": "C-1", "enrollment": f"E-{number}", "semester": semester}, [
                (f"{about}: weeks of an enrolment in {calendar}", opened, "weekStarts", starts(calendar, first)),
                (f"{about}: the EOC opens in {calendar}", opened, "eocOpensAt", starts(calendar, first)[2]),
                (f"{about}: closes in {calendar}", opened, "closesAt", text(before_change(calendar, first + (21 + 14) * DAY)))])
    journal.compare(table)


def learnable(replay, table):
    """Local days (R1, R35) and reminders (R2, R44) around each clock change."""
    for hour, minute in ((2, 30), (0, 15), (19, 0)):
        journal, reminders = Journal(replay), {}
        journal.do(utc(YEAR - 1, 12, 1), "learnable.policy.adopt", "admin:A-1", {"changes": {
            "reminder.studyAt": f"{hour:02}:{minute:02}", "trial.days": 365, "study.maxSpanMinutes": 1440}})
        number = 0
        for name in ZONES:
            for change in changes(name) or [utc(YEAR, 3, 1), utc(YEAR, 7, 1)]:
                number += 1
                student, date = f"S-{number}", local_date(name, change)
                opened = before_change(name, date - 3 * DAY, 12)
                journal.do(opened, "learnable.student.join", f"student:{student}", {"student": student, "timeZone": name}, [
                    (f"Learnable R7: {name} {date}: the trial ends", "learnable.trial.started", "endsAt", text(opened + 365 * DAY))])
                journal.do(opened, "learnable.app.open", f"student:{student}", {"student": student}, [
                    (f"Learnable R1: {name} {date}: the day of an opening", "learnable.app.opened", "day", str(date - 3 * DAY))])
                due = [end_of_gap(name, date + days * DAY, hour, minute) for days in range(-3, 5)]
                reminders[student] = name, [text(instant) for instant in due if instant > opened]
                if hour == 19:
                    # Another student studies over the beginning of the day, and the clock change if it is at night.
                    night, begin = f"N-{number}", end_of_gap(name, date)
                    start, end = begin - 3 * 3600 * SECOND, begin + 5 * 3600 * SECOND
                    journal.do(opened, "learnable.student.join", f"student:{night}", {"student": night, "timeZone": name})
                    days, day = [], local_date(name, start)
                    while end_of_gap(name, day) < end:
                        low, high = max(start, end_of_gap(name, day)), min(end, end_of_gap(name, day + DAY))
                        days.append({"day": str(day), "seconds": int((high - low).total_seconds())})
                        day += DAY
                    journal.do(end, "learnable.study.record", f"student:{night}", {
                        "student": night, "activity": "chat", "from": text(start), "to": text(end)}, [
                        (f"Learnable R35: {name} {date}: a night's study", "learnable.study.recorded", "days", days)])
                    for moment in (begin - SECOND, begin, change - SECOND, change):
                        journal.do(max(moment, opened), "learnable.app.open", f"student:{night}", {"student": night}, [
                            (f"Learnable R1: {name} {text(moment)}: the day", "learnable.app.opened", "day", str(local_date(name, max(moment, opened))))])
        journal.do(utc(YEAR + 1, 1, 31), "clock.advance", "system", {})

        def raised(lines):
            found = collections.defaultdict(list)
            for line in lines:
                if line.get("type") == "learnable.notification.raised" and line["data"]["notification"] == "study-reminder":
                    found[line["stream"].split("/")[-1]].append(line["at"])
            for student, (name, due) in reminders.items():
                for place in range(max(len(due), len(found[student]))):
                    expected, actual = [dict(enumerate(of)).get(place) for of in (due, found[student])]
                    table.add(f"Learnable R44: {name}: reminder {place + 1} at {hour:02}:{minute:02}", expected, actual)

        journal.compare(table, raised)


def tafawoq(replay, table):
    """Billing periods by calendar months (R14), trials (R13), weeks at an offset (R22)."""
    digest = "23b59a4cc26e552573cfcb37b1a2feabbaf258d00c3fd559b2774e269b6e717b"

    def enrol(journal, student, at):
        by = f"student:{student}"
        password = {"digest": digest, "length": 12, "upper": True, "lower": True, "digit": True, "symbol": True}
        journal.do(at, "tafawoq.account.register", by, {
            "student": student, "email": f"{student.lower()}@example.sa", "password": password, "acceptsTerms": True, "acceptsPrivacy": True, "otpDigest": digest})
        journal.do(at, "tafawoq.account.verify", by, {"student": student, "otpDigest": digest})
        journal.do(at, "tafawoq.profile.complete", by, {"student": student, "track": "scientific"})

    def pay(journal, student, at, kind, data, cases):
        journal.do(at, "tafawoq.payment.report", "service:g", {
            "student": student, "providerEvent": f"{student}-{text(at)}", "kind": kind, "occurredAt": text(at), "signatureVerified": True, **data}, cases)

    months = Journal(replay)
    months.do(utc(YEAR - 1, 11, 1), "tafawoq.policy.adopt", "admin:A-1", {"changes": {"trial.days": 0, "reminder.mode": "scheduled"}})
    for number, anchor in enumerate([utc(YEAR, 1, day, 23, 59, 59) for day in (1, 15, 28, 29, 30, 31)] + [utc(YEAR + 1, 12, 31), utc(YEAR, 5, 31, 0, 0, 1)]):
        student = f"S-{number}"
        enrol(months, student, anchor)
        months.do(anchor, "tafawoq.checkout.begin", f"student:{student}", {"student": student, "checkout": f"CO-{number}"})
        about = f"Tafawoq R14: {text(anchor)}"
        pay(months, student, anchor, "checkout-paid", {"checkout": f"CO-{number}"}, [
            (f"{about}: period 1", "tafawoq.subscription.activated", "periodEnd", text(months_after(anchor, 1)))])
        for period in range(1, 27):
            end = months_after(anchor, period)
            pay(months, student, end + SECOND, "renewal-paid", {"period": text(end), "attempt": 1}, [
                (f"{about}: period {period + 1}", "tafawoq.subscription.renewed", "periodEnd", text(months_after(anchor, period + 1)))])
    months.compare(table)

    weeks = Journal(replay)
    days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for number in range(70):
        at = utc(YEAR, 2, 20) + number * (DAY + 3607 * SECOND)
        minutes = (-720, -300, 0, 180, 345, 840)[number % 6]
        shift, first = minutes * 60 * SECOND, number % 7
        # Every other instant is the first of a week, or the last.
        local = (at + shift).replace(hour=0, minute=0, second=0)
        start = local - (local.weekday() - first) % 7 * DAY - shift
        if number % 3:
            at = start + 7 * DAY - (number % 3 - 1) * SECOND
            start = start if number % 3 == 2 else start + 7 * DAY
        student, about = f"S-{number}", f"Tafawoq R22: {text(at)}, {days[first]} at {minutes:+} min"
        enrol(weeks, student, at)
        weeks.do(at, "tafawoq.policy.adopt", "admin:A-1", {"changes": {"week.startsOn": days[first], "week.utcOffsetMinutes": minutes}})
        weeks.do(at, "tafawoq.exam.start", f"student:{student}", {"student": student, "exam": f"EX-{number}"}, [
            (f"{about}: the week begins", "tafawoq.exam.started", "weekStart", text(start)),
            (f"{about}: and ends", "tafawoq.exam.started", "weekEnd", text(start + 7 * DAY))])
    weeks.compare(table)


def examroom(replay, table):
    """The local date of a closing (R19), which streaks count (R28), on both sides of midnights and clock changes."""
    journal = Journal(replay)
    at = utc(YEAR - 1, 12, 1)
    credential = {"scheme": "bcrypt", "salt": "salt", "digest": "digest"}
    journal.do(at, "examroom.account.register", "system", {"account": "A-1", "role": "admin", "name": "Admin", "credential": credential})
    journal.do(at, "examroom.exam.create", "admin:A-1", {"exam": "EX-1", "title": "Title", "durationMinutes": 600, "maxAttempts": 50})
    options = [{"option": "a", "text": "A", "correct": True}, {"option": "b", "text": "B", "correct": False}]
    journal.do(at, "examroom.question.add", "admin:A-1", {"exam": "EX-1", "question": "Q-1", "prompt": "?", "options": options})
    journal.do(at, "examroom.exam.publish", "admin:A-1", {"exam": "EX-1"})
    for number, name in enumerate(ZONES):
        student = f"S-{number}"
        journal.do(at, "examroom.account.register", "admin:A-1", {"account": student, "role": "student", "name": "N", "timeZone": name, "credential": credential})
        moments = set()
        for change in changes(name) or [utc(YEAR, 3, 1), utc(YEAR, 7, 1)]:
            begin = end_of_gap(name, local_date(name, change))
            moments |= {change - SECOND, change, begin - SECOND, begin, end_of_gap(name, local_date(name, change) + DAY) - SECOND}
        for place, moment in enumerate(sorted(moments)):
            attempt = f"AT-{number}-{place}"
            journal.do(moment, "examroom.attempt.start", f"student:{student}", {"attempt": attempt, "exam": "EX-1", "student": student})
            journal.do(moment, "examroom.attempt.submit", f"student:{student}", {"attempt": attempt}, [
                (f"ExamRoom R19: {name} {text(moment)}: the date", "examroom.attempt.submitted", "localDate", str(local_date(name, moment)))])
    journal.compare(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replay", required=True)
    replay = parser.parse_args().replay
    table = Table()
    for product in (examroom, quranflow, learnable, tafawoq):
        product(replay, table)
    for wrong in table.wrong[:40]:
        print(f"dates: {wrong}", file=sys.stderr)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(table.count.items()))
    print(f"dates: {sum(table.count.values())} cases ({counts}), {len(table.wrong)} differ")
    sys.exit(1 if table.wrong else 0)


if __name__ == "__main__":
    main()
