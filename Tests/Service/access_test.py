"""Who may what by the signed tokens of an issuer (OpenID Connect)."""
import hashlib
import json
import re
import shutil
import socket
import tempfile
import time
import unittest

from harness import Server, example_commands, wait_until
from issuer import Authority, Issuer, Key, base64url, hmac_token, token

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")
RULES = [
    {"claim": "realm_access.roles", "value": "student", "name": "students", "roles": ["submitter", "self"],
     "actor": "student:{sub}", "products": ["examroom"]},
    {"claim": "https://school.example/groups", "value": ["revision", "board"], "name": "revision", "roles": ["auditor"]},
    {"claim": "schools", "value": "one", "name": "schools", "roles": ["reader"], "journals": ["school-{school}"]},
    {"claim": "scope", "value": "read", "name": "readers", "roles": ["reader"], "products": ["examroom"]},
]
STUDENT = {"realm_access": {"roles": ["other", "student"]}}
AUDITOR = {"https://school.example/groups": "board"}
READER = {"scope": "read"}


def policy(issuer, **more):
    return {
        "identities": [
            {"name": "setup", "tokenSHA256": hashlib.sha256(b"setup").hexdigest(), "roles": ["service", "reader"],
             "actor": "system", "onBehalfOf": ["student", "coach", "admin", "service"], "personal": True}],
        "issuers": [{"issuer": issuer, "audience": "sijill", "rules": RULES, **more}]}


class Case(unittest.TestCase):
    def refused(self, server, bearer, status=401, code="unauthorized"):
        answer = server.get("/v1/models", token=bearer)
        self.assertEqual((answer.status, answer.json["code"]), (status, code), answer.body)
        return answer

    def accepted(self, server, bearer):
        answer = server.get("/v1/models", token=bearer)
        self.assertEqual(answer.status, 200, answer.body)


