"""The real tool under the interposed library, realistic command lines, and the oracle that all programs here share."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
BUILD = REPOSITORY / ".build" / "torture"

# What docs/contract/replay.md documents.
EXIT_CODES = {0, 1, 64, 65, 66, 73, 74, 75}
# What says that the tool fell over instead of ending: no user may ever see one of these.
CRASHES = re.compile(
    rb"Fatal error|Stack dump|Current stack trace|Illegal instruction|Precondition failed|Swift/|swift_|Assertion"
    rb"|AddressSanitizer|ThreadSanitizer"
)

Result = namedtuple("Result", "code out err")


def compiler():
    """A C compiler; None where there is none."""
    return os.environ.get("CC") or shutil.which("cc") or shutil.which("clang")


def preloaded(source):
    """The path of a library for LD_PRELOAD, compiled if its source is newer."""
    library = BUILD / f"{source.stem}.so"
    if library.exists() and library.stat().st_mtime > source.stat().st_mtime:
        return str(library)
    BUILD.mkdir(parents=True, exist_ok=True)
    if not compiler():
        sys.exit("torture: neither cc nor clang is there")
    # Made beside its place and renamed: two programs may start at once.
    unfinished = f"{library}.{os.getpid()}"
    subprocess.run(
        [compiler(), "-shared", "-fPIC", "-O2", "-Wall", "-o", unfinished, str(source), "-ldl", "-lpthread"],
        check=True,
    )
    os.replace(unfinished, library)
    return str(library)


def interposer():
    return preloaded(HERE / "interposer.c")


def scratch(prefix="sijill-torture-"):
    """A directory in memory where there is one: thousands of images need a fast disk."""
    base = os.environ.get("TORTURE_TMP") or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    return tempfile.mkdtemp(prefix=prefix, dir=base)


class Tool:
    """Runs `replay`. `preload` is a list of rules (or one text) for the interposed library, `inside` the
    directories that it looks at, `record` the file it logs to, `tag` a name for this process in that file."""

    def __init__(self, replay_path, env=None, timeout=120):
        self.path = str(Path(replay_path).resolve())
        if not os.access(self.path, os.X_OK):
            sys.exit(f"torture: {self.path} is no program; build it with `make release`")
        self.extra = dict(env or {})
        self.timeout = timeout
        self._simulated = None

    def environment(self, env=None, preload=None, inside=None, record=None, tag=None, fired=None):
        full = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("SIJILL_", "TORTURE_")) and name != "LD_PRELOAD"
        }
        full["NO_COLOR"] = "1"
        full.update(self.extra)
        full.update(env or {})
        if preload or record:
            if not inside:
                raise ValueError("the interposed library needs a directory to look at")
            rules = preload if isinstance(preload, str) else ",".join(preload or [])
            directories = [inside] if isinstance(inside, (str, Path)) else inside
            full["LD_PRELOAD"] = interposer()
            full["TORTURE_DIR"] = ":".join(os.path.realpath(str(directory)) for directory in directories)
            for name, value in [("RULES", rules), ("LOG", record), ("TAG", tag), ("FIRED", fired)]:
                if value:
                    full["TORTURE_" + name] = str(value)
        return full

    def start(self, args, env=None, preload=None, inside=None, record=None, tag=None, fired=None, **options):
        """A running process, its three streams as `options` say; who starts it ends it."""
        return subprocess.Popen(
            [self.path, *map(str, args)],
            env=self.environment(env, preload, inside, record, tag, fired),
            **options,
        )

    def run(self, args, stdin=None, env=None, preload=None, inside=None, record=None, tag=None, fired=None, timeout=None):
        """code is negative for a signal, and -1000 for a process that did not end in time."""
        if isinstance(stdin, str):
            stdin = stdin.encode()
        process = self.start(
            args, env, preload, inside, record, tag, fired,
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        try:
            out, err = process.communicate(stdin, timeout or self.timeout)
            return Result(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGCONT)
            process.kill()
            out, err = process.communicate()
            return Result(-1000, out, err)

    @property
    def knows_simulated(self):
        if self._simulated is None:
            self._simulated = b"--simulated" in self.run(["init", "--help"]).out
        return self._simulated

    def init(self, journal, **options):
        """A journal in which any instant may be told of, whatever the wall clock says."""
        args = ["init", "--journal", journal]
        if self.knows_simulated:
            args.append("--simulated")
        return self.run(args, **options)

    def submit(self, lines, journal, **options):
        """Result, and the outcomes that it printed, as objects."""
        result = self.run(["submit", "--journal", journal], stdin=joined(lines), **options)
        return result, outcomes(result.out)


def joined(lines):
    return "".join(line if line.endswith("\n") else line + "\n" for line in lines).encode()


def outcomes(printed):
    """Whole lines only: half a line is no answer."""
    found = []
    for line in printed.split(b"\n")[:-1]:
        try:
            found.append(json.loads(line))
        except ValueError:
            found.append({"id": None, "status": "garbage", "line": line.decode("utf-8", "replace")})
    return found


def shape(result):
    """What is wrong with the way a process ended, whatever it was asked; None if nothing is."""
    if result.code == -1000:
        return "it did not end in time"
    if result.code < 0:
        return f"it was ended by signal {-result.code}: {text(result.err)}"
    if result.code not in EXIT_CODES:
        return f"exit code {result.code} is not documented: {text(result.err)}"
    if CRASHES.search(result.err):
        return f"a trap or a stack trace: {text(result.err)}"
    if result.code not in (0, 1):
        complaints = [line for line in result.err.split(b"\n") if line.strip()]
        if not complaints:
            return f"exit code {result.code} without a word"
        if sum(line.startswith(b"replay: ") for line in complaints) > 3:
            return f"more than a line of complaint: {text(result.err)}"
    return None


def text(raw, limit=400):
    return raw.decode("utf-8", "replace").strip().replace("\n", " | ")[:limit]


# MARK: Command lines


class Lines:
    """Makes command lines of one school. Names are like no other text, so that a search for one finds nothing else."""

    def __init__(self, seed=0, prefix="c"):
        self.random = random.Random(seed)
        self.prefix = prefix
        self.count = 0
        self.minutes = 0
        self.names = {}  # account -> the texts that are nobody else's

    def line(self, command, data, by="system", minutes=1, id=None):
        self.count += 1
        self.minutes += minutes
        days, rest = divmod(self.minutes, 1440)
        at = f"2026-02-{1 + days:02d}T{rest // 60:02d}:{rest % 60:02d}:00Z"
        if days > 26:
            raise ValueError("so many commands do not fit into the month")
        return json.dumps(
            {"id": id or f"{self.prefix}-{self.count}", "command": command, "at": at, "by": by, "data": data},
            separators=(",", ":"),
        )

    def register(self, account, role="student"):
        # Never ends with another's name in full: `Zaq-S-1-` would be found in `Zaq-S-11-`.
        mark = f"{account}x{self.random.getrandbits(40):010x}"
        name, email = f"Zaqname-{mark}", f"mail-{mark}@example.org"
        self.names[account] = [name, email]
        return self.line(
            "examroom.account.register",
            {
                "account": account, "role": role, "name": name, "email": email,
                "credential": {"scheme": "bcrypt", "salt": f"salt-{mark}", "digest": f"digest-{mark}"},
            },
        )

    def erase(self, account):
        return self.line("account.erase", {"subject": f"examroom/{account}"})

    def exam(self, exam, questions=3, by="admin:A-1", minutes=600):
        made = [self.line("examroom.exam.create", {"exam": exam, "title": f"Exam {exam}", "durationMinutes": minutes}, by)]
        for number in range(1, questions + 1):
            options = [{"option": name, "text": f"{name.upper()} of {number}", "correct": name == "b"} for name in "abc"]
            made.append(
                self.line(
                    "examroom.question.add",
                    {"exam": exam, "question": f"Q-{number}", "prompt": f"Question {number} of {exam}?", "options": options},
                    by,
                )
            )
        return made + [self.line("examroom.exam.publish", {"exam": exam}, by)]

    def attempt(self, attempt, exam, student, questions=3, submit=True):
        by = f"student:{student}"
        made = [self.line("examroom.attempt.start", {"attempt": attempt, "exam": exam, "student": student}, by)]
        for number in range(1, questions + 1):
            chosen = self.random.choice("abc")
            made.append(
                self.line(
                    "examroom.answer.save",
                    {"attempt": attempt, "question": f"Q-{number}", "chosen": [chosen], "seconds": 5},
                    by,
                )
            )
        return made + ([self.line("examroom.attempt.submit", {"attempt": attempt}, by)] if submit else [])

    def revise(self, account):
        """A second personal text of somebody who is there."""
        name = f"Zaqother-{account}x{self.random.getrandbits(40):010x}"
        self.names.setdefault(account, []).append(name)
        return self.line("examroom.profile.revise", {"account": account, "name": name})

    def school(self, students=3, exams=1):
        """An admin, students, exams and everybody's attempts."""
        made = [self.register("A-1", "admin")]
        for number in range(1, students + 1):
            made.append(self.register(f"S-{number}"))
        for exam in range(1, exams + 1):
            made += self.exam(f"EX-{exam}")
            for number in range(1, students + 1):
                made += self.attempt(f"AT-{exam}-{number}", f"EX-{exam}", f"S-{number}")
        return made


