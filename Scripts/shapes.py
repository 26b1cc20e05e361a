#!/usr/bin/env python3
"""Writes Sources/Products/DocumentShapes.swift: what the documents of each read model look like, from the golden ones in snapshots/.

    python3 Scripts/shapes.py            # writes the file
    python3 Scripts/shapes.py --check    # ends with 1 if it is not as it would be written

A shape reads like the schema of an event: {member:form,other?:form|null}, [item], {*:form} for an object whose members are named by the
data. What was null once may be null; what was missing once may be missing. Texts may be null, and so may lists and objects with texts: personal ones
are, for who may not see them; instants and dates are none.
"""
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Documents that the golden ones did not foresee: Tests/Service/shapes_test.py writes them.
OTHERS = os.path.join(ROOT, "Tests", "Service", "documents.json")
GOLDEN = os.path.join(ROOT, "snapshots")
TARGET = os.path.join(ROOT, "Sources", "Products", "DocumentShapes.swift")
INSTANT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$")
DATE = re.compile(r"^\d{4}-\d\d-\d\d$")
NAME = re.compile(r"^[a-z][A-Za-z]*$")
# Of a member at the top; ids have a capital, a dash or a slash.
TOP = re.compile(r"^[a-z][A-Za-z0-9.]*$")
# More members than this, and not always the same: anything.
MOST = 40


class Shape:
    """All that was seen at one place."""

    def __init__(self):
        self.count = 0
        self.kinds = set()
        self.texts = set()
        self.item = None
        self.members = {}
        self.objects = 0
        self.is_top = False

    def has_texts(self):
        return "string" in self.texts or any(each.has_texts() for each in [*self.members.values(), *([self.item] if self.item else [])])

    def see(self, value):
        self.count += 1
        if value is None:
            self.kinds.add("null")
        elif isinstance(value, bool):
            self.kinds.add("bool")
        elif isinstance(value, (int, float)):
            self.kinds.add("number")
        elif isinstance(value, str):
            self.kinds.add("text")
            self.texts.add("instant" if INSTANT.match(value) else "date" if DATE.match(value) else "string")
        elif isinstance(value, list):
            self.kinds.add("list")
            self.item = self.item or Shape()
            for each in value:
                self.item.see(each)
        else:
            self.kinds.add("object")
            self.objects += 1
            for name, each in value.items():
                self.members.setdefault(name, Shape()).see(each)

    def text(self):
        kinds = self.kinds - {"null"}
        if len(kinds) != 1:
            return "json"
        (kind,) = kinds
        form = {"bool": lambda: "bool", "number": lambda: "number", "text": self.string, "list": self.list, "object": self.object}[kind]()
        if kind in ("list", "object") and self.has_texts() and not self.is_top:
            self.kinds.add("null")
        return form + ("|null" if "null" in self.kinds and not form.endswith("|null") and form != "json" else "")

    def string(self):
        (form,) = self.texts if len(self.texts) == 1 else ("string",)
        return form if form != "string" else "string|null"

    def list(self):
        return f"[{self.item.text()}]" if self.item and self.item.count else "[json]"

    def object(self):
        if not self.members:
            return "{*:json}"
        whole = all(each.count == self.objects for each in self.members.values())
        if not all(NAME.match(name) for name in self.members):
            every = Shape()
            for each in self.members.values():
                every.join(each)
            return "{*:" + every.text() + "}"
        forms = {each.text() for each in self.members.values()}
        if not whole and len(forms) == 1 and "number" in forms:
            return "{*:number}"
        if not whole and len(self.members) > MOST:
            return "json"
        return "{" + ",".join(
            f"{name}{'' if each.count == self.objects else '?'}:{each.text()}" for name, each in sorted(self.members.items())) + "}"

    def join(self, other):
        self.count += other.count
        self.kinds |= other.kinds
        self.texts |= other.texts
        self.objects += other.objects
        if other.item:
            self.item = self.item or Shape()
            self.item.join(other.item)
        for name, each in other.members.items():
            self.members.setdefault(name, Shape()).join(each)


def documents(golden):
    """A golden file is a document, its pages, or either of them by key; keys are ids, members are names."""
    if isinstance(golden, list):
        return [page for page in golden if page is not None]
    is_paged = all(isinstance(value, list) and all(isinstance(page, dict) and "pages" in page for page in value) for value in golden.values())
    if all(TOP.match(name) for name in golden) and not is_paged:
        return [golden] if golden else []
    return [document for value in golden.values() if value is not None for document in documents([value] if isinstance(value, dict) else value)]


def shapes():
    found = {}
    with open(OTHERS, encoding="utf-8") as file:
        others = json.load(file)
    for model in sorted(os.listdir(GOLDEN)):
        shape = Shape()
        shape.is_top = True
        for file in sorted(os.listdir(os.path.join(GOLDEN, model))):
            with open(os.path.join(GOLDEN, model, file), encoding="utf-8") as opened:
                for document in documents(json.load(opened)):
                    shape.see(document)
        for document in others.get(model, []):
            shape.see(document)
        if shape.count:
            found[model] = shape.text()
    return found


def source():
    lines = ["// Written by Scripts/shapes.py from the golden read models in snapshots/.", "", "/// What the documents of each read model look like, as a schema text; a key that the events do not know reads null.",
             "package let documentShapes: [String: String] = ["]
    lines += [f'    "{model}":\n        "{text}",' for model, text in shapes().items()]
    return "\n".join([*lines, "]", ""])


def main():
    made = source()
    if "--check" in sys.argv:
        with open(TARGET, encoding="utf-8") as file:
            if file.read() != made:
                sys.exit("Sources/Products/DocumentShapes.swift is not what snapshots/ say: run Scripts/shapes.py")
        return
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
