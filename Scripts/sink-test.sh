#!/bin/sh
# Black-box tests of the sink: real tables in SQLite, and in a PostgreSQL server that the tests start in a directory that is
# thrown away. SIJILL_KILLS says how many kills they try.
#
# usage: sink-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
    echo "sink-test: python3 is not there; the sink was NOT tested" >&2
    exit 0
fi
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null 2>&1; then
    # Root may install it; whoever is not is told, and SQLite is tested all the same.
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends postgresql >&2 || true
    fi
fi
cd "$here/Tests/Sink"
SIJILL_BUILD=$1 python3 -W ignore -m unittest sink_test
