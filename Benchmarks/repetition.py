#!/usr/bin/env python3
"""Compares Learnable's four-level schedule with FSRS on one simulated learner; draws docs/repetition.svg.

    python3 -m venv /tmp/fsrs && /tmp/fsrs/bin/pip install fsrs
    /tmp/fsrs/bin/python Benchmarks/repetition.py --replay .build/debug/replay [--svg docs/repetition.svg]

Our side is the engine itself: commands in, due dates out. FSRS (https://pypi.org/project/fsrs/) schedules the same
questions with its default weights. Prints the table of docs/repetition.md.
"""
import argparse
import datetime
import json
import os
import random
import subprocess
import sys
import tempfile

DAYS, TOPICS, PER_TOPIC = 365, 30, 10
START = datetime.datetime(2026, 1, 1, 9, tzinfo=datetime.timezone.utc)


class Learner:
    """A memory that neither schedule knows: recall falls as 0.9^(days/stability); a right answer strengthens it,
    the more the closer it was to being forgotten, a wrong one weakens it. Same question, same nth answer: same luck."""

    def __init__(self, questions):
        self.memory = {}
        for question in questions:
            ease = random.Random(f"ease {question}").uniform(0.25, 0.9)
            self.memory[question] = {"stability": None, "ease": ease, "last": None, "answers": 0}

    def meet(self, question, day):
        self.memory[question].update(stability=2.0, last=day)

    def recall(self, question, day):
        memory = self.memory[question]
        return 0.9 ** ((day - memory["last"]) / memory["stability"])

    def answer(self, question, day):
        memory = self.memory[question]
        recall = self.recall(question, day)
        memory["answers"] += 1
        right = random.Random(f"luck {question} {memory['answers']}").random() < recall
        if right:
            memory["stability"] *= 1 + memory["ease"] * (0.3 + 5 * (1 - recall))
        else:
            memory["stability"] = max(1.0, memory["stability"] * 0.35)
        memory["last"] = day
        return right

    def mean_recall(self, day):
        known = [q for q, memory in self.memory.items() if memory["last"] is not None]
        return sum(self.recall(q, day) for q in known) / len(known)


def questions_of(topic):
    return [f"Q-{topic}-{number}" for number in range(PER_TOPIC)]


ALL = [question for topic in range(TOPICS) for question in questions_of(topic)]


