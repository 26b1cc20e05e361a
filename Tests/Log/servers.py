"""What a log lies in, for the tests: PostgreSQL or NATS (SIJILL_LOG), with operations that both have."""
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Sink"))
# pylint: disable=wrong-import-position
from harness import Postgres, Proxy, find_postgres
from jetstream import Nats, find_nats

KIND = os.environ.get("SIJILL_LOG", "postgres")


def find_server():
    """Whether there is a program for the chosen kind of server."""
    return {"postgres": find_postgres, "nats": find_nats}[KIND]()


def make_server(is_replicated=False, is_gated=False):
    """A server of the chosen kind; of NATS three where they are to be replicated, with gates between them if that is wanted."""
    if KIND == "nats":
        return Nats(3 if is_replicated else 1, is_gated=is_gated)
    return PostgresLog("max_connections=100")


class PostgresProxy(Proxy):
    def address(self):
        return self.server.address(self.directory)

    def at_append(self, is_before, what):
        # The statements before find the log as the program left it.
        self.at(8, is_before, what)


class PostgresLog(Postgres):
    """A server whose database has the log."""
    kind = "postgres"
    # Behind as many statements of `replay submit` nothing is left to be cut off.
    most_requests = 12

    @property
    def is_up(self):
        return self.process.poll() is None

    def clear(self):
        """No journal is there any more."""
        self.sql("drop schema if exists sijill_log cascade")

    # MARK: What is in the log

    def frames(self):
        """How many frames the log says that it has."""
        return int(self.sql("select frames from sijill_log.head")[0][0])

    def stored(self):
        """The numbers of the frames that are there."""
        return [int(row[0]) for row in self.sql("select number from sijill_log.frame order by number")]

    def terms(self):
        """Of the frames, in their order."""
        return [int(row[0]) for row in self.sql("select term from sijill_log.frame order by number")]

    # MARK: What happens to it

    def truncate(self, frames):
        """The log loses what is behind a frame."""
        self.sql(f"""begin; delete from sijill_log.frame where number > {frames};
            update sijill_log.head set frames = {frames}, confirmed = {frames}, position = f.position, chain = f.chain
            from sijill_log.frame f where f.number = {frames}; commit""")

    def drop(self, number):
        """The log loses one frame."""
        self.sql(f"delete from sijill_log.frame where number = {number}")

    def flip(self, number):
        """A bit of a frame is another one."""
        self.sql(f"update sijill_log.frame set body = set_byte(body, 90, get_byte(body, 90) # 1) where number = {number}")

    def claim(self, frames):
        """The log says that it has so many."""
        self.sql(f"update sijill_log.head set frames = {frames}")

    def forget_node(self, name):
        self.sql(f"delete from sijill_log.node where name = '{name}'")

    def replace_capability(self, node, old, new):
        self.sql(f"update sijill_log.node set capabilities = replace(capabilities, '{old}', '{new}') where name = '{node}'")

    # MARK: The way to it

    def proxy(self):
        return PostgresProxy(self)

    def doors(self, directory):
        """Where a gate listens, and what is behind."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.path.join(directory, ".s.PGSQL.5432"))
        listener.listen(32)

        def behind():
            upstream = socket.socket(socket.AF_UNIX)
            try:
                upstream.connect(os.path.join(self.directory, ".s.PGSQL.5432"))
            except OSError:
                upstream.close()
                raise
            return upstream
        return [(listener, behind)]

    def address_by(self, doors):
        return self.address(os.path.dirname(doors[0][0].getsockname()))
