#!/usr/bin/env python3
"""Receives webhooks of sijilld, checks their signatures, and prints each event once.

    SECRET=whsec_… receive.py 9000
"""
import base64
import hashlib
import hmac
import http.server
import json
import os
import sys
import time

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
# Of each stream the position that was worked off last. Keep it together with what an event does: then it is done once.
DONE = {}


def is_genuine(headers, body):
    """Standard Webhooks: HMAC-SHA256 of id.timestamp.body, not older than five minutes."""
    if abs(time.time() - int(headers["webhook-timestamp"])) > 300:
        return False
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, each) for each in headers["webhook-signature"].split(" "))


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            genuine = is_genuine(self.headers, body)
        except (KeyError, TypeError, ValueError):
            genuine = False
        if genuine:
            event = json.loads(body)
            if DONE.get(event["subject"], 0) < int(event["id"]):
                print(event["id"], event["type"], event["subject"], flush=True)
                DONE[event["subject"]] = int(event["id"])
        self.send_response(204 if genuine else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
