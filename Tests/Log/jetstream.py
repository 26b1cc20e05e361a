"""NATS servers with JetStream in directories that are thrown away, a client of their text protocol, and a proxy that pulls the plug."""
import base64
import itertools
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from gate import Gate
from harness import ROOT

STREAM = "LOG"
BUCKET = f"KV_{STREAM}_nodes"


def find_nats():
    """The program nats-server; None where there is none that knows `sync_interval: always`."""
    for path in (os.environ.get("SIJILL_NATS_SERVER"), os.path.join(ROOT, ".build", "nats-venv", "bin", "nats-server"),
                 shutil.which("nats-server")):
        if path and os.path.exists(path):
            told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
            if told and tuple(int(part) for part in told.split("v")[-1].split("-")[0].split(".")[:2]) >= (2, 10):
                return path
    return None


def free_ports(count):
    """None of those that the system gives to connections: one might have it while its server is down."""
    ports = []
    while len(ports) < count:
        port = random.randrange(10_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        if port not in ports:
            ports.append(port)
    return ports


class Client:
    """One connection: requests, one after the other."""
    numbers = itertools.count()

    def __init__(self, port, login=None, context=None):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=5)
        # The server speaks first, and says nothing more before TLS begins.
        self.file = self.socket.makefile("rb")
        self.file.readline()
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname="localhost")
            self.file = self.socket.makefile("rb")
        self.inbox = f"_INBOX.{os.getpid()}-{next(self.numbers)}"
        self.count = 0
        options = {"verbose": False, "headers": True, "no_responders": True, "protocol": 1, **(login or {})}
        self.send(f"CONNECT {json.dumps(options)}\r\nSUB {self.inbox}.* 1\r\nPING\r\n".encode())

    def send(self, data):
        self.socket.sendall(data)

    def close(self):
        self.file.close()
        self.socket.close()

    def request(self, subject, data=b"", head=b""):
        """The content of the answer; an OSError where there is none."""
        self.count += 1
        reply = f"{self.inbox}.{self.count}"
        if head:
            self.send(f"HPUB {subject} {reply} {len(head)} {len(head) + len(data)}\r\n".encode() + head + data + b"\r\n")
        else:
            self.send(f"PUB {subject} {reply} {len(data)}\r\n".encode() + data + b"\r\n")
        while True:
            line = self.file.readline()
            words = line.decode().split()
            if not words:
                raise OSError("the server is gone")
            if words[0] == "PING":
                self.send(b"PONG\r\n")
            elif words[0] == "-ERR":
                raise OSError(line.decode().strip())
            elif words[0] in ("MSG", "HMSG"):
                body = self.file.read(int(words[-1]) + 2)[:-2]
                if words[1] == reply:
                    size = int(words[-2]) if words[0] == "HMSG" else 0
                    if body[:size].startswith(b"NATS/1.0 503"):
                        raise OSError("nobody answers")
                    return body[size:]

    def call(self, name, what=None):
        return json.loads(self.request(f"$JS.API.{name}", json.dumps(what).encode() if what is not None else b""))

    def message(self, stream, **which):
        """Subject, sequence, headers and content; None if there is no such message."""
        found = self.call(f"STREAM.MSG.GET.{stream}", which).get("message")
        return found and (found["subject"], found["seq"], base64.b64decode(found.get("hdrs", "")),
                          base64.b64decode(found.get("data", "")))


def field(head, name):
    """The value of a header of ours."""
    for line in head.decode().split("\r\n"):
        if line.startswith(name + ":"):
            return json.loads(line[len(name) + 1:])
    return {}