@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class Tokens(Case):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp()
        cls.keys = {name: Key(name, f"key-{name}", cls.place) for name in Key.KINDS}
        # What else a set of keys may hold: passed over.
        odd = [{"kty": "oct", "kid": "secret", "k": "c2VjcmV0"}, {"kty": "EC", "crv": "secp256k1", "kid": "odd"},
               {"kty": "AKP", "alg": "ML-DSA-65", "kid": "new"},
               dict(cls.keys["RS256"].jwk, kid="encryption", use="enc")]
        # A key that does not say what for.
        cls.plain = Key("RS256", "plain", cls.place)
        odd.append({name: value for name, value in cls.plain.jwk.items() if name not in ("alg", "use")})
        cls.issuer = Issuer(odd + list(cls.keys.values()))
        cls.server = Server(access=policy(cls.issuer.name), settings={"log.level": "trace"})
        cls.server.submit_all(COMMANDS[:12], token="setup")

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        cls.issuer.close()
        shutil.rmtree(cls.place)

    def test_tokens_of_all_four_algorithms_are_taken(self):
        for name, key in self.keys.items():
            with self.subTest(name):
                bearer = token(key, self.issuer.claims(**READER))
                self.accepted(self.server, bearer)
                self.accepted(self.server, bearer)

    def test_a_key_may_leave_open_what_it_is_for(self):
        for algorithm in ("RS256", "PS256"):
            self.accepted(self.server, token(self.plain, self.issuer.claims(**READER), algorithm=algorithm))

    def test_an_audience_may_be_one_of_several(self):
        self.accepted(self.server, token(self.keys["ES256"], self.issuer.claims(aud=["other", "sijill"], **READER)))

    def test_clocks_may_differ_a_little(self):
        now = int(time.time())
        key = self.keys["ES256"]
        self.accepted(self.server, token(key, self.issuer.claims(exp=now - 10, nbf=now - 100, **READER)))
        self.accepted(self.server, token(key, self.issuer.claims(nbf=now + 10, **READER)))

    def test_an_instant_of_a_token_may_have_a_fraction(self):
        now = time.time() // 1 + 0.25
        key, claims = self.keys["ES256"], self.issuer.claims
        self.accepted(self.server, token(key, claims(exp=now + 600, nbf=now - 60, iat=now, **READER)))
        self.refused(self.server, token(key, claims(exp=now - 60, **READER)))
        self.refused(self.server, token(key, claims(nbf=now + 120, **READER)))
        self.refused(self.server, token(key, claims(exp=1e30, **READER)))

    def test_what_is_not_right_is_refused(self):
        key, claims, now = self.keys["ES256"], self.issuer.claims, int(time.time())
        rsa = self.keys["RS256"]
        good = token(key, claims(**READER))
        head, body, signature = good.split(".")
        unsigned = base64url(b'{"alg":"none"}')
        stranger = Key("ES256", "key-ES256", tempfile.mkdtemp(dir=self.place))
        other = claims(sub="S-2", **READER)
        cases = {
            "of no algorithm": f"{unsigned}.{body}.",
            "of no algorithm, with a signature": f"{unsigned}.{body}.{signature}",
            "by HMAC with the public key": hmac_token(
                rsa.public_pem, claims(**READER), {"alg": "HS256", "kid": rsa.kid}),
            "by HMAC with the secret of the set": hmac_token(
                b"secret", claims(**READER), {"alg": "HS256", "kid": "secret"}),
            "of another issuer": token(key, claims(iss="https://other.example", **READER)),
            "of the issuer with a slash": token(key, claims(iss=self.issuer.name + "/", **READER)),
            "of no issuer": token(key, claims(iss=None, **READER)),
            "for another audience": token(key, claims(aud="sijill-2", **READER)),
            "for no audience": token(key, claims(aud=None, **READER)),
            "expired": token(key, claims(exp=now - 60, **READER)),
            "without an end": token(key, claims(exp=None, **READER)),
            "with an end that is a text": token(key, claims(exp=str(now + 600), **READER)),
            "not valid yet": token(key, claims(nbf=now + 120, **READER)),
            "not valid ever": token(key, claims(nbf="soon", **READER)),
            "of an unknown key": token(key, claims(**READER), header={"kid": "key-0"}),
            "of a key for encryption": token(rsa, claims(**READER), header={"kid": "encryption"}),
            "of another's key by the same name": token(stranger, claims(**READER)),
            "without a key's name, where another signed": token(stranger, claims(**READER), header={"kid": None}),
            "by a key for another algorithm": token(rsa, claims(**READER), algorithm="PS256"),
            "by the algorithm of another key": token(rsa, claims(**READER), header={"alg": "ES256"}),
            "that must be understood otherwise": token(key, claims(**READER), header={"crit": ["b64"], "b64": False}),
            "with other claims": f"{head}.{base64url(json.dumps(other).encode())}.{signature}",
            "with another signature": good[:-8] + ("A" * 8 if not good.endswith("A" * 8) else "B" * 8),
            "with half a signature": f"{head}.{body}.{signature[:40]}",
            "without a signature": f"{head}.{body}.",
            "of two parts": f"{head}.{body}",
            "of four parts": f"{good}.{signature}",
            "with padding": f"{head}=.{body}.{signature}",
            "that is no JSON": f"{base64url(b'{')}.{body}.{signature}",
            "that is too long": token(key, claims(more="x" * 7000, **READER)),
            "that is nothing": ".",
        }
        for name, bearer in cases.items():
            with self.subTest(name):
                answer = self.refused(self.server, bearer)
                self.assertIn("invalid_token", answer.headers["www-authenticate"])
        self.accepted(self.server, good)
        self.accepted(self.server, token(key, claims(**READER), header={"kid": None}))

    def test_a_token_to_which_no_rule_fits_gives_no_right(self):
        key = self.keys["EdDSA"]
        for claims in ({}, {"scope": "write"}, {"realm_access": "student"},
                       # An actor must come of it.
                       dict(STUDENT, sub="auth0|7"), dict(STUDENT, sub="S-1 "), dict(STUDENT, sub="x" * 65),
                       dict(STUDENT, sub=None), dict(STUDENT, sub=["S-1"]), {"schools": ["one"]}):
            with self.subTest(claims):
                self.refused(self.server, token(key, self.issuer.claims(**claims)), 403, "forbidden")

    def test_a_student_acts_as_themselves_alone(self):
        bearer = token(self.keys["EdDSA"], self.issuer.claims(**STUDENT))
        start = dict(next(command for command in COMMANDS if command["command"] == "examroom.attempt.start"))
        self.assertEqual(start["by"], "student:S-1")
        other = self.server.submit(dict(start, by="student:S-2"), token=bearer)
        self.assertEqual((other.status, other.json["code"]), (403, "forbidden"))
        self.assertNotIn("outcome", other.json)
        admin = self.server.submit(dict(start, by="system"), token=bearer)
        self.assertEqual((admin.status, admin.json["code"]), (403, "forbidden"))
        del start["by"]
        done = self.server.submit(start, token=bearer)
        self.assertEqual(done.status, 201, done.body)
        event = self.server.get(done.headers["location"], token="setup").json
        self.assertEqual(event["by"], "student:S-1")
        # What they may not submit, the engine says; what is of another product, the service.
        create = {"id": "x-1", "command": "examroom.exam.create", "at": start["at"], "data": {"exam": "EX-9", "title": "M"}}
        answer = self.server.submit(create, token=bearer)
        self.assertEqual((answer.status, answer.json["outcome"]["code"]), (403, "forbidden"))
        answer = self.server.submit(dict(create, command="learnable.subject.add"), token=bearer)
        self.assertEqual((answer.status, "outcome" in answer.json), (403, False))

    def test_a_refusal_does_not_tell_whether_a_thing_exists(self):
        bearer = token(self.keys["RS256"], self.issuer.claims(**STUDENT))
        self.assertEqual(self.server.get("/v1/models/examroom.account/S-1", token=bearer).status, 200)
        there, missing = (self.server.get(f"/v1/models/examroom.account/{key}", token=bearer) for key in ("S-2", "S-9"))
        self.assertEqual(there.status, missing.status)
        # All but the request's own id is the same.
        said = [re.sub("[0-9a-f]{32}", "ID", answer.body.decode()) for answer in (there, missing)]
        self.assertEqual(said[0].replace("S-2", "S-9"), said[1])
        self.assertEqual(self.server.get("/v1/diff/examroom.account/S-1?from=1", token=bearer).status, 403)
        self.assertEqual(self.server.get("/v1/status", token=bearer).status, 403)
        self.assertEqual(self.server.get("/v1/models/quranflow.enrolment/S-1", token=bearer).status, 404)

    def test_journals_may_follow_from_a_claim(self):
        bearer = token(self.keys["RS256"], self.issuer.claims(schools="one", school="7"))
        self.assertEqual(self.server.get("/v1/models", token=bearer).status, 403)
        self.assertEqual(self.server.get("/v1/journals/school-7/models", token=bearer).status, 404)

    def test_who_looked_at_whom_is_in_the_log_and_nothing_else_of_them(self):
        bearer = token(self.keys["PS256"], self.issuer.claims(sub="revisor-of-the-board", **AUDITOR))
        before = len(self.server.logged("a person's record is read"))
        for path in ("models/person.timeline/examroom/S-1", "models/audit.subject/examroom/S-1",
                     "diff/person.timeline/examroom/S-1?from=1", "models/audit.subject/Amal%20Haddad"):
            self.server.get(f"/v1/{path}", token=bearer)
        self.server.get("/v1/models/examroom.student/S-1", token=bearer)
        wait_until(lambda: len(self.server.logged("a person's record is read")) >= before + 4, 5)
        lines = self.server.logged("a person's record is read")[before:]
        self.assertEqual(
            [(line["identity"], line["model"], line["key"]) for line in lines],
            [("revision", "person.timeline", "examroom/S-1"), ("revision", "audit.subject", "examroom/S-1"),
             ("revision", "person.timeline", "examroom/S-1"), ("revision", "audit.subject", "no key")])
        self.assertEqual({line["level"] for line in lines}, {"notice"})
        subject = hashlib.sha256(f"{self.issuer.name}\nrevisor-of-the-board".encode()).hexdigest()[:16]
        self.assertEqual({line["subject"] for line in lines}, {subject})
        log = "".join(self.server.log)
        for secret in (bearer, bearer.split(".")[1], bearer.split(".")[2], "revisor-of-the-board", "Amal"):
            self.assertNotIn(secret, log)


