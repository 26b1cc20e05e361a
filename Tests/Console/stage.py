"""A service over a journal in which every product has a life, and a browser before it."""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Service"))
from harness import REPLAY, ROOT, Server, replay  # noqa: E402

# Every kind of page, once.
PAGES = [
    "/ui", "/ui/login", "/ui/events", "/ui/events?type=examroom.exam.*", "/ui/events?at=2026-02-04T09:00", "/ui/events/11000", "/ui/events/11000?proof=true",
    "/ui/streams/examroom/exam/LSAT-6", "/ui/people", "/ui/people/examroom/S-0500", "/ui/people/quranflow/S-1",
    "/ui/models", "/ui/models/examroom.exam", "/ui/models/examroom.exam/LSAT-6?as-of=100",
    "/ui/models/examroom.result/AT-0500?why=%24.percent", "/ui/models/examroom.leaderboard/points",
    "/ui/what-if?product=examroom&policy=defaultPassPercent&value=80",
    "/ui/examroom", "/ui/examroom/exams/LSAT-6", "/ui/examroom/exams/LSAT-6/sitting", "/ui/examroom/results/AT-0500",
    "/ui/examroom/students", "/ui/quranflow", "/ui/quranflow/semesters/SEM-1", "/ui/quranflow/students/S-1",
    "/ui/quranflow/coaches/C-1", "/ui/learnable", "/ui/learnable/students/S-1", "/ui/learnable/students/S-1/mastery",
    "/ui/tafawoq", "/ui/tafawoq/students/S-1", "/ui/audit", "/ui/operations", "/ui/subscriptions/feed", "/ui/timers",
    "/ui/jobs", "/ui/nowhere",
]

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def make_journal(directory):
    subprocess.run(
        [sys.executable, os.path.join(ROOT, "Scripts", "console-journal.py"), REPLAY, directory], check=True,
        stdout=subprocess.DEVNULL)


def stage():
    """The service; its journal is signed."""
    place = tempfile.mkdtemp(prefix="console-")
    journal = os.path.join(place, "journal")
    made = os.environ.get("SIJILL_CONSOLE_JOURNAL")
    if made:
        shutil.copytree(made, journal)
    else:
        make_journal(journal)
    key = os.path.join(place, "school.key")
    replay("key", "new", key, "--name", "school.example/log")
    server = Server(journal=journal, settings={"log.key": key, "backups": os.path.join(place, "backups")})
    server.place = place
    answer = server.ask("POST", "/v1/audit/checkpoints?attesting=true")
    assert answer.status == 201, answer.body
    server.ask("PUT", "/v1/subscriptions/feed", body={"filter": {"type": "examroom.*"}, "partitions": 2})
    return server


def leave(server):
    server.remove()
    shutil.rmtree(server.place, ignore_errors=True)
    for old in glob.glob(os.path.join(tempfile.gettempdir(), "sijill-check*")):
        os.remove(old)


def address(server, page, language):
    mark = "&" if "?" in page else "?"
    return f"http://{server.address}{page}{mark}lang={language}"