def command_id(line):
    try:
        return json.loads(line).get("id")
    except (ValueError, AttributeError):
        return None


def erased_by(line):
    """The person (`PRODUCT/ID`) that a line erases, or None."""
    try:
        command = json.loads(line)
    except ValueError:
        return None
    if command.get("command") == "account.erase":
        return command["data"]["subject"]
    if command.get("command") == "examroom.account.delete":
        return "examroom/" + command["data"]["account"]
    return None


# MARK: Oracle

SETTLED_FILES = {
    "FORMAT", "journal.mdb", "journal.mdb-lock", "writer.lock", "sealing.lock", "views.mdb", "views.mdb-lock",
    "keys", "erasures.jsonl", "master.key", "checkpoints",
    # Until somebody opens the journal, whose writer was killed, or closes it.
    "journal.wal",
    # On its way when the power went (NAME.new): it names ids only, and goes with the next one that is written.
    "erasures.jsonl.new",
}
# Of docs/journal-format.md: names that only somebody who is at work may leave there.
WORKING_FILES = {
    "keys.new", "keys.old", "master.key.next", "FORMAT.new", "FORMAT.draft", "creating.mdb", "creating.mdb-lock",
    "journal.wal.new",
}
# A checkpoint on its way (NAME.new) holds nothing secret, and goes with the next one that is made.
CHECKPOINT_FILE = re.compile(r"^(\d{19}-[0-9a-f]{8}\.checkpoint|log\.vkeys)(\.new)?$")


