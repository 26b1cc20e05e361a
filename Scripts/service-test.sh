#!/bin/sh
# Black-box tests of the service: Python clients, real sockets, real processes; then every route as its description in
# /openapi.json says, with values that nobody would send (schemathesis from PyPI, if it can be installed).
#
# usage: service-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
    echo "service-test: python3 is not there; the service was NOT tested" >&2
    exit 0
fi
SIJILL_BUILD=$1 "$here/Tests/Service/run.py"

environment=$here/.build/service-venv
if ! cmp -s "$here/Tests/Service/requirements.txt" "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment" &&
        "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/Tests/Service/requirements.txt" &&
        cp "$here/Tests/Service/requirements.txt" "$environment/" || rm -rf "$environment"
fi
if [ ! -d "$environment" ]; then
    echo "service-test: PyPI's schemathesis could not be installed; the description was NOT tried" >&2
    exit 0
fi
SIJILL_BUILD=$1 "$environment/bin/python" "$here/Tests/Service/description.py"
