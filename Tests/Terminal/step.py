#!/usr/bin/env python3
"""Presses keys in `replay step` on a pseudo-terminal, as a person at a shell with job control does, and looks at the screen.

    python3 Tests/Terminal/step.py REPLAY SCENARIO MODEL KEY [OPTION...]

The journal is that of $SIJILL_JOURNAL. Ends with 1, and says what it saw, where something is not as it should be.
"""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time


class Screen:
    """What a terminal of some size shows of what was written to it; as much of one as `step` needs."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.is_own = False
        # Whether what is written must fit: not while it may be meant for another size.
        self.is_strict = False
        self.rest = ""
        self.clear()

    def clear(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]
        self.row = self.column = 0

    def write(self, text):
        text = self.rest + text
        self.rest = re.search(r"(\x1b(\[[0-9;?]*)?)?$", text)[0]
        text = text[:len(text) - len(self.rest)]
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]", text):
            if part in ("\x1b[?1049h", "\x1b[?1049l"):
                self.is_own = part.endswith("h")
                self.clear()
            elif part == "\x1b[H":
                self.row = self.column = 0
            elif part in ("\x1b[K", "\x1b[J"):
                self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
                for row in range(self.row + 1, self.rows if part == "\x1b[J" else 0):
                    self.cells[row] = [" "] * self.columns
            elif part == "\r":
                self.column = 0
            elif part == "\n":
                assert self.row + 1 < self.rows or not self.is_strict, "the screen would scroll"
                self.row = min(self.row + 1, self.rows - 1)
            elif not part.startswith("\x1b"):
                assert self.column < self.columns or not self.is_strict, "a line is wider than the screen"
                if self.column < self.columns:
                    self.cells[self.row][self.column] = part
                self.column += 1

    @property
    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)


class Terminal:
    """A terminal on which a shell has started the program in the foreground."""

    def __init__(self, command, columns=110, rows=30):
        self.status, from_shell = os.pipe()
        to_shell, self.orders = os.pipe()
        self.shell, self.master = pty.fork()
        if self.shell == 0:
            os.close(self.status)
            os.close(self.orders)
            # Nothing of whoever runs this, or that would wait for us.
            os.closerange(max(from_shell, to_shell) + 1, 1024)
            shell(command, from_shell, to_shell)
        os.close(from_shell)
        os.close(to_shell)
        self.screen = Screen(columns, rows)
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.written = ""
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.master)
        self.order("start")

    def order(self, word):
        os.write(self.orders, (word + "\n").encode())

    def resize(self, columns, rows):
        self.screen.columns, self.screen.rows = columns, rows
        self.screen.is_strict = False
        self.screen.clear()
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys):
        os.write(self.master, keys.encode())

    def read(self):
        if not select.select([self.master], [], [], 0.05)[0]:
            return
        try:
            text = self.decoder.decode(os.read(self.master, 65536))
        except OSError:  # nobody has the other end any more
            return
        self.written += text
        self.screen.write(text)

    def wait(self, what, condition):
        end = time.monotonic() + 20
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f"waited in vain for {what}; the screen:\n{self.screen.text}")
            self.read()

    def rows_of_last_drawing(self):
        return self.written.rpartition("\x1b[J")[0].rpartition("\x1b[H")[2].count("\r\n") + 1

    def sees(self, text):
        self.wait(f"'{text}'", lambda: text in self.screen.text)

    def shell_says(self, expected):
        self.wait(expected, lambda: select.select([self.status], [], [], 0)[0])
        said = os.read(self.status, 100).decode().strip()
        assert said == expected, f"{said}, not {expected}"

    def is_as_before(self):
        self.wait("the former screen", lambda: not self.screen.is_own)
        self.screen.is_strict = False
        assert termios.tcgetattr(self.master) == self.before, "the terminal's mode is not what it was"
        assert self.written.rindex("\x1b[?25h") > self.written.rindex("\x1b[?25l"), "there is no cursor"


def shell(command, status, orders):
    """What a shell does of its job, in the process that the terminal belongs to."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    orders = os.fdopen(orders)
    orders.readline()
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(command[0], command)
    os.write(status, f"job {job}\n".encode())
    while True:
        _, what = os.waitpid(job, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        if not os.WIFSTOPPED(what):
            break
        os.write(status, b"stopped\n")
        orders.readline()
        os.tcsetpgrp(0, job)
        os.kill(job, signal.SIGCONT)
    os.write(status, f"ended {os.waitstatus_to_exitcode(what)}\n".encode())
    orders.readline()  # the terminal stays until it has been looked at
    os._exit(0)


def begin(command, *size):
    terminal = Terminal(command, *size)
    terminal.wait("the job", lambda: select.select([terminal.status], [], [], 0)[0])
    job = int(os.read(terminal.status, 100).decode().split()[1])
    terminal.sees("1 of ")
    mode = termios.tcgetattr(terminal.master)
    assert not mode[3] & (termios.ICANON | termios.ECHO), "keys are not read one by one"
    assert terminal.screen.is_own, "no screen of its own"
    terminal.screen.is_strict = True
    return terminal, job


def keys(command):
    terminal, _ = begin(command)
    many = int(re.search(r"1 of (\d+)", terminal.screen.text)[1])
    assert many > 3, many
    for key, place in [("n", 2), (" ", 3), ("\x1b[C", 4), ("p", 3), ("b", 2), ("\x1b[D", 1), ("G", many), ("g", 1)]:
        terminal.press(key)
        terminal.sees(f"{place} of {many}, as of ")
    terminal.press("nn")
    terminal.sees(f"3 of {many}, as of ")
    position = re.search(r"as of (\d+)", terminal.screen.text)[1]
    assert "▌" in terminal.screen.text, "nothing is marked"
    terminal.press("d")
    terminal.wait("the changes alone", lambda: "▌" not in terminal.screen.text and "→" in terminal.screen.text)
    terminal.press("g" + position)
    terminal.sees(f"position or instant: {position}")
    terminal.press("\r")
    terminal.sees(f"3 of {many}, as of {position}")
    terminal.press("/soon\r")
    terminal.sees("neither a position nor an instant")
    terminal.press("q")
    terminal.shell_says("ended 0")
    terminal.is_as_before()


def resizing(command):
    terminal, _ = begin(command)
    terminal.press("n")
    terminal.sees("2 of ")
    for columns, rows in [(70, 20), (200, 50), (20, 6), (8, 2), (110, 30)]:
        terminal.resize(columns, rows)
        asks = lambda: terminal.screen.text.split("\n")[-1].startswith("positi")
        terminal.wait(f"{rows} rows", lambda: terminal.rows_of_last_drawing() == rows)
        # What is asked for stands in the last row, however many there are.
        terminal.press("/")
        terminal.wait(f"a question in row {rows}", asks)
        terminal.screen.is_strict = True
        terminal.press("\x7f")
        terminal.wait("no question", lambda: not asks())
        if rows > 2:
            terminal.sees("2 of ")
    terminal.press("q")
    terminal.shell_says("ended 0")
    terminal.is_as_before()


def ending(command):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        terminal, job = begin(command)
        if number == signal.SIGINT:
            terminal.press("\x03")
        else:
            os.kill(job, number)
        terminal.shell_says(f"ended {-number}")
        terminal.is_as_before()


def stopping(command):
    terminal, _ = begin(command)
    for place in (2, 3):
        terminal.press("n")
        terminal.sees(f"{place} of ")
        terminal.press("\x1a")
        terminal.shell_says("stopped")
        terminal.is_as_before()
        terminal.order("continue")
        terminal.sees(f"{place} of ")
        assert terminal.screen.is_own, "no screen of its own"
    terminal.press("q")
    terminal.shell_says("ended 0")
    terminal.is_as_before()


def main():
    replay, scenario, *words = sys.argv[1:]
    os.environ["TERM"] = "xterm"
    signal.pthread_sigmask(signal.SIG_SETMASK, [])  # as a shell has it, whoever started this
    {"keys": keys, "resizing": resizing, "ending": ending, "stopping": stopping}[scenario]([replay, "step", *words])


main()
