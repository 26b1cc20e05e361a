"""Three PostgreSQL servers on loopback, of which two replicate the first one: a commit is on two of them before it is answered."""
import os
import shutil
import subprocess
import time

# pylint: disable=wrong-import-position,unused-import
import cluster  # finds the harness
from harness import as_server
from servers import PostgresLog

NAMES = ("one", "two", "three")


class Replica(PostgresLog):
    """One server; the first is made, the others are copies of one that runs."""

    def __init__(self, name, directories, source=None):
        self.name, self.directories, self.source = name, directories, source
        super().__init__(
            "fsync=on", "max_connections=100", "wal_retrieve_retry_interval=200ms", f"synchronous_standby_names=ANY 1 ({','.join(NAMES)})", f"cluster_name={name}",
            # Whoever of the others takes writes is the one to follow.
            f"primary_conninfo=host={','.join(directories)} user=sijill target_session_attrs=read-write application_name={name}")

    def make_directory(self):
        return self.directories[NAMES.index(self.name)]

    def make_data(self):
        if self.source is None:
            super().make_data()
            return
        shutil.rmtree(self.data, ignore_errors=True)
        subprocess.run(
            [*as_server(), os.path.join(self.programs, "pg_basebackup"), "-D", self.data, "-h", self.source.directory,
             "-U", "sijill", "-c", "fast", "-R"], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def received(self):
        """How much of the log of the one before it has, in bytes."""
        return int(self.sql("select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')")[0][0])


class Replicas:
    """What stands for one server to a cluster: which of the three takes writes changes."""

    def __init__(self):
        self.directories = [PostgresLog.new_directory() for _ in NAMES]
        self.primary = Replica("one", self.directories)
        self.standbys = []
        for name in NAMES[1:]:
            self.standbys.append(Replica(name, self.directories, self.primary))
        self.wait_for(lambda: len(self.sql("select 1 from pg_stat_replication where sync_state = 'quorum'")) == 2)

    @staticmethod
    def wait_for(what, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if what():
                    return
            except RuntimeError:
                pass
            time.sleep(0.05)
        raise RuntimeError("the replicas did not come to it")

    @property
    def directory(self):
        return self.primary.directory

    def address(self, host=None):
        if host:
            return self.primary.address(host)
        return self.primary.address(",".join(self.directories)) + "&target_session_attrs=read-write"

    def sql(self, statement):
        return self.primary.sql(statement)

    def clear(self):
        self.primary.clear()

    def frames(self):
        return self.primary.frames()

    def fail_over(self):
        """The one that takes writes is killed, and the one of the others that has most goes on; the third follows it."""
        old = self.primary
        old.kill()
        # Nothing more comes from the one that is dead: what each has, it has.
        self.standbys.sort(key=lambda each: -each.received())
        self.primary = self.standbys.pop(0)
        self.primary.sql("select pg_promote()")
        return old

    def bring_back(self, old):
        """A server that was killed becomes a copy again."""
        self.standbys.append(Replica(old.name, self.directories, self.primary))
        self.wait_for(lambda: len(self.sql("select 1 from pg_stat_replication")) == 2)

    def remove(self):
        for each in [*self.standbys, self.primary]:
            each.remove()
        for directory in self.directories:
            shutil.rmtree(directory, ignore_errors=True)