class Products(unittest.TestCase):
    """What `products` bind of that which all products share."""

    @classmethod
    def setUpClass(cls):
        def entry(name, *roles, **more):
            return {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), "roles": list(roles), **more}

        kinds = ["student", "coach", "admin", "service"]
        cls.server = Server(access={"identities": [
            entry("setup", "service", "reader", actor="system", onBehalfOf=kinds),
            entry("hall", "service", actor="service:hall", onBehalfOf=["student", "admin"], products=["examroom"]),
            entry("bound", "self", actor="admin:A-1", products=["examroom"]),
            entry("free", "self", actor="admin:A-1"),
            entry("revision", "auditor", products=["examroom"]), entry("op", "operator")]})
        quranflow = example_commands("Examples/quranflow/01-placement-and-first-week.jsonl")[:6]
        cls.server.submit_all(COMMANDS[:6], token="setup")
        cls.server.submit_all([dict(command, id="q" + command["id"]) for command in quranflow], token="setup")

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def head(self):
        return self.server.get("/v1/events?limit=0", token="setup").headers["sijill-position"]

    def test_a_person_of_another_product_is_not_erased(self):
        erase = {"id": "erase", "command": "account.erase", "at": "2026-02-02T09:30:00Z", "by": "admin:A-1"}
        before = self.head()
        for subject in ("quranflow/S-1", "quranflow/S-none", "nothing/S-1"):
            command = dict(erase, data={"subject": subject})
            answer = self.server.submit(command, token="hall")
            self.assertEqual((answer.status, answer.json["code"]), (403, "forbidden"), subject)
            self.assertNotIn("outcome", answer.json)
            outcome = self.server.submit_all([command], token="hall").lines[0]
            self.assertEqual((outcome["status"], outcome["code"]), ("rejected", "forbidden"), subject)
        for data in ({}, {"subject": 1}, {"subject": ["quranflow/S-1"]}):
            answer = self.server.submit(dict(erase, data=data), token="hall")
            self.assertEqual((answer.status, answer.json["code"]), (400, "malformed"), data)
        self.assertEqual(self.head(), before)
        answer = self.server.submit(dict(erase, data={"subject": "examroom/S-1"}), token="hall")
        self.assertEqual(answer.status, 201, answer.body)
        self.assertNotEqual(self.head(), before)

    def test_models_of_all_products_are_not_for_who_has_some(self):
        shared = ["audit.log", "audit.rejections", "journal.summary", "timers.pending",
                  "audit.subject/quranflow/S-1", "person.timeline/quranflow/S-1"]
        for path in shared:
            self.assertEqual(self.server.get(f"/v1/models/{path}", token="bound").status, 403, path)
            self.assertEqual(self.server.get(f"/v1/models/{path}", token="free").status, 200, path)
            stream = self.server.stream(f"/v1/models/{path}", token="bound")
            stream.close()
            self.assertEqual(stream.status, 403, path)
            for question in ("models/{}", "why/{}", "diff/{}?from=1", "steps/{}"):
                answer = self.server.get("/v1/" + question.format(path), token="revision")
                self.assertEqual(answer.status, 403, (question, path))
        self.assertEqual(self.server.get("/v1/keys/audit.subject", token="revision").status, 403)
        for path in ("audit.subject/examroom/S-2", "person.timeline/examroom/S-2"):
            self.assertEqual(self.server.get(f"/v1/models/{path}", token="bound").status, 200, path)
            self.assertEqual(self.server.get(f"/v1/models/{path}", token="revision").status, 200, path)
            self.assertEqual(self.server.get(f"/v1/diff/{path}?from=1", token="revision").status, 200, path)

    def test_who_has_no_right_to_read_and_tries_a_person_is_in_the_log(self):
        for token, path in (("op", "models/person.timeline/examroom/S-2"), ("free", "why/person.timeline/examroom/S-3")):
            self.assertEqual(self.server.get("/v1/" + path, token=token).status, 403)
        logged = lambda: [(line["identity"], line["key"]) for line in self.server.logged("a person's record is read")]
        for line in (("op", "examroom/S-2"), ("free", "examroom/S-3")):
            self.assertTrue(wait_until(lambda: logged().count(line) == 1, 5), logged())


