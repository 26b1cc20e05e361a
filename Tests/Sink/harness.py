"""PostgreSQL in a directory that is thrown away, a proxy in front of it that pulls the plug at a statement, and a journal."""
import hashlib
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
from decimal import Decimal

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("SIJILL_BUILD", os.path.join(ROOT, ".build", "checked", "release"))
REPLAY = os.path.join(BUILD, "replay")


def replay(*arguments, stdin=None, check=True, environment=None):
    """What `replay` prints; an error if it fails."""
    done = subprocess.run(
        [REPLAY, *arguments], input=stdin, capture_output=True, check=False, timeout=300,
        env=dict(os.environ, **(environment or {})))
    if check and done.returncode not in (0, 1):
        raise RuntimeError(f"replay {' '.join(arguments)}: {done.returncode} {done.stderr.decode()}")
    return done if not check else done.stdout.decode()


def crash(text):
    """What a program's standard error says of a trap, and the backtrace behind it; nothing where there was none."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if "Fatal error" in line or "Program crashed" in line:
            return "\n".join(lines[number:number + 40])
    return ""


def example_commands(*products):
    """The commands of the examples of some products, file by file."""
    commands = []
    for product in products:
        folder = os.path.join(ROOT, "Examples", product)
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".jsonl"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                lines = [json.loads(line) for line in file if line.strip()]
            found = [line["do"] for line in lines if "command" in line.get("do", {})]
            # Ids are free to choose; those of two files must not meet.
            commands += [dict(each, id=f"{product}-{name}-{each['id']}") for each in found if "id" in each]
    return commands


def canonical(text):
    """A document in the form that `replay show` prints it in, however a database gives it back."""
    value = json.loads(text, parse_float=Decimal)

    def write(value):
        if isinstance(value, dict):
            return "{" + ",".join(json.dumps(k, ensure_ascii=False) + ":" + write(v)
                                  for k, v in sorted(value.items())) + "}"
        if isinstance(value, list):
            return "[" + ",".join(write(v) for v in value) + "]"
        if isinstance(value, Decimal):
            return str(value)
        return json.dumps(value, ensure_ascii=False)

    return write(value)


def digest(rows):
    """As docs/read-models.md has it: of rows of a key and a document."""
    lines = sorted(
        (key, hashlib.sha256((canonical(document) + "\n").encode()).hexdigest()) for key, document in rows)
    return hashlib.sha256("".join(f"{line}  {key}\n" for key, line in lines).encode()).hexdigest()


class Journal:
    """A simulated journal."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="sink-")
        self.path = os.path.join(self.directory, "journal")
        replay("init", "--simulated", "--journal", self.path)

    def submit(self, commands):
        text = "".join(json.dumps(command) + "\n" for command in commands).encode()
        done = subprocess.run(
            [REPLAY, "submit", "--journal", self.path], input=text, capture_output=True, check=False, timeout=300)
        if done.returncode not in (0, 65):
            raise RuntimeError(done.stderr.decode())
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def digests(self):
        """By model, as a rebuild prints them."""
        answer = json.loads(replay("rebuild", "--json", "--journal", self.path))
        return {model["model"]: model["digest"] for model in answer["models"]}, answer["events"]

    def remove(self):
        shutil.rmtree(self.directory, ignore_errors=True)


def find_postgres():
    """The directory of PostgreSQL's programs; None where there is none."""
    places = ["/usr/lib/postgresql/%d/bin" % version for version in range(20, 11, -1)]
    found = shutil.which("initdb")
    if found:
        places.append(os.path.dirname(os.path.realpath(found)))
    for place in places:
        if os.path.exists(os.path.join(place, "initdb")) and os.path.exists(os.path.join(place, "postgres")):
            return place
    return None


def as_server():
    """The server refuses to be root: whose it is, and the words in front of a command."""
    if os.getuid() != 0:
        return []
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]


