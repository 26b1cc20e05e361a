#!/usr/bin/env python3
"""Writes Sources/Events/PRODUCT/PRODUCT+Initialisers.swift: an initialiser for every event that names every field.

An event made through it cannot leave a field out: the compiler says which one is missing (ADR 0003).

    python3 Scripts/initialisers.py          # writes the files
    python3 Scripts/initialisers.py --check  # ends with 1 if one of them is not as it would be written
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EVENTS = ROOT / "Sources/Events"
OPENING = re.compile(r"^\s*(?:package |public |private |fileprivate )*(extension|enum|struct|final class|protocol) ([\w.]+)(.*)$")
FIELD = re.compile(r"^\s*package (?:private\(set\) |internal\(set\) )?var (`?\w+`?)(?:: ([^={]+?))?(?: = (.+))?$")


class Declaration:
    def __init__(self, path, kind, file):
        self.path, self.kind, self.file = path, kind, file
        self.fields, self.is_event, self.lines = [], False, []


def declarations(product):
    """Every type that the product's events declare, by its path."""
    found = {}
    for file in sorted((EVENTS / product).rglob("*.swift")):
        if file.name.endswith("+Initialisers.swift"):
            continue
        stack, depth = [], 0
        for line in file.read_text().split("\n"):
            code = re.sub(r'"(\\.|[^"\\])*"', '""', line.split("//")[0])
            opening = OPENING.match(code)
            if opening and code.count("{") > 0:
                outer = stack[-1][0].path if stack else ""
                name = opening[2]
                path = name if opening[1] == "extension" else f"{outer}.{name}".strip(".")
                declaration = found.setdefault(path, Declaration(path, opening[1], file))
                if code.count("{") > code.count("}"):
                    stack.append((declaration, depth))
            elif stack and depth == stack[-1][1] + 1:
                declaration = stack[-1][0]
                if re.match(r'\s*package static let type = "', line):
                    declaration.is_event = True
                field = FIELD.match(line.split(" //")[0].rstrip())
                if field and declaration.kind == "struct":
                    declaration.fields.append((field[1], field[2] or inferred(field[3], file, line), field[3]))
            depth += code.count("{") - code.count("}")
            while stack and depth <= stack[-1][1]:
                stack.pop()
    return found


def inferred(value, file, line):
    """The type of a field that says its first value alone."""
    if value is None:
        raise SystemExit(f"{file}: no type and no value: {line.strip()}")
    if re.fullmatch(r"-?[\d_]+", value):
        return "Int"
    if value.startswith('"'):
        return "String"
    if value in ("true", "false"):
        return "Bool"
    for form in (r"(\[[^\]]+\])\(\)", r"([A-Z][\w.<>]*)\(.*\)", r"([A-Z][\w.<>\[\]]*)\.\w+"):
        if match := re.fullmatch(form, value):
            return match[1]
    raise SystemExit(f"{file}: what type has this? {line.strip()}")


def qualified(type_text, path, known):
    """The type as it is called at the top of a file."""

    def resolve(match):
        name = match[0]
        if name.startswith("."):
            return name
        scopes = path.split(".")
        first = name.split(".")[0]
        while scopes:
            if ".".join(scopes + [first]) in known:
                return ".".join(scopes + [name])
            scopes.pop()
        return name

    return re.sub(r"[A-Z]\w*(?:\.\w+)*", resolve, type_text)


def aliases(product):
    """`typealias ExamID = …` declared in the product's namespace."""
    names = set()
    for file in (EVENTS / product).rglob("*.swift"):
        outer = []
        depth = 0
        for line in file.read_text().split("\n"):
            code = line.split("//")[0]
            opening = OPENING.match(code)
            if opening and code.count("{") > code.count("}"):
                path = opening[2] if opening[1] == "extension" else ".".join([o[0] for o in outer[-1:]] + [opening[2]])
                outer.append((path, depth))
            if match := re.match(r"\s*(?:package |public )typealias (\w+)", code):
                names.add(f"{outer[-1][0]}.{match[1]}" if outer else match[1])
            depth += code.count("{") - code.count("}")
            while outer and depth <= outer[-1][1]:
                outer.pop()
    return names


def initialisers(product):
    found = declarations(product)
    known = set(found) | aliases(product)
    lines = [
        "// Written by Scripts/initialisers.py: every event is made with all of its fields (ADR 0003).",
        "// swift-format-ignore-file",
        "package import Core",
        "",
    ]
    for path in sorted(found):
        declaration = found[path]
        if not declaration.is_event or not declaration.fields:
            continue
        parameters = ", ".join(f"{name.strip('`')}: {qualified(kind.strip(), path, known)}" for name, kind, _ in declaration.fields)
        sets = "; ".join(f"self.{name.strip('`')} = {name}" for name, _, _ in declaration.fields)
        lines.append(f"extension {path} {{ package init({parameters}) {{ self.init(); {sets} }} }}")
    return "\n".join(lines) + "\n"


def main():
    stale = []
    for product in sorted(p.name for p in EVENTS.iterdir() if p.is_dir()):
        file = EVENTS / product / f"{product}+Initialisers.swift"
        text = initialisers(product)
        if "--check" in sys.argv:
            if not file.exists() or file.read_text() != text:
                stale.append(file.relative_to(ROOT))
        else:
            file.write_text(text)
    if stale:
        sys.exit(f"{', '.join(map(str, stale))}: not as Scripts/initialisers.py writes it; run it")


if __name__ == "__main__":
    main()
