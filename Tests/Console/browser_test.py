"""The console in Chromium: every page in both languages, schemes and widths; tasks by keyboard and without scripts; the check."""
import os
import re
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from stage import CHROMIUM, PAGES, address, leave, stage

KEPT = os.environ.get("SIJILL_SCREENSHOTS")
WATCH = "addEventListener('securitypolicyviolation', (e) => console.error(`CSP ${e.violatedDirective} ${e.blockedURI}`));"


def setUpModule():
    global server, player, chromium
    server = stage()
    player = sync_playwright().start()
    chromium = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if os.geteuid() == 0 else [])


def tearDownModule():
    chromium.close()
    player.stop()
    leave(server)


def until(page, expression, seconds=30):
    """Waits for JavaScript's truth; Playwright's own way would evaluate a string in the page, which its policy forbids."""
    for _ in range(seconds * 20):
        if page.evaluate(f"Boolean({expression})"):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"never: {expression}")


class Case(unittest.TestCase):
    def open(self, **options):
        context = chromium.new_context(**options)
        context.add_init_script(WATCH)
        self.addCleanup(context.close)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: page.complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        return page


# What axe finds depends on the scheme in these rules alone: the markup is the same.
OF_THE_SCHEME = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def visit(page, url):
    """Goes there, and again while the page is being worked out."""
    for _ in range(300):
        answer = page.goto(url)
        # None: the page was just showing itself at the same address.
        if answer and answer.status != 202:
            return answer
        page.wait_for_timeout(100)
    raise AssertionError(f"never worked out: {url}")


class EveryPage(Case):
    def look(self, language, names):
        """Each page is loaded once; width and scheme are changed under it, since they change the style alone."""
        page = self.open(viewport={"width": 1280, "height": 800}, color_scheme="light", locale=language)
        axe = Axe()
        for name in names:
            page.set_viewport_size({"width": 1280, "height": 800})
            page.emulate_media(color_scheme="light")
            page.complaints.clear()
            answer = visit(page, address(server, name, language))
            wanted = 404 if name == "/ui/nowhere" else 200
            with self.subTest(page=name, language=language):
                self.assertEqual(answer.status, wanted, name)
                page.wait_for_load_state("networkidle") if "models/" in name else None
                self.assertEqual(page.evaluate("getComputedStyle(document.body).direction"), "rtl" if language == "ar" else "ltr")
            for width in (1280, 360):
                page.set_viewport_size({"width": width, "height": 800})
                for scheme in ("light", "dark"):
                    with self.subTest(page=name, language=language, scheme=scheme, width=width):
                        page.emulate_media(color_scheme=scheme)
                        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, "it is too wide")
                        brand, menu = (page.locator(place).first.bounding_box() for place in ("header .brand", "header .me"))
                        self.assertEqual(brand["x"] > menu["x"], language == "ar", "it is not mirrored")
                        found = axe.run(page, options=OF_THE_SCHEME if scheme == "dark" else {"resultTypes": ["violations"]})
                        wrong = found.response["violations"]
                        self.assertEqual([(item["id"], [node["html"][:200] for node in item["nodes"]][:3]) for item in wrong], [])
                        if KEPT:
                            place = re.sub(r"[^A-Za-z0-9.-]+", "_", name.strip("/"))[:60]
                            page.screenshot(path=f"{KEPT}/{place}-{language}-{scheme}-{width}.png", full_page=False)
            with self.subTest(page=name, language=language, complaints=True):
                self.assertEqual([text for text in page.complaints if wanted == 200 or "404" not in text], [])

    # In halves, for two processes.
    def test_in_english_the_first_half(self): self.look("en", PAGES[::2])
    def test_in_english_the_second_half(self): self.look("en", PAGES[1::2])
    def test_in_arabic_the_first_half(self): self.look("ar", PAGES[::2])
    def test_in_arabic_the_second_half(self): self.look("ar", PAGES[1::2])

    def test_pages_are_small_and_ask_nobody_else(self):
        page = self.open()
        kept, hosts = [], set()

        def take(response):
            hosts.add(response.url.split("/")[2])
            if response.request.is_navigation_request():
                kept.clear()
            # A stream of events has no end.
            if response.status == 200 and "event-stream" not in response.headers.get("content-type", ""):
                kept.append(response)

        for name in PAGES:
            if name == "/ui/nowhere":
                continue
            kept.clear()
            page.on("response", take)
            visit(page, address(server, name, "en"))
            page.wait_for_load_state("networkidle") if "/ui/events" not in name else None
            page.remove_listener("response", take)
            sizes = {response.url: len(response.body()) for response in kept}
            self.assertTrue(sizes, name)
            scripts = sum(size for url, size in sizes.items() if url.endswith(".js"))
            self.assertLessEqual(scripts, 20 << 10, name)
            if name == "/ui":
                self.assertLessEqual(sum(sizes.values()), 60 << 10, sizes)
        self.assertEqual(hosts, {server.address})