def files_below(directory):
    for parent, _, names in os.walk(directory):
        for name in names:
            yield os.path.join(parent, name)


def file_bytes(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def identity_of(journal):
    lines = file_bytes(os.path.join(journal, "FORMAT")).split(b"\n")
    try:
        return bytes.fromhex(lines[1].decode())
    except (IndexError, ValueError):
        return b""


def leftovers(journal):
    """Files that nobody may find there once a writer has been and gone."""
    found = []
    for name in sorted(os.listdir(journal)):
        if name not in SETTLED_FILES:
            found.append(name)
    checkpoints = os.path.join(journal, "checkpoints")
    if os.path.isdir(checkpoints):
        found += [f"checkpoints/{name}" for name in sorted(os.listdir(checkpoints)) if not CHECKPOINT_FILE.match(name)]
    return found


def live_slots(directory, identity, persons):
    """Slots with a key (state 1) of persons who should have none, in whatever file: [(file, slot, person)]."""
    wanted = {hashlib.sha256(identity + person.encode()).digest()[:16]: person for person in persons}
    found = []
    if not wanted:
        return found
    for path in files_below(directory):
        name = os.path.basename(path)
        if name.endswith(".mdb") or name.endswith(".mdb-lock"):
            continue
        content = file_bytes(path)
        if len(content) < 256:
            continue
        for start in range(0, len(content) - 31, 128):
            person = wanted.get(content[start + 16:start + 32])
            if person and content[start] == 1:
                found.append((os.path.relpath(path, directory), start // 128, person))
    return found


def clear_texts(directory, texts):
    """Texts that stand readable in a file: [(file, text)]."""
    found = []
    if not texts:
        return found
    wanted = re.compile(b"|".join(re.escape(each.encode()) for each in texts))
    for path in files_below(directory):
        for match in set(wanted.findall(file_bytes(path))):
            found.append((os.path.relpath(path, directory), match.decode()))
    return found


class Known:
    """What a harness knows of a journal: which lines were sent and which answers came back.

    `acknowledged`: line -> its outcome (an object), for every outcome that was written to standard output.
    `sent`: every line that was ever submitted, answered or not. `names`: account -> texts of nobody else."""

    def __init__(self, names=None):
        self.acknowledged = {}
        self.sent = []
        self.names = names if names is not None else {}

    def take(self, lines, answers):
        """The answers of one run; they come in the order of the lines."""
        self.sent += [line for line in lines if line not in self.sent]
        for line, outcome in zip(lines, answers):
            if outcome.get("status") == "accepted":
                self.acknowledged[line] = outcome

    @property
    def erased(self):
        """Persons whose erasure was acknowledged."""
        return {person for line in self.acknowledged if (person := erased_by(line))}


class Oracle:
    """Says what of the promises does not hold. Each check answers a list of findings, empty if all is well."""

    def __init__(self, tool, deep=False, env=None):
        self.tool = tool
        self.deep = deep  # asks the slower questions, too
        self.env = env or {}
        self.serial = 0
        self.lock = threading.Lock()

    def check(self, journal, acknowledged, sent=None, names=None, erased=None, also=(), writes=True, verify=()):
        """acknowledged: {line: outcome}; sent: all lines that may have been recorded (the acknowledged ones
        included); names: {account: [texts]}; erased: persons (`PRODUCT/ID`) whose erasure was acknowledged (default: what
        `acknowledged` says); also: other directories to search for their texts; verify: more arguments for `verify`. With `writes`
        the next commands are given, which changes the journal."""
        journal = str(journal)
        names = names or {}
        sent = list(sent if sent is not None else acknowledged)
        if erased is None:
            erased = {person for line in acknowledged if (person := erased_by(line))}
        found = self.whole(journal, verify)
        new_erased, alive = {}, []
        if writes:
            batches, new_erased = self.next_batches()
            found += self.recorded(journal, acknowledged, sent, batches[0])
            if not found:
                found += self.goes_on(journal, batches[1])
            if not found:
                alive = ["examroom/" + json.loads(batches[1][-1])["data"]["account"]]
        found += self.contents(journal, acknowledged, sent, names, erased, new_erased, also, writes, alive)
        if writes and self.deep:
            found += [f"after the next commands: {each}" for each in self.whole(journal)]
        return found

    def run(self, args, journal, stdin=None):
        return self.tool.run([*args, "--journal", journal], stdin=stdin, env=self.env)

    def whole(self, journal, more=()):
        """`verify` has nothing to say."""
        result = self.run(["verify", *more], journal)
        if wrong := shape(result):
            return [f"verify: {wrong}"]
        if result.code != 0:
            return [f"verify: exit {result.code}: {text(result.err)}"]
        report = outcomes(result.out)
        if not report or report[0].get("whole") is not True or report[0].get("findings"):
            return [f"verify: not whole: {text(result.out)}"]
        return []

    def recorded(self, journal, acknowledged, sent, following=()):
        """Every acknowledged line is answered `duplicate` with the events it had; every other line that was sent is
        answered at all; those that follow (new ones, in the same process: each start costs) are accepted."""
        # What was not recorded is decided anew, behind what was, as a client would have it.
        lines = [line for line in sent if line in acknowledged] + [line for line in sent if line not in acknowledged]
        lines += following
        if not lines:
            return []
        result, answers = self.tool.submit(lines, journal, env=self.env)
        found = []
        if wrong := shape(result):
            found.append(f"submit again: {wrong}")
        elif result.code != 0:
            found.append(f"submit again: exit {result.code}: {text(result.err)}")
        for line, answer in zip(lines, answers):
            status, before = answer.get("status"), acknowledged.get(line)
            if line in following:
                if status != "accepted":
                    found.append(f"next commands: not accepted: {json.dumps(answer)[:200]}")
            elif before is None:
                if status not in ("accepted", "duplicate", "rejected"):
                    found.append(f"{command_id(line)}: an answer of another kind: {answer}")
            elif status != "duplicate":
                found.append(f"{command_id(line)} was acknowledged and is not there: {status} {answer.get('code', '')}")
            elif places(answer) != own_places(before, answer):
                found.append(f"{command_id(line)} has moved: {places(before)} before, {places(answer)} now")
        if len(answers) < len(lines) and not found:
            found.append(f"submit again: {len(answers)} answers to {len(lines)} lines")
        return found[:4]

    def next_batches(self):
        """Commands for two processes, one after the other, erasures among them; and {person: texts} of who is erased by them."""
        with self.lock:
            self.serial += 1
            serial = self.serial
        lines = Lines(seed=serial, prefix=f"next-{os.getpid()}-{serial}")
        lines.minutes = 20 * 1440  # behind everything that a scenario does
        one, two, three = f"N-{serial}-1", f"N-{serial}-2", f"N-{serial}-3"
        batches = [
            [lines.register(one), lines.register(two), lines.erase(one)],
            [lines.erase(two), lines.register(three)],
        ]
        return batches, {f"examroom/{account}": lines.names[account] for account in (one, two)}

    def goes_on(self, journal, batch=None):
        """The next commands are accepted."""
        found = []
        for lines in [batch] if batch else self.next_batches()[0]:
            result, answers = self.tool.submit(lines, journal, env=self.env)
            if wrong := shape(result):
                return [f"next commands: {wrong}"]
            if result.code != 0:
                return [f"next commands: exit {result.code}: {text(result.err)}"]
            refused = [answer for answer in answers if answer.get("status") != "accepted"]
            if refused or len(answers) != len(lines):
                return [f"next commands: not accepted: {json.dumps((refused or ['no answer'])[0])[:200]}"]
        return found

    def contents(self, journal, acknowledged, sent, names, erased, new_erased, also, settled, alive=()):
        """The export holds what was sent and nothing else; nobody erased is readable anywhere; no file is left over."""
        found = []
        result = self.run(["export"], journal)
        if wrong := shape(result):
            return [f"export: {wrong}"]
        if result.code != 0:
            return [f"export: exit {result.code}: {text(result.err)}"]
        if not result.out.endswith(b"\n"):
            found.append("export: its last line has no end")
        explained = {command_id(line) for line in sent}
        answered = {command_id(line) for line in acknowledged}
        seen, position, dead = set(), 0, set()
        for raw in result.out.split(b"\n")[:-1]:
            line = json.loads(raw)
            if "accepted" in line:
                seen.add(line["accepted"])
            elif "type" in line and "position" in line:
                position += 1
                if line["position"] != position:
                    found.append(f"export: position {line['position']} where {position} was expected")
                    position = line["position"]
                if line["type"] == "account.erased":
                    dead.add(line["data"]["subject"])
                if not line.get("command") and not line.get("cause"):
                    if line["type"] != "account.erased":  # a restore records those without a command
                        found.append(f"position {position}: an event of no command and no cause")
        # A restore records the erasures that only a list knows of under ids of its own.
        strange = sorted(
            str(each) for each in seen
            if each not in explained and not str(each).startswith(("next-", "restored-erasure-"))
        )
        if strange:
            found.append(f"commands that nobody sent: {strange[:5]}")
        missing = sorted(str(each) for each in answered - seen)
        if missing:
            found.append(f"acknowledged and not in the export: {missing[:5]}")
        if lost := sorted(set(erased) - dead):
            found.append(f"erasures that were acknowledged and are not recorded: {lost[:5]}")

        # Whoever the journal calls erased is to be unreadable, acknowledged or not, once a writer has been there.
        gone = set(erased) | ({person for person in dead} if settled else set())
        texts = {each for person in gone for each in names.get(person.split("/", 1)[1], [])}
        texts |= {each for person in new_erased if person in dead for each in new_erased[person]}
        outputs = [("export", result.out)]
        if self.deep:
            outputs.append(("events", self.run(["events", "--json"], journal).out))
            for person in sorted(gone)[:3]:
                outputs.append(("show", self.run(["show", "examroom.account", person.split("/", 1)[1]], journal).out))
        for what, printed in outputs:
            if readable := [each for each in texts if each.encode() in printed]:
                found.append(f"{what} prints a text of somebody erased: {readable[0]}")
        for directory in [journal, *map(str, also)]:
            for file, clear in clear_texts(directory, texts)[:3]:
                found.append(f"{file} holds a text of somebody erased: {clear}")
        if settled:
            identity = identity_of(journal)
            for file, slot, person in live_slots(journal, identity, gone | (set(new_erased) & dead))[:3]:
                found.append(f"{file}: slot {slot} still holds a key of {person}, who was erased")
            # Whoever is alive must be found the same way, or the search above looks in the wrong place.
            if alive and not found and not live_slots(journal, identity, alive):
                found.append(f"the harness finds no slot of {alive[0]}, who was not erased: does the format of keys differ?")
            for name in leftovers(journal):
                found.append(f"left over: {name}")
        return found

    def attested(self, journal):
        """Every receipt says that the key is destroyed."""
        result = self.run(["erase", "--attest"], journal)
        if wrong := shape(result):
            return [f"erase --attest: {wrong}"]
        if result.code not in (0, 1):
            return [f"erase --attest: exit {result.code}: {text(result.err)}"]
        return [
            f"erase --attest: the key of {receipt.get('person')} is left"
            for receipt in outcomes(result.out)
            if receipt.get("keyDestroyed") is False
        ]


def places(outcome):
    return [(event.get("position"), event.get("stream"), event.get("revision"), event.get("type"))
            for event in outcome.get("events", [])]


def own_places(before, answer):
    """What the answer `duplicate` must list of an earlier outcome: the command's own events; those of timers that the first
    answer lists before them may be missing now."""
    now, then = places(answer), places(before)
    return then[len(then) - len(now):] if len(now) <= len(then) else then
