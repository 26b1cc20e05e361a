#!/bin/sh
# Black-box tests of the replicated log: real nodes, and PostgreSQL servers that the tests start in directories that are thrown
# away. SIJILL_KILLS says how many kills they try.
#
# usage: log-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
    echo "log-test: python3 is not there; the log was NOT tested" >&2
    exit 0
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null 2>&1; then
    echo "log-test: PostgreSQL is not there; the log was NOT tested" >&2
    exit 0
fi
cd "$here/Tests/Log"
SIJILL_BUILD=$1 python3 -W ignore -m unittest log_test