class Postgres:
    """A server on a socket in a directory of its own. Without flushes: processes are killed here, not machines."""

    def __init__(self, *settings):
        self.programs = find_postgres()
        self.directory = self.make_directory()
        self.data = os.path.join(self.directory, "data")
        self.settings = ["fsync=off", "listen_addresses=", f"unix_socket_directories={self.directory}",
                         "max_connections=40", *settings]
        self.make_data()
        self.process = None
        self.start()

    @staticmethod
    def new_directory():
        directory = tempfile.mkdtemp(prefix="sink-pg-")
        os.chmod(directory, 0o777)
        return directory

    def make_directory(self):
        return self.new_directory()

    def make_data(self):
        subprocess.run(
            [*as_server(), os.path.join(self.programs, "initdb"), "-D", self.data, "-U", "sijill", "-A", "trust",
             "-E", "UTF8", "--locale=C", "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        options = [word for setting in self.settings for word in ("-c", setting)]
        pid_file = os.path.join(self.data, "postmaster.pid")
        if os.path.exists(pid_file):
            os.remove(pid_file)
        self.process = subprocess.Popen(
            [*as_server(), os.path.join(self.programs, "postgres"), "-D", self.data, *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
        for _ in range(600):
            done = subprocess.run(
                [os.path.join(self.programs, "pg_isready"), "-q", "-h", self.directory, "-U", "sijill"], check=False)
            if done.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("PostgreSQL did not start")

    def kill(self):
        """The postmaster and all of its processes at once."""
        processes = [self.process.pid, *children(self.process.pid)]
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        for _ in range(200):
            if not any(os.path.exists(f"/proc/{process}") and not is_zombie(process) for process in processes):
                return
            time.sleep(0.01)

    def address(self, host=None):
        return f"postgres:///postgres?host={host or self.directory}&user=sijill"

    def sql(self, statement):
        """Rows of texts."""
        done = subprocess.run(
            [os.path.join(self.programs, "psql"), "-X", "-q", "-At", "-F", "\x1f", "-R", "\x1e", "-v",
             "ON_ERROR_STOP=1", "-h", self.directory, "-U", "sijill", "postgres", "-c", statement],
            capture_output=True, check=False, timeout=120)
        if done.returncode:
            raise RuntimeError(done.stderr.decode())
        text = done.stdout.decode().rstrip("\n")
        return [row.split("\x1f") for row in text.split("\x1e") if row]

    def remove(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        shutil.rmtree(self.directory, ignore_errors=True)


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
        direct = [int(word) for word in file.read().split()]
    return direct + [grand for child in direct for grand in children(child)]


def is_zombie(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


class Proxy:
    """Stands before a server's socket, counts statements, and does something at one of them.

    `at` is the statement's number from 1, `isBefore` says whether the server still gets it, `what` is called then; nothing
    that the server says to that statement or later comes through.
    """

    def __init__(self, server):
        self.server = server
        self.directory = tempfile.mkdtemp(prefix="sink-proxy-")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(self.directory, ".s.PGSQL.5432"))
        self.listener.listen(8)
        self.plan = None
        self.count = 0
        self.happened = threading.Event()
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def at(self, number, is_before, what):
        self.count = 0
        self.happened.clear()
        self.plan = (number, is_before, what)

    def clear(self):
        self.plan = None

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            upstream = socket.socket(socket.AF_UNIX)
            try:
                upstream.connect(os.path.join(self.server.directory, ".s.PGSQL.5432"))
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
        shutil.rmtree(self.directory, ignore_errors=True)


class Line:
    """One connection through the proxy."""

    def __init__(self, proxy, client, upstream):
        self.proxy, self.client, self.upstream = proxy, client, upstream
        self.is_cut = False
        self.pending = None

    def close(self):
        for each in (self.client, self.upstream):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward(self):
        """Messages of the client: the first one has no type."""
        data, is_started = b"", False
        try:
            while True:
                got = self.client.recv(1 << 16)
                if not got:
                    break
                data += got
                while True:
                    head = 1 if is_started else 0
                    if len(data) < head + 4:
                        break
                    size = head + int.from_bytes(data[head:head + 4], "big")
                    if len(data) < size:
                        break
                    message, data = data[:size], data[size:]
                    # A request for encryption is followed by the real beginning.
                    if not is_started and size == 8 and message[4:8] in (
                            (80877103).to_bytes(4, "big"), (80877104).to_bytes(4, "big")):
                        self.upstream.sendall(message)
                        continue
                    is_statement = is_started and message[:1] in (b"S", b"Q")
                    is_started = True
                    if is_statement and not self.pass_on(message):
                        return
                    if not is_statement:
                        self.upstream.sendall(message)
        except OSError:
            pass
        self.close()

    def pass_on(self, message):
        proxy = self.proxy
        proxy.count += 1
        plan = proxy.plan
        if plan is None or proxy.count != plan[0]:
            self.upstream.sendall(message)
            return True
        proxy.plan = None
        if plan[1]:
            self.is_cut = True
            plan[2]()
            proxy.happened.set()
            self.close()
            return False
        self.pending = plan[2]
        self.is_cut = True
        self.upstream.sendall(message)
        return True

    def back(self):
        try:
            while True:
                got = self.upstream.recv(1 << 16)
                if not got:
                    break
                if not self.is_cut:
                    self.client.sendall(got)
                    continue
                # The server has carried it out: it says that it is ready for the next one.
                if self.pending and got[-6:-1] == b"Z\x00\x00\x00\x05":
                    what, self.pending = self.pending, None
                    what()
                    self.proxy.happened.set()
                    break
        except OSError:
            pass
        if self.pending:
            self.pending()
            self.proxy.happened.set()
        self.close()


def table_rows(server, model, schema="sijill"):
    """Of the view that has the model's name."""
    return [(row[0], row[1]) for row in server.sql(
        f'select key, document::text from {schema}."{model}"')]


def seeded():
    """The chances of this run, which it says."""
    seed = int(os.environ.get("SEED", random.randrange(1 << 30)))
    print(f"seed {seed}", flush=True)
    return random.Random(seed)
