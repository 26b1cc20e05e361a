"""A cluster of real nodes on loopback: sijilld, a log's servers and certificates that are thrown away."""
import email.utils
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Log"))
# pylint: disable=wrong-import-position
from servers import KIND, find_server, make_server
from certificates import Certificates
from gate import Gate
from harness import BUILD, crash, replay
from injection import Injection

SIJILLD = os.path.join(BUILD, "sijilld")


def free_port():
    """None of those that the system gives to connections: one might have it while its node is down."""
    while True:
        port = random.randrange(10_000, 32_000)
        with socket.socket() as place:
            try:
                place.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass


class Node:
    """A node: a journal, settings, and a process that comes and goes."""

    def __init__(self, cluster, name, settings):
        self.cluster, self.name = cluster, name
        self.injection = Injection(os.path.join(cluster.directory, name)) if cluster.is_injected else None
        self.journal = os.path.join(self.injection.directory if self.injection else cluster.directory, name)
        self.port, self.peer_port = free_port(), free_port()
        certificate, key = cluster.certificates.of(name)
        self.config = os.path.join(cluster.directory, f"{name}.json")
        values = {
            "journal": self.journal, "http": {"port": self.port}, "console": {"enabled": False},
            "limits": {"drainSeconds": 3},
            "cluster": dict({"address": f"127.0.0.1:{self.peer_port}", "certificate": certificate, "key": key,
                             "authority": cluster.certificates.authority}, **settings), **cluster.values}
        with open(self.config, "w", encoding="utf-8") as file:
            json.dump(values, file)
        self.process = None
        self.is_paused = False
        # The signals that the test has sent it to end it, and how its processes ended otherwise.
        self.sent = set()
        self.ends = []
        self.log = os.path.join(cluster.directory, f"{name}.log")

    def start(self, wait=True):
        self.note_end()
        self.sent = set()
        self.is_paused = False
        said = self.listen()
        environment = self.cluster.environment | (self.injection.environment if self.injection else {})
        with open(self.log, "ab") as file:
            self.process = subprocess.Popen(
                [SIJILLD, "--config", self.config], env=environment, stdout=subprocess.DEVNULL, stderr=file)
        end = time.monotonic() + 30
        while wait:
            if '"serving"' in said():
                return
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(f"{self.name} did not start: {said()}")
            time.sleep(0.02)

    @property
    def is_up(self):
        return self.process is not None and self.process.poll() is None

    def note_end(self):
        code = self.process.poll() if self.process else None
        if code and -code not in self.sent:
            self.ends.append(code)

    def complaints(self):
        """What no test wants of a node: that it trapped, or ended otherwise than it was told to."""
        self.note_end()
        found = [f"{self.name} ended with {code}" for code in self.ends]
        if os.path.exists(self.log):
            with open(self.log, encoding="utf-8", errors="replace") as file:
                found += [f"{self.name}: {text}" for text in [crash(file.read())] if text]
        return found

    def kill(self):
        if self.is_up:
            self.sent.add(signal.SIGKILL)
            self.process.kill()
            self.process.wait()

    def stop(self):
        if self.is_up:
            if self.is_paused:
                self.resume()
            self.sent.add(signal.SIGTERM)
            self.process.terminate()
            self.process.wait(30)

    def pause(self):
        self.is_paused = True
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self):
        self.is_paused = False
        os.kill(self.process.pid, signal.SIGCONT)

    def ask(self, method, path, body=None, headers=None, timeout=30):
        """Status, headers and body; an OSError where there is no answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def post(self, command, timeout=30):
        status, headers, body = self.ask(
            "POST", "/v1/commands", json.dumps(command), {"Content-Type": "application/json"}, timeout)
        return status, headers, json.loads(body)

    def post_lines(self, lines, timeout=120):
        """Commands, a line each; the outcomes that came back, in their order."""
        status, _, body = self.ask(
            "POST", "/v1/commands", "".join(line + "\n" for line in lines), {"Content-Type": "application/x-ndjson"}, timeout)
        return [json.loads(line) for line in body.decode().splitlines()] if status == 200 else []

    def status(self):
        return json.loads(self.ask("GET", "/v1/cluster", timeout=5)[2])

    def ready(self):
        return self.ask("GET", "/health/ready", timeout=5)[2].decode()

    def clock(self):
        """What time it takes it to be, in seconds since 1970."""
        headers = self.ask("GET", "/health/live", timeout=5)[1]
        return email.utils.parsedate_to_datetime(headers["date"]).timestamp()

    def listen(self):
        """What it logs from here on: a function that returns that."""
        begin = os.path.getsize(self.log) if os.path.exists(self.log) else 0

        def said():
            with open(self.log, "rb") as file:
                file.seek(begin)
                return file.read().decode(errors="replace")
        return said

    def messages(self):
        with open(self.log, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.startswith("{")]


class Cluster:
    """Nodes a, b, c; the first one decides at first."""

    def __init__(self, server, names="abc", values=None, has_gates=True, is_injected=False, **settings):
        self.server, self.has_gates, self.is_injected = server, has_gates, is_injected
        # Settings besides those of the cluster.
        self.values = values or {}
        self.directory = tempfile.mkdtemp(prefix="cluster-")
        self.environment = dict(os.environ, SIJILL_MASTER_KEY_FILE=os.path.join(self.directory, "master.key"))
        self.certificates = Certificates(self.directory)
        self.settings = dict({"takeOverSeconds": 1}, **settings)
        server.clear()
        self.nodes = {}
        self.gates = {}
        for name in names:
            self.add(name)

    def replay(self, *arguments, check=True):
        return replay(*arguments, check=check,
                      environment={"SIJILL_MASTER_KEY_FILE": self.environment["SIJILL_MASTER_KEY_FILE"]})

    def sijilld(self, *arguments):
        return subprocess.run([SIJILLD, *arguments], env=self.environment, capture_output=True, text=True,
                              check=False, timeout=120)

    def add(self, name):
        node = Node(self, name, self.settings)
        if self.has_gates:
            self.gates[name] = Gate(self.server)
        address = (self.gates[name] if self.has_gates else self.server).address()
        if self.nodes:
            done = self.sijilld("cluster", "join", address, "--node", name, "--config", node.config)
            if done.returncode:
                raise RuntimeError(done.stderr)
        else:
            self.replay("init", "--simulated", "--journal", node.journal)
            self.replay("log", "create", address, "--node", name, "--journal", node.journal)
        self.nodes[name] = node
        return node

    def start(self):
        for node in self.nodes.values():
            node.start()
        self.wait_for_decider()

    def __getitem__(self, name):
        return self.nodes[name]

    @property
    def up(self):
        return [node for node in self.nodes.values() if node.is_up and not node.is_paused]

    def decider(self, other_than=None):
        """The node that says it decides, or None."""
        for node in self.up:
            try:
                if node.name != other_than and node.status()["role"] == "decides":
                    return node
            except (OSError, ValueError, KeyError):
                pass
        return None

    def wait_for_decider(self, seconds=30, other_than=None):
        return self.wait(lambda: self.decider(other_than), seconds, "a decider")

    @staticmethod
    def wait(what, seconds=30, name="it"):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = what()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"{name} did not come within {seconds} s")

    def wait_until_equal(self, seconds=60):
        """Until every node has what the log has."""
        def is_equal():
            frames = self.server.frames()
            found = {node.status()["frames"] for node in self.up}
            return found == {frames}
        self.wait(is_equal, seconds, "equal journals")

    def tamper(self, what):
        """Somebody changes what the log has; no node sees half of it."""
        nodes = self.up
        for node in nodes:
            node.pause()
        what()
        for node in nodes:
            node.resume()

    def stop(self):
        for node in self.nodes.values():
            node.stop()

    def remove(self):
        """Ends and deletes everything; an error where a node crashed."""
        for node in self.nodes.values():
            if node.is_up and node.is_paused:
                node.resume()
            node.kill()
            if node.injection:
                node.injection.remove()
        for gate in self.gates.values():
            gate.remove()
        complaints = [text for node in self.nodes.values() for text in node.complaints()]
        shutil.rmtree(self.directory, ignore_errors=True)
        if complaints:
            raise AssertionError("\n".join(complaints))


__all__ = ["Cluster", "Node", "KIND", "SIJILLD", "crash", "find_server", "make_server"]
