#!/bin/sh
# Black-box tests of the replicated log: real nodes, and servers that the tests start in directories that are thrown away, of
# PostgreSQL and of NATS. SIJILL_KILLS says how many kills they try.
#
# usage: log-test.sh BIN-DIRECTORY [postgres | nats]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! command -v python3 >/dev/null 2>&1; then
    echo "log-test: python3 is not there; the log was NOT tested" >&2
    exit 0
fi
case "${2:-}" in
'' | postgres | nats) ;;
*) echo "log-test: $2 is no log; postgres and nats are" >&2; exit 64 ;;
esac
cd "$here/Tests/Log"
export SIJILL_BUILD=$1
if [ "${2:-postgres}" = postgres ]; then
    SIJILL_LOG=postgres python3 -W ignore -m unittest log_test
fi
if [ "${2:-nats}" = nats ]; then
    "$here/Scripts/nats.sh"
    SIJILL_LOG=nats python3 -W ignore -m unittest log_test jetstream_test
fi
