"""The line between a node and its database, which can be cut, held, or made to swallow answers."""
import os
import shutil
import socket
import tempfile
import threading
import time


class Gate:
    """A socket before a server's, for one node."""

    def __init__(self, server):
        self.server = server
        self.directory = tempfile.mkdtemp(prefix="gate-")
        os.chmod(self.directory, 0o777)
        # `open`: both ways; `mute`: nothing that the server says comes through; `held`: nothing at all; `cut`: no connection.
        self.state = "open"
        self.pairs = set()
        self.lock = threading.Lock()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(os.path.join(self.directory, ".s.PGSQL.5432"))
        self.listener.listen(32)
        threading.Thread(target=self.accept, daemon=True).start()

    def address(self):
        return self.server.address(self.directory)

    def set(self, state):
        self.state = state
        if state == "cut":
            with self.lock:
                pairs, self.pairs = self.pairs, set()
            for pair in pairs:
                self.close(pair)

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            upstream = socket.socket(socket.AF_UNIX)
            try:
                if self.state == "cut":
                    raise OSError
                upstream.connect(os.path.join(self.server.directory, ".s.PGSQL.5432"))
            except OSError:
                client.close()
                upstream.close()
                continue
            pair = (client, upstream)
            with self.lock:
                self.pairs.add(pair)
            threading.Thread(target=self.carry, args=(pair, client, upstream, ("held",)), daemon=True).start()
            threading.Thread(target=self.carry, args=(pair, upstream, client, ("held", "mute")), daemon=True).start()

    def carry(self, pair, source, target, closed):
        try:
            while True:
                data = source.recv(1 << 16)
                if not data:
                    break
                # What was lost once is lost for good: the connection is of no use any more.
                if self.state in closed:
                    while self.state in closed:
                        time.sleep(0.02)
                    break
                target.sendall(data)
        except OSError:
            pass
        self.close(pair)
        with self.lock:
            self.pairs.discard(pair)

    @staticmethod
    def close(pair):
        for each in pair:
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            each.close()

    def remove(self):
        self.listener.close()
        self.set("cut")
        shutil.rmtree(self.directory, ignore_errors=True)
