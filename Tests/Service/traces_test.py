"""Traces as a collector receives them, and logs and problems that bear the same id."""
import http.server
import json
import re
import threading
import time
import unittest

from harness import Server, wait_until

TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
NAMES = ["Khadija Mansouri", "khadija@families.example", "Bint Yusuf", "Omar Benali", "omar@families.example"]


def account(number, name="Amal Haddad"):
    return {
        "id": f"r-{number}", "command": "examroom.account.register", "at": "2026-02-02T08:00:00Z", "by": "system",
        "data": {"account": f"S-{number}", "role": "student", "name": name,
                 "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}}


class Collector:
    """Takes OTLP over HTTP. `answers` are the statuses of the next posts; then 200."""

    def __init__(self, answers=(), delay=0, fields=None, body=b"{}"):
        self.posts, self.spans, self.times, self.answers = [], [], [], list(answers)
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                content = self.rfile.read(int(self.headers["Content-Length"]))
                collector.times.append(time.monotonic())
                collector.posts.append((self.path, self.headers["Content-Type"], content))
                time.sleep(delay)
                status = collector.answers.pop(0) if collector.answers else 200
                if status == 200:
                    collector.spans += collector.read(json.loads(content))
                try:
                    self.answer(status)
                except ConnectionError:
                    pass  # the service has ended meanwhile

            def answer(self, status):
                self.send_response(status)
                for name, value in (fields or {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/v1/traces"

    @staticmethod
    def read(document):
        found = []
        for resource in document["resourceSpans"]:
            assert {"key": "service.name", "value": {"stringValue": "sijilld"}} in resource["resource"]["attributes"]
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    span["attributes"] = {
                        each["key"]: next(iter(each["value"].values())) for each in span["attributes"]}
                    found.append(span)
        return found

    def of(self, trace):
        return [span for span in self.spans if span["traceId"] == trace]

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Traces(unittest.TestCase):
    def serve(self, ratio=1, endpoint=None, **more):
        self.collector = Collector(**more)
        self.server = Server(settings={
            "traces.endpoint": endpoint or self.collector.address, "traces.ratio": ratio, "log.level": "debug"})
        self.addCleanup(self.server.remove)
        self.addCleanup(self.collector.close)

    def counted(self, result):
        match = re.search(rf'sijill_spans_total{{result="{result}"}} (\d+)', self.server.get("/metrics").body.decode())
        return int(match.group(1)) if match else 0

    def test_a_command_is_a_span_of_its_senders_trace_with_its_wait_and_its_commit(self):
        self.serve()
        answer = self.server.submit(account(1), headers={
            "traceparent": f"00-{TRACE}-{PARENT}-01", "tracestate": "congo=t61rcWkgMzE,rojo@x=00f0"})
        self.assertEqual((answer.status, answer.headers["x-request-id"]), (201, TRACE))
        self.assertTrue(wait_until(lambda: len(self.collector.of(TRACE)) == 3))
        path, kind, _ = self.collector.posts[0]
        self.assertEqual((path, kind), ("/v1/traces", "application/json"))
        spans = {span["name"]: span for span in self.collector.of(TRACE)}
        self.assertEqual(set(spans), {"POST /v1/commands", "sijill.wait", "sijill.commit"})
        request = spans["POST /v1/commands"]
        self.assertEqual((request["parentSpanId"], request["kind"]), (PARENT, 2))
        self.assertEqual(request["attributes"], {
            "http.request.method": "POST", "http.response.status_code": "201", "http.route": "/v1/commands",
            "url.path": "/v1/commands", "url.scheme": "http"})
        self.assertEqual(len({span["spanId"] for span in spans.values()}), 3)
        for span in spans.values():
            self.assertRegex(span["spanId"], "^[0-9a-f]{16}$")
            self.assertEqual(span["traceState"], "congo=t61rcWkgMzE,rojo@x=00f0")
            self.assertLessEqual(int(request["startTimeUnixNano"]), int(span["startTimeUnixNano"]))
            self.assertLessEqual(int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"]))
            self.assertLessEqual(int(span["endTimeUnixNano"]), int(request["endTimeUnixNano"]))
            self.assertLess(abs(int(span["startTimeUnixNano"]) / 1e9 - time.time()), 60)
        for name in ("sijill.wait", "sijill.commit"):
            self.assertEqual((spans[name]["parentSpanId"], spans[name]["kind"]), (request["spanId"], 1))
        self.assertEqual(spans["sijill.wait"]["endTimeUnixNano"], spans["sijill.commit"]["startTimeUnixNano"])
        self.assertEqual(spans["sijill.commit"]["attributes"], {"sijill.commit.events": "1"})

    def test_without_a_parent_a_trace_begins_and_is_the_requests_id_everywhere(self):
        self.serve()
        answer = self.server.get("/v1/models/examroom.nothing/S-17")
        self.assertEqual(answer.status, 400)
        trace = answer.headers["x-request-id"]
        self.assertRegex(trace, "^[0-9a-f]{32}$")
        self.assertEqual(answer.json["requestId"], trace)
        self.assertTrue(wait_until(lambda: self.collector.of(trace)))
        span, = self.collector.of(trace)
        self.assertNotIn("parentSpanId", span)
        self.assertEqual(span["attributes"]["http.response.status_code"], "400")
        self.assertEqual(span["status"], {})
        self.assertTrue(wait_until(lambda: any(trace in line for line in self.server.log)))
        line, = [json.loads(line) for line in self.server.log if '"answered"' in line and trace in line]
        self.assertEqual((line["requestId"], line["status"]), (trace, "400"))
        # The key is a person's, and stands in no span.
        self.assertNotIn(b"S-17", b"".join(post[2] for post in self.collector.posts))

    def test_what_is_no_traceparent_is_as_if_it_had_not_come(self):
        self.serve()
        for field in ("", "x", f"00-{TRACE}-{PARENT}", f"00-{TRACE}-{PARENT}-01-", f"00-{TRACE}-{PARENT}-01-x",
                      f"ff-{TRACE}-{PARENT}-01", f"00-{'0' * 32}-{PARENT}-01", f"00-{TRACE}-{'0' * 16}-01",
                      f"00-{TRACE.upper()}-{PARENT}-01", f"00-{TRACE[:-1]}g-{PARENT}-01", f"00_{TRACE}-{PARENT}-01",
                      f"01-{TRACE}-{PARENT}-01x", f"00-{TRACE}-{PARENT}-0", f"0-{TRACE}-{PARENT}-001"):
            answer = self.server.get("/health/live", headers={"traceparent": field})
            self.assertEqual(answer.status, 200)
            self.assertNotEqual(answer.headers["x-request-id"], TRACE, field)
        # A later version may say more.
        for field in (f"01-{TRACE}-{PARENT}-01", f"cc-{TRACE}-{PARENT}-03-what-comes"):
            answer = self.server.get("/health/live", headers={"traceparent": field})
            self.assertEqual(answer.headers["x-request-id"], TRACE, field)

    def test_a_tracestate_that_is_none_is_left_out_and_the_trace_goes_on(self):
        self.serve()
        good = ["a=1", "a=1, b=2 ,,c=3", "0t@s=1", "a-_*/0=x y", ",".join(f"k{n}=v" for n in range(32))]
        bad = ["a", "a=", "A=1", "=1", "1a=1", "a=1,a=2", "a=b=c", "a@=1", "@a=1", "a@b@c=1", "a=" + "x" * 257,
               "a" * 257 + "=1", ",".join(f"k{n}=v" for n in range(33)), "a=é", "t@" + "s" * 15 + "=1"]
        for number, state in enumerate(good + bad):
            trace = f"{number + 1:032x}"
            self.server.get("/health/live", headers={
                "traceparent": f"00-{trace}-{PARENT}-01", "tracestate": state.encode().decode("latin-1")})
            self.assertTrue(wait_until(lambda: self.collector.of(trace)))
            self.assertEqual(self.collector.of(trace)[0].get("traceState"), state if state in good else None)

    def test_the_sender_decides_and_else_the_ratio(self):
        self.serve(ratio=0)
        self.server.get("/health/live", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
        self.assertTrue(wait_until(lambda: len(self.collector.spans) == 1))
        trace = self.server.get("/health/live").headers["x-request-id"]
        self.server.stop()
        self.assertEqual([span["traceId"] for span in self.collector.spans], [TRACE])
        self.assertNotEqual(trace, TRACE)
        self.server.settings["traces.ratio"] = 0.5
        self.server.start()
        self.server.get("/health/live", headers={"traceparent": f"00-{'c' * 32}-{PARENT}-00"})
        connection = self.server.connection()
        for _ in range(400):
            connection.request("GET", "/health/live")
            connection.getresponse().read()
        connection.close()
        self.server.stop()
        self.assertEqual(self.collector.of("c" * 32), [])
        # Of 400 by half chance fewer than 120 or more than 280 come once in 10^15 runs.
        self.assertTrue(120 < len(self.collector.spans) < 280, len(self.collector.spans))

    def test_spans_that_wait_are_sent_when_the_service_ends(self):
        self.serve()
        time.sleep(1.2)
        traces = [self.server.get("/health/live").headers["x-request-id"] for _ in range(20)]
        self.assertEqual(self.server.stop(), 0)
        self.assertLessEqual(set(traces), {span["traceId"] for span in self.collector.spans})

    # Collectors that are not well

    def test_a_collector_that_is_busy_gets_each_span_once_and_no_sooner_than_it_says(self):
        self.serve(answers=[503, 429, 502, 504], fields={"Retry-After": "1"})
        trace = self.server.get("/health/live").headers["x-request-id"]
        self.assertTrue(wait_until(lambda: self.collector.of(trace), 30))
        self.assertEqual(len(self.collector.of(trace)), 1)
        times = self.collector.times[:5]
        self.assertTrue(all(after - before >= 1 for before, after in zip(times, times[1:])), times)
        # Each time the same.
        self.assertEqual(len({post[2] for post in self.collector.posts[:5]}), 1)

    def test_what_a_collector_refuses_is_not_sent_again_and_counted(self):
        self.serve(answers=[400])
        self.server.get("/health/live")
        self.assertTrue(wait_until(lambda: self.counted("dropped") >= 1))
        self.assertTrue(wait_until(lambda: self.counted("sent") >= 1))
        self.assertEqual(self.collector.answers, [])
        self.assertEqual([post for post in self.collector.posts[1:] if post[2] == self.collector.posts[0][2]], [])

    def test_what_a_collector_takes_in_part_is_counted_so(self):
        self.serve(body=b'{"partialSuccess":{"rejectedSpans":"1","errorMessage":"no"}}')
        self.server.get("/health/live")
        self.assertTrue(wait_until(lambda: self.counted("dropped") >= 1))

    def flood(self, count):
        """Requests on one connection, and the longest that one took."""
        connection = self.server.connection()
        longest = 0
        for _ in range(count):
            start = time.monotonic()
            connection.request("GET", "/health/live")
            response = connection.getresponse()
            response.read()
            self.assertEqual(response.status, 200)
            longest = max(longest, time.monotonic() - start)
        connection.close()
        return longest

    def test_without_a_collector_requests_are_answered_and_memory_is_bounded(self):
        self.serve(endpoint="http://127.0.0.1:9/v1/traces")
        self.flood(1_000)
        before = self.server.memory()
        self.flood(6_000)
        self.assertTrue(wait_until(lambda: self.counted("dropped") > 1_000))
        # 4,096 spans wait, and a batch is on its way.
        self.assertLess(self.server.memory() - before, 64 << 20)
        start = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - start, 15)

    def test_a_collector_that_is_slow_keeps_no_request_waiting(self):
        self.serve(delay=3)
        self.server.get("/health/live")
        self.assertTrue(wait_until(lambda: self.collector.posts))
        self.assertLess(self.flood(500), 2.5)

    def test_an_endpoint_that_is_no_url_is_refused(self):
        for endpoint in ("127.0.0.1:4318", "ftp://x/", "http://"):
            with self.assertRaisesRegex(RuntimeError, "traces.endpoint"):
                Server(settings={"traces.endpoint": endpoint})
        with self.assertRaisesRegex(RuntimeError, "traces.ratio"):
            Server(settings={"traces.ratio": 1.5})


class Logs(unittest.TestCase):
    def test_without_traces_the_requests_id_is_the_same_in_answer_problem_and_log(self):
        with Server(settings={"log.level": "debug"}) as server:
            answer = server.get("/v1/models/examroom.nothing")
            number = answer.headers["x-request-id"]
            self.assertEqual(answer.json["requestId"], number)
            given = server.get("/v1/models", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"})
            self.assertEqual(given.headers["x-request-id"], TRACE)
            for wanted in (number, TRACE):
                self.assertTrue(wait_until(lambda: any(
                    json.loads(line).get("requestId") == wanted for line in server.log)))

    def test_no_line_holds_a_personal_value_whatever_the_level(self):
        tokens = "t0ken-of-somebody"
        with Server(settings={"log.level": "trace"}) as server:
            first = account(1, NAMES[0])
            first["data"]["email"] = NAMES[1]
            server.submit(first)
            server.submit_all([account(2, NAMES[2]), account(2, NAMES[3]), "no command " + NAMES[3]])
            revise = {"id": "p-1", "command": "examroom.profile.revise", "at": "2026-02-02T09:00:00Z",
                      "by": "student:S-1", "data": {"account": "S-1", "name": NAMES[3], "email": NAMES[4]}}
            self.assertEqual(server.submit(revise).status, 201)
            self.assertEqual(server.submit(dict(revise, id="p-2", by="student:S-2")).status, 403)
            server.ask("POST", "/v1/explain", body=dict(revise, id="p-3"))
            server.ask("POST", "/v1/commands", body=json.dumps(revise)[:-9], headers={"Content-Type": "application/json"})
            self.assertIn(NAMES[3].encode(), server.get("/v1/models/examroom.account/S-1").body)
            for path in ("/v1/events", "/v1/models/person.timeline/examroom%2FS-1", "/v1/models/audit.subject/examroom%2FS-1",
                         "/v1/diff/examroom.account/S-1?from=1", "/v1/why/examroom.account/S-1?path=$.name",
                         "/v1/models/examroom.account/Khadija%20Mansouri", "/v1/events?by=Omar%20Benali",
                         "/v1/models/examroom.account/S-1?x=omar@families.example"):
                server.get(path, token=None)
            server.get("/v1/models", token=tokens)
            source = server.stream("/v1/events?from=1")
            source.take(2)
            source.close()
            place = server.ask("POST", "/v1/jobs", body={"kind": "rebuild"}).headers["location"]
            self.assertTrue(wait_until(lambda: server.get(place).json["state"] == "done"))
            self.assertEqual(server.stop(), 0)
            log = "".join(server.log)
        self.assertGreater(log.count('"answered"'), 15)
        for value in NAMES + [tokens, "Khadija%20Mansouri", "Omar%20Benali"]:
            self.assertNotIn(value, log)


if __name__ == "__main__":
    unittest.main()
