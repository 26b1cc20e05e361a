"""The console in Debian's Firefox, which Playwright cannot drive: by WebDriver BiDi, which Firefox speaks itself."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import axe_playwright_python
from websockets.sync.client import connect

from stage import PAGES, address, leave, stage

WATCH = """() => addEventListener('securitypolicyviolation', (event) => {
    console.error(`CSP ${event.violatedDirective} ${event.blockedURI}`); })"""


class Firefox:
    """As much of WebDriver BiDi as the tests take."""

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="console-firefox-")
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", line)
            if found:
                break
        self.socket = connect(found.group(1) + "/session", max_size=64 << 20)
        self.number = 0
        self.complaints = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.ask("script.addPreloadScript", functionDeclaration=WATCH)
        self.tab = self.ask("browsingContext.create", type="tab")["context"]

    def ask(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] in ("error", "warn"):
                self.complaints.append(answer["params"]["text"])
            if answer.get("id") == self.number:
                if answer["type"] == "error":
                    raise RuntimeError(f"{method}: {answer['message']}")
                return answer["result"]

    def go(self, url, width):
        self.ask("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": 800})
        self.run("window.isFormer = true")
        try:
            self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")
        except RuntimeError as error:
            # A page that is being worked out loads itself again, be it before all of it is there.
            if "NS_BINDING_ABORTED" not in str(error):
                raise
        self.until(
            "!window.isFormer && document.readyState === 'complete' && document.body && "
            "!document.querySelector('[data-wait=\"\"]')")

    def run(self, expression):
        result = self.ask(
            "script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        if result["type"] == "exception":
            raise RuntimeError(result["exceptionDetails"]["text"])
        return result["result"].get("value")

    def until(self, expression, seconds=60):
        end = time.monotonic() + seconds
        last = None
        while time.monotonic() < end:
            try:
                if self.run(f"Boolean({expression})"):
                    return
            except RuntimeError as error:
                last = error  # The page is being loaded again.
            time.sleep(0.1)
        raise AssertionError(f"never: {expression} ({last})")

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        shutil.rmtree(self.profile, ignore_errors=True)


class InFirefox(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = stage()
        cls.firefox = Firefox()
        path = os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js")
        with open(path, encoding="utf-8") as file:
            cls.axe = file.read()

    @classmethod
    def tearDownClass(cls):
        cls.firefox.close()
        leave(cls.server)

    def test_every_page_is_clean(self):
        # Each once: Chromium has every combination.
        for number, name in enumerate(PAGES):
            for language, width in [[("en", 1280), ("ar", 360)][number % 2]]:
                with self.subTest(page=name, language=language, width=width):
                    self.firefox.complaints.clear()
                    self.firefox.go(address(self.server, name, language), width)
                    self.firefox.run(self.axe + ";0")
                    found = json.loads(self.firefox.run(
                        "axe.run().then((all) => JSON.stringify(all.violations.map("
                        "(one) => [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))])))"))
                    self.assertEqual(found, [])
                    self.assertEqual(self.firefox.complaints, [])
                    self.assertLessEqual(self.firefox.run("document.documentElement.scrollWidth - innerWidth"), 0)

    def test_the_check_holds_here_too(self):
        self.firefox.go(address(self.server, "/ui/audit", "en"), 1280)
        self.firefox.run("document.querySelector('.check button').click()")
        self.firefox.until("document.querySelector('.check [role=status]').className")
        self.assertEqual(self.firefox.run("document.querySelector('.check [role=status]').textContent"), "It holds.")


if __name__ == "__main__":
    unittest.main()
