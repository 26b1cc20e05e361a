"""What the package brings: alerts, a dashboard, a unit, manual pages."""
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from harness import ROOT, SIJILLD, Server, example_commands, wait_until

PACKAGING = os.path.join(ROOT, "Packaging")
# Those of Prometheus itself, those that have a series only when somebody asks for what they count, and a cluster's.
ELSEWHERE = {
    "up", "sijill_witness_requests_total", "sijill_job_duration_seconds", "sijill_cluster_stopped", "sijill_cluster_decides"}

# Nobody listens there.
ALLOWED = "http://127.0.0.1:1"


def expressions():
    with open(os.path.join(PACKAGING, "prometheus", "alerts.yml"), encoding="utf-8") as file:
        yield from re.findall(r"^ *expr: (.*)$", file.read(), re.M)
    with open(os.path.join(PACKAGING, "grafana", "dashboard.json"), encoding="utf-8") as file:
        for panel in json.load(file)["panels"]:
            yield from (target["expr"] for target in panel["targets"])


class Packaging(unittest.TestCase):
    def test_every_metric_that_an_alert_or_a_panel_names_is_told(self):
        with Server() as server:
            key = os.path.join(server.directory, "school.key")
            subprocess.run([SIJILLD.replace("sijilld", "replay"), "key", "new", key, "--name", "school.example/log"], check=True, capture_output=True)
            server.stop()
            server.settings["log.key"] = key
            server.settings["webhooks.allow"] = ALLOWED
            server.start()
            server.submit_all(example_commands("Examples/examroom/01-exam-day.jsonl"))
            server.get("/v1/models/examroom.exam/EX-1")
            server.ask("PUT", "/v1/subscriptions/index", body={})
            secret = "whsec_" + base64.b64encode(bytes(32)).decode()
            server.ask("PUT", "/v1/subscriptions/index/webhook", body={"url": ALLOWED, "secret": secret})
            self.assertTrue(wait_until(lambda: server.get("/v1/subscriptions/index/webhook").json["waiting"]))
            server.get("/metrics")
            told = set(re.findall(r"^# TYPE (\S+)", server.get("/metrics").body.decode(), re.M))
        named = set()
        for expression in expressions():
            for name in re.findall(r"\b(?:sijill|process|http_server)_\w+", expression):
                named.add(re.sub(r"_(bucket|count|sum)$", "", name))
        self.assertGreater(len(named), 15)
        self.assertEqual(named - told - ELSEWHERE, set())

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not there (Debian's package prometheus)")
    def test_alerts_are_rules_that_ring_when_they_should(self):
        for arguments in (["check", "rules", "alerts.yml"], ["test", "rules", "alerts_test.yml"]):
            done = subprocess.run(
                ["promtool", *arguments], cwd=os.path.join(PACKAGING, "prometheus"), capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @unittest.skipUnless(shutil.which("systemd-analyze"), "systemd-analyze is not there (Debian's package systemd)")
    def test_the_unit_leaves_little_open(self):
        done = subprocess.run(
            ["systemd-analyze", "security", "--offline=true", "--threshold=20", os.path.join(PACKAGING, "sijilld@.service")],
            capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-300:] + done.stderr)

    def test_the_unit_writes_what_does_not_fit_in_memory_to_a_disk(self):
        with open(os.path.join(PACKAGING, "sijilld@.service"), encoding="utf-8") as unit:
            self.assertIn("Environment=TMPDIR=/var/tmp\n", unit)

    def test_the_manual_page_is_what_the_help_says(self):
        done = subprocess.run(
            [sys.executable, os.path.join(ROOT, "Scripts", "man.py"), SIJILLD, "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
