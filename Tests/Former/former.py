#!/usr/bin/env python3
"""Holds this build to what a former one wrote and showed: old journals fold as before.

usage: former.py --replay PATH               imports, exports, verifies, folds and compares; exit status 1 if one differs
       former.py --replay PATH --named       the same, and prints what differences.json names
       former.py make --replay FORMER_PATH   runs every scenario of Examples with a former build and keeps what came of it

`exports.tar.xz` holds an export of each life, `journals.tar.xz` whole journals of some, with the views that were stored,
`answers.tar.xz` the digest of every read model after each life, and every document of the lives that are there as
journals. `differences.json` names what is different on purpose, with the reason: `models` whose digests differ, and
`documents`, the members that a former document had and that read otherwise now. What is named but does not differ is a
mistake, too.
"""
import argparse, concurrent.futures, json, os, pathlib, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "Examples"
# One of each product, and one with all four in it.
KEPT_WHOLE = ["examroom.07-devices-meet", "learnable.a-whole-life", "quranflow.11-first-semester", "tafawoq.premium", "four-products"]
FOUR = ["examroom/01-exam-day", "learnable/trial-and-subscription", "quranflow/18-told-and-erased", "tafawoq/reminders-at-the-borders"]


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments, given=None, fails=False):
        done = subprocess.run([self.path, *arguments], input=given, capture_output=True, timeout=300)
        if done.returncode and not fails:
            raise RuntimeError(f"{' '.join(map(str, arguments))}: exit {done.returncode}: {done.stderr.decode().strip()[:400]}")
        return None if done.returncode else done.stdout

    def export(self, journal):
        return self.run("export", "--journal", journal)

    def digests(self, journal):
        models = json.loads(self.run("rebuild", "--json", "--journal", journal))["models"]
        return {model["model"]: model["digest"] for model in models}


def commands(path, prefix=""):
    """The commands of a scenario; with a prefix before their ids."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and "do" in (entry := json.loads(line)):
            command = entry["do"]
            if prefix and isinstance(command.get("id"), str):
                command["id"] = prefix + command["id"]
            yield command


def scenarios():
    """The files of commands by the name of the life."""
    return {f"{path.parent.name}.{path.stem}": path for path in sorted(EXAMPLES.glob("*/*.jsonl"))}


def lives():
    """Commands by the name of the life."""
    found = {name: list(commands(path)) for name, path in scenarios().items()}
    mixed = [command for name in FOUR for command in commands(EXAMPLES / f"{name}.jsonl", f"{name}/")]
    found["four-products"] = sorted((command for command in mixed if isinstance(command.get("at"), str)), key=lambda command: command["at"])
    return found


def names(export):
    """The ids in an export, by their kind: those of streams and those of tags."""
    found = {}
    for line in export.decode().splitlines():
        event = json.loads(line)
        for tag in event.get("tags", []):
            kind, _, name = tag.partition(":")
            found.setdefault(kind, set()).add(name)
        if stream := event.get("stream"):
            parts = stream.split("/", 2)
            found.setdefault(parts[1], set()).add(parts[-1])
            found.setdefault("person", set()).add(f"{parts[0]}/{parts[-1]}")
    return found


def documents(program, journal, export):
    """Every document there is, by model and key."""
    ids = names(export)
    everyone = sorted(set().union(*ids.values()))
    shown, lacking = {}, []
    for line in program.run("models", "--json", "--journal", journal).decode().splitlines():
        model = json.loads(line)
        if not model["keys"] and model["key"] not in (None, "person"):
            continue
        name = model["name"]
        count = 0
        for key in [None] if model["key"] is None else sorted(ids.get(model["key"], [])) or everyone:
            document = program.run("show", name, *[key] * (key is not None), "--json", "--journal", journal, fails=True)
            if document:
                shown[f"{name} {key or ''}".strip()] = json.loads(document)
                count += 1
        if count < (model["keys"] or 0):
            lacking.append(f"{name}: {count} of {model['keys']}")
    return shown, lacking


def differences(former, now, where=""):
    """The members that a former document had, and that are not there or not the same."""
    if isinstance(former, dict) and isinstance(now, dict):
        for name, value in former.items():
            if name not in now:
                yield f"{where}.{name}", value, "nothing"
            else:
                yield from differences(value, now[name], f"{where}.{name}")
    elif isinstance(former, list) and isinstance(now, list) and len(former) == len(now):
        for left, right in zip(former, now):
            yield from differences(left, right, f"{where}[]")
    elif former != now:
        yield where, former, now


def packed(name, files):
    """Writes an archive of texts, the same bytes for the same texts."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            (pathlib.Path(folder) / path).write_bytes(content)
        pack(name, folder, sorted(files))


def pack(name, folder, members):
    subprocess.run(
        ["tar", "--sort=name", "--mtime=2026-01-01", "--owner=0", "--group=0", "--numeric-owner", "--sparse", "-c",
         "-I", "xz -9e -T1", "-f", HERE / f"{name}.tar.xz", "-C", folder, *members], check=True)


