"""The console in Chromium: every page in both languages, schemes and widths; tasks by keyboard and without scripts; the check."""
import os
import re
import time
import unittest

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, sync_playwright

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
        try:
            if page.evaluate(f"Boolean({expression})"):
                return
        except Error as error:
            # A page that is being worked out shows itself by going to its own address again.
            if "Execution context was destroyed" not in error.message:
                raise
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
        try:
            answer = page.goto(url)
        except Error as error:
            if "interrupted by another navigation" not in error.message and "ERR_ABORTED" not in error.message:
                raise
            answer = None
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


PACE = float(os.environ.get("SIJILL_PACE", "0"))


class Person:
    """Somebody who does a task: what they did is counted, and with `SIJILL_PACE=1` done at a person's pace."""

    # The keystroke-level model (Card, Moran and Newell): to think what to do next, to point and click, to press a key.
    THINK, CLICK, KEY = 1.35, 1.3, 0.28

    def __init__(self, page):
        self.page = page
        self.clicks = self.keys = 0

    def wait(self, seconds):
        if PACE:
            self.page.wait_for_timeout(1000 * seconds * PACE)

    def arrive(self):
        """The page is there, not one that says it is being worked out."""
        self.page.get_by_role("heading", level=1).filter(has_not_text="Being worked out").wait_for()


class Mouse(Person):
    """Somebody who points and clicks."""

    def click(self, place):
        self.wait(self.THINK + self.CLICK)
        self.clicks += 1
        place.first.click()
        self.arrive()

    def follow(self, text):
        self.click(self.page.get_by_role("link", name=text, exact=True))

    def press(self, text):
        self.click(self.page.get_by_role("button", name=text, exact=True))

    def fill(self, label, text):
        self.wait(self.THINK + self.CLICK + self.KEY * len(text))
        self.clicks += 1
        self.keys += len(text)
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label, text):
        self.wait(self.THINK + 2 * self.CLICK)
        self.clicks += 2
        self.page.get_by_role("combobox", name=label, exact=True).select_option(label=text)


class Keyboard(Person):
    """Somebody who has a keyboard alone."""

    NAME = """() => { const e = document.activeElement;
        return (e.getAttribute('aria-label') ?? (e.labels?.[0]?.querySelector('span') ?? e).textContent).trim(); }"""

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
        self.arrive()

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
            if PACE and make is Keyboard:
                continue
            with self.subTest(name):
                page = self.open(locale="en", viewport={"width": 1280, "height": 800}, **options)
                page.goto(f"http://{server.address}/ui")
                person = make(page)
                begin = time.monotonic()
                task(page, person)
                if PACE:
                    print(f"{self._testMethodName}: {person.clicks} clicks, {person.keys} keys, "
                          f"{time.monotonic() - begin:.0f} s", flush=True)

    def text(self, page):
        return page.locator("main").inner_text()

    def row(self, page, table, words):
        return page.get_by_role("table", name=table, exact=True).get_by_role("row").filter(has_text=words)

    def test_candidate_500_says_the_exam_was_marked_wrong_on_wednesday(self):
        def task(page, person):
            person.follow("ExamRoom")
            person.follow("Students")
            person.follow("Page 10")
            person.follow("Candidate 500")
            self.assertIn("2026-02-04", self.row(page, "Exams taken", "Law School").inner_text())
            person.follow("Result of AT-0500")
            row = self.row(page, "Questions", "Q2").inner_text()
            self.assertRegex(row, r"Q2\s+Item 2\s+b ✗\s+a\s+0\s+2026-02-04 09:14")
            person.follow("2026-02-04 09:14")
            self.assertIn("An answer was saved.", self.text(page))
            self.assertRegex(self.text(page), r"student:S-0500[\s\S]*chosen\s+b[\s\S]*Q2")
        self.both(task)

    def test_which_student_of_the_cohort_has_fallen_behind_and_since_when(self):
        def task(page, person):
            person.follow("QuranFlow")
            person.follow("Semester 1")
            self.assertRegex(self.row(page, "Students who are behind", "Huda Salem").inner_text(), r"Huda Salem\s+10\s+5")
            person.follow("Huda Salem")
            self.assertRegex(self.text(page), r"First week that is missing\s+5\s+Last recording\s+2026-02-26 18:00")
        self.both(task)

    def test_omar_asked_for_extra_time_did_he_get_it_and_who_decided(self):
        def task(page, person):
            person.follow("ExamRoom")
            person.follow("Essay")
            person.follow("Who sits it, extra time and requests")
            requests = page.get_by_role("table", name="Requests for it", exact=True).inner_text()
            self.assertRegex(requests, r"Omar Nasser\s+approved[^\n]*Karim Aziz")
            self.assertRegex(requests, r"Omar Nasser\s+denied[^\n]*R\. Darrell Bock\s+Thirty minutes are enough\.")
            self.assertRegex(self.row(page, "Extra time", "Omar Nasser").inner_text(), r"minutes\s+30")
        self.both(task)

    def test_when_were_the_results_of_the_exam_published_and_what_did_candidate_500_see_before(self):
        def task(page, person):
            person.follow("Read models")
            person.follow("examroom.result")
            person.fill("Key: attempt", "AT-0500")
            person.press("Show")
            person.follow("60")
            why = page.locator("#why").inner_text()
            self.assertRegex(why, r"2026-02-07 10:00\s+An exam's results were published\.[\s\S]*admin:A-1")
            self.assertIn("change 3 of 3", self.text(page))
            person.follow("Previous")
            self.assertIn("change 2 of 3", self.text(page))
            document = page.locator("dl.document").first.inner_text()
            self.assertRegex(document, r"published\s+false")
        self.both(task)

    def test_somebody_doubts_the_record_have_all_of_it_verified_and_stop_that(self):
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
                    page.get_by_role("link", name="Look again").first.click()
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
                # The page shows itself anew when the answer is there, which may be in the middle of what axe looks at:
                # until axe has ended the answer is that it is not.
                if scripts:
                    page.route("**/ui/what-if*", lambda route: route.fulfill(status=202) if route.request.resource_type == "fetch" else route.continue_())
                answer = page.goto(f"http://{server.address}/ui/what-if?product=examroom&policy=defaultPassPercent&value={71 + number}")
                self.assertEqual(answer.status, 202)
                self.assertEqual(page.locator("h1").inner_text(), "Being worked out")
                self.assertEqual(page.locator("progress").count(), 1)
                if scripts:
                    self.assertEqual(Axe().run(page).response["violations"], [])
                    page.unroute("**/ui/what-if*")
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
