"""Servers that others run beside the service in Benchmarks/service.py: PostgreSQL by pgbench, UmaDB by its Python client."""
import concurrent.futures
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import time

POSTGRES = "/usr/lib/postgresql/15/bin"


class Postgres:
    """A cluster of its own with the settings it comes with: a commit is flushed before it is answered."""

    name = "PostgreSQL 15"

    def __init__(self, body):
        self.directory = tempfile.mkdtemp(prefix="sijill-postgres-")
        self.user = []
        if os.getuid() == 0:
            owner = pwd.getpwnam("postgres")
            os.chown(self.directory, owner.pw_uid, owner.pw_gid)
            self.user = ["setpriv", f"--reuid={owner.pw_uid}", f"--regid={owner.pw_gid}", "--clear-groups"]
        self.run("initdb", "-D", self.path("data"), "-A", "trust", "-U", "bench", "-E", "UTF8")
        self.run("pg_ctl", "-D", self.path("data"), "-w", "-l", self.path("log"), "-o",
                 f"-k {self.directory} -c listen_addresses='' -c max_connections=200", "start")
        self.sql("CREATE TABLE events (position bigserial PRIMARY KEY, id text UNIQUE, stream text, data jsonb);"
                 "CREATE INDEX ON events (stream); CREATE TABLE documents (key text PRIMARY KEY, body text);")
        self.sql("INSERT INTO documents SELECT 'S-' || n, $body$" + body + "$body$ FROM generate_series(1, 200) n;")

    def path(self, name):
        return os.path.join(self.directory, name)

    def run(self, program, *arguments, **more):
        return subprocess.run(
            [*self.user, os.path.join(POSTGRES, program), *arguments], check=True, capture_output=True, text=True,
            cwd=self.directory, **more).stdout

    def sql(self, text):
        self.run("psql", "-h", self.directory, "-U", "bench", "-q", "-v", "ON_ERROR_STOP=1", "postgres", input=text)

    def bench(self, script, clients, seconds):
        file = self.path("script.sql")
        with open(file, "w", encoding="utf-8") as out:
            out.write(script)
        os.chmod(file, 0o644)
        out = self.run("pgbench", "-h", self.directory, "-U", "bench", "-n", "-M", "prepared", "-f", file, "-c",
                       str(clients), "-j", "2", "-T", str(seconds), "postgres")
        return float(re.search(r"tps = ([\d.]+) \(without", out).group(1))

    def append(self, clients, seconds):
        data = ('{"account":"S-1","role":"student","name":"Student 1","credential":{"scheme":"bcrypt","salt":"s",'
                '"digest":"d"}}')
        return self.bench(
            "\\set n random(1, 9000000000000)\n"
            "INSERT INTO events (id, stream, data) VALUES ('w-' || :n, 'examroom/account/W-' || :n, "
            f"'{data}');\n", clients, seconds)

    def read(self, clients, seconds):
        return self.bench(
            "\\set n random(1, 200)\nSELECT body FROM documents WHERE key = 'S-' || :n;\n", clients, seconds)

    def close(self):
        try:
            self.run("pg_ctl", "-D", self.path("data"), "-m", "immediate", "stop")
        finally:
            shutil.rmtree(self.directory, ignore_errors=True)


class UmaDB:
    """Its server, and threads of its client in one Python process."""

    def __init__(self, body):
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        import umadb  # noqa: E402
        import umadb_peer  # noqa: E402
        self.umadb = umadb
        self.name = "UmaDB " + __import__("importlib.metadata").metadata.version("umadb")
        self.directory = tempfile.mkdtemp(prefix="sijill-umadb-")
        self.store = umadb_peer.Store(self.directory)
        self.clients = [umadb.Client(self.store.url) for _ in range(64)]
        self.body = body.encode()
        self.count = 0
        for number in range(200):
            self.clients[0].append([self.event(f"S-{number}")])

    def event(self, name):
        return self.umadb.Event("account.registered", self.body, tags=[f"stream:account/{name}"])

    def load(self, clients, seconds, work):
        end = time.monotonic() + seconds

        def run(number):
            count = 0
            while time.monotonic() < end:
                work(self.clients[number], number, count)
                count += 1
            return count

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            return sum(pool.map(run, range(clients))) / seconds

    def append(self, clients, seconds):
        self.count += 1
        round_ = self.count
        return self.load(
            clients, seconds, lambda client, number, count: client.append([self.event(f"{round_}-{number}-{count}")]))

    def read(self, clients, seconds):
        query = lambda name: self.umadb.Query([self.umadb.QueryItem(tags=[f"stream:account/{name}"])])
        return self.load(
            clients, seconds,
            lambda client, number, count: self.store.consume(client.read(query(f"S-{(number + count) % 200}"))))

    def close(self):
        self.store.server.kill()
        self.store.server.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def available(body):
    """Those that are there; what is not is told."""
    found = []
    for peer in (Postgres, UmaDB):
        try:
            found.append(peer(body))
        except (ImportError, OSError, subprocess.CalledProcessError, KeyError) as error:
            print(f"<!-- {peer.__name__} left out: {error} -->", flush=True)
    return found
