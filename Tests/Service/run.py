#!/usr/bin/env python3
"""Runs the service's tests, a process for each file, three at a time: they wait more than they work.

usage: run.py [MODULE...]
"""
import concurrent.futures
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
modules = sys.argv[1:] or sorted(
    (name[:-3] for name in os.listdir(HERE) if name.endswith("_test.py")),
    # What takes longest begins first: large journals, then long files.
    key=lambda name: (name != "jobs_test", -os.path.getsize(os.path.join(HERE, name + ".py"))))


def run(module):
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "unittest", module], cwd=HERE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, check=False)
    return module, done.returncode, done.stdout, time.monotonic() - start


failed = []
with concurrent.futures.ThreadPoolExecutor(3) as pool:
    for future in concurrent.futures.as_completed([pool.submit(run, module) for module in modules]):
        module, code, out, seconds = future.result()
        print(f"{module}: {out.strip().splitlines()[-1] if out.strip() else 'nothing'} ({seconds:.0f} s)", flush=True)
        if code != 0:
            failed.append(module)
            print(out, flush=True)
if failed:
    sys.exit(f"service tests failed: {', '.join(sorted(failed))}")
