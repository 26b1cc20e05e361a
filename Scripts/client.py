#!/usr/bin/env python3
"""Writes Examples/clients/python/sijill.py from a service's /openapi.json.

usage: client.py http://127.0.0.1:8180 [--check]
"""
import json
import keyword
import os
import re
import sys
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(ROOT, "Examples", "clients", "python", "sijill.py")

HEAD = '''"""A client of a Sijill service. Written by Scripts/client.py from /openapi.json; the standard library is all it needs.

    client = Client("http://127.0.0.1:8180", token="...")
    outcome = client.submit({"id": "c-1", "command": "examroom.exam.publish", ...})
    exam = client.get_models_model_key("examroom.exam", "EX-1", min_position=client.position)
    for event in client.follow(type="examroom.attempt.*", after=last):
        ...
"""
import http.client
import json
import time
import urllib.parse


class Problem(Exception):
    """What the service answers instead (RFC 9457)."""

    def __init__(self, status, document):
        super().__init__(f"{status} {document.get('code')}: {document.get('detail')}")
        self.status = status
        self.code = document.get("code")
        self.outcome = document.get("outcome")


class Client:
    """One service, one identity, and a journal of it; `position` is that of the last answer.

    A journal that another node has (docs/service/placement.md) is followed there, and the token goes with it.
    """

    def __init__(self, address, token=None, journal=None, timeout=60, tries=5):
        self._first, self._timeout, self._tries = address, timeout, tries
        self._turn_to(address)
        self._prefix = f"/v1/journals/{urllib.parse.quote(journal, safe='')}" if journal else "/v1"
        self._fields = {"Authorization": f"Bearer {token}"} if token else {}
        self._connection = None
        self.position = None

    def _turn_to(self, address):
        parts = urllib.parse.urlsplit(address)
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host = parts.netloc

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None

    # What every call does

    def _ask(self, method, path, query=None, body=None, fields=None, again=True):
        """The response, read. 429 and 503 are tried again, and so is what was cut off, where that does no harm."""
        given = {name.replace("_", "-"): value for name, value in (query or {}).items() if value is not None}
        if given:
            path += "?" + urllib.parse.urlencode({
                name: str(value).lower() if isinstance(value, bool) else value for name, value in given.items()})
        for turn in range(self._tries):
            last = turn == self._tries - 1
            try:
                if self._connection is None:
                    self._connection = self._kind(self._host, timeout=self._timeout)
                self._connection.request(method, path, body=body, headers={**self._fields, **(fields or {})})
                response = self._connection.getresponse()
                content = response.read()
            except (OSError, http.client.HTTPException):
                self.close()
                self._turn_to(self._first)
                if last or not again:
                    raise
                time.sleep(min(2 ** turn * 0.1, 2))
                continue
            if response.status == 307 and not last:
                self.close()
                self._turn_to(response.getheader("Location"))
                continue
            if response.status in (429, 503) and again and not last:
                time.sleep(float(response.getheader("Retry-After") or 1))
                continue
            if response.getheader("Sijill-Position"):
                self.position = int(response.getheader("Sijill-Position"))
            if response.status >= 400 or response.status == 307:
                raise Problem(response.status, json.loads(content or b"{}"))
            return response, content

    def _json(self, method, path, query=None, body=None, fields=None):
        fields = dict(fields or {})
        if body is not None:
            body = json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        _, content = self._ask(method, path, query, body, fields)
        return json.loads(content) if content.strip() else None

    # Commands

    def submit(self, command, dry_run=False):
        """The outcome of a command. One that bears an `id` may be sent again and again: it is recorded once."""
        fields = {"Content-Type": "application/json"}
        query = {"dry-run": True} if dry_run else None
        path = self._prefix + "/commands"
        try:
            _, content = self._ask(
                "POST", path, query, json.dumps(command).encode(), fields, again="id" in command)
        except Problem as problem:
            if problem.outcome is None:
                raise
            return problem.outcome
        return json.loads(content)

    def submit_all(self, commands):
        """The outcomes of commands, in their order; all must bear an `id`."""
        body = "".join(json.dumps(command) + "\\n" for command in commands).encode()
        _, content = self._ask(
            "POST", self._prefix + "/commands", None, body, {"Content-Type": "application/x-ndjson"})
        return [json.loads(line) for line in content.splitlines()]

    # Live

    def follow(self, after=0, **wanted):
        """Each wanted event behind a position, for ever: gapless and in order, whatever becomes of the connection."""
        last = after
        while True:
            connection = self._kind(self._host, timeout=30)
            try:
                query = urllib.parse.urlencode(wanted)
                connection.request(
                    "GET", self._prefix + "/events" + ("?" + query if query else ""),
                    headers={**self._fields, "Accept": "text/event-stream", "Last-Event-ID": str(last)})
                response = connection.getresponse()
                if response.status == 307:
                    self._turn_to(response.getheader("Location"))
                    time.sleep(0.1)
                    continue
                if response.status != 200:
                    raise Problem(response.status, json.loads(response.read() or b"{}"))
                fields = {}
                for line in iter(response.readline, b""):
                    name, _, value = line.decode().rstrip("\\n").partition(": ")
                    if name:
                        fields[name] = value
                        continue
                    if fields.get("event") == "event":
                        yield json.loads(fields["data"])
                    last = int(fields.get("id", last))
                    fields = {}
            except (OSError, http.client.HTTPException):
                self._turn_to(self._first)
                time.sleep(0.5)
            except Problem as problem:
                if problem.status not in (429, 503):
                    raise
                time.sleep(1)
            finally:
                connection.close()

    # The routes
'''