class Mouse:
    """Somebody who points and clicks."""

    def __init__(self, page):
        self.page = page

    def follow(self, text):
        self.page.get_by_role("link", name=text, exact=True).first.click()

    def press(self, text):
        self.page.get_by_role("button", name=text, exact=True).first.click()

    def fill(self, label, text):
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label, text):
        self.page.get_by_role("combobox", name=label, exact=True).select_option(label=text)


class Keyboard:
    """Somebody who has a keyboard alone."""

    NAME = """() => { const e = document.activeElement;
        return (e.getAttribute('aria-label') ?? (e.labels?.[0]?.querySelector('span') ?? e).textContent).trim(); }"""

    def __init__(self, page):
        self.page = page

    def reach(self, name):
        for _ in range(300):
            self.page.keyboard.press("Tab")
            if self.page.evaluate(self.NAME) == name:
                return
        raise AssertionError(f"{name} is not reached by Tab")

    def enter(self, name):
        self.reach(name)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    follow = press = enter

    def fill(self, label, text):
        self.reach(label)
        self.page.keyboard.type(text)

    def choose(self, label, text):
        self.reach(label)
        self.page.keyboard.type(text)


class Tasks(Case):
    """Five tasks of docs/console.md, as whoever has a mouse and no scripts does them, and whoever has a keyboard alone."""

    def both(self, task):
        for name, options, make in [("no scripts", {"java_script_enabled": False}, Mouse), ("keyboard", {}, Keyboard)]:
            with self.subTest(name):
                page = self.open(locale="en", viewport={"width": 1280, "height": 800}, **options)
                page.goto(f"http://{server.address}/ui")
                task(page, make(page))

    def text(self, page):
        return page.locator("main").inner_text()

    def test_how_hard_was_the_third_item_of_the_exam(self):
        def task(page, person):
            person.follow("ExamRoom")
            person.follow("Law School Admission Test, section 6")
            row = page.get_by_role("table", name="Item statistics").get_by_role("row").filter(has_text="Q3")
            self.assertIn("55.3", row.inner_text())
        self.both(task)

    def test_why_a_result_says_sixty_percent(self):
        def task(page, person):
            person.follow("Read models")
            person.follow("examroom.result")
            person.fill("Key: attempt", "AT-0500")
            person.press("Show")
            person.follow("60")
            self.assertIn("An exam's results were published.", page.locator("#why").inner_text())
            position = page.locator("#why a").first.inner_text()
            person.follow(position)
            self.assertEqual(page.locator("h1").inner_text(), f"Event {position}")
        self.both(task)

    def test_what_the_last_change_of_an_exam_was(self):
        def task(page, person):
            person.follow("Read models")
            person.follow("examroom.exam")
            person.follow("LSAT-6")
            self.assertIn("change 8 of 8", self.text(page))
            person.follow("Previous")
            self.assertIn("change 7 of 8", self.text(page))
            self.assertIn("draft", page.locator("del").first.inner_text())
            person.follow("Present")
            self.assertIn("change 8 of 8", self.text(page))
        self.both(task)

    def test_what_happened_to_a_student(self):
        def task(page, person):
            person.follow("People")
            person.choose("Product", "quranflow")
            person.fill("Account or student", "S-1")
            person.press("Show")
            self.assertIn("A student graduated from a level.", self.text(page))
            person.follow("Page of the student")
            self.assertIn("Week 15 of 15", self.text(page))
        self.both(task)

    def test_having_the_journal_verified_and_stopping_that(self):
        def task(page, person):
            person.follow("Operations")
            person.choose("New job", "Verify the journal")
            person.press("Begin")
            self.assertIn("How far it is" if page.locator("progress").count() else "verify", page.locator("main").inner_html())
            # One that has ended already cannot be stopped any more.
            if page.get_by_role("button", name="Cancel").count():
                person.press("Cancel")
            for _ in range(200):
                if page.get_by_text(re.compile("^(cancelled|done)$")).count():
                    break
                page.wait_for_timeout(100)
                if isinstance(person, Mouse) and page.get_by_role("link", name="Look again").count():
                    person.follow("Look again")
            self.assertRegex(self.text(page), "cancelled|done")
        self.both(task)


