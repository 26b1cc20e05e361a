"""Subscriptions: what a consumer may do with those of others, and what is defined anew while somebody is at it."""
import hashlib
import http.client
import json
import socket
import time
import unittest

from harness import Server, example_commands
from subscriptions_test import Consumer

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")
NAME = "/v1/subscriptions/index"


def identity(name, *roles, **more):
    return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": list(roles), **more}


class Rights(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(access={"identities": [
            identity("setup", "service", actor="system", onBehalfOf=["student", "coach", "admin", "service"]),
            identity("op", "operator"), identity("mine", "consumer", products=["examroom"]),
            identity("foreign", "consumer", products=["quranflow"]), identity("all", "consumer")]})
        cls.server.submit_all(COMMANDS, token="setup")
        definition = {"filter": {"type": "examroom.*"}}
        assert cls.server.ask("PUT", NAME, body=definition, token="op").status == 201
        # Of every product: for nobody who is kept to some.
        assert cls.server.ask("PUT", "/v1/subscriptions/wide", body={}, token="op").status == 201
        cls.consumer = Consumer(cls.server, "a", token="mine")
        cls.consumer.take()
        cls.parked = cls.consumer.positions()[0]
        assert cls.consumer.park(cls.parked).status == 201

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def status(self, token, method, path, body=None):
        return self.server.ask(method, path, body=body, token=token).status

    def test_a_subscription_of_other_products_is_not_there_for_a_consumer(self):
        for method, path, body in (
                ("GET", NAME, None), ("GET", NAME + "/partitions/0/parked", None),
                ("POST", NAME + "/leases", {"consumer": "x"}), ("GET", "/v1/subscriptions/wide", None)):
            self.assertEqual(self.status("foreign", method, path, body), 404, path)
        there, never = (self.server.get(f"/v1/subscriptions/{name}", token="foreign").json for name in ("index", "never"))
        self.assertEqual(there["detail"].replace("index", "never"), never["detail"])
        names = lambda token: [item["name"] for item in self.server.get(
            "/v1/subscriptions", token=token).json["subscriptions"]]
        self.assertEqual(names("foreign"), [])
        self.assertEqual(names("mine"), ["index"])
        self.assertEqual(names("all"), ["index", "wide"])
        self.assertEqual(names("op"), ["index", "wide"])
        self.assertEqual(self.status("mine", "GET", NAME), 200)
        self.assertEqual(self.status("mine", "GET", NAME + "/partitions/0/parked"), 200)

    def test_an_operator_looks_and_works_off_nothing(self):
        for path in ("/v1/subscriptions", NAME, NAME + "/partitions/0/parked"):
            self.assertEqual(self.status("op", "GET", path), 200, path)
        for method, path, body in (
                ("POST", NAME + "/leases", {"consumer": "x"}), ("GET", NAME + "/partitions/0/events", None),
                ("PUT", NAME + "/partitions/0/checkpoint", {"position": 1, "lease": 1}),
                ("POST", NAME + "/partitions/0/parked", {"position": 1, "lease": 1})):
            self.assertEqual(self.status("op", method, path, body), 403, path)

    def test_a_name_that_a_client_takes_out_of_a_path_is_none(self):
        for name in ("%2e", "%2e%2e", ".%2E"):
            answer = self.server.ask("PUT", f"/v1/subscriptions/{name}", body={}, token="op")
            self.assertEqual((answer.status, answer.json["code"]), (400, "bad-request"), name)
        self.assertEqual(self.status("op", "PUT", "/v1/subscriptions/a..b", {}), 201)
        self.assertEqual(self.status("op", "DELETE", "/v1/subscriptions/a..b"), 204)

    def test_a_consumer_has_a_name_of_one_length(self):
        for body in ({"consumer": ""}, {"consumer": "x" * 129}, {"consumer": "x" * 1025}, {}):
            answer = self.server.ask("POST", NAME + "/leases", body=body, token="mine")
            self.assertEqual(answer.status, 400)
            self.assertIn("a text of 1 to 128 bytes", answer.json["detail"])

    def test_parked_events_are_retried_and_dropped_by_the_operator_alone(self):
        path = f"{NAME}/partitions/0/parked/{self.parked}"
        for token in ("foreign", "mine", "all"):
            self.assertEqual(self.status(token, "POST", path + "/retry"), 403, token)
            self.assertEqual(self.status(token, "DELETE", path), 403, token)
        listed = self.server.get(f"{NAME}/partitions/0/parked", token="op").json["parked"]
        self.assertEqual([item["position"] for item in listed], [self.parked])
        self.assertEqual(self.status("op", "POST", path + "/retry"), 202)
        self.assertEqual(self.status("op", "DELETE", path), 204)


class DefinedAnew(unittest.TestCase):
    def test_a_partition_that_is_gone_meanwhile_ends_no_server(self):
        with Server() as server:
            server.submit_all(COMMANDS)

            def slowly(method, path, body, meanwhile):
                """A request whose body comes late."""
                body = json.dumps(body).encode()
                with socket.create_connection((server.host, server.port), timeout=10) as raw:
                    raw.sendall(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:5])
                    # The server has its head by now, and waits for the rest.
                    time.sleep(1)
                    meanwhile()
                    raw.sendall(body[5:])
                    answer = http.client.HTTPResponse(raw)
                    answer.begin()
                    return answer.status, json.loads(answer.read() or b"{}").get("code")

            for path, method, more in (("checkpoint", "PUT", {}), ("parked", "POST", {"reason": "x"})):
                with self.subTest(path):
                    server.ask("PUT", NAME, body={"partitions": 4})
                    consumer = Consumer(server, "a")
                    consumer.take()
                    self.assertEqual(consumer.partitions, [0, 1, 2, 3])
                    status, code = slowly(
                        method, f"{NAME}/partitions/3/{path}", {"position": 5, "lease": consumer.lease, **more},
                        lambda: self.assertEqual(server.ask("PUT", NAME, body={"partitions": 1}).status, 200))
                    self.assertEqual((status, code), (409, "lease-lost"))
                    self.assertEqual(server.get("/health/live").status, 200)
                    self.assertEqual(server.ask("DELETE", NAME).status, 204)

    def test_who_waits_for_a_partition_that_is_gone_is_told_so(self):
        with Server() as server:
            server.ask("PUT", NAME, body={"partitions": 4})
            consumer = Consumer(server, "a")
            consumer.take()
            stream = server.stream(f"{NAME}/partitions/3/events", headers={"Sijill-Lease": str(consumer.lease)})
            self.addCleanup(stream.close)
            time.sleep(0.3)
            self.assertEqual(server.ask("PUT", NAME, body={"partitions": 1}).status, 200)
            self.assertEqual([(kind, data) for kind, _, data in stream],
                             [("lost", {"code": "lease-lost"}), ("end", {})])
            self.assertEqual(consumer.next(3).status, 404)


if __name__ == "__main__":
    unittest.main()