@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class Issuers(Case):
    def setUp(self):
        self.place = tempfile.mkdtemp()
        self.first, self.second, self.third = (Key("ES256", name, self.place) for name in ("one", "two", "three"))

    def tearDown(self):
        shutil.rmtree(self.place)

    def test_new_keys_are_asked_for_once_a_minute_at_most(self):
        issuer = Issuer([self.first])
        with Server(access=policy(issuer.name)) as server:
            self.accepted(server, token(self.first, issuer.claims(**READER)))
            issuer.keys = [self.first, self.second]
            self.accepted(server, token(self.second, issuer.claims(**READER)))
            asked = issuer.requests.count("/jwks")
            self.assertEqual(asked, 2)
            issuer.keys = [self.second, self.third]
            for number in range(20):
                self.refused(server, token(self.third, issuer.claims(jti=str(number), **READER)))
            self.assertEqual(issuer.requests.count("/jwks"), asked)
            self.accepted(server, token(self.first, issuer.claims(**READER)))
        issuer.close()

    def test_keys_that_are_withdrawn_are_gone_when_the_document_is_stale(self):
        issuer = Issuer([self.first, self.second], max_age=1)
        with Server(access=policy(issuer.name)) as server:
            bearer = token(self.first, issuer.claims(**READER))
            self.accepted(server, bearer)
            issuer.keys = [self.second]
            self.assertTrue(wait_until(lambda: server.get("/v1/models", token=bearer).status == 401, 20))
            self.accepted(server, token(self.second, issuer.claims(**READER)))
            issuer.status = 500
            issuer.keys = []
            self.assertTrue(wait_until(lambda: server.logged(
                "the issuer's keys cannot be read; those that are known stay"), 20))
            self.accepted(server, token(self.second, issuer.claims(**READER)))
        issuer.close()

    def test_an_issuer_that_is_down_at_first_is_asked_again(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        with Server(access=policy(f"http://127.0.0.1:{port}")) as server:
            claims = dict(READER, iss=f"http://127.0.0.1:{port}", aud="sijill", exp=int(time.time()) + 600)
            bearer = token(self.first, claims)
            answer = self.refused(server, bearer, 503, "issuer-unreachable")
            self.assertIn("retry-after", answer.headers)
            self.assertEqual(server.get("/v1/models", token="setup").status, 200)
            issuer = Issuer([self.first], port=port)
            self.assertTrue(wait_until(lambda: server.get("/v1/models", token=bearer).status == 200, 20))
            issuer.close()
            self.accepted(server, token(self.first, dict(claims, jti="2")))

    def test_a_configuration_of_another_issuer_is_not_taken(self):
        issuer = Issuer([self.first])
        issuer.claimed = "https://school.example"
        with Server(access=policy(issuer.name)) as server:
            self.refused(server, token(self.first, issuer.claims(**READER)), 503, "issuer-unreachable")
            self.refused(server, token(self.first, issuer.claims(iss=issuer.claimed, **READER)))
            self.assertNotIn("/jwks", issuer.requests)
        issuer.close()

    def test_an_issuers_name_may_end_with_a_slash(self):
        issuer = Issuer([self.first])
        issuer.claimed = issuer.name + "/"
        with Server(access=policy(issuer.claimed)) as server:
            self.accepted(server, token(self.first, issuer.claims(iss=issuer.claimed, **READER)))
            self.refused(server, token(self.first, issuer.claims(**READER)))
        issuer.close()

    def test_an_issuer_is_asked_over_tls_as_the_policy_trusts_it(self):
        authority = Authority(self.place)
        issuer = Issuer([self.first], certificate=authority.certificate("issuer", "/CN=issuer", "IP:127.0.0.1"))
        bearer = token(self.first, issuer.claims(**READER))
        with Server(access=policy(issuer.name, authority=authority.path)) as server:
            self.accepted(server, bearer)
        with Server(access=policy(issuer.name)) as server:
            self.refused(server, bearer, 503, "issuer-unreachable")
        issuer.close()

    def test_keys_may_come_from_a_file_or_an_address(self):
        issuer = Issuer([self.first])
        path = f"{self.place}/keys.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"keys": [self.first.jwk]}, file)
        for more in ({"jwks": path}, {"jwks": f"{issuer.name}/jwks"}):
            with Server(access=policy("https://school.example", **more)) as server:
                claims = issuer.claims(iss="https://school.example", **READER)
                self.accepted(server, token(self.first, claims))
                self.refused(server, token(self.second, claims))
        with Server(access=policy("https://school.example", jwks=path, algorithms=["RS256"])) as server:
            self.refused(server, token(self.first, issuer.claims(iss="https://school.example", **READER)))
        self.assertNotIn("/.well-known/openid-configuration", issuer.requests)
        issuer.close()

    def test_a_policy_that_would_not_be_safe_is_refused_at_the_start(self):
        for change, words in (
                ({"issuer": "http://school.example"}, "https is wanted"), ({"issuer": "https://"}, "https is wanted"),
                ({"jwks": "http://school.example/jwks"}, "https is wanted"), ({"algorithms": ["HS256"]}, "HS256 is none of"),
                ({"algorithms": ["none"]}, "none is none of"), ({"audience": []}, "audience"), ({"rules": []}, "rules"),
                ({"jwks": "/nowhere/keys.json"}, "cannot be read"), ({"keys": 1}, "there is no such member"),
                ({"rules": [{"name": "x", "roles": ["self"], "actor": "student{sub}"}]}, "actor"),
                ({"rules": [{"name": "x", "roles": ["self"], "actor": "student:{}"}]}, "actor"),
                ({"rules": [{"name": "x", "roles": ["reader"], "claim": "scope"}]}, "belong together")):
            with self.subTest(change):
                issuer = {"issuer": "https://school.example", "audience": "sijill", "rules": RULES, **change}
                with self.assertRaisesRegex(RuntimeError, words):
                    Server(access={"issuers": [issuer]})


if __name__ == "__main__":
    unittest.main()
