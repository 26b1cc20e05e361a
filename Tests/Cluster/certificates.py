"""Certificates that are thrown away."""
import os
import subprocess


class Certificates:
    """An authority, and a certificate for each node's name."""

    def __init__(self, directory):
        self.directory = directory
        self.authority = os.path.join(directory, "authority.pem")
        self.make("authority", ["-x509", "-subj", "/CN=cluster", "-addext", "basicConstraints=critical,CA:TRUE"],
                  self.authority)

    def run(self, *arguments):
        subprocess.run(["openssl", *arguments], check=True, capture_output=True)

    def make(self, name, more, out):
        self.run("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                 "-keyout", os.path.join(self.directory, f"{name}.key"), "-out", out, *more)

    def of(self, name):
        """The files of a node's certificate and key."""
        certificate, key = (os.path.join(self.directory, f"{name}.{end}") for end in ("pem", "key"))
        if not os.path.exists(certificate):
            request = os.path.join(self.directory, f"{name}.csr")
            self.make(name, ["-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"], request)
            self.run("x509", "-req", "-in", request, "-CA", self.authority, "-CAkey",
                     os.path.join(self.directory, "authority.key"), "-CAcreateserial", "-days", "2", "-copy_extensions",
                     "copy", "-out", certificate)
        return certificate, key
