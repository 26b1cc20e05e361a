#!/usr/bin/env python3
"""Writes docs/man/replay.1 from what `replay --help` and the help of every sub-command say; sijilld.1 likewise.

    python3 Scripts/man.py .build/debug/replay           # writes the page
    python3 Scripts/man.py .build/debug/replay --check   # ends with 1 if it is not as it would be written
"""

import os
import pathlib
import re
import subprocess
import sys

TOOL = pathlib.Path(sys.argv[1]).name
PAGE = pathlib.Path(__file__).resolve().parent.parent / f"docs/man/{TOOL}.1"
PURPOSE = {"replay": "records what happened, and answers from it", "sijilld": "serves journals over HTTP"}

# Names and values of an option or an argument, then what it is: behind one blank where they fill the column.
OPTION = re.compile(r"  ((?:--?[\w-]+,?|<[^>]+>|\.{3}|/)(?: (?:--?[\w-]+,?|<[^>]+>|\.{3}|/))*)(?: +(\S.*))?")


def help_of(tool, *words):
    environment = dict(os.environ, COLUMNS="1000")
    done = subprocess.run(
        [tool, *words, "--help"], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.rstrip("\n").split("\n")


def escaped(line):
    line = line.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + line if line[:1] in (".", "'") else line


def subcommands(lines):
    """The names below SUBCOMMANDS."""
    if "SUBCOMMANDS:" not in lines:
        return []
    below = lines[lines.index("SUBCOMMANDS:") + 1:]
    return [name for name in re.findall(r"^  ([a-z-]+)", "\n".join(below), re.M) if name != "help"]


def body(lines):
    """A help text in man's macros: its lists of options become paragraphs, its examples stay as they are."""
    out = []
    for line in lines:
        heading = re.fullmatch(r"([A-Z]+):", line)
        option = OPTION.fullmatch(line) or re.fullmatch(r"  (\S.*?)(?:  +(\S.*))?", line)
        if line.startswith("OVERVIEW: "):
            out.append(escaped(line.removeprefix("OVERVIEW: ")))
        elif line.startswith("USAGE: "):
            out += [".PP", ".B " + escaped(line.removeprefix("USAGE: "))]
        elif heading and heading[1] != "SUBCOMMANDS":
            out += [".PP", ".I " + heading[1].capitalize()]
        elif line == "EXAMPLE":
            out += [".PP", ".I Example"]
        elif line.startswith(f"  {TOOL} ") or line.startswith("  SIJILL_") or line.startswith("    --") or line.startswith("  tail "):
            out += [".br", escaped(line)]
        elif option and line.startswith("  "):
            out += [".TP", ".B " + escaped(option[1])] + ([escaped(option[2])] if option[2] else [])
        elif line.strip() == "":
            out.append(".PP")
        elif not heading:
            out.append(escaped(line.strip()))
    return out


def page(tool):
    top = help_of(tool)
    names = subcommands(top)
    end = top.index("SUBCOMMANDS:") if "SUBCOMMANDS:" in top else len(top)
    out = [
        '.\\" Written by Scripts/man.py from the help texts.', f'.TH {TOOL.upper()} 1 "" "sijill" ""', ".SH NAME",
        f"{TOOL} \\- {PURPOSE[TOOL]}", ".SH SYNOPSIS", f".B {TOOL}",
        "\\fIsubcommand\\fR [\\fIoptions\\fR]", ".SH DESCRIPTION"]
    out += body(top[:end])
    out.append(".SH SUBCOMMANDS")
    for name in names:
        lines = help_of(tool, name)
        for path in [[name, *inner] for inner in ([[]] + [[n] for n in subcommands(lines)])]:
            text = help_of(tool, *path)
            cut = text.index("SUBCOMMANDS:") if "SUBCOMMANDS:" in text else len(text)
            out.append(f".SS {TOOL} " + escaped(" ".join(path)))
            out += body(text[:cut])
    # One paragraph mark is enough.
    kept = [line for index, line in enumerate(out) if line != ".PP" or (index and out[index - 1] != ".PP")]
    return "\n".join(kept) + "\n"


def main():
    text = page(sys.argv[1])
    if "--check" in sys.argv:
        sys.exit(0 if PAGE.exists() and PAGE.read_text() == text else f"{PAGE}: write it again")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text)


main()
