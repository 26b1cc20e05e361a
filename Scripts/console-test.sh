#!/bin/sh
# The console's tests: its reading of logs in Node, its site by HTTP, and its pages in Chromium and Firefox with Playwright
# and axe from PyPI. What is missing is installed if that is allowed; what cannot be had is told in one line.
#
# usage: console-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
SIJILL_BUILD=$1
export SIJILL_BUILD

if ! command -v python3 >/dev/null 2>&1; then
    echo "console-test: python3 is not there; the console was NOT tested" >&2
    exit 0
fi
if command -v node >/dev/null 2>&1; then
    node --test "$here/Tests/Console/tlog_test.mjs" >/dev/null || {
        node --test "$here/Tests/Console/tlog_test.mjs"
        exit 1
    }
else
    echo "console-test: there is no node; tlog.js was tried in the browser alone" >&2
fi
(cd "$here/Tests/Console" && python3 -W ignore -m unittest site_test &&
    python3 -W ignore -m unittest operations_test)

if ! command -v chromium >/dev/null 2>&1; then
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
            chromium firefox-esr fonts-noto-core fonts-hosny-amiri >/dev/null 2>&1 || true
    fi
fi
if ! command -v chromium >/dev/null 2>&1; then
    echo "console-test: there is no chromium and it could not be installed; the pages were NOT tried in a browser" >&2
    exit 0
fi
environment=$here/.build/console-venv
if ! cmp -s "$here/Tests/Console/requirements.txt" "$environment/requirements.txt"; then
    rm -rf "$environment"
    python3 -m venv "$environment" &&
        "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$here/Tests/Console/requirements.txt" &&
        cp "$here/Tests/Console/requirements.txt" "$environment/" || rm -rf "$environment"
fi
if [ ! -d "$environment" ]; then
    echo "console-test: PyPI's playwright could not be installed; the pages were NOT tried in a browser" >&2
    exit 0
fi
"$environment/bin/python" "$here/Tests/Console/run.py"
