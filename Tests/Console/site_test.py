"""The console without a browser: who looks, forms, heads, and that nothing of a journal becomes markup."""
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Service"))
from harness import BUILD, Server, example_commands  # noqa: E402
from issuer import Issuer, Key, token  # noqa: E402

COMMANDS = example_commands("Examples/examroom/01-exam-day.jsonl")
HOSTILE = "<img src=x onerror=alert(1)>\"'&"
ROLES = {
    "auditor": {"roles": ["auditor"], "personal": True},
    "blind": {"roles": ["auditor"]},
    "student": {"roles": ["self"], "actor": "student:S-1"},
    "operator": {"roles": ["operator"]},
    "setup": {"roles": ["service"], "actor": "system", "onBehalfOf": ["student", "coach", "admin", "service"]},
    "reader": {"roles": ["reader"], "products": ["examroom"]},
}
POLICY = {"identities": [
    {"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), **rights} for name, rights in ROLES.items()]}


class Browser:
    """As much of a browser as forms and cookies take."""

    def __init__(self, server):
        self.server = server
        self.cookies = {}

    def ask(self, method, path, body=None, headers=None):
        headers = dict(headers or {})
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            body = urllib.parse.urlencode(body)
            headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
        answer = self.server.ask(method, path, body=body, headers=headers)
        if "set-cookie" in answer.headers:
            name, value = answer.headers["set-cookie"].split(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer

    def get(self, path, **more):
        return self.ask("GET", path, **more)

    def form_token(self, path="/ui/login"):
        return re.search(r'name="form-token" value="([0-9a-f]{64})"', self.get(path).body.decode()).group(1)

    def post(self, path, body, headers=None, page="/ui/login"):
        return self.ask("POST", path, {"form-token": self.form_token(page), **body}, headers)

    def sign_in(self, bearer, following=None):
        return self.post("/ui/login", {"token": bearer, "next": following or ""})


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server(access=POLICY)
        cls.server.submit_all(COMMANDS, token="setup")
        cls.server.submit({
            "id": "h-1", "command": "examroom.account.register", "at": "2026-02-02T12:00:00Z", "by": "system",
            "data": {"account": "S-90", "role": "student", "name": HOSTILE,
                     "credential": {"scheme": "bcrypt", "salt": "s", "digest": "d"}}}, token="setup")

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def browser(self, role=None):
        browser = Browser(self.server)
        if role:
            answer = browser.sign_in(role)
            self.assertEqual((answer.status, answer.headers["location"]), (303, "/ui"), answer.body)
        return browser

    def test_who_has_not_signed_in_is_sent_to_do_so_and_comes_back(self):
        browser = self.browser()
        answer = browser.get("/ui/events?type=examroom.exam.*")
        self.assertEqual(answer.status, 303)
        place = urllib.parse.urlsplit(answer.headers["location"])
        self.assertEqual(place.path, "/ui/login")
        following = urllib.parse.parse_qs(place.query)["next"][0]
        answer = browser.sign_in("auditor", following)
        self.assertEqual(urllib.parse.unquote(answer.headers["location"]), "/ui/events?type=examroom.exam.*")
        self.assertEqual(browser.get(answer.headers["location"]).status, 200)

    def test_back_is_to_the_console_alone(self):
        for place in ["https://evil.example/", "//evil.example/", "/\\evil.example", "/v1/models", "/ui\\..", "/uix",
                      "javascript:alert(1)", "/ui/../../evil", "/ui/..", "/ui/./x", "/ui/%2e%2e/x", "/ui/.%2E/x", "/ui/a/..%2Fx",
                      "/ui//evil.example", "/ui/%2Fx", "/ui/%5C..", "/ui/.\t./x", "/ui/.\n./x", "/ui/%zz"]:
            with self.subTest(place):
                self.assertEqual(self.browser().sign_in("auditor", place).headers["location"], "/ui")
        for place in ["/ui/events?type=a..b&from=1", "/ui/models/examroom.exam/EX%201", "/ui/models/a/...", "/ui?x=//y"]:
            with self.subTest(place):
                self.assertEqual(self.browser().sign_in("auditor", place).headers["location"], place)

    def test_a_token_that_is_not_known_signs_nobody_in(self):
        browser = self.browser()
        answer = browser.sign_in("nobody")
        self.assertEqual(answer.status, 401)
        self.assertIn(b'role="alert"', answer.body)
        self.assertEqual(browser.get("/ui/events").status, 303)

    def test_signing_in_begins_a_new_session(self):
        browser = self.browser()
        browser.get("/ui/login")
        planted = dict(browser.cookies)
        browser.sign_in("auditor")
        self.assertNotEqual(browser.cookies, planted)
        thief = self.browser()
        thief.cookies = planted
        self.assertEqual(thief.get("/ui/events").status, 303)

    def test_signing_out_ends_the_session_for_every_copy_of_the_cookie(self):
        browser = self.browser("auditor")
        copy = self.browser()
        copy.cookies = dict(browser.cookies)
        self.assertEqual(copy.get("/ui/events").status, 200)
        self.assertEqual(browser.post("/ui/logout", {}, page="/ui").status, 303)
        self.assertEqual(copy.get("/ui/events").status, 303)

    def test_a_stream_ends_with_the_session_that_it_was_opened_in(self):
        browser = self.browser("auditor")
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        source = self.server.stream("/ui/api/v1/events?from=1", headers={"Cookie": cookie})
        self.assertEqual(source.status, 200)
        stream = iter(source)
        self.assertEqual(next(stream)[0], "event")
        self.assertEqual(browser.post("/ui/logout", {}, page="/ui").status, 303)
        rest = []
        reading = threading.Thread(target=lambda: rest.extend(stream), daemon=True)
        reading.start()
        reading.join(20)
        self.assertFalse(reading.is_alive(), "the stream goes on")
        self.assertEqual(rest[-1][0], "end")
        source.close()

    def test_a_stream_goes_on_with_the_session_of_another(self):
        kept, browser = self.browser("auditor"), self.browser("auditor")
        cookie = "; ".join(f"{name}={value}" for name, value in kept.cookies.items())
        source = self.server.stream("/ui/api/v1/events", headers={"Cookie": cookie})
        self.assertEqual(browser.post("/ui/logout", {}, page="/ui").status, 303)
        # A session that has ended is looked for each second.
        time.sleep(3)
        answer = self.server.submit({
            "id": "after-sign-out", "command": "examroom.connection.observe", "at": "2026-02-02T12:00:01Z", "by": "system",
            "data": {"device": "D-after", "network": "wifi"}}, token="setup")
        self.assertEqual(answer.status, 201, answer.body)
        event, position, _ = next(iter(source))
        self.assertEqual(event, "event")
        self.assertLessEqual(int(position), int(answer.headers["sijill-position"]))
        source.close()

    def test_a_form_that_asks_by_get_sends_a_space_as_a_plus_sign(self):
        browser = self.browser("auditor")
        asked = urllib.parse.urlencode({
            "product": "examroom", "policy": "defaultPassPercent", "value": "80", "model": "examroom.result",
            "count": "$.passed == true"})
        self.assertIn("+%3D%3D+", asked)
        for _ in range(200):
            answer = browser.get("/ui/what-if?" + asked)
            if answer.status != 202:
                break
            time.sleep(0.1)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertIn(b'value="$.passed == true"', answer.body)
        self.assertEqual(browser.get("/ui/events?type=%zz").status, 400)

    def test_the_cookie_is_for_the_console_alone_and_no_script_reads_it(self):
        cookie = self.browser().get("/ui/login").headers["set-cookie"]
        self.assertRegex(cookie, r"^sijill=[0-9a-f]{32}; Path=/ui; HttpOnly; SameSite=Lax$")
        self.server.get("/v1/models")

    def test_a_cookie_is_no_token_of_the_api(self):
        browser = self.browser("auditor")
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        self.assertEqual(self.server.get("/v1/models", headers={"Cookie": cookie}).status, 401)

    def test_a_form_of_elsewhere_is_refused(self):
        browser = self.browser("operator")
        good = browser.form_token("/ui/operations")
        job = {"kind": "verify"}
        other = self.browser().form_token()
        cases = [({}, {}), ({"form-token": "0" * 64}, {}), ({"form-token": other}, {}),
                 ({"form-token": good}, {"Origin": "https://evil.example"}), ({"form-token": good}, {"Origin": "null"})]
        for fields, headers in cases:
            with self.subTest(fields=fields, headers=headers):
                self.assertEqual(browser.ask("POST", "/ui/jobs", {**job, **fields}, headers).status, 403)
        headers = {"Origin": f"http://{self.server.address}"}
        self.assertEqual(browser.ask("POST", "/ui/jobs", {**job, "form-token": good}, headers).status, 303)

    def test_a_page_shows_what_the_role_may_see_and_nothing_else(self):
        student = self.browser("student")
        self.assertEqual(student.get("/ui/models/examroom.account/S-1").status, 200)
        self.assertEqual(student.get("/ui/models/examroom.account/S-2").status, 403)
        self.assertEqual(student.get("/ui/audit").status, 403)
        self.assertEqual(student.get("/ui/operations").status, 403)
        self.assertEqual(student.get("/ui/api/v1/models/examroom.account/S-2").status, 403)
        operator = self.browser("operator")
        self.assertEqual(operator.get("/ui").status, 200)
        self.assertEqual(operator.get("/ui/operations").status, 200)
        self.assertEqual(operator.get("/ui/events").status, 403)
        self.assertEqual(self.browser("reader").get("/ui/audit").status, 403)
        name = b"Sara"
        names = [command["data"].get("name") for command in COMMANDS if command["command"] == "examroom.account.register"]
        name = next(name for name in names if name).encode()
        whose = next(command["data"]["account"] for command in COMMANDS
                     if command["command"] == "examroom.account.register" and command["data"].get("name"))
        page = f"/ui/models/examroom.account/{whose}"
        self.assertIn(name, self.browser("auditor").get(page).body)
        self.assertNotIn(name, self.browser("blind").get(page).body)

    def test_an_instant_holds_from_page_to_page(self):
        events = self.server.get("/v1/events?from=2026-02-02T09:00:00Z&limit=9", token="auditor").json["events"]
        positions = [str(event["position"]) for event in events]
        page = self.browser("auditor").get(f"/ui/events?at=2026-02-02T09:00&before={positions[2]}").body.decode()
        self.assertEqual(re.findall(r'href="/ui/events/(\d+)"', page), positions[1::-1])
        self.assertIn(f'href="/ui/events?at=2026-02-02T09:00&amp;after={positions[1]}"', page)

    def test_what_scripts_ask_is_for_reading(self):
        browser = self.browser("setup")
        answer = browser.ask("POST", "/ui/api/v1/commands", {"id": "x"})
        self.assertEqual(answer.status, 403)
        auditor = self.browser("auditor")
        self.assertEqual(auditor.get("/ui/api/v1/models/examroom.exam/EX-1").status, 200)
        self.assertEqual(auditor.get("/ui/api/v1/nowhere").status, 404)
        self.assertEqual(auditor.get("/ui/api/ui").status, 404)

    def test_nothing_of_the_journal_becomes_markup(self):
        browser = self.browser("auditor")
        for page in ["/ui/models/examroom.account/S-90", "/ui/examroom/students", "/ui/people/examroom/S-90",
                     "/ui/models/" + urllib.parse.quote(HOSTILE, safe=""), "/ui/events?tag=" + urllib.parse.quote(HOSTILE),
                     "/ui/nowhere?q=" + urllib.parse.quote(HOSTILE), "/ui/people?product=examroom&page=" + urllib.parse.quote(HOSTILE),
                     "/ui/models/examroom.account/S-90?why=" + urllib.parse.quote(HOSTILE), "/ui/login?next=" + urllib.parse.quote(HOSTILE)]:
            with self.subTest(page):
                body = browser.get(page).body.decode()
                self.assertNotIn("<img", body)
        self.assertIn("&lt;img src=x", browser.get("/ui/models/examroom.account/S-90").body.decode())

    def test_every_page_has_the_strict_head(self):
        browser = self.browser("auditor")
        for page in ["/ui", "/ui/events", "/ui/nowhere", "/ui/login", "/ui/models/examroom.exam/EX-1"]:
            headers = browser.get(page).headers
            policy = headers["content-security-policy"]
            for part in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "trusted-types 'none'",
                         "require-trusted-types-for 'script'", "base-uri 'none'", "form-action 'self'"]:
                self.assertIn(part, policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["x-content-type-options"], "nosniff")
            self.assertEqual(headers["cross-origin-opener-policy"], "same-origin")
            self.assertEqual(headers["cache-control"], "no-store")
        page = browser.get("/ui").body.decode()
        self.assertNotRegex(page, r"<script(?![^>]* src=)|\son[a-z]+=|style=|https?://")
        style = re.search(r'href="(/ui/assets/[0-9a-f]+/console.css)"', page).group(1)
        self.assertIn("immutable", browser.get(style).headers["cache-control"])

    def test_a_page_that_is_not_there_and_odd_addresses_are_refused_plainly(self):
        browser = self.browser("auditor")
        for page, status in [("/ui/nowhere", 404), ("/ui/events/0", 400), ("/ui/events/x", 400), ("/ui/events/999999", 404),
                             ("/ui/models/examroom.nothing", 404), ("/ui/events?from=x", 400), ("/ui/%zz", 400),
                             ("/ui/models/examroom.exam/EX-1?as-of=x", 400), ("/ui/jobs/7", 403)]:
            with self.subTest(page):
                self.assertEqual(browser.get(page).status, status)
        self.assertEqual(browser.ask("PUT", "/ui").status, 405)

    def test_a_form_too_long_is_refused(self):
        browser = self.browser()
        token_ = browser.form_token()
        self.assertEqual(browser.ask("POST", "/ui/login", {"form-token": token_, "token": "x" * 70_000}).status, 413)

    def test_arabic_is_asked_for_by_the_browser_or_the_address(self):
        browser = self.browser("auditor")
        self.assertIn('<html lang="ar" dir="rtl">', browser.get("/ui/events", headers={"Accept-Language": "ar"}).body.decode())
        page = browser.get("/ui/events?lang=ar").body.decode()
        self.assertIn('<html lang="ar" dir="rtl">', page)
        links = re.findall(r'href="(/ui/(?!assets)[^"]*)"', page)
        self.assertTrue(links)
        self.assertEqual([link for link in links if "lang=" not in link], [])


class OtherJournals(unittest.TestCase):
    """Journals beside the default one, each below an address of its own."""

    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.submit_all(COMMANDS)
        cls.server.stop()
        cls.many = tempfile.mkdtemp()
        for name in ("school", "other"):
            shutil.copytree(cls.server.journal, os.path.join(cls.many, name))
        identities = [{"name": name, "tokenSHA256": hashlib.sha256(name.encode()).hexdigest(), **rights}
                      for name, rights in {
                          "auditor": {"roles": ["auditor", "operator"]},
                          "own": {"roles": ["auditor"], "journals": ["school"]}}.items()]
        cls.server.settings["journals"] = cls.many
        cls.server.settings["access.file"] = cls.server.file("access.json", json.dumps({"identities": identities}))
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        shutil.rmtree(cls.many)

    def test_every_link_of_its_pages_is_there_and_stays_in_the_journal(self):
        browser = Browser(self.server)
        browser.sign_in("auditor")
        self.assertIn('href="/ui/journals/school"', browser.get("/ui/journals").body.decode())
        seen, waiting = set(), ["/ui/journals/school", "/ui/journals/school/events/1", "/ui/journals/school/audit",
                                "/ui/journals/school/operations", "/ui/journals/school/models?lang=ar"]
        while waiting and len(seen) < 60:
            place = waiting.pop(0)
            if place in seen:
                continue
            seen.add(place)
            answer = browser.get(place)
            for _ in range(100):
                if answer.status != 202:
                    break
                time.sleep(0.1)
                answer = browser.get(place)
            self.assertEqual(answer.status, 200, place)
            page = answer.body.decode()
            for link in re.findall(r' (?:href|action)="(/ui/[^"]*)"', page):
                link = link.replace("&amp;", "&")
                if re.match(r"/ui/(assets/|journals$|journals\?|logout)", link):
                    continue
                if link.startswith("/ui/api/"):
                    self.assertTrue(link.startswith("/ui/api/v1/journals/school/"), (place, link))
                    continue
                self.assertRegex(link, r"^/ui/journals/school([/?]|$)", place)
                waiting.append(link)
        self.assertGreater(len(seen), 30)

    def test_it_is_another_journal_than_the_default_one(self):
        browser = Browser(self.server)
        browser.sign_in("auditor")
        before = browser.get("/ui/events").body
        command = {"id": "elsewhere", "command": "examroom.connection.observe", "at": "2026-03-02T08:00:00Z", "by": "system",
                   "data": {"device": "D-elsewhere", "network": "wifi"}}
        done = subprocess.run([os.path.join(BUILD, "replay"), "submit", "--journal", os.path.join(self.many, "other"), "-"],
                              input=json.dumps(command), text=True, check=False, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"D-elsewhere", browser.get("/ui/journals/other/events").body)
        self.assertEqual(browser.get("/ui/events").body, before)

    def test_rights_hold_for_it_as_they_do_in_the_api(self):
        browser = Browser(self.server)
        browser.sign_in("own")
        self.assertEqual(browser.get("/ui/events").status, 403)
        self.assertIn(b'href="/ui/journals"', browser.get("/ui/events").body)
        # Who may not see the list says the name.
        self.assertEqual(browser.get("/ui/journals?name=school").headers["location"], "/ui/journals/school")
        self.assertEqual(browser.get("/ui/journals/school/events").status, 200)
        self.assertEqual(browser.get("/ui/journals/other/events").status, 404)
        self.assertEqual(browser.get("/ui/journals/nowhere/events").status, 404)
        self.assertEqual(Browser(self.server).get("/ui/journals/school/events").headers["location"],
                         "/ui/login?next=%2Fui%2Fjournals%2Fschool%2Fevents")


@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class ByIssuer(unittest.TestCase):
    """The authorisation code flow, with an issuer that checks what it is told."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp()
        cls.key = Key("ES256", "k", cls.place)
        cls.issuer = SigningIn([cls.key])
        with open(os.path.join(cls.place, "secret"), "w", encoding="ascii") as file:
            file.write("client-secret\n")
        access = {"issuers": [{"issuer": cls.issuer.name, "audience": ["sijill", "console"], "rules": [
            {"claim": "group", "value": "revision", "name": "revision", "roles": ["auditor"]}]}]}
        cls.server = Server(access=access, settings={
            "console.issuer": cls.issuer.name, "console.client": "console", "console.address": "http://console.example",
            "console.secretFile": os.path.join(cls.place, "secret")})

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        cls.issuer.close()
        shutil.rmtree(cls.place)

    def begin(self, browser, following="/ui/events"):
        answer = browser.get("/ui/login/issuer?next=" + urllib.parse.quote(following))
        self.assertEqual(answer.status, 303, answer.body)
        place = urllib.parse.urlsplit(answer.headers["location"])
        self.assertEqual(f"{place.scheme}://{place.netloc}{place.path}", self.issuer.name + "/authorize")
        query = dict(urllib.parse.parse_qsl(place.query))
        self.assertEqual(query["redirect_uri"], "http://console.example/ui/login/callback")
        self.assertEqual((query["response_type"], query["scope"], query["client_id"]), ("code", "openid", "console"))
        return query

    def test_somebody_signs_in_and_lands_where_they_were(self):
        browser = Browser(self.server)
        self.assertIn(b"/ui/login/issuer", browser.get("/ui/login").body)
        query = self.begin(browser)
        code = self.issuer.code(query, self.key, group="revision")
        answer = browser.get(f"/ui/login/callback?code={code}&state={query['state']}")
        self.assertEqual((answer.status, answer.headers.get("location")), (303, "/ui/events"), answer.body)
        self.assertEqual(browser.get("/ui/events").status, 200)

    def test_a_code_is_for_who_began_and_once(self):
        browser, other = Browser(self.server), Browser(self.server)
        query = self.begin(browser)
        other.get("/ui/login")
        code = self.issuer.code(query, self.key, group="revision")
        self.assertEqual(other.get(f"/ui/login/callback?code={code}&state={query['state']}").status, 401)
        # It was tried: it is gone.
        self.assertEqual(browser.get(f"/ui/login/callback?code={code}&state={query['state']}").status, 401)
        self.assertEqual(browser.get("/ui/login/callback?code=x&state=" + "0" * 32).status, 401)

    def test_a_token_of_another_sign_in_or_without_a_right_is_refused(self):
        for more in [{"nonce": "other", "group": "revision"}, {"group": "nobody"}, {"group": "revision", "aud": "other"},
                     {"group": "revision", "exp": 1}]:
            with self.subTest(more):
                browser = Browser(self.server)
                query = self.begin(browser)
                code = self.issuer.code(query, self.key, **more)
                answer = browser.get(f"/ui/login/callback?code={code}&state={query['state']}")
                self.assertEqual(answer.status, 401, answer.body)
                self.assertEqual(browser.get("/ui/events").status, 303)

    def sign_in(self, **more):
        browser = Browser(self.server)
        query = self.begin(browser)
        code = self.issuer.code(query, self.key, group="revision", **more)
        self.assertEqual(browser.get(f"/ui/login/callback?code={code}&state={query['state']}").status, 303)
        return browser

    def test_a_token_that_ends_is_renewed_while_the_issuer_gives_another(self):
        before = len(self.issuer.renewed)
        # It holds for half a minute after its end, since clocks differ.
        browser = self.sign_in(exp=int(time.time()) - 10)
        self.issuer.renewing = {"exp": int(time.time()) + 600}
        self.assertEqual(browser.get("/ui/events").status, 200)
        self.assertEqual(browser.get("/ui/events").status, 200)
        self.assertEqual(len(self.issuer.renewed), before + 1)
        time.sleep(11)
        self.assertEqual(browser.get("/ui/events").status, 200)

    def test_a_session_ends_when_the_issuer_gives_no_other_token_or_one_of_somebody_else(self):
        for renewing in [None, {"exp": int(time.time()) + 600, "sub": "somebody-else"},
                         {"exp": int(time.time()) + 600, "group": "nobody"}]:
            with self.subTest(renewing):
                browser = self.sign_in(exp=int(time.time()) - 10)
                self.issuer.renewing = renewing
                answer = browser.get("/ui/events?type=x")
                self.assertEqual(answer.status, 303)
                # Back to the page, once signed in again.
                self.assertIn("next=%2Fui%2Fevents%3Ftype%3Dx", answer.headers["location"])

    def test_a_session_goes_on_while_the_issuer_is_away_and_its_token_holds(self):
        browser = self.sign_in(exp=int(time.time()) + 20)
        self.issuer.renewing = 503
        self.assertEqual(browser.get("/ui/events").status, 200)

    def test_however_many_begin_to_sign_in_the_next_one_can(self):
        before = self.issuer.requests.count("/.well-known/openid-configuration")
        for _ in range(1_025):
            self.assertEqual(self.server.get("/ui/login/issuer").status, 303)
        browser = Browser(self.server)
        query = self.begin(browser)
        code = self.issuer.code(query, self.key, group="revision")
        answer = browser.get(f"/ui/login/callback?code={code}&state={query['state']}")
        self.assertEqual((answer.status, answer.headers.get("location")), (303, "/ui/events"), answer.body)
        asked = self.issuer.requests.count("/.well-known/openid-configuration") - before
        self.assertLess(asked, 10)

    def test_an_issuer_that_is_away_is_no_fault_of_who_signs_in(self):
        key = Key("ES256", "away", self.place)
        issuer = SigningIn([key])
        access = {"issuers": [{"issuer": issuer.name, "audience": ["console"], "rules": [
            {"claim": "group", "value": "revision", "name": "revision", "roles": ["auditor"]}]}]}
        with Server(access=access, settings={
                "console.issuer": issuer.name, "console.client": "console",
                "console.address": "http://console.example"}) as server:
            issuer.close()
            answer = Browser(server).get("/ui/login/issuer")
            self.assertEqual((answer.status, answer.headers["retry-after"]), (503, "5"), answer.body)
            self.assertIn(b'role="alert"', answer.body)

    def test_what_the_issuer_refuses_is_told(self):
        browser = Browser(self.server)
        query = self.begin(browser)
        answer = browser.get(f"/ui/login/callback?error=access_denied&state={query['state']}")
        self.assertEqual(answer.status, 401)
        self.assertIn(b"access_denied", answer.body)


class SigningIn(Issuer):
    """An issuer with the two endpoints of the code flow."""

    def __init__(self, keys):
        self.codes = {}
        # What a refresh token gives: claims, none any more, or no answer but a status.
        self.renewing = None
        self.renewed = []
        self.refreshing = {}
        super().__init__(keys)
        issuer, handler = self, self.server.RequestHandlerClass
        plain = handler.do_GET

        def get(request):
            if request.path != "/.well-known/openid-configuration":
                return plain(request)
            issuer.requests.append(request.path)
            return reply(request, {"issuer": issuer.name, "jwks_uri": f"{issuer.name}/jwks",
                                   "authorization_endpoint": f"{issuer.name}/authorize",
                                   "token_endpoint": f"{issuer.name}/token"})

        def post(request):
            fields = dict(urllib.parse.parse_qsl(request.rfile.read(int(request.headers["Content-Length"])).decode()))
            if fields["grant_type"] == "refresh_token":
                known = issuer.refreshing.pop(fields["refresh_token"], None)
                if isinstance(issuer.renewing, int):
                    return reply(request, {}, issuer.renewing)
                if known is None or issuer.renewing is None or fields["client_secret"] != "client-secret":
                    return reply(request, {"error": "invalid_grant"}, 400)
                issuer.renewed.append(fields["refresh_token"])
                refresh = f"refresh-{len(issuer.renewed)}-again"
                issuer.refreshing[refresh] = known
                key, claims = known
                return reply(request, {"id_token": token(key, {**claims, **issuer.renewing}), "refresh_token": refresh})
            known = issuer.codes.pop(fields.get("code"), None)
            challenge = base64.urlsafe_b64encode(
                hashlib.sha256(fields.get("code_verifier", "").encode()).digest()).rstrip(b"=").decode()
            good = known and known["query"]["code_challenge"] == challenge and fields["client_secret"] == "client-secret" \
                and fields["redirect_uri"] == known["query"]["redirect_uri"] and fields["grant_type"] == "authorization_code"
            if not good:
                return reply(request, {"error": "invalid_grant"}, 400)
            refresh = f"refresh-{fields['code']}"
            issuer.refreshing[refresh] = known["key"], known["claims"]
            return reply(request, {"id_token": known["token"], "token_type": "Bearer", "refresh_token": refresh})

        def reply(request, document, status=200):
            body = json.dumps(document).encode()
            request.send_response(status)
            request.send_header("Content-Type", "application/json")
            request.send_header("Content-Length", str(len(body)))
            request.end_headers()
            request.wfile.write(body)

        handler.do_GET, handler.do_POST = get, post

    def code(self, query, key, **more):
        """A code for what `token` would say."""
        claims = self.claims(**{"nonce": query["nonce"], "aud": "console", **more})
        code = f"code-{len(self.codes)}-{query['state']}"
        self.codes[code] = {"query": query, "token": token(key, claims), "key": key, "claims": claims}
        return code


if __name__ == "__main__":
    unittest.main()
