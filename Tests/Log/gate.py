"""The line between a node and its log, or between two of its servers, which can be cut, held, or made to swallow answers."""
import os
import shutil
import socket
import tempfile
import threading
import time


class Gate:
    """Stands before a log's servers, for one node, or before one of them for another."""

    def __init__(self, server):
        self.server = server
        self.directory = tempfile.mkdtemp(prefix="gate-")
        os.chmod(self.directory, 0o777)
        # `open`: both ways; `mute`: nothing that the server says comes through; `held`: nothing at all; `cut`: no connection.
        self.state = "open"
        # What waits for some seconds before it goes on.
        self.slow = (b"", 0)
        # How often that was felt, by either side.
        self.count = 0
        self.pairs = set()
        self.lock = threading.Lock()
        self.doors = server.doors(self.directory)
        self.threads = [threading.Thread(target=self.accept, args=door, daemon=True) for door in self.doors]
        for thread in self.threads:
            thread.start()

    @property
    def port(self):
        """Of the first door."""
        return self.doors[0][0].getsockname()[1]

    def address(self):
        return self.server.address_by(self.doors)

    def set(self, state):
        self.state = state
        if state == "cut":
            with self.lock:
                pairs, self.pairs = self.pairs, set()
            self.count += len(pairs)
            for pair in pairs:
                self.close(pair)

    def accept(self, listener, behind):
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return
            try:
                if self.state == "cut":
                    self.count += 1
                    raise OSError
                upstream = behind()
            except OSError:
                client.close()
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
                    self.count += 1
                    while self.state in closed:
                        time.sleep(0.02)
                    break
                sought, seconds = self.slow
                if sought and sought in data:
                    time.sleep(seconds)
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
        # A thread that still waits would take connections from the next gate, whose listener may get the same descriptor.
        for (listener, _), thread in zip(self.doors, self.threads):
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)
            listener.close()
        self.set("cut")
        shutil.rmtree(self.directory, ignore_errors=True)
