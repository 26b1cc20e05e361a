#!/usr/bin/env python3
"""Runs the tests of the console that want a browser, two processes at a time, over copies of one journal.

usage: run.py [TEST...]
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import time

from stage import CHROMIUM, HERE, make_journal

PARTS = [
    "browser_test.EveryPage.test_in_english_the_first_half browser_test.EveryPage.test_in_arabic_the_first_half "
    "browser_test.EveryPage.test_pages_are_small_and_ask_nobody_else browser_test.Tasks",
    "browser_test.EveryPage.test_in_english_the_second_half browser_test.EveryPage.test_in_arabic_the_second_half "
    "browser_test.Scripts browser_test.Check",
]
runs = sys.argv[1:] or PARTS + (["firefox_test"] if shutil.which("firefox-esr") else [])
if not shutil.which("firefox-esr") and not sys.argv[1:]:
    print("console-test: there is no firefox-esr; Firefox was NOT tried")
place = tempfile.mkdtemp(prefix="console-journal-")
os.environ["SIJILL_CONSOLE_JOURNAL"] = os.path.join(place, "journal")


def run(names):
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "unittest", *names.split()], cwd=HERE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    return names, done.returncode, done.stdout, time.monotonic() - start


failed = []
try:
    make_journal(os.environ["SIJILL_CONSOLE_JOURNAL"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, names) for names in runs]):
            names, code, out, seconds = future.result()
            print(f"{names.split()[0]}: {out.strip().splitlines()[-1] if out.strip() else 'nothing'} ({seconds:.0f} s)", flush=True)
            if code != 0:
                failed.append(names.split()[0])
                print(out, flush=True)
finally:
    shutil.rmtree(place, ignore_errors=True)
if failed:
    sys.exit(f"console tests failed: {', '.join(sorted(failed))}")
