"""Runs sijilld as anybody would: a process, a port, a journal in a directory that is thrown away."""
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SIJILL_BUILD", os.path.join(ROOT, ".build", "checked", "release"))
SIJILLD = os.path.join(BUILD, "sijilld")
REPLAY = os.path.join(BUILD, "replay")


def replay(*arguments, stdin=None):
    """What `replay` prints; an error if it fails."""
    done = subprocess.run(
        [REPLAY, *arguments], input=stdin, capture_output=True, check=False, timeout=600)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"replay {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout.decode()


def example_commands(path):
    """The commands of an example scenario, as they are sent."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    return [line["do"] for line in lines if "command" in line.get("do", {})]


class Answer:
    def __init__(self, response, body):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def lines(self):
        return [json.loads(line) for line in self.body.splitlines()]


class Server:
    """A running sijilld. `access` is a policy, `settings` the settings by their names, `tls` how a client trusts it."""

    def __init__(self, journal=None, access=None, settings=None, simulated=True, environment=None, tls=None,
                 through=()):
        self.directory = tempfile.mkdtemp(prefix="sijilld-")
        self.journal = journal or os.path.join(self.directory, "journal")
        if not os.path.exists(self.journal):
            replay("init", "--journal", self.journal, *(["--simulated"] if simulated else []))
        self.environment = dict(os.environ, SIJILL_JOURNAL=self.journal, SIJILL_HTTP_PORT="0", **(environment or {}))
        self.tls = tls
        self.through = list(through)
        self.settings = dict(settings or {})
        if access is not None:
            self.settings["access.file"] = self.file("access.json", json.dumps(access))
        self.process = None
        self.log = []
        # The signals that end it, of which the test knows.
        self.sent = {signal.SIGTERM, signal.SIGKILL}
        self.start()

    def file(self, name, text):
        path = os.path.join(self.directory, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self):
        tree = {}
        for name, value in self.settings.items():
            *parents, last = name.split(".")
            place = tree
            for parent in parents:
                place = place.setdefault(parent, {})
            place[last] = value
        config = self.file("sijilld.json", json.dumps(tree))
        self.process = subprocess.Popen(
            [*self.through, SIJILLD, "--config", config], env=self.environment, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        found = threading.Event()
        self.address = None

        def read():
            for line in self.process.stderr:
                self.log.append(line)
                match = re.search(r'"address":"https?://([^"]+)"', line)
                if match and '"serving"' in line:
                    self.address = match.group(1)
                    found.set()
            found.set()

        self.reader = threading.Thread(target=read, daemon=True)
        self.reader.start()
        if not found.wait(30) or not self.address:
            raise RuntimeError("sijilld did not start: " + "".join(self.log[-5:]))
        self.host, port = self.address.rsplit(":", 1)
        self.port = int(port)

    # Asking

    def connection(self, timeout=30, tls=None):
        if tls or self.tls:
            return http.client.HTTPSConnection(self.host, self.port, timeout=timeout, context=tls or self.tls)
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def ask(self, method, path, body=None, token=None, headers=None, timeout=30, tls=None):
        headers = dict(headers or {})
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection = self.connection(timeout, tls)
        try:
            connection.request(method, path, body=body, headers=headers)
            response = connection.getresponse()
            return Answer(response, response.read())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def submit(self, command, **more):
        return self.ask("POST", "/v1/commands", body=command, **more)

    def submit_all(self, commands, **more):
        body = "".join(json.dumps(command) + "\n" for command in commands)
        return self.ask(
            "POST", "/v1/commands", body=body, headers={"Content-Type": "application/x-ndjson"}, **more)

    def logged(self, message):
        """The lines of the log that say so."""
        lines = [json.loads(line) for line in self.log if line.startswith("{")]
        return [line for line in lines if line["message"] == message]

    def stream(self, path, headers=None, token=None, timeout=30):
        return EventSource(self, path, dict(headers or {}), token, timeout)

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmRSS:\s+(\d+) kB", file.read()).group(1)) * 1024

    def processor_seconds(self):
        """What it has taken of the processors, all its threads together."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    # Ending

    def stop(self, number=signal.SIGTERM, timeout=40):
        self.sent.add(number)
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(timeout)
        self.reader.join(5)
        self.process.stderr.close()
        return code

    def kill(self):
        return self.stop(signal.SIGKILL)

    def remove(self):
        try:
            code = self.process.poll()
            if code is None:
                code = self.kill()
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)
        crash = next((place for place, line in enumerate(self.log)
                      if "Fatal error" in line or "Program crashed" in line), None)
        if crash is not None or (code < 0 and -code not in self.sent):
            raise AssertionError(f"sijilld ended with {code}: " + "".join(self.log[crash or -20:][:40]))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


class ToldEvents(unittest.TestCase):
    """A server to which `commands` were told, and the events that `replay` lists of them."""
    commands = []

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit_all(cls.commands)
        cls.all = [
            json.loads(line) for line in
            replay("events", "--json", "--journal", cls.server.journal).splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()


class EventSource:
    """A stream of server-sent events; iterating gives (event, id, data)."""

    def __init__(self, server, path, headers, token, timeout):
        headers["Accept"] = "text/event-stream"
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self.connection = server.connection(timeout)
        self.connection.request("GET", path, headers=headers)
        self.response = self.connection.getresponse()
        self.status = self.response.status

    def __iter__(self):
        fields = {}
        while True:
            line = self.response.readline()
            if not line:
                return
            line = line.decode().rstrip("\n")
            if not line:
                if "data" in fields:
                    yield fields.get("event"), fields.get("id"), json.loads(fields["data"])
                fields = {}
            elif not line.startswith(":"):
                name, value = line.split(":", 1)
                fields[name] = value.removeprefix(" ")

    def take(self, count):
        found = []
        for item in self:
            found.append(item)
            if len(found) == count:
                break
        return found

    def close(self):
        if self.connection.sock:
            self.connection.sock.close()
        self.response.close()
        self.connection.close()


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def quoted(text):
    return urllib.parse.quote(text, safe="")
