"""The machine's clock jumps, forth and back: sijilld under libfaketime (Debian's package faketime)."""
import glob
import os
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from harness import Server, wait_until
from issuer import Issuer, Key, token


def library():
    """libfaketime, installed if that is allowed."""
    pattern = "/usr/lib/*/faketime/libfaketimeMT.so.1"
    if not glob.glob(pattern) and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.run(
            ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "faketime"],
            capture_output=True, check=False, timeout=300)
    return next(iter(glob.glob(pattern)), None)


LIBRARY = library()


def account(number):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": f"Student {number}",
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}


@unittest.skipUnless(LIBRARY and shutil.which("openssl"), "libfaketime or openssl cannot be had")
class Jumps(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.place)
        self.key = Key("ES256", "one", self.place)
        self.issuer = Issuer([self.key])
        self.addCleanup(self.issuer.close)
        self.jump(0)
        policy = {
            "issuers": [{"issuer": self.issuer.name, "audience": "sijill", "rules": [
                {"name": "apps", "roles": ["service", "reader"], "actor": "system", "submitsPerSecond": 1_000_000,
                 "readsPerSecond": 1_000_000}]}]}
        # What waits goes by the clock that nobody sets: it is left as it is. The library changes the environment of the
        # first process that it is in, and Swift looks for the arguments beside the environment: env is the first.
        self.server = Server(access=policy, environment={
            "LD_PRELOAD": LIBRARY, "FAKETIME_TIMESTAMP_FILE": os.path.join(self.place, "clock"), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}, through=["env"])
        self.addCleanup(self.tidy, self.server.process.pid)
        self.addCleanup(self.server.remove)

    @staticmethod
    def tidy(pid):
        """What the library leaves behind."""
        for path in glob.glob(f"/dev/shm/*faketime_*_{pid}"):
            os.remove(path)

    def jump(self, seconds):
        """Sets the service's clock so far from the true one."""
        path = os.path.join(self.place, "clock")
        with open(path + ".new", "w", encoding="ascii") as file:
            file.write(f"{seconds:+d}\n")
        os.replace(path + ".new", path)

    def bearer(self, seconds):
        return token(self.key, self.issuer.claims(exp=int(time.time()) + seconds))

    def test_a_tokens_end_goes_by_the_clock_as_it_is_now(self):
        short, long = self.bearer(600), self.bearer(10 * 86_400)
        status = lambda bearer: self.server.get("/v1/models", token=bearer).status
        self.assertEqual((status(short), status(long)), (200, 200))
        stream = self.server.stream("/v1/events", token=short)
        self.jump(3_600)
        self.assertTrue(wait_until(lambda: status(short) == 401))
        self.assertEqual(status(long), 200)
        self.assertEqual([item[0] for item in stream], ["end"])
        self.jump(-3_600)
        self.assertTrue(wait_until(lambda: status(short) == 200))
        early = token(self.key, self.issuer.claims(nbf=int(time.time())))
        self.assertEqual(status(early), 401)
        self.jump(0)
        self.assertTrue(wait_until(lambda: status(early) == 200))

    def test_nothing_that_was_answered_is_missing_and_positions_are_in_order(self):
        bearer = self.bearer(365 * 86_400)
        answered, problems, over = [[] for _ in range(4)], [], threading.Event()

        def submit(index):
            number = 0
            while not over.is_set():
                command = account(f"{index}-{number}")
                number += 1
                answer = self.server.submit(command, token=bearer)
                if answer.status == 201:
                    answered[index].append((command, int(answer.headers["sijill-position"])))
                else:
                    problems.append(answer.body)

        stream = self.server.stream("/v1/events?from=1", token=bearer)
        seen = []
        listening = threading.Thread(target=lambda: seen.extend(stream), daemon=True)
        threads = [threading.Thread(target=submit, args=(index,)) for index in range(4)]
        for thread in [listening, *threads]:
            thread.start()
        for seconds in (3_600, -3_600, 86_400, -7 * 86_400, 0, 30 * 86_400, -1, 0):
            self.jump(seconds)
            before = sum(map(len, answered))
            self.assertTrue(
                wait_until(lambda count=before: sum(map(len, answered)) > count + 20), f"stuck at {seconds}: {problems[:1]}")
            self.assertEqual(self.server.get("/health/ready").status, 200)
        # A wait is as long as it says, wherever the clock goes.
        start = time.monotonic()
        head = self.server.get("/v1/events?limit=0", token=bearer).json["position"]
        waiting = threading.Timer(0.5, self.jump, args=(5 * 86_400,))
        waiting.start()
        self.assertEqual(self.server.get(
            f"/v1/models?min-position={head}", token=bearer).status, 400)
        answer = self.server.get(
            f"/v1/models/examroom.overview?min-position={head + 10**6}", token=bearer, headers={"Prefer": "wait=2"})
        self.assertEqual(answer.status, 412)
        self.assertGreater(time.monotonic() - start, 1.9)
        self.assertLess(time.monotonic() - start, 15)
        over.set()
        for thread in threads:
            thread.join(30)
        self.assertEqual(problems, [])
        for each in answered:
            positions = [position for _, position in each]
            self.assertEqual(positions, sorted(positions))
        everything = [command for each in answered for command, _ in each]
        head = self.server.get("/v1/events?limit=0", token=bearer).json["position"]
        self.assertEqual(head, len(everything))
        self.assertTrue(wait_until(lambda: len(seen) >= head))
        self.assertEqual([int(item[1]) for item in seen if item[0] == "event"], list(range(1, head + 1)))
        again = self.server.submit_all(everything, token=bearer)
        self.assertEqual({line["status"] for line in again.lines}, {"duplicate"})
        self.assertEqual(self.server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