class Scripts(Case):
    """What scripts add."""

    def test_the_slider_steps_by_key_and_back_works(self):
        page = self.open(locale="en")
        page.goto(f"http://{server.address}/ui/models/examroom.exam/LSAT-6")
        slider = page.get_by_role("slider")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**as-of=*")
        first = page.url
        until(page, "document.activeElement.type === 'range'")
        page.keyboard.press("PageDown")
        page.wait_for_url(lambda url: url != first)
        page.go_back()
        self.assertEqual(page.url, first)
        page.go_back()
        self.assertNotIn("as-of", page.url)

    def test_live_counts_and_moves_nothing(self):
        page = self.open(locale="en")
        page.goto(f"http://{server.address}/ui/events?type=examroom.exam.*")
        rows = page.get_by_role("table").inner_text()
        page.get_by_text("Live: no new events").wait_for()
        head = server.get("/v1/status").json["position"]
        answer = server.submit({
            "id": f"live-{head}", "command": "examroom.exam.create", "at": "2026-06-01T08:00:00Z", "by": "admin:A-1",
            "data": {"exam": f"EX-{head}", "title": "Live", "durationMinutes": 30}})
        self.assertEqual(answer.status, 201, answer.body)
        page.get_by_text("1 new events").wait_for()
        self.assertEqual(page.get_by_role("table").inner_text(), rows)
        page.locator(".live a").click()
        self.assertIn("2026-06-01", page.get_by_role("table").inner_text())
        self.assertEqual(page.complaints, [])

    def test_what_takes_long_shows_itself_when_it_is_worked_out(self):
        # Of every read model of the product: longer than a page waits, with scripts and without.
        for number, scripts in enumerate([True, False]):
            with self.subTest(scripts=scripts):
                page = self.open(locale="en", java_script_enabled=scripts)
                answer = page.goto(f"http://{server.address}/ui/what-if?product=examroom&policy=defaultPassPercent&value={71 + number}")
                self.assertEqual(answer.status, 202)
                self.assertEqual(page.locator("h1").inner_text(), "Being worked out")
                self.assertEqual(page.locator("progress").count(), 1)
                if scripts:
                    self.assertEqual(Axe().run(page).response["violations"], [])
                page.get_by_role("heading", name="What would differ").wait_for(timeout=60_000)
                self.assertEqual(page.complaints, [])

    def test_a_job_tells_how_far_it_is_until_it_has_ended(self):
        page = self.open(locale="en")
        page.goto(f"http://{server.address}/ui/operations")
        page.get_by_role("combobox", name="New job", exact=True).select_option(label="Write a backup")
        page.get_by_label("Name of the backup").fill("nightly")
        page.get_by_role("button", name="Begin").click()
        page.get_by_text("What came of it").wait_for(timeout=60_000)
        self.assertEqual(page.locator("dd").filter(has_text="done").count(), 1)
        self.assertEqual(page.complaints, [])