class Server:
    """One process of nats-server. It flushes, as it is told to: that is what is tested."""

    def __init__(self, name, port, more=""):
        self.name, self.port, self.more = name, port, more
        self.directory = tempfile.mkdtemp(prefix="nats-")
        self.config = os.path.join(self.directory, "nats.conf")
        self.configure("max_payload: 8MB")
        self.process = None

    def configure(self, setting):
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(f"""server_name: {self.name}
listen: "127.0.0.1:{self.port}"
jetstream {{ store_dir: "{self.directory}/store", sync_interval: always, max_file_store: 4GB, max_memory_store: 64MB }}
{self.more}
{setting}
""")

    def start(self):
        log = os.path.join(self.directory, "log")
        self.process = subprocess.Popen(
            [find_nats(), "-c", self.config, "-l", log], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def is_up(self):
        return self.process is not None and self.process.poll() is None


def door(port):
    """Where a gate listens, and a way to the port behind."""
    return socket.create_server(("127.0.0.1", 0)), lambda: socket.create_connection(("127.0.0.1", port))


class Route:
    """What a gate needs to know of the port on which a server takes the others' connections."""

    def __init__(self, port):
        self.port = port

    def doors(self, _):
        return [door(self.port)]


class Nats:
    """A single server, or three of which each has every message: what stands for the log's database to the tests."""
    kind = "nats"
    # Behind as many requests of `replay submit` nothing is left to be cut off.
    most_requests = 6

    def __init__(self, count=1, more="", login=None, context=None, is_gated=False):
        """With gates between each two servers, if that is wanted: `part` closes them."""
        self.login, self.context = login, context
        ports = free_ports(2 * count)
        self.servers = []
        # By the numbers of the server that connects and the one that is connected to.
        self.gates = {pair: Gate(Route(ports[count + pair[1]])) for pair in itertools.permutations(range(count), 2) if is_gated}
        for number in range(count):
            routes = ", ".join(
                f'"nats://127.0.0.1:{self.gates[number, other].port if is_gated else ports[count + other]}"'
                for other in range(count) if other != number)
            cluster = (f'cluster {{ name: log, listen: "127.0.0.1:{ports[count + number]}", routes: [{routes}], pool_size: 1, no_advertise: true }}'
                       if count > 1 else "")
            self.servers.append(Server(f"n{number + 1}", ports[number], cluster + more))
        self.start()

    def part(self, server, state):
        """Sets the gates between a server and the others, as `Gate.set`."""
        number = self.servers.index(server)
        for pair, gate in self.gates.items():
            if number in pair:
                gate.set(state)

    @property
    def felt(self):
        """How often a gate was felt."""
        return sum(gate.count for gate in self.gates.values())

    # MARK: Processes

    def start(self):
        for server in self.servers:
            if not server.is_up:
                server.start()
        self.wait_for(lambda: "error" not in self.client().call("INFO"), "JetStream")
        # Those that were there before have a leader again.
        for name in self.client().call("STREAM.NAMES").get("streams") or []:
            self.wait_for(lambda name=name: "error" not in self.client().call(f"STREAM.INFO.{name}"), name)

    def configure(self, setting):
        """Starts all again with another setting."""
        self.kill()
        for server in self.servers:
            server.configure(setting)
        self.start()

    @property
    def is_up(self):
        return all(server.is_up for server in self.servers)

    def kill(self):
        for server in self.servers:
            server.kill()

    def leader(self):
        """The server that leads the stream, once one does."""
        name = self.wait_for(
            lambda: self.client().call(f"STREAM.INFO.{STREAM}")["cluster"]["leader"], "a leader of the stream")
        return next(server for server in self.servers if server.name == name)

    def remove(self):
        """May be called again."""
        for server in self.servers:
            if server.is_up:
                server.process.send_signal(signal.SIGCONT)
                server.kill()
            shutil.rmtree(server.directory, ignore_errors=True)
        while self.gates:
            self.gates.popitem()[1].remove()

    @staticmethod
    def wait_for(what, name, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if found := what():
                    return found
            except (OSError, ValueError, KeyError):
                pass
            time.sleep(0.05)
        raise RuntimeError(f"{name} did not come within {seconds} s")

    def client(self):
        for server in self.servers:
            try:
                return Client(server.port, self.login, self.context)
            except OSError:
                pass
        raise OSError("no server")

    # MARK: What is in the log

    def address(self, ports=None):
        hosts = ",".join(f"127.0.0.1:{port}" for port in ports or [server.port for server in self.servers])
        return f"nats://{hosts}/{STREAM}"

    def clear(self):
        """No journal is there any more."""
        for name in self.client().call("STREAM.NAMES").get("streams") or []:
            self.client().call(f"STREAM.DELETE.{name}")

    def messages(self):
        client, found, sequence = self.client(), [], 1
        while message := client.message(STREAM, seq=sequence, next_by_subj=f"sijill.{STREAM}.>"):
            found.append(message)
            sequence = message[1] + 1
        client.close()
        return found

    def frames(self):
        """How many frames the log says that it has."""
        _, _, head, _ = self.client().message(STREAM, last_by_subj=f"sijill.{STREAM}.>")
        return field(head, "Sijill-Log")["frames"]

    def stored(self):
        """The numbers of the frames that are there."""
        return [field(head, "Sijill-Frame")["number"] for subject, _, head, _ in self.messages() if subject.endswith(".frame")]

    def terms(self):
        """Of the frames, in their order."""
        return [field(head, "Sijill-Frame")["term"] for subject, _, head, _ in self.messages() if subject.endswith(".frame")]

    # MARK: What happens to it

    def append(self, kind, head, data=b""):
        lines = head.split(b"\r\n")
        head = b"\r\n".join(line for line in lines if not line.startswith(b"Nats-"))
        client = self.client()
        self.wait_for(lambda: "seq" in json.loads(client.request(f"sijill.{STREAM}.{kind}", data, head)), "an answer")
        client.close()

    def rewrite(self, change):
        """Replaces the stream by another one, as somebody may who restores it: each message is passed through `change`, which
        returns its content, or None to leave it out."""
        messages = self.messages()
        client = self.client()
        config = client.call(f"STREAM.INFO.{STREAM}")["config"]
        client.call(f"STREAM.DELETE.{STREAM}")
        # What was there before may not be gone from the disk yet.
        self.wait_for(lambda: "error" not in client.call(f"STREAM.CREATE.{STREAM}", config), "a stream")
        for subject, _, head, data in messages:
            data = change(subject, head, data)
            if data is not None:
                self.append(subject.split(".", 2)[2], head, data)

    def truncate(self, frames):
        """The log loses what is behind a frame."""
        self.rewrite(lambda _, head, data: data if field(head, "Sijill-Log")["frames"] <= frames else None)

    def drop(self, number):
        """The log loses one frame."""
        self.rewrite(lambda _, head, data: None if field(head, "Sijill-Frame").get("number") == number else data)

    def flip(self, number):
        """A bit of a frame is another one."""
        def change(_, head, data):
            is_it = field(head, "Sijill-Frame").get("number") == number
            return data[:90] + bytes([data[90] ^ 1]) + data[91:] if is_it else data
        self.rewrite(change)

    def claim(self, frames):
        """The log says that it has so many."""
        _, _, head, _ = self.client().message(STREAM, last_by_subj=f"sijill.{STREAM}.>")
        says = json.dumps(dict(field(head, "Sijill-Log"), frames=frames))
        self.append("hold", f"NATS/1.0\r\nSijill-Log: {says}\r\n\r\n".encode())

    def forget_node(self, name):
        self.client().request(f"$KV.{STREAM}_nodes.node.{name}", head=b"NATS/1.0\r\nKV-Operation: DEL\r\n\r\n")

    def replace_capability(self, node, old, new):
        subject = f"$KV.{STREAM}_nodes.capabilities.{node}"
        _, _, _, data = self.client().message(BUCKET, last_by_subj=subject)
        self.client().request(subject, data.replace(old.encode(), new.encode()))

    # MARK: The way to it

    def proxy(self):
        return Proxy(self)

    def doors(self, _):
        """Where a gate listens, and what is behind."""
        return [door(server.port) for server in self.servers]

    def address_by(self, doors):
        return self.address([door.getsockname()[1] for door, _ in doors])


class Proxy:
    """Stands before a server's port, counts requests, and does something at one of them, as the one before PostgreSQL does."""

    def __init__(self, server):
        self.server = server
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.plan = None
        self.count = 0
        self.happened = threading.Event()
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def address(self):
        return self.server.address([self.listener.getsockname()[1]])

    def at(self, number, is_before, what):
        self.count = 0
        self.happened.clear()
        self.plan = (lambda subject: self.count == number, is_before, what)

    def at_append(self, is_before, what):
        self.happened.clear()
        self.plan = (lambda subject: subject.endswith(".frame"), is_before, what)

    def clear(self):
        self.plan = None

    def answer(self, line, words, data):
        """Whether the proxy itself has answered a request."""
        return False

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            try:
                upstream = socket.create_connection(("127.0.0.1", self.server.servers[0].port))
            except OSError:
                client.close()
                continue
            line = Line(self, client, upstream)
            threading.Thread(target=line.forward, daemon=True).start()
            threading.Thread(target=line.back, daemon=True).start()

    def remove(self):
        # A thread that still waits would take connections from the next listener that gets this descriptor.
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.listener.close()


class Former(Proxy):
    """Answers what the stream's last message is as a leader may that was deposed: as it was at a time. All else goes through."""

    def __init__(self, server):
        super().__init__(server)
        self.last = None
        self.is_lying = False
        self.lies = 0

    def remember(self):
        what = json.dumps({"last_by_subj": f"sijill.{STREAM}.>"}).encode()
        self.last = self.server.client().request(f"$JS.API.STREAM.MSG.GET.{STREAM}", what)

    def answer(self, line, words, data):
        if not (self.is_lying and words[1] == f"$JS.API.STREAM.MSG.GET.{STREAM}" and b"last_by_subj" in data):
            return False
        self.lies += 1
        line.client.sendall(f"MSG {words[2]} {line.subscription} {len(self.last)}\r\n".encode() + self.last + b"\r\n")
        return True


class Line:
    """One connection through the proxy."""

    def __init__(self, proxy, client, upstream):
        self.proxy, self.client, self.upstream = proxy, client, upstream
        self.is_cut = False
        self.pending = None
        # The number that the client has given to its inbox.
        self.subscription = None

    def close(self):
        for each in (self.client, self.upstream):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self):
        """What the client says: lines, and contents behind those that announce one."""
        try:
            file = self.client.makefile("rb")
            while line := file.readline():
                words = line.decode().split()
                is_message = words[:1] in (["PUB"], ["HPUB"])
                data = line + (file.read(int(words[-1]) + 2) if is_message else b"")
                if words[:1] == ["SUB"]:
                    self.subscription = words[-1]
                if is_message and self.proxy.answer(self, words, data):
                    continue
                if not (is_message and self.is_cut_at(words, data)):
                    self.upstream.sendall(data)
                elif self.is_cut and self.pending is None:
                    return
        except (OSError, ValueError):
            pass
        self.close()

    def is_cut_at(self, words, data):
        proxy = self.proxy
        proxy.count += 1
        plan = proxy.plan
        if plan is None or not plan[0](words[1]):
            return False
        proxy.plan = None
        self.is_cut = True
        if plan[1]:
            plan[2]()
            proxy.happened.set()
            self.close()
        else:
            self.pending = (words[2].encode(), plan[2])
            self.upstream.sendall(data)
        return True

    def back(self):
        tail = b""
        try:
            while got := self.upstream.recv(1 << 16):
                if not self.is_cut:
                    self.client.sendall(got)
                    continue
                tail += got
                # The server has answered it, whatever it says.
                if self.pending and b" " + self.pending[0] + b" " in tail:
                    break
        except OSError:
            pass
        if self.pending:
            self.pending[1]()
            self.proxy.happened.set()
        self.close()