class Engine:
    """Learnable by the replay tool, one line at a time."""

    def __init__(self, replay):
        self.folder = tempfile.TemporaryDirectory()
        journal = os.path.join(self.folder.name, "journal")
        subprocess.run([replay, "init", "--journal", journal], check=True, stdout=subprocess.DEVNULL)
        self.tool = subprocess.Popen(
            [replay, "submit", "-", "--journal", journal], text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.told = 0

    def tell(self, by, command, at, data, may_fail=False, **more):
        self.told += 1
        line = {"id": f"c-{self.told}", "command": "learnable." + command, "by": by, "data": data,
                "at": at.strftime("%Y-%m-%dT%H:%M:%SZ"), **more}
        self.tool.stdin.write(json.dumps(line) + "\n")
        self.tool.stdin.flush()
        outcome = json.loads(self.tool.stdout.readline())
        if outcome["status"] != "accepted" and not may_fail:
            sys.exit(f"{command} was refused: {outcome}")
        return outcome


def variant(question, level):
    if level < 3:
        return {"level": level, "format": "multiple-choice", "text": f"{question}?", "options": ["yes", "no"],
                "correct": 0, "explanation": "Yes."}
    return {"level": level, "format": "free-text", "text": f"{question}?", "answer": "Yes", "explanation": "Yes."}


def four_levels(replay):
    """The engine's own schedule: a daily quiz of all that is due, every day."""
    engine, learner, log, by = Engine(replay), Learner(ALL), [], "student:S-1"
    setup = START - datetime.timedelta(days=1)
    engine.tell("system", "policy.adopt", setup, {"changes": {
        "trial.days": 365, "reminder.quietAfterDays": 0, "quiz.dailyFirst": "never"}})
    engine.tell(by, "student.join", setup, {"student": "S-1", "timeZone": "UTC"}, device="D-1")
    draft = {"draft": "D-1"}
    engine.tell(by, "draft.start", setup, {"student": "S-1", **draft})
    engine.tell(by, "draft.describe", setup, {**draft, "description": "Everything"})
    engine.tell(by, "curriculum.request", setup, draft)
    engine.tell("service:ai", "curriculum.propose", setup, {**draft, "request": 1, "title": "Everything", "chapters": [
        {"title": "All", "topics": [f"Topic {topic}" for topic in range(TOPICS)]}]})
    engine.tell(by, "tone.choose", setup, {**draft, "preset": "eli5"})
    engine.tell(by, "add-ons.choose", setup, {
        **draft, "engagementQuestion": False, "endingProject": False, "reinforcement": True})
    engine.tell(by, "generation.request", setup, {**draft, "subject": "SU-1"})
    for topic in range(TOPICS):
        engine.tell("service:ai", "topic.deliver", setup, {
            "subject": "SU-1", "topic": f"1.{topic + 1}", "blocks": [{"kind": "text", "text": "Read."}]})
    for day in range(DAYS):
        at = START + datetime.timedelta(days=day)
        begun = engine.tell(by, "quiz.begin", at, {"student": "S-1", "quiz": f"QZ-{day}", "kind": "daily"}, True)
        reviews = right = 0
        pages = begun["events"][-1]["data"]["questions"] if begun["status"] == "accepted" else []
        for page in pages:
            named = {"quiz": f"QZ-{day}", "question": page["question"]}
            is_right = learner.answer(page["question"], day)
            if page["format"] == "multiple-choice":
                engine.tell(by, "quiz.answer", at, {**named, "choice": 0 if is_right else 1})
            else:
                engine.tell(by, "quiz.answer", at, {**named, "answer": "Words"})
                engine.tell(by, "quiz.self-assess", at, {**named, "correct": is_right})
            reviews += 1
            right += is_right
        if day < TOPICS:
            topic = {"subject": "SU-1", "topic": f"1.{day + 1}"}
            engine.tell(by, "topic.open", at, topic)
            engine.tell(by, "topic.complete", at, topic)
            engine.tell("service:ai", "question.pool", at, {**topic, "questions": [
                {"question": question, "variants": [variant(question, level) for level in (1, 2, 3, 4)]}
                for question in questions_of(day)]})
            for question in questions_of(day):
                learner.meet(question, day)
        log.append((reviews, right, learner.mean_recall(day)))
    engine.tool.stdin.close()
    engine.tool.wait()
    return log


def fsrs(desired_retention):
    """FSRS with its default weights, in whole days: what is due on a day is asked on that day."""
    from fsrs import Card, Rating, Scheduler
    scheduler = Scheduler(desired_retention=desired_retention, learning_steps=(), relearning_steps=(),
                          enable_fuzzing=False)
    learner, log, cards, due = Learner(ALL), [], {}, {}
    for day in range(DAYS):
        at = START + datetime.timedelta(days=day)
        reviews = right = 0
        for question in [question for question, date in due.items() if date <= day]:
            is_right = learner.answer(question, day)
            cards[question], _ = scheduler.review_card(
                cards[question], Rating.Good if is_right else Rating.Again, review_datetime=at)
            due[question] = max(day + 1, (cards[question].due.date() - START.date()).days)
            reviews += 1
            right += is_right
        if day < TOPICS:
            for question in questions_of(day):
                learner.meet(question, day)
                cards[question], due[question] = Card(card_id=len(cards) + 1, due=at), day + 1
        log.append((reviews, right, learner.mean_recall(day)))
    return log


COLOURS = ["#1f6f8b", "#c05621", "#6b7280"]


def draw(runs, path):
    """Reviews a week and mean recall, week by week."""
    weeks = DAYS // 7
    panels = [("reviews a week", [[sum(day[0] for day in log[7 * week:7 * week + 7]) for week in range(weeks)]
                                  for _, log in runs], 0),
              ("recall of all questions at the week's end, %",
               [[100 * log[7 * week + 6][2] for week in range(weeks)] for _, log in runs], 50)]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 300" width="900" height="300" '
           'font-family="sans-serif" font-size="11">', '<rect width="900" height="300" fill="#ffffff"/>']
    for place, (title, series, low) in enumerate(panels):
        left, top, width, height = 50 + 440 * place, 50, 370, 200
        high = max(100 if low else 1, max(map(max, series)))
        out.append(f'<text x="{left}" y="30" fill="#222222" font-weight="bold">{title}</text>')
        for step in range(5):
            value = low + (high - low) * step / 4
            y = top + height - height * step / 4
            out.append(f'<path d="M{left} {y:.1f}H{left + width}" stroke="#dddddd" fill="none"/>')
            out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" fill="#666666" text-anchor="end">{value:.0f}</text>')
        for number, values in enumerate(series):
            points = "L".join(
                f"{left + width * week / (weeks - 1):.1f} {top + height - height * (value - low) / (high - low):.1f}"
                for week, value in enumerate(values))
            out.append(f'<path d="M{points}" stroke="{COLOURS[number]}" stroke-width="2" fill="none"/>')
        out.append(f'<text x="{left + width}" y="{top + height + 16}" fill="#666666" text-anchor="end">week {weeks}</text>')
    for number, (name, _) in enumerate(runs):
        out.append(f'<rect x="{50 + 200 * number}" y="280" width="12" height="4" fill="{COLOURS[number]}"/>')
        out.append(f'<text x="{68 + 200 * number}" y="286" fill="#222222">{name}</text>')
    with open(path, "w", encoding="utf8") as file:
        file.write("\n".join(out) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--replay", required=True)
    parser.add_argument("--svg")
    options = parser.parse_args()
    runs = [("four levels", four_levels(options.replay)), ("FSRS, retention 90 %", fsrs(0.9)),
            ("FSRS, retention 80 %", fsrs(0.8))]
    print("| schedule | answers | a question | right | recall, mean | recall, last day | most in a day |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, log in runs:
        reviews, right = sum(day[0] for day in log), sum(day[1] for day in log)
        recall = sum(day[2] for day in log) / len(log)
        print(f"| {name} | {reviews} | {reviews / len(ALL):.1f} | {100 * right / reviews:.1f} % | "
              f"{100 * recall:.1f} % | {100 * log[-1][2]:.1f} % | {max(day[0] for day in log)} |")
    if options.svg:
        draw(runs, options.svg)


if __name__ == "__main__":
    main()