class Check(Case):
    """The browser's own check of the log."""

    def begin(self, path="/ui/audit"):
        page = self.open(locale="en")
        page.goto(f"http://{server.address}{path}")
        return page

    def verdict(self, page, button="Check here"):
        page.get_by_role("button", name=button).click()
        verdict = page.locator(".check [role=status]")
        until(page, "['good', 'bad'].includes(document.querySelector('.check [role=status]').className)")
        return verdict.get_attribute("class"), page.locator(".check").inner_text()

    def spoil(self, page, pattern, at):
        """Flips a bit of what the service answers."""
        def answer(route):
            response = route.fetch()
            body = bytearray(response.body())
            body[at] ^= 1
            route.fulfill(response=response, body=bytes(body))
        page.route(pattern, answer)

    def test_the_log_holds_and_continues_what_the_browser_remembers(self):
        page = self.begin()
        self.assertEqual(self.verdict(page, "Check every event")[0], "good")
        head = server.get("/v1/status").json["position"]
        server.submit({
            "id": f"more-{head}", "command": "examroom.exam.create", "at": "2026-06-02T08:00:00Z", "by": "admin:A-1",
            "data": {"exam": f"EM-{head}", "title": "More", "durationMinutes": 30}})
        self.assertEqual(server.ask("POST", "/v1/audit/checkpoints").status, 201)
        kind, text = self.verdict(page)
        self.assertEqual(kind, "good", text)
        self.assertIn("It continues the checkpoint of", text)
        self.assertEqual(page.complaints, [])

    def test_a_flipped_bit_turns_it_red(self):
        for pattern, at, words in [
                ("**/log/tile/0/003", 100, "The tile"), ("**/log/tile/1/**", 33, "root"), ("**/log/tile/entries/**", 50, "Event"),
                ("**/log/checkpoint", 30, "")]:
            with self.subTest(pattern):
                page = self.begin()
                self.spoil(page, pattern, at)
                kind, text = self.verdict(page, "Check every event")
                self.assertEqual(kind, "bad", text)
                self.assertIn(words, text)

    def test_a_log_that_lost_events_or_changed_its_past_turns_it_red(self):
        for change in ["known.size += 100000", "known.root = btoa('x'.repeat(32)); known.size -= 5"]:
            with self.subTest(change):
                page = self.begin()
                self.assertEqual(self.verdict(page)[0], "good")
                page.evaluate(f"""() => {{ const name = 'sijill.log.school.example/log';
                    const known = JSON.parse(localStorage.getItem(name)); {change};
                    localStorage.setItem(name, JSON.stringify(known)); }}""")
                self.assertEqual(self.verdict(page)[0], "bad")

    def test_another_key_turns_it_red(self):
        page = self.begin()
        field = page.locator(".check [name=key]")
        field.fill("other.example/log+99c645b1+AYqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c")
        self.assertEqual(self.verdict(page)[0], "bad")

    def test_an_event_is_what_was_signed(self):
        page = self.begin("/ui/events/11000")
        kind, text = self.verdict(page)
        self.assertEqual(kind, "good", text)
        self.assertIn("What this page shows of it is what the leaf says.", text)
        page.route("**/ui/api/v1/events/11000", lambda route: route.fulfill(
            json={**route.fetch().json(), "by": "student:S-0001"}))
        self.assertEqual(self.verdict(page)[0], "bad")

    def test_the_saved_page_checks_files_from_a_disk(self):
        place = server.place
        size = server.get("/v1/audit/checkpoints").json["checkpoints"][-1]["size"]
        files = {"check.html": "/ui/check.html", "now.checkpoint": f"/v1/audit/checkpoints/{size}",
                 "7.tlog-proof": "/v1/audit/proofs/inclusion/7", "export.jsonl": "/v1/audit/export"}
        for name, path in files.items():
            with open(os.path.join(place, name), "wb") as file:
                file.write(server.get(path).body)
        with open(os.path.join(place, "school.key.vkey"), encoding="ascii") as file:
            key = file.read()
        page = self.open(locale="en")
        page.goto("file://" + os.path.join(place, "check.html"))
        page.locator("[name=key]").fill(key)

        def verdict(names):
            page.locator("[type=file]").set_input_files([os.path.join(place, name) for name in names])
            page.locator("button").click()
            until(page, "/hold|file/.test(document.querySelector('[role=status]').textContent)", 60)
            return page.locator("main").inner_text()

        text = verdict(["now.checkpoint", "7.tlog-proof", "export.jsonl"])
        self.assertIn("It holds.", text)
        self.assertIn(f"its first {size} events are what the checkpoint signed", text)
        for name in ["now.checkpoint", "7.tlog-proof", "export.jsonl"]:
            with open(os.path.join(place, name), "rb") as file:
                data = bytearray(file.read())
            data[len(data) // 2] ^= 1
            with open(os.path.join(place, "bad-" + name), "wb") as file:
                file.write(data)
            with self.subTest(name):
                names = ["now.checkpoint"] if name == "export.jsonl" else []
                self.assertIn("It does NOT hold.", verdict(names + ["bad-" + name]))
        self.assertEqual(Axe().run(page).response["violations"], [])


if __name__ == "__main__":
    unittest.main()
