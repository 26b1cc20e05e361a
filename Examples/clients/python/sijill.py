"""A client of a Sijill service. Written by Scripts/client.py from /openapi.json; the standard library is all it needs.

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
        body = "".join(json.dumps(command) + "\n" for command in commands).encode()
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
                    name, _, value = line.decode().rstrip("\n").partition(": ")
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

    def get_health_live(self):
        """Whether the process answers at all."""
        return self._ask("GET", "/health/live", {})[1]

    def get_health_ready(self):
        """Whether requests can be answered."""
        return self._ask("GET", "/health/ready", {})[1]

    def get_log_checkpoint(self):
        """The newest signed checkpoint."""
        return self._ask("GET", "/log/checkpoint", {})[1]

    def get_log_tile_place(self, place):
        """A tile, LEVEL/INDEX, or the entries below one, entries/INDEX; a partial one ends in .p/WIDTH."""
        return self._ask("GET", f"/log/tile/{_part(place)}", {})[1]

    def get_metrics(self):
        """Metrics in the text form of Prometheus."""
        return self._ask("GET", "/metrics", {})[1]

    def get_audit_checkpoints(self):
        """The checkpoints that are kept, the smallest first."""
        return self._json("GET", self._prefix + "/audit/checkpoints", {})

    def post_audit_checkpoints(self, attesting=None):
        """Signs the journal as it is now, with the key of the settings."""
        return self._ask("POST", self._prefix + "/audit/checkpoints", {"attesting": attesting})[1]

    def get_audit_checkpoints_size(self, size):
        """A kept checkpoint, by the number of events that it covers."""
        return self._ask("GET", self._prefix + f"/audit/checkpoints/{_part(size)}", {})[1]

    def get_audit_export(self):
        """The whole journal without keys and personal values, as replay export --sealed prints it."""
        return self._ask("GET", self._prefix + "/audit/export", {})[1]

    def get_audit_proofs_consistency(self, from_=None, to=None):
        """A file that proves that a later checkpoint continues an earlier one."""
        return self._ask("GET", self._prefix + "/audit/proofs/consistency", {"from": from_, "to": to})[1]

    def get_audit_proofs_inclusion_position(self, position):
        """A file that proves that an event is in the journal as it was signed."""
        return self._ask("GET", self._prefix + f"/audit/proofs/inclusion/{_part(position)}", {})[1]

    def get_audit_report(self, from_=None, to=None):
        """Who did what in a period, and what vouches for it: one page of HTML."""
        return self._ask("GET", self._prefix + "/audit/report", {"from": from_, "to": to})[1]

    def get_cluster(self):
        """The nodes that have the default journal, and which one decides."""
        return self._json("GET", "/v1/cluster", {})

    def get_diff_model(self, model, from_=None, to=None, **arguments):
        """What differs in a document between two moments, as a JSON Patch (RFC 6902)."""
        return self._json("GET", self._prefix + f"/diff/{_part(model)}", {"from": from_, "to": to, **arguments})

    def get_diff_model_key(self, model, key, from_=None, to=None, **arguments):
        """What differs in a document between two moments, as a JSON Patch (RFC 6902)."""
        return self._json("GET", self._prefix + f"/diff/{_part(model)}/{_part(key)}", {"from": from_, "to": to, **arguments})

    def get_events(self, stream=None, type=None, tag=None, by=None, from_=None, to=None, reverse=None, limit=None, after=None, before=None):
        """Events, in order: a page, all as lines, or live."""
        return self._json("GET", self._prefix + "/events", {"stream": stream, "type": type, "tag": tag, "by": by, "from": from_, "to": to, "reverse": reverse, "limit": limit, "after": after, "before": before})

    def get_events_position(self, position, proof=None):
        """One event, whole."""
        return self._json("GET", self._prefix + f"/events/{_part(position)}", {"proof": proof})

    def post_explain(self, body):
        """What would come of a command, and by which checks; nothing is recorded."""
        return self._json("POST", self._prefix + "/explain", {}, body)

    def get_jobs(self):
        """The jobs that wait or run, and the last that ended; the newest first."""
        return self._json("GET", self._prefix + "/jobs", {})

    def post_jobs(self, body):
        """Have the journal verified, its read models rebuilt, or a backup written."""
        return self._json("POST", self._prefix + "/jobs", {}, body)

    def delete_jobs_id(self, id):
        """Cancel a job: it ends at its next step."""
        return self._json("DELETE", self._prefix + f"/jobs/{_part(id)}", {})

    def get_jobs_id(self, id):
        """How far a job is, and what came of it."""
        return self._json("GET", self._prefix + f"/jobs/{_part(id)}", {})

    def get_journals(self):
        """The names of the journals beside the default one."""
        return self._json("GET", "/v1/journals", {})

    def get_keys_model(self, model, from_=None, limit=None):
        """The keys of which a read model has documents, in order of code point."""
        return self._json("GET", self._prefix + f"/keys/{_part(model)}", {"from": from_, "limit": limit})

    def get_models(self):
        """The read models: their keys, arguments, questions."""
        return self._json("GET", self._prefix + "/models", {})

    def get_models_model(self, model, as_of=None, known_at=None, now=None, min_position=None, **arguments):
        """A read model without key."""
        return self._json("GET", self._prefix + f"/models/{_part(model)}", {"as-of": as_of, "known-at": known_at, "now": now, "min-position": min_position, **arguments})

    def get_models_model_key(self, model, key, as_of=None, known_at=None, now=None, min_position=None, **arguments):
        """A read model's document of a key."""
        return self._json("GET", self._prefix + f"/models/{_part(model)}/{_part(key)}", {"as-of": as_of, "known-at": known_at, "now": now, "min-position": min_position, **arguments})

    def get_placement(self):
        """Which node has which journal, and which are open on this one."""
        return self._json("GET", "/v1/placement", {})

    def get_sinks(self):
        """Where the databases of the setting `sinks` stand."""
        return self._json("GET", "/v1/sinks", {})

    def get_status(self):
        """Where the journal stands, and what the service is busy with."""
        return self._json("GET", self._prefix + "/status", {})

    def get_steps_model(self, model, as_of=None, limit=None, **arguments):
        """The events that touched a document: no other can have changed it."""
        return self._json("GET", self._prefix + f"/steps/{_part(model)}", {"as-of": as_of, "limit": limit, **arguments})

    def get_steps_model_key(self, model, key, as_of=None, limit=None, **arguments):
        """The events that touched a document: no other can have changed it."""
        return self._json("GET", self._prefix + f"/steps/{_part(model)}/{_part(key)}", {"as-of": as_of, "limit": limit, **arguments})

    def get_streams_stream(self, stream, limit=None):
        """The events of one thing, by revision."""
        return self._json("GET", self._prefix + f"/streams/{_part(stream)}", {"limit": limit})

    def get_subscriptions(self):
        """All subscriptions of the journal."""
        return self._json("GET", self._prefix + "/subscriptions", {})

    def delete_subscriptions_name(self, name):
        """Takes a subscription away, and its checkpoints with it."""
        return self._json("DELETE", self._prefix + f"/subscriptions/{_part(name)}", {})

    def get_subscriptions_name(self, name):
        """A subscription, its checkpoints and its leases."""
        return self._json("GET", self._prefix + f"/subscriptions/{_part(name)}", {})

    def put_subscriptions_name(self, name, body):
        """Makes a subscription, or says it again."""
        return self._json("PUT", self._prefix + f"/subscriptions/{_part(name)}", {}, body)

    def post_subscriptions_name_leases(self, name, body):
        """A lease for a consumer: the partitions that fall to them."""
        return self._json("POST", self._prefix + f"/subscriptions/{_part(name)}/leases", {}, body)

    def delete_subscriptions_name_leases_lease(self, name, lease):
        """Gives a lease back."""
        return self._json("DELETE", self._prefix + f"/subscriptions/{_part(name)}/leases/{_part(lease)}", {})

    def put_subscriptions_name_leases_lease(self, name, lease):
        """The lease for a while longer, with the partitions that it has now."""
        return self._json("PUT", self._prefix + f"/subscriptions/{_part(name)}/leases/{_part(lease)}", {})

    def put_subscriptions_name_partitions_partition_checkpoint(self, name, partition, body):
        """All events of a partition up to a position are done."""
        return self._json("PUT", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/checkpoint", {}, body)

    def get_subscriptions_name_partitions_partition_events(self, name, partition, max=None):
        """The events that come next in a partition, in order."""
        return self._json("GET", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/events", {"max": max})

    def get_subscriptions_name_partitions_partition_parked(self, name, partition):
        """The events that were set aside."""
        return self._json("GET", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/parked", {})

    def post_subscriptions_name_partitions_partition_parked(self, name, partition, body):
        """Sets an event aside, and all behind it of its stream."""
        return self._json("POST", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/parked", {}, body)

    def delete_subscriptions_name_partitions_partition_parked_position(self, name, partition, position):
        """Passes over a parked event; those behind it of its stream are offered."""
        return self._json("DELETE", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/parked/{_part(position)}", {})

    def post_subscriptions_name_partitions_partition_parked_position_retry(self, name, partition, position):
        """Offers a parked event again, then those behind it of its stream."""
        return self._json("POST", self._prefix + f"/subscriptions/{_part(name)}/partitions/{_part(partition)}/parked/{_part(position)}/retry", {})

    def delete_subscriptions_name_webhook(self, name):
        """Posts no more; consumers may take leases again."""
        return self._json("DELETE", self._prefix + f"/subscriptions/{_part(name)}/webhook", {})

    def get_subscriptions_name_webhook(self, name):
        """Where events are posted to, and which of them are not taken."""
        return self._json("GET", self._prefix + f"/subscriptions/{_part(name)}/webhook", {})

    def put_subscriptions_name_webhook(self, name, body):
        """Posts the events of a subscription to a URL, signed."""
        return self._json("PUT", self._prefix + f"/subscriptions/{_part(name)}/webhook", {}, body)

    def post_what_if(self, body):
        """How documents would differ had other policies been in force from the first event on."""
        return self._json("POST", self._prefix + "/what-if", {}, body)

    def get_why_model(self, model, path=None, as_of=None, limit=None, now=None, **arguments):
        """The events that made a document, or a value in it, what it is, the last first."""
        return self._json("GET", self._prefix + f"/why/{_part(model)}", {"path": path, "as-of": as_of, "limit": limit, "now": now, **arguments})

    def get_why_model_key(self, model, key, path=None, as_of=None, limit=None, now=None, **arguments):
        """The events that made a document, or a value in it, what it is, the last first."""
        return self._json("GET", self._prefix + f"/why/{_part(model)}/{_part(key)}", {"path": path, "as-of": as_of, "limit": limit, "now": now, **arguments})


def _part(text):
    return urllib.parse.quote(str(text), safe="")
