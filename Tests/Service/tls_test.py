"""TLS: HTTP/2 where the client can, HTTP/1.1 where it cannot."""
import http.client
import os
import re
import shutil
import ssl
import subprocess
import tempfile
import unittest

from harness import Server


@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class Tls(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp()
        cls.certificate = os.path.join(cls.place, "cert.pem")
        key = os.path.join(cls.place, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cls.certificate],
            check=True, capture_output=True)
        cls.server = Server(settings={"tls.certificate": cls.certificate, "tls.key": key})

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        shutil.rmtree(cls.place)

    def test_http_1_1_is_answered_over_tls_1_2_and_later(self):
        context = ssl.create_default_context(cafile=self.certificate)
        connection = http.client.HTTPSConnection(self.server.host, self.server.port, context=context, timeout=20)
        connection.request("GET", "/v1/models")
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.load_verify_locations(self.certificate)
        old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.assertRaises((ssl.SSLError, OSError)):
            http.client.HTTPSConnection(self.server.host, self.server.port, context=old, timeout=20).connect()

    @unittest.skipUnless(shutil.which("curl") and b"HTTP2" in subprocess.run(
        ["curl", "--version"], capture_output=True, check=False).stdout, "no curl with HTTP/2")
    def test_http_2_is_answered_where_the_client_speaks_it(self):
        done = subprocess.run(
            ["curl", "-s", "-i", "--http2", "--cacert", self.certificate, f"https://{self.server.address}/v1/models",
             "--next", "-s", "-i", "--http2", "--cacert", self.certificate, "-N", "--max-time", "3", "-H",
             "Accept: text/event-stream", f"https://{self.server.address}/v1/events?from=1"],
            capture_output=True, text=True, check=False, timeout=30)
        heads = re.findall(r"^HTTP/2 (\d+)", done.stdout, re.MULTILINE)
        self.assertEqual(heads, ["200", "200"])
        self.assertIn("text/event-stream", done.stdout)

    @unittest.skipUnless(shutil.which("curl") and b"HTTP2" in subprocess.run(
        ["curl", "--version"], capture_output=True, check=False).stdout, "no curl with HTTP/2")
    def test_a_method_that_somebody_made_up_is_no_label_of_a_metric(self):
        arguments = []
        for number in range(20):
            for path in ("/v1/models", "/nowhere"):
                arguments += ["--next", "-s", "--http2", "--cacert", self.certificate, "-X", f"MADEUP{number}", "-o",
                              os.devnull, "-w", "%{http_version} %{http_code}\\n", f"https://{self.server.address}{path}"]
        done = subprocess.run(["curl", *arguments[1:]], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.stdout.splitlines(), ["2 405", "2 404"] * 20, done.stderr)
        metrics = subprocess.run(
            ["curl", "-s", "--cacert", self.certificate, f"https://{self.server.address}/metrics"],
            capture_output=True, text=True, check=True, timeout=30).stdout
        methods = set(re.findall(r'method="([^"]*)"', metrics))
        self.assertIn("_OTHER", methods)
        self.assertEqual([method for method in methods if method.startswith("MADEUP")], [])


if __name__ == "__main__":
    unittest.main()
