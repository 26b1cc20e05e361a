"""What keeps the service from serving is said in a line, with the exit code that `replay` has for it."""
import os
import socket
import subprocess
import tempfile
import unittest

from harness import REPLAY, SIJILLD, replay


class Settings(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="sijilld-")
        self.addCleanup(directory.cleanup)
        self.directory = directory.name
        self.journal = os.path.join(self.directory, "journal")
        replay("init", "--journal", self.journal)

    def refused(self, code, *arguments, program=(SIJILLD,), **variables):
        """The line that it ends with."""
        done = subprocess.run(
            [*program, *arguments], env={**os.environ, **variables}, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual((done.stdout, len(done.stderr.splitlines())), ("", 1), done.stderr)
        self.assertTrue(done.stderr.startswith("sijilld: "), done.stderr)
        return done.stderr

    def path(self, name, text=None):
        path = os.path.join(self.directory, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def test_a_journal_that_is_not_there_is_66(self):
        nowhere = self.path("nowhere")
        self.assertIn(nowhere, self.refused(66, "--journal", nowhere))
        self.assertIn(nowhere, self.refused(66, "serve", "--journal", nowhere, program=(REPLAY,)))

    def test_a_question_about_no_cluster_is_64_and_about_no_journal_66(self):
        self.assertIn("go to no log", self.refused(64, "cluster", "status", "--journal", self.journal))
        nowhere = self.path("nowhere")
        self.assertIn(nowhere, self.refused(66, "cluster", "heal", "--yes", "--journal", nowhere))

    def test_an_address_that_another_program_has_is_74_and_named(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            line = self.refused(74, "--journal", self.journal, SIJILL_HTTP_PORT=port)
        self.assertIn(f"127.0.0.1:{port}: address already in use", line)

    def test_settings_that_cannot_be_read_are_64(self):
        for file in (self.path("nowhere.json"), self.path("empty.json", ""), self.path("list.json", "[]")):
            self.assertIn(file, self.refused(64, "--config", file))
            self.assertIn(file, self.refused(64, "health", "--config", file))

    def test_a_value_or_an_option_that_is_none_is_64(self):
        self.assertIn("http.port", self.refused(64, "--journal", self.journal, SIJILL_HTTP_PORT="x"))
        self.assertIn("sijilld --help", self.refused(64, "--frobnicate"))
        self.assertIn("no setting htp.port", self.refused(64, "--config", self.path("htp.json", '{"htp": {"port": 1}}')))

    def test_a_variable_that_names_no_setting_is_listed(self):
        done = subprocess.run(
            [SIJILLD, "check-config", "--journal", self.journal], capture_output=True, text=True, check=True, timeout=60,
            env={**os.environ, "SIJILL_HTTP_PROT": "1", "SIJILL_TLS_CLIENTS_REQUIRED": "false"})
        listed = [line.split()[0] for line in done.stdout.splitlines() if "names no setting" in line]
        self.assertIn("SIJILL_HTTP_PROT", listed)
        self.assertNotIn("SIJILL_TLS_CLIENTS_REQUIRED", listed)
        self.assertNotIn("SIJILL_JOURNAL", listed)

    def test_a_certificate_or_a_key_that_cannot_be_read_is_named(self):
        nowhere, empty = self.path("nowhere.pem"), self.path("empty.pem", "")
        for certificate in (nowhere, empty):
            line = self.refused(
                64, "--journal", self.journal, SIJILL_TLS_CERTIFICATE=certificate, SIJILL_TLS_KEY=nowhere)
            self.assertIn(f"tls.certificate: {certificate} ", line)


if __name__ == "__main__":
    unittest.main()