def snake(name):
    name = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower().replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def method(path, verb, operation, is_of_journal):
    """A method of the client for a route."""
    names = re.findall(r"{(\w+)}", path)
    query = [each for each in operation["parameters"] if each["in"] == "query"]
    takes = operation.get("x-arguments")
    body = "requestBody" in operation
    media = operation["responses"].get("200", operation["responses"].get("201", {})).get("content", {})
    arguments = ["self"] + names + (["body"] if body else [])
    arguments += [f"{snake(each['name'])}=None" for each in query] + (["**arguments"] if takes else [])
    where = path.removeprefix("/v1") if is_of_journal else path
    for name in names:
        where = where.replace("{" + name + "}", "{_part(" + name + ")}")
    given = "{" + ", ".join(f'"{each["name"]}": {snake(each["name"])}' for each in query) + "}"
    if takes:
        given = given[:-1] + (", " if query else "") + "**arguments}"
    lines = [f"    def {snake(operation['operationId'])}({', '.join(arguments)}):",
             f'        """{operation["summary"]}"""']
    where = ("f" if names else "") + f'"{where}"'
    call = f'"{verb.upper()}", {"self._prefix + " if is_of_journal else ""}{where}, {given}'
    if "application/json" in media or not media:
        lines.append(f"        return self._json({call}" + (", body)" if body else ")"))
    else:
        lines.append(f"        return self._ask({call})[1]")
    return "\n".join(lines)


def text(address):
    with urllib.request.urlopen(address + "/openapi.json") as response:
        document = json.load(response)
    parts = [HEAD]
    for path, operations in sorted(document["paths"].items()):
        if "{journal}" in path or path == "/openapi.json":
            continue
        for verb, operation in sorted(operations.items()):
            if operation["operationId"] == "postCommands":
                continue  # submit and submit_all
            is_of_journal = "/v1/journals/{journal}" + path.removeprefix("/v1") in document["paths"]
            parts.append(method(path, verb, operation, is_of_journal) + "\n")
    parts.append('\ndef _part(text):\n    return urllib.parse.quote(str(text), safe="")\n')
    return "\n".join(parts)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    made = text(sys.argv[1].rstrip("/"))
    if "--check" in sys.argv:
        with open(TARGET, encoding="utf-8") as file:
            sys.exit(None if file.read() == made else f"{TARGET} is not what {sys.argv[0]} writes: run it without --check")
    with open(TARGET, "w", encoding="utf-8") as file:
        file.write(made)
