"""An issuer of tokens as OpenID Connect has them: keys and signatures by openssl, documents over HTTP."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import ssl
import subprocess
import threading
import time


def openssl(*arguments, stdin=None):
    return subprocess.run(["openssl", *arguments], input=stdin, capture_output=True, check=True).stdout


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A private key in a file; `algorithm` is what it signs by."""

    KINDS = {
        "RS256": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        "PS256": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
        "ES256": ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
        "EdDSA": ["-algorithm", "ED25519"],
    }

    def __init__(self, algorithm, kid, place):
        self.algorithm = algorithm
        self.kid = kid
        self.path = os.path.join(place, f"{kid}.pem")
        openssl("genpkey", *self.KINDS[algorithm], "-out", self.path)

    @property
    def public_pem(self):
        return openssl("pkey", "-in", self.path, "-pubout")

    @property
    def jwk(self):
        common = {"kid": self.kid, "use": "sig", "alg": self.algorithm}
        der = openssl("pkey", "-in", self.path, "-pubout", "-outform", "DER")
        if self.algorithm == "EdDSA":
            return {"kty": "OKP", "crv": "Ed25519", "x": base64url(der[-32:]), **common}
        if self.algorithm == "ES256":
            return {"kty": "EC", "crv": "P-256", "x": base64url(der[-64:-32]), "y": base64url(der[-32:]), **common}
        modulus = openssl("rsa", "-in", self.path, "-noout", "-modulus").decode().strip().split("=")[1]
        return {"kty": "RSA", "n": base64url(bytes.fromhex(modulus)), "e": "AQAB", **common}

    def sign(self, data, algorithm=None):
        algorithm = algorithm or self.algorithm
        if algorithm == "EdDSA":
            path = self.path + ".data"
            with open(path, "wb") as file:
                file.write(data)
            return openssl("pkeyutl", "-sign", "-rawin", "-in", path, "-inkey", self.path)
        options = []
        if algorithm == "PS256":
            options = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"]
        signature = openssl("dgst", "-sha256", *options, "-sign", self.path, stdin=data)
        if algorithm == "ES256":
            return self.raw(signature)
        return signature

    @staticmethod
    def raw(der):
        """Two numbers of 32 bytes, of DER's SEQUENCE of two INTEGERs."""
        numbers, rest = [], der[2:]
        for _ in range(2):
            length = rest[1]
            numbers.append(int.from_bytes(rest[2:2 + length], "big").to_bytes(32, "big"))
            rest = rest[2 + length:]
        return b"".join(numbers)


def token(key, claims, header=None, algorithm=None):
    head = {"alg": algorithm or key.algorithm, "typ": "JWT", "kid": key.kid, **(header or {})}
    head = {name: value for name, value in head.items() if value is not None}
    signed = f"{base64url(json.dumps(head).encode())}.{base64url(json.dumps(claims).encode())}"
    return f"{signed}.{base64url(key.sign(signed.encode(), algorithm))}"


def hmac_token(secret, claims, header):
    signed = f"{base64url(json.dumps(header).encode())}.{base64url(json.dumps(claims).encode())}"
    return f"{signed}.{base64url(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"


class Issuer:
    """Serves the configuration and the keys; `requests` are the paths that were asked for."""

    def __init__(self, keys, port=0, max_age=None, certificate=None):
        self.keys = list(keys)
        self.requests = []
        self.max_age = max_age
        self.claimed = None
        self.status = 200
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.requests.append(self.path)
                documents = {
                    "/.well-known/openid-configuration":
                        {"issuer": issuer.claimed or issuer.name, "jwks_uri": f"{issuer.name}/jwks"},
                    "/jwks": {"keys": [key if isinstance(key, dict) else key.jwk for key in issuer.keys]},
                }
                document = documents.get(self.path)
                self.send_response(issuer.status if document else 404)
                self.send_header("Content-Type", "application/json")
                if issuer.max_age is not None:
                    self.send_header("Cache-Control", f"public, max-age={issuer.max_age}")
                body = json.dumps(document or {}).encode()
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        scheme = "http"
        if certificate:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.name = f"{scheme}://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def claims(self, **more):
        """Those of a good token; None takes one away."""
        claims = {"iss": self.name, "aud": "sijill", "sub": "S-1", "exp": int(time.time()) + 600, **more}
        return {name: value for name, value in claims.items() if value is not None}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Authority:
    """Signs certificates of servers and clients."""

    def __init__(self, place, name="authority"):
        self.place = place
        self.path = os.path.join(place, f"{name}.pem")
        self.key = os.path.join(place, f"{name}-key.pem")
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", f"/CN={name}", "-keyout", self.key, "-out", self.path)

    def certificate(self, name, subject, san=None):
        """The paths of a certificate and of its key."""
        path, key = os.path.join(self.place, f"{name}.pem"), os.path.join(self.place, f"{name}-key.pem")
        request = os.path.join(self.place, f"{name}.csr")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", subject,
                "-keyout", key, "-out", request)
        options = []
        if san:
            extensions = os.path.join(self.place, f"{name}.ext")
            with open(extensions, "w", encoding="ascii") as file:
                file.write(f"subjectAltName={san}\n")
            options = ["-extfile", extensions]
        openssl("x509", "-req", "-in", request, "-CA", self.path, "-CAkey", self.key, "-CAcreateserial", "-days", "2",
                "-out", path, *options)
        return path, key
