"""Documents are what /openapi.json says of them: at other moments than the golden ones that the schemas are made from, and sealed.

SIJILL_SHAPES=write looks at many more moments and keeps what is not as described in documents.json, for Scripts/shapes.py."""
import glob
import hashlib
import json
import os
import re
import subprocess
import unittest

from harness import REPLAY, ROOT, Server, example_commands, quoted, replay

TOKENS = {name: hashlib.sha256(name.encode()).hexdigest() for name in ("all", "sealed")}
ACCESS = {
    "identities": [
        {"name": "all", "tokenSHA256": TOKENS["all"], "roles": ["reader", "auditor"], "personal": True, "readsPerSecond": 1000000},
        {"name": "sealed", "tokenSHA256": TOKENS["sealed"], "roles": ["reader", "auditor"], "readsPerSecond": 1000000},
    ]}
INSTANT = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$")


def problems(value, schema, path="$"):
    """Where a value is not as its schema says (the part of JSON Schema that the description uses)."""
    if "anyOf" in schema:
        found = [list(problems(value, each, path)) for each in schema["anyOf"]]
        if all(found):
            yield from found[0]
        return
    kind = schema.get("type")
    right = {
        None: lambda: True, "null": lambda: value is None, "boolean": lambda: isinstance(value, bool),
        "number": lambda: isinstance(value, (int, float)) and not isinstance(value, bool),
        "integer": lambda: isinstance(value, int) and not isinstance(value, bool), "string": lambda: isinstance(value, str),
        "array": lambda: isinstance(value, list), "object": lambda: isinstance(value, dict)}[kind]()
    if not right:
        yield f"{path}: {json.dumps(value)[:60]} is no {kind}"
    elif kind == "array":
        for index, each in enumerate(value):
            yield from problems(each, schema.get("items", {}), f"{path}[{index}]")
    elif kind == "object":
        for name in schema.get("required", []):
            if name not in value:
                yield f"{path}.{name} is missing"
        for name, each in value.items():
            inner = schema.get("properties", {}).get(name, schema.get("additionalProperties"))
            if inner is None and "properties" in schema:
                yield f"{path}.{name} is not described"
            yield from problems(each, inner or {}, f"{path}.{name}")
    elif schema.get("format") == "date-time" and not INSTANT.match(value):
        yield f"{path}: {value} is no instant"


class Shapes(unittest.TestCase):
    WRITES = os.environ.get("SIJILL_SHAPES") == "write"
    SCENARIOS, MOMENTS = (100, 12) if WRITES else (1, 4)
    KEPT = os.path.join(ROOT, "Tests", "Service", "documents.json")

    def keep(self, model, document, found, known=set()):
        """A document for each thing that is not described."""
        wrong = {(model, re.sub(r"\[\d+\]", "[]", each)) for each in found}
        if wrong <= known:
            return
        known |= wrong
        with open(self.KEPT, encoding="utf-8") as file:
            kept = json.load(file)
        kept.setdefault(model, []).append(document)
        with open(self.KEPT, "w", encoding="utf-8") as file:
            json.dump(dict(sorted(kept.items())), file, ensure_ascii=False, indent=0, sort_keys=True)
            file.write("\n")

    def check(self, product):
        files = sorted(glob.glob(os.path.join(ROOT, "Examples", product, "*.jsonl")), key=os.path.getsize)[-self.SCENARIOS:]
        seen = 0
        for file in files:
            with Server(access=ACCESS) as server:
                lines = "".join(json.dumps(command) + "\n" for command in example_commands(os.path.relpath(file, ROOT)))
                # Some of them are refused, and are to be.
                subprocess.run([REPLAY, "submit", "--journal", server.journal], input=lines.encode(), capture_output=True, check=False)
                schemas = server.get("/openapi.json").json["components"]["schemas"]
                lines = replay("export", "--documents", "--journal", server.journal).splitlines()
                asked = [json.loads(line) for line in lines]
                head = server.get("/v1/events?reverse=true&limit=1", token="all").json["position"]
                moments = sorted({max(1, head * number // self.MOMENTS) for number in range(1, self.MOMENTS + 1)})
                for item in asked:
                    model = item.get("model")
                    if not model:
                        continue
                    path = f"/v1/models/{model}" + (f"/{quoted(item['key'])}" if item.get("key") else "")
                    arguments = "".join(f"&{name}={quoted(value)}" for name, value in (item.get("arguments") or {}).items())
                    for moment in moments:
                        for token in TOKENS:
                            answer = server.ask("GET", f"{path}?as-of={moment}{arguments}", token=token)
                            if answer.status != 200:
                                continue
                            seen += 1
                            found = list(problems(answer.json, schemas[f"model.{model}"]))
                            if found and self.WRITES:
                                self.keep(model, answer.json, found)
                                continue
                            self.assertEqual(found[:3], [], f"{os.path.basename(file)} {path} as of {moment}")
        self.assertGreater(seen, 200)

    def test_documents_of_examroom(self):
        self.check("examroom")

    def test_documents_of_learnable(self):
        self.check("learnable")

    def test_documents_of_quranflow(self):
        self.check("quranflow")

    def test_documents_of_tafawoq(self):
        self.check("tafawoq")


if __name__ == "__main__":
    unittest.main()
