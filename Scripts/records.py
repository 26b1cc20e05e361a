#!/usr/bin/env python3
"""Writes PRODUCT+Records.swift in every target of a product: what the fields of its records say already (ADR 0003).

A record declares its fields, in the order of its list; `fields`, which walks them, follows from that, and so does an
initialiser of every event that names each field: the compiler says which one a caller left out. The type says how a
coder takes a field:

    var exam = ExamID.none               field            a value, or null where it is optional
    var exam: ExamID?                    optional         in a command: may be left out
    var exam: Own<ExamID> = .none        own              told by the stream alone
    var reason: Personal<String> = nil   personal         what an erasure hides
    var title: Filled = ""               filled           a text that is never empty
    var title: Filled?                   optionalFilled   … and may be left out
    var points = 0                       number           in a command: within the bounds of all numbers
    var reason = ""                      text             in a command: within the bounds of all texts
    var reason: String?                  optionalText     … and may be left out, as an optionalNumber

A record that lists its fields otherwise writes `fields` itself, and one that a protocol lists them for writes none.

    python3 Scripts/records.py          # writes the files
    python3 Scripts/records.py --check  # ends with 1 if one of them is not as it would be written
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"
# The rooms of the products, and what a record of each may conform to: protocols of the machinery and of rooms beneath.
ROOMS = {
    "Events": ["Core"],
    "Facts": ["Core", "Folding", "Events/PRODUCT"],
    "Commands": ["Core", "Folding", "Commands", "Events/PRODUCT", "Facts/PRODUCT"],
}
OPENING = re.compile(
    r"^\s*((?:package |public |private |fileprivate |final )*)(extension|enum|struct|class|protocol) ([\w.]+)(.*)$")
FIELD = re.compile(
    r"^\s*((?:package |public |private |fileprivate |\w+\(set\) )*)var (`?\w+`?)(?:: ([^={]+?))?(?: = (.+))?$")
# What a command takes has the bounds of the contract (`Bounds`), where it does not list its fields itself.
BOUNDED = {"String": "text", "Int": "number"}
# The coders of the binary form, which every event passes.
SPECIALIZED = ["BinaryReader", "BinaryWriter"]
MARKS = [("Own<", "own"), ("Personal<", "personal"), ("Filled?", "optionalFilled"), ("Filled", "filled")]


class Declaration:
    """A type: what it says of itself in all of its parts."""

    def __init__(self, path, kind, access, file, generic):
        self.path, self.kind, self.access, self.file, self.generic = path, kind, access, file, generic
        self.fields, self.bases = [], []
        self.is_event = self.lists_fields = False


class Field:
    def __init__(self, access, name, kind, value, file, line):
        self.access, self.name, self.value, self.file, self.line = access, name, value, file, line
        self.kind = (kind or inferred(value, file, line)).strip()

    def call(self, room):
        """How a coder takes it."""
        for mark, way in MARKS:
            if self.kind.startswith(mark):
                return way
        if room != "Commands":
            return "field"
        bounded = BOUNDED.get(self.kind.rstrip("?"))
        if self.kind.endswith("?"):
            return f"optional{bounded.capitalize()}" if bounded and not self.kind.endswith("??") else "optional"
        return bounded or "field"


def declarations(files):
    """Every type that the files declare, and the names of their type aliases, by path."""
    found, aliases = {}, set()
    for file in files:
        stack, depth = [], 0
        head = ""
        for line in file.read_text().split("\n"):
            code = head + re.sub(r'"(\\.|[^"\\])*"', '""', line.split("//")[0])
            opening = OPENING.match(code)
            head = f"{code} " if opening and "{" not in code else ""
            if head:
                continue
            if opening:
                access, kind, name, rest = opening.groups()
                outer = stack[-1][0] if stack else None
                path = name if kind == "extension" or not outer else f"{outer.path}.{name}"
                new = Declaration(path, kind, access.split(), file, rest.startswith("<"))
                if path in found and found[path].kind == "extension" != kind:
                    new.bases, new.lists_fields = found[path].bases, found[path].lists_fields
                    found[path] = new
                declaration = found.setdefault(path, new)
                if outer and kind != "extension" and hidden(outer):
                    declaration.access += ["private"]
                bases = re.match(r"(?:<[^>]*>)?\s*:\s*(.*?)\s*(?:where .*)?\{", rest)
                declaration.bases += [base.strip() for base in bases[1].split(",")] if bases else []
                if code.count("{") > code.count("}"):
                    stack.append((declaration, depth))
            elif stack and depth == stack[-1][1] + 1:
                declaration = stack[-1][0]
                if re.match(r'\s*package static let type = "', line):
                    declaration.is_event = True
                # That which is told the version walks the lists of all versions.
                if "func fields<" in code and "version:" not in code:
                    declaration.lists_fields = True
                field = FIELD.match(line.split(" //")[0].rstrip())
                if field and declaration.kind == "struct":
                    declaration.fields.append((*field.groups(), file, line))
            if alias := re.match(r"\s*(?:package |public )?typealias (\w+)", code):
                aliases.add(f"{stack[-1][0].path}.{alias[1]}" if stack else alias[1])
            depth += code.count("{") - code.count("}")
            while stack and depth <= stack[-1][1]:
                stack.pop()
    return found, aliases


def hidden(declaration):
    return "private" in declaration.access or "fileprivate" in declaration.access


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


def qualified(kind, path, known):
    """The type as it is called at the top of a file."""

    def resolve(match):
        name = match[0]
        scopes = path.split(".")
        first = name.split(".")[0]
        while scopes:
            if ".".join(scopes + [first]) in known:
                return ".".join(scopes + [name])
            scopes.pop()
        return name

    return re.sub(r"(?<!\.)\b[A-Z]\w*(?:\.\w+)*", resolve, kind)


def protocols(found):
    """The protocols of records by name, each with whether it lists the fields of those who conform."""
    ways = {}
    for declaration in found.values():
        if declaration.kind == "protocol":
            ways[declaration.path.split(".")[-1]] = declaration
    for declaration in found.values():
        if declaration.kind == "extension" and declaration.lists_fields:
            if protocol := ways.get(declaration.path.split(".")[-1]):
                protocol.lists_fields = True
    return ways


def ancestors(declaration, ways):
    """The protocols that a type conforms to, those that they refine among them."""
    seen, open_ = {}, list(declaration.bases)
    while open_:
        name = open_.pop().split(".")[-1]
        if name in ways and name not in seen:
            seen[name] = ways[name]
            open_ += ways[name].bases
    return seen


def lines(room, product):
    """A line for each record of a target."""
    own = files(f"{room}/{product}")
    beneath = [file for folder in ROOMS[room] for file in files(folder.replace("PRODUCT", product))]
    found, aliases = declarations(own)
    ways = protocols(declarations(beneath + own)[0])
    known = set(found) | aliases
    for path, declaration in sorted(found.items()):
        if declaration.kind != "struct" or declaration.generic or hidden(declaration):
            continue
        above = ancestors(declaration, ways)
        if "Record" not in above:
            continue
        access = "package " if "package" in declaration.access else ""
        members = []
        is_listed = declaration.lists_fields or any(p.lists_fields for n, p in above.items() if n != "Record")
        # Of an earlier version alone: no event is made with it any more.
        present = [field for field in declaration.fields if not (field[0].strip() == "private" and field[1].startswith("former"))]
        # An event that hides a field says how it is made.
        is_open = present and all("package" in access for access, *_ in present)
        makes = room == "Events" and declaration.is_event and is_open
        fields = [] if is_listed and not makes else [Field(*field) for field in (present if is_listed else declaration.fields)]
        if makes:
            parameters = ", ".join(f"{f.name.strip('`')}: {qualified(f.kind, path, known)}" for f in fields)
            sets = "; ".join(f"self.{f.name.strip('`')} = {f.name}" for f in fields)
            members.append(f"{access}init({parameters}) {{ self.init(); {sets} }}")
        if not is_listed:
            calls = "; ".join(f'coder.{f.call(room)}("{f.name.strip("`")}", &{f.name})' for f in fields)
            # Whoever reads or writes events does not know their types: the compiler is told which coders matter.
            known_coders = "".join(f"@specialized(where C == {coder}) " for coder in SPECIALIZED) if room == "Events" else ""
            members.append(
                f"{known_coders}{access}mutating func fields<C: Coder>(_ coder: inout C) {{ {calls} }}".replace("{  }", "{}"))
        if members:
            yield f"extension {path} {{ {'; '.join(members)} }}"


def files(folder):
    """The files of a target; of a room with products, those that stand beside them."""
    products = {p.name for p in (SOURCES / "Events").iterdir()}
    return [
        file for file in sorted((SOURCES / folder).rglob("*.swift"))
        if not file.name.endswith("+Records.swift")
        and ("/" in folder or not products & set(file.relative_to(SOURCES / folder).parts))]


def text(room, product):
    """The file of a target; nothing where no record needs one."""
    records = list(lines(room, product))
    if not records:
        return None
    head = [
        "// Written by Scripts/records.py from the fields that the records declare (ADR 0003).",
        "// swift-format-ignore-file",
        "import Core" if room == "Commands" else "package import Core",
        *([] if room == "Events" else [f"import {product}Events"]),
        "",
    ]
    return "\n".join(head + records) + "\n"


def main():
    stale = []
    for room in ROOMS:
        for product in sorted(p.name for p in (SOURCES / "Events").iterdir()):
            file = SOURCES / room / product / f"{product}+Records.swift"
            wanted = text(room, product)
            if "--check" not in sys.argv and wanted is not None:
                file.write_text(wanted)
            elif (file.read_text() if file.exists() else None) != wanted:
                stale.append(str(file.relative_to(ROOT)))
    if stale:
        sys.exit(f"{', '.join(stale)}: not as Scripts/records.py writes it; run it")


if __name__ == "__main__":
    main()