def unpacked(name, folder):
    subprocess.run(["tar", "-xJf", HERE / f"{name}.tar.xz", "-C", folder], check=True)


def make(program):
    exports, answers = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for life, given in lives().items():
            journal = str(pathlib.Path(folder) / life)
            program.run("init", "--simulated", "--journal", journal)
            program.run("submit", "--journal", journal, given="".join(json.dumps(c, ensure_ascii=False) + "\n" for c in given).encode(), fails=True)
            export = program.export(journal)
            exports[f"{life}.jsonl"] = export
            answer = {"digests": program.digests(journal)}
            if life in KEPT_WHOLE and life in scenarios():
                answer["documents"], lacking = documents(program, journal, export)
                print(f"{life}: {len(answer['documents'])} documents; without {', '.join(lacking) or 'none'}")
            if life in KEPT_WHOLE:
                for left in pathlib.Path(journal).glob("*lock"):
                    left.unlink()
            answers[f"{life}.json"] = (json.dumps(answer, ensure_ascii=False, sort_keys=True, indent=0) + "\n").encode()
        packed("exports", exports)
        packed("answers", answers)
        pack("journals", folder, KEPT_WHOLE)
    events = sum(export.count(b'"position":') for export in exports.values())
    print(f"{len(exports)} lives, {events} events")


class Check:
    def __init__(self, program, folder):
        self.program, self.folder = program, pathlib.Path(folder)
        self.named = json.loads((HERE / "differences.json").read_text(encoding="utf-8"))
        self.seen, self.wrong = set(), []

    def expect(self, holds, what):
        if not holds:
            self.wrong.append(what)

    def differs(self, section, name, what):
        """Something is not as it was: named, or wrong."""
        self.seen.add((section, name))
        self.expect(name in self.named[section], f"{what} (not in {section} of differences.json)")

    def life(self, name):
        try:
            self.compare(name)
        except (RuntimeError, ValueError) as error:
            self.wrong.append(f"{name}: {error}")

    def compare(self, name):
        former = self.folder / "exports" / f"{name}.jsonl"
        answer = json.loads((self.folder / "answers" / f"{name}.json").read_text(encoding="utf-8"))
        journal = str(self.folder / "imported" / name)
        self.program.run("import", "--journal", journal, former)
        self.journal(f"{name}, imported", journal, former.read_bytes(), answer)
        if name in KEPT_WHOLE:
            journal = str(self.folder / "journals" / name)
            # First with the views that the former build stored, as whoever installs this one has them.
            self.documents(name, journal, answer.get("documents", {}))
            self.journal(f"{name}, the journal", journal, former.read_bytes(), answer)

    def journal(self, what, journal, export, answer):
        self.expect(self.program.export(journal) == export, f"{what}: exports otherwise")
        self.program.run("verify", "--journal", journal)
        digests = self.program.digests(journal)
        for model, digest in answer["digests"].items():
            if digests.get(model) != digest:
                self.differs("models", model, f"{what}: {model} reads otherwise")

    def documents(self, name, journal, documents):
        for shown, former in documents.items():
            now = self.program.run("show", *shown.split(" ", 1), "--json", "--journal", journal, fails=True)
            for where, before, after in differences(former, json.loads(now or "null")):
                path = shown.split(" ")[0] + where
                self.differs("documents", path, f"{name}: {shown}: {where}: {before!r}, now {after!r}")


def check(program, prints):
    with tempfile.TemporaryDirectory() as folder:
        for archive in ("exports", "answers", "journals"):
            (pathlib.Path(folder) / archive).mkdir()
            unpacked(archive, pathlib.Path(folder) / archive)
        (pathlib.Path(folder) / "imported").mkdir()
        run = Check(program, folder)
        found = sorted(path.stem for path in (pathlib.Path(folder) / "exports").iterdir())
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
            list(threads.map(run.life, found))
    for section, reasons in run.named.items():
        for name, reason in reasons.items():
            run.expect((section, name) in run.seen, f"differences.json: {section}: {name} does not differ")
            if prints:
                print(f"{name}: {reason}")
    shown = 0
    for what in dict.fromkeys(run.wrong):
        print(f"former: {what}", file=sys.stderr)
        shown += 1
        if shown == 60:
            print(f"former: … {len(run.wrong)} in all", file=sys.stderr)
            break
    print(f"former: {len(found)} lives as they were, but for what differences.json names" if not run.wrong else "former: not as it was")
    return 1 if run.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=["check", "make"], default="check")
    parser.add_argument("--replay", required=True)
    parser.add_argument("--named", action="store_true")
    given = parser.parse_args()
    program = Program(given.replay)
    sys.exit(make(program) if given.what == "make" else check(program, given.named))


if __name__ == "__main__":
    main()
