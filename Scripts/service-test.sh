#!/bin/sh
# Black-box tests of the service: Python clients, real sockets, real processes.
#
# usage: service-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
    echo "service-test: python3 is not there; the service was NOT tested" >&2
    exit 0
fi
cd "$here/Tests/Service"
SIJILL_BUILD=$1 python3 -W ignore -m unittest discover -p '*_test.py'
