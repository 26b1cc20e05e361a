"""UmaDB: its server in a process of its own, its Python client; a stream is a tag."""
import os
import socket
import subprocess
import sys
import time

import umadb

import peer


class Store:
    def __init__(self, directory):
        self.path = os.path.join(directory, "events.db")
        # A free port: the system's choice, given back at once.
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = os.path.join(os.path.dirname(sys.executable), "umadb")
        self.server = subprocess.Popen(
            [server, "--listen", f"127.0.0.1:{port}", "--db-path", self.path],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.url = f"http://127.0.0.1:{port}"
        until = time.monotonic() + 20
        while True:
            try:
                self.client = umadb.Client(self.url)
                self.client.head()
                break
            except Exception:
                if time.monotonic() > until or self.server.poll() is not None:
                    self.server.kill()
                    sys.exit("umadb: the server does not answer")
                time.sleep(0.05)

    @staticmethod
    def made(event):
        return umadb.Event(event.type, event.payload, tags=["stream:" + event.stream, *event.tags])

    @staticmethod
    def of_stream(stream):
        return umadb.Query([umadb.QueryItem(tags=["stream:" + stream])])

    def prepare(self, events):
        return [self.made(event) for event in events]

    def append(self, batch):
        self.client.append(batch)

    def prepare_conditional(self, events):
        # What each one's decision rests on: the stream as it stands after the one before.
        made = [(event.stream, self.of_stream(event.stream), [self.made(event)]) for event in events]
        return self.client.head(), made

    def append_conditionally(self, work):
        head, made = work
        client = umadb.Client(self.url)
        last = {}
        for stream, query, events in made:
            condition = umadb.AppendCondition(query, after=last.get(stream, head))
            last[stream] = client.append(events, condition)

    @staticmethod
    def consume(response):
        count = 0
        size = 0
        while batch := response.next_batch():
            for found in batch:
                size += found.position + len(found.event.data)
            count += len(batch)
        return count

    def read_all(self):
        return self.consume(self.client.read())

    def read_stream(self, stream):
        return self.consume(self.client.read(self.of_stream(stream)))

    def bytes(self):
        # The file grows by hundreds of MiB at a time, filled with zeros: only pages in use count.
        files = [self.path]
        if os.path.isdir(self.path):
            files = [os.path.join(self.path, name) for name in os.listdir(self.path)]
        used, blank = 0, bytes(4096)
        for path in files:
            with open(path, "rb") as file:
                while page := file.read(4096):
                    used += len(page) if page != blank[: len(page)] else 0
        return used

    def close(self):
        self.server.terminate()
        self.server.wait()


if __name__ == "__main__":
    store = Store(sys.argv[2])
    try:
        peer.serve(peer.load(sys.argv[1]), store)
    finally:
        store.server.kill()
