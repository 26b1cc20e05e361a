"""The policy, read anew on SIGHUP: who gains a right, who loses one, and who is in the middle of something."""
import hashlib
import json
import shutil
import signal
import tempfile
import threading
import time
import unittest

from harness import Server, example_commands, wait_until
from issuer import Issuer, Key, token

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")
TAKEN, REFUSED = "the policy is read anew", "the policy is refused, the former one stays"


def identity(name, *roles, **more):
    return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": list(roles), **more}


class Reload(unittest.TestCase):
    def setUp(self):
        self.server = Server(access={"identities": [
            identity("one", "reader"), identity("setup", "service", actor="system", onBehalfOf=["student", "admin"])]})
        self.addCleanup(self.server.remove)
        self.server.submit_all(COMMANDS, token="setup")

    def reload(self, policy, message=TAKEN, server=None):
        server = server or self.server
        text = policy if isinstance(policy, str) else json.dumps(policy)
        before = len(server.logged(message))
        server.file("access.json", text)
        server.process.send_signal(signal.SIGHUP)
        self.assertTrue(wait_until(lambda: len(server.logged(message)) > before), server.log[-3:])
        return server.logged(message)[-1]

    def status(self, name):
        return self.server.get("/v1/models/examroom.overview", token=name).status

    def test_a_policy_that_is_good_takes_the_place_of_the_former(self):
        self.assertEqual((self.status("one"), self.status("two")), (200, 401))
        self.reload({"identities": [identity("two", "reader")]})
        self.assertEqual((self.status("one"), self.status("two")), (401, 200))
        self.reload({"identities": [], "anonymous": {"name": "anybody", "roles": ["reader"]}})
        self.assertEqual((self.status(None), self.status("two")), (200, 401))

    def test_the_largest_numbers_of_a_policy_are_reckoned_with(self):
        self.reload({"identities": [
            identity("two", "service", "reader", actor="system", readsPerSecond=1_000_000, submitsPerSecond=1_000_000,
                     aheadSeconds=3_155_760_000, behindSeconds=3_155_760_000)]})
        self.assertEqual(self.status("two"), 200)
        command = dict(COMMANDS[0], id="largest")
        command["data"] = dict(command["data"], account="A-77")
        answer = self.server.submit(dict(command, at="2199-01-01T00:00:00Z"), token="two")
        self.assertEqual((answer.status, answer.json["code"]), (422, "clock-skew"))
        self.assertNotEqual(self.server.submit(dict(command, at="1970-01-02T00:00:00Z"), token="two").status, 422)

    def test_who_follows_a_partition_must_come_again_within_seconds(self):
        policy = {"identities": [identity("op", "operator"), identity("feed", "consumer")]}
        self.reload(policy)
        path = "/v1/subscriptions/feed"
        self.assertEqual(self.server.ask("PUT", path, body={"from": 10 ** 6}, token="op").status, 201)
        lease = self.server.ask("POST", path + "/leases", body={"consumer": "a"}, token="feed").json["lease"]
        stream = self.server.stream(path + "/partitions/0/events", headers={"Sijill-Lease": str(lease)}, token="feed")
        self.addCleanup(stream.close)
        time.sleep(0.3)
        start = time.monotonic()
        self.reload(policy)
        self.assertEqual([kind for kind, _, _ in stream], ["end"])
        self.assertLess(time.monotonic() - start, 4)

    def test_a_policy_that_is_bad_is_refused_in_one_line_and_the_former_stays(self):
        good = {"identities": [identity("two", "reader")]}
        for policy, words in (
                ("{", "not JSON"), ({"identities": [identity("two", "king")]}, "king is none of"),
                (dict(good, issuer=1), "there is no such member"),
                (dict(good, issuers=[{"issuer": "http://x", "audience": "a", "rules": []}]), "https is wanted"),
                ({"identities": [identity("two", "reader", readsPerSecond=2 ** 63 - 2)]},
                 "readsPerSecond: a whole number from 0 to 1000000 is wanted"),
                ({"identities": [identity("two", "submitter", actor="system", aheadSeconds=2 ** 63 - 1)]},
                 "aheadSeconds: a whole number from 0 to 3155760000 is wanted")):
            before = len(self.server.log)
            line = self.reload(policy, REFUSED)
            self.assertIn(words, line["error"])
            self.assertEqual(line["level"], "error")
            self.assertEqual(len(self.server.log), before + 1)
            self.assertEqual((self.status("one"), self.status("two")), (200, 401))
        self.reload(good)
        self.assertEqual((self.status("one"), self.status("two")), (401, 200))

    def test_without_a_policy_the_signal_harms_nothing(self):
        with Server() as server:
            time.sleep(0.5)
            for _ in range(3):
                server.process.send_signal(signal.SIGHUP)
            time.sleep(0.5)
            self.assertEqual(server.get("/v1/models").status, 200)
            self.assertEqual(server.stop(), 0)

    def test_streams_end_and_go_on_where_the_right_is_still_there(self):
        head = self.server.get("/v1/events?limit=0", token="one").json["position"]
        events = self.server.stream("/v1/events?from=1", token="one")
        document = self.server.stream("/v1/models/examroom.overview", token="one")
        seen = [item[1] for item in events.take(3)]
        document.take(1)
        rest = []
        reading = [threading.Thread(target=lambda: rest.extend(events)), threading.Thread(target=lambda: list(document))]
        for thread in reading:
            thread.start()
        time.sleep(1)
        self.assertTrue(all(thread.is_alive() for thread in reading))
        self.reload({"identities": [identity("one", "reader"), identity("two", "reader")]})
        for thread in reading:
            thread.join(10)
            self.assertFalse(thread.is_alive(), "the stream did not end")
        self.assertEqual(rest[-1][0], "end")
        seen += [item[1] for item in rest[:-1]]
        self.assertEqual(seen, [str(position) for position in range(1, head + 1)])
        again = self.server.stream("/v1/events", headers={"Last-Event-ID": seen[9]}, token="one")
        self.assertEqual(again.take(1)[0][1], str(int(seen[9]) + 1))
        again.close()
        self.reload({"identities": [identity("two", "reader")]})
        self.assertEqual(self.server.stream("/v1/events", token="one").status, 401)

    def test_a_long_poll_is_not_answered_to_who_lost_the_right_meanwhile(self):
        first = self.server.get("/v1/models/examroom.overview", token="one")
        found = []
        polling = threading.Thread(target=lambda: found.append(self.server.get(
            "/v1/models/examroom.overview", token="one", timeout=40,
            headers={"If-None-Match": first.headers["etag"], "Prefer": "wait=30"})))
        polling.start()
        time.sleep(1)
        self.reload({"identities": [identity("setup", "service", actor="system")]})
        command = {"id": "r-9", "command": "examroom.account.register", "at": "2026-02-03T08:00:00Z", "by": "system",
                   "data": {"account": "S-99", "role": "student", "name": "New",
                            "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}}
        self.assertEqual(self.server.submit(command, token="setup").status, 201)
        polling.join(40)
        self.assertEqual(found[0].status, 401)
        self.assertNotIn(b"examroom", found[0].body)

    def test_who_waits_for_nothing_that_comes_is_told_so_within_seconds(self):
        path = "/v1/models/examroom.overview"
        tag = self.server.get(path, token="one").headers["etag"]
        found = []

        def wait(path, headers):
            found.append(self.server.get(path, token="one", timeout=40, headers={"Prefer": "wait=30", **headers}).status)

        waiting = [threading.Thread(target=wait, args=(path, {"If-None-Match": tag})),
                   threading.Thread(target=wait, args=(path + "?min-position=100000", {}))]
        for thread in waiting:
            thread.start()
        time.sleep(1)
        start = time.monotonic()
        self.reload({"identities": [identity("setup", "service", actor="system")]})
        for thread in waiting:
            thread.join(40)
        self.assertLess(time.monotonic() - start, 10)
        self.assertEqual(found, [401, 401])

    def lines_around(self, between):
        """The outcomes of two lines of one request, and what happens between them."""
        command = {"command": "examroom.account.register", "at": "2026-02-03T08:00:00Z", "by": "system"}

        def line(number):
            data = {"account": f"S-{number}", "role": "student", "name": "New",
                    "credential": {"scheme": "bcrypt", "salt": "s", "digest": f"d-{number}"}}
            return (json.dumps(dict(command, id=f"l-{number}", data=data)) + "\n").encode()

        connection = self.server.connection()
        connection.putrequest("POST", "/v1/commands")
        for name, value in (("Authorization", "Bearer setup"), ("Content-Type", "application/x-ndjson"),
                            ("Transfer-Encoding", "chunked")):
            connection.putheader(name, value)
        connection.endheaders()
        connection.send(b"%x\r\n%s\r\n" % (len(line(101)), line(101)))
        time.sleep(1)
        between()
        connection.send(b"%x\r\n%s\r\n0\r\n\r\n" % (len(line(102)), line(102)))
        outcomes = [json.loads(text) for text in connection.getresponse().read().splitlines()]
        connection.close()
        return [(outcome["status"], outcome.get("code")) for outcome in outcomes]

    def test_lines_that_come_after_the_right_is_lost_are_refused(self):
        outcomes = self.lines_around(lambda: self.reload({"identities": [identity("one", "reader")]}))
        self.assertEqual(outcomes, [("accepted", None), ("rejected", "unauthorized")])
        self.assertEqual(self.server.get("/v1/streams/examroom/account/S-102", token="one").status, 404)

    def test_a_shutdown_takes_no_right_from_a_request_that_has_begun(self):
        def stop():
            self.server.process.send_signal(signal.SIGTERM)
            time.sleep(1)

        self.assertEqual(self.lines_around(stop), [("accepted", None), ("accepted", None)])
        self.assertEqual(self.server.stop(), 0)

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
    def test_keys_of_an_issuer_that_both_policies_know_stay_though_it_is_down(self):
        place = tempfile.mkdtemp(dir=self.server.directory)
        key = Key("ES256", "one", place)
        issuer = Issuer([key])
        rules = [{"name": "readers", "roles": ["reader"]}]
        policy = {"issuers": [{"issuer": issuer.name, "audience": "sijill", "rules": rules}]}
        bearer = token(key, issuer.claims())
        with Server(access=policy) as server:
            self.assertEqual(server.get("/v1/models", token=bearer).status, 200)
            issuer.close()
            stream = server.stream("/v1/events", token=bearer)
            policy["issuers"][0]["rules"] = [dict(rules[0], roles=["operator"])]
            self.reload(policy, server=server)
            self.assertEqual(server.get("/v1/models", token=bearer).status, 403)
            self.assertEqual(server.get("/v1/status", token=bearer).status, 200)
            self.assertEqual([item[0] for item in stream], ["end"])
            self.reload({"identities": []}, server=server)
            self.assertEqual(server.get("/v1/status", token=bearer).status, 401)


if __name__ == "__main__":
    unittest.main()
