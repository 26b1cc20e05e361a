"""What a test does to the machine of a node that runs: its disk is full or fails, its clock is set."""
import os
import struct
import subprocess
import sys
from pathlib import Path

# Behind the others: there are modules of one name in several of these directories.
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Torture"))
# pylint: disable=wrong-import-position
from tool import compiler, interposer, preloaded

DISK_BYTES = 128 << 20
# All that changes what a disk holds.
WRITES = "write pwrite writev pwritev ftruncate fallocate rename link unlink mkdir rmdir fsync fdatasync msync"


class Injection:
    """Stands between a node and its machine: a small file system in memory, and two libraries, as far as they can be had."""

    def __init__(self, path):
        self.directory = f"{path}.disk"
        self.filler = os.path.join(self.directory, "filler")
        self.failing = f"{path}.failing"
        self.shift = f"{path}.shift"
        os.mkdir(self.directory)
        self.has_disk = not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "sijill", self.directory],
            capture_output=True, check=False).returncode
        self.has_libraries = compiler() is not None
        self.environment = {}
        if self.has_libraries:
            with open(self.shift, "wb") as file:
                file.write(struct.pack("=q", 0))
            clock = preloaded(Path(__file__).parent / "clock.c")
            self.environment = {
                "LD_PRELOAD": f"{interposer()}:{clock}", "TORTURE_DIR": self.directory, "TORTURE_NOW": self.failing,
                "CLOCK_SHIFT": self.shift}

    def fill(self):
        """The disk has no room any more."""
        size = DISK_BYTES
        with open(self.filler, "wb") as file:
            while size:
                try:
                    os.posix_fallocate(file.fileno(), os.fstat(file.fileno()).st_size, size)
                except OSError:
                    size //= 2

    def clear(self):
        os.remove(self.filler)

    def fail(self, error, part="/", calls=WRITES):
        """Each of these calls fails from here on, on files whose path has that part."""
        with open(f"{self.failing}.new", "w", encoding="ascii") as file:
            file.write(f"{error} {part} {calls}")
        os.replace(f"{self.failing}.new", self.failing)

    def mend(self):
        os.remove(self.failing)

    def set_clock(self, seconds):
        """The node's clock goes so far before the true one."""
        with open(self.shift, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", seconds))

    def remove(self):
        if self.has_disk:
            subprocess.run(["umount", "-l", self.directory], check=True)
