"""A line to PostgreSQL on which an append arrives long after it was sent."""
import collections
import os
import select
import shutil
import socket
import tempfile
import threading

APPEND = b"insert into sijill_log.frame"
READY = b"Z\x00\x00\x00\x05"
Line = collections.namedtuple("Line", "client upstream data")


class Late:
    """Stands before a server's socket. At an append, what a test says happens before the server gets it."""

    def __init__(self, server):
        self.server = server
        self.directory = tempfile.mkdtemp(prefix="late-")
        self.plan = None
        # The line on which something was sent that was not delivered.
        self.kept = None
        self.is_shut = False
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(self.directory, ".s.PGSQL.5432"))
        self.listener.listen(8)
        self.thread = threading.Thread(target=self.accept, daemon=True)
        self.thread.start()

    def address(self):
        return self.server.address(self.directory)

    def at_append(self, what):
        """Calls it with the next append, once; that goes on unless it says True."""
        self.plan = what
        self.is_shut = False

    def keep(self, line):
        """Nothing comes through any more: the line hangs, and there is no other."""
        self.kept = line
        self.is_shut = True
        return True

    def deliver(self, _line):
        """What was kept arrives, and is carried out."""
        late, self.kept = self.kept, None
        late.upstream.sendall(late.data)
        answer = b""
        while READY not in answer:
            got = late.upstream.recv(1 << 16)
            assert got, "the server closed the line"
            answer += got
        late.upstream.close()
        late.client.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.is_shut:
                client.close()
                continue
            upstream = socket.socket(socket.AF_UNIX)
            upstream.connect(os.path.join(self.server.directory, ".s.PGSQL.5432"))
            threading.Thread(target=self.carry, args=(client, upstream), daemon=True).start()

    def carry(self, client, upstream):
        try:
            while True:
                ready, _, _ = select.select([client, upstream], [], [])
                for source, target in ((client, upstream), (upstream, client)):
                    if source not in ready:
                        continue
                    data = source.recv(1 << 16)
                    if not data:
                        return
                    if source is client and APPEND in data and self.plan:
                        what, self.plan = self.plan, None
                        if what(Line(client, upstream, data)):
                            return
                    target.sendall(data)
        except OSError:
            pass
        finally:
            if not self.kept or self.kept.client is not client:
                client.close()
                upstream.close()

    def remove(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.listener.close()
        shutil.rmtree(self.directory, ignore_errors=True)
