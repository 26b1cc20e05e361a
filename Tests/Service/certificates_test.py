"""Who may what by a client's certificate, over HTTP/1.1 and HTTP/2; the service's own certificate, read anew."""
import hashlib
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest

from harness import Server, wait_until
from issuer import Authority

POLICY = {
    "identities": [{"name": "warehouse", "tokenSHA256": hashlib.sha256(b"warehouse").hexdigest(), "roles": ["reader"]}],
    "certificates": [
        {"subject": "CN=hall-7,O=School", "name": "hall-7", "roles": ["service"], "actor": "service:hall-7"},
        {"san": "URI:spiffe://school/operator", "name": "operator", "roles": ["operator"]},
        {"san": "DNS:Reader.school.example", "name": "reader", "roles": ["reader"]}]}


@unittest.skipUnless(shutil.which("openssl"), "openssl is not there")
class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.mkdtemp()
        cls.authority = Authority(cls.place)
        cls.own = cls.authority.certificate("server", "/CN=localhost", "IP:127.0.0.1")
        cls.hall = cls.authority.certificate("hall", "/O=School/CN=hall-7")
        cls.operator = cls.authority.certificate("operator", "/CN=x", "URI:spiffe://school/operator")
        cls.reader = cls.authority.certificate("reader", "/CN=hall-7", "DNS:reader.school.example,DNS:other.example")
        cls.unknown = cls.authority.certificate("unknown", "/CN=hall-7,O=School")
        cls.stranger = Authority(cls.place, "stranger").certificate("forged", "/O=School/CN=hall-7")
        cls.settings = {"tls.certificate": cls.own[0], "tls.key": cls.own[1], "tls.clients": cls.authority.path}
        cls.server = Server(access=POLICY, settings=cls.settings, tls=cls.client())

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()
        shutil.rmtree(cls.place)

    @classmethod
    def client(cls, certificate=None):
        context = ssl.create_default_context(cafile=cls.authority.path)
        if certificate:
            context.load_cert_chain(*certificate)
        return context

    def statuses(self, certificate, server=None, token=None):
        """Of a question, of an operator's one, and of a command."""
        client = self.client(certificate)
        server = server or self.server
        return (server.get("/v1/models", tls=client, token=token).status,
                server.get("/v1/status", tls=client, token=token).status,
                server.submit({"command": "nothing"}, tls=client, token=token).status)

    def test_a_certificate_that_the_policy_knows_says_who_comes(self):
        self.assertEqual(self.statuses(self.hall), (200, 403, 400))
        self.assertEqual(self.statuses(self.operator), (403, 200, 403))
        self.assertEqual(self.statuses(self.reader), (200, 403, 403))

    def test_who_has_none_or_one_that_the_policy_does_not_know_is_nobody(self):
        self.assertEqual(self.statuses(None), (401, 401, 401))
        self.assertEqual(self.statuses(self.unknown), (401, 401, 401))
        reader = {"name": "anybody", "roles": ["reader"]}
        with Server(access=dict(POLICY, anonymous=reader), settings=self.settings, tls=self.client()) as server:
            self.assertEqual(self.statuses(self.unknown, server), (200, 403, 403))
            self.assertEqual(self.statuses(self.operator, server), (403, 200, 403))

    def test_a_token_counts_before_a_certificate(self):
        self.assertEqual(self.statuses(self.operator, token="warehouse"), (200, 403, 403))
        self.assertEqual(self.statuses(self.operator, token="wrong"), (401, 401, 401))

    def test_a_certificate_of_another_authority_is_refused_by_tls(self):
        with self.assertRaises((ssl.SSLError, OSError)):
            self.statuses(self.stranger)

    def test_a_setting_turns_away_who_has_no_certificate(self):
        settings = dict(self.settings, **{"tls.clientsRequired": True})
        with Server(access=POLICY, settings=settings, tls=self.client()) as server:
            self.assertEqual(self.statuses(self.hall, server), (200, 403, 400))
            with self.assertRaises((ssl.SSLError, OSError)):
                self.statuses(None, server)

    def test_a_session_that_is_taken_up_again_keeps_its_certificate(self):
        for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
            context = self.client(self.operator)
            context.minimum_version = context.maximum_version = version
            session, reused = None, []
            for _ in range(2):
                with socket.create_connection((self.server.host, self.server.port), timeout=20) as plain:
                    with context.wrap_socket(plain, server_hostname="127.0.0.1", session=session) as connection:
                        connection.sendall(b"GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                        self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200"), version)
                        session = connection.session
                        reused.append(connection.session_reused)
            self.assertEqual(reused, [False, True])

    @unittest.skipUnless(shutil.which("curl") and b"HTTP2" in subprocess.run(
        ["curl", "--version"], capture_output=True, check=False).stdout, "no curl with HTTP/2")
    def test_streams_of_http_2_have_the_certificate_of_their_connection(self):
        def heads(certificate):
            address = f"https://{self.server.address}"
            options = ["-s", "-i", "--http2", "--cacert", self.authority.path]
            if certificate:
                options += ["--cert", certificate[0], "--key", certificate[1]]
            done = subprocess.run(
                ["curl", *options, address + "/v1/status", "--next", *options, address + "/v1/models"],
                capture_output=True, text=True, check=False, timeout=30)
            return re.findall(r"HTTP/2 (\d+)", done.stdout)

        self.assertEqual(heads(self.operator), ["200", "403"])
        self.assertEqual(heads(self.hall), ["403", "200"])
        self.assertEqual(heads(self.unknown), ["401", "401"])
        self.assertEqual(heads(None), ["401", "401"])

    def test_the_services_own_certificate_is_read_anew(self):
        place = tempfile.mkdtemp(dir=self.place)
        chain, key = (shutil.copy(path, place) for path in self.own)
        settings = {"tls.certificate": chain, "tls.key": key}
        with Server(settings=settings, tls=self.client()) as server:
            def shown():
                return ssl.get_server_certificate((server.host, server.port), timeout=20).strip()

            def text(path):
                with open(path, encoding="ascii") as file:
                    return file.read().strip()

            def reload(message):
                before = len(server.logged(message))
                server.process.send_signal(signal.SIGHUP)
                self.assertTrue(wait_until(lambda: len(server.logged(message)) > before))

            self.assertEqual(shown(), text(self.own[0]))
            kept = server.connection()
            kept.request("GET", "/v1/models")
            kept.getresponse().read()
            next_one = self.authority.certificate("next", "/CN=localhost", "IP:127.0.0.1")
            # A key of another certificate.
            shutil.copy(next_one[0], chain)
            reload("the certificate is refused, the former one stays")
            self.assertEqual(shown(), text(self.own[0]))
            shutil.copy(next_one[1], key)
            reload("the certificate is read anew")
            self.assertEqual(shown(), text(next_one[0]))
            self.assertEqual(server.get("/v1/models").status, 200)
            kept.request("GET", "/v1/models")
            self.assertEqual(kept.getresponse().status, 200)
            kept.close()
            os.remove(chain)
            reload("the certificate is refused, the former one stays")
            self.assertEqual(shown(), text(next_one[0]))


if __name__ == "__main__":
    unittest.main()
