#!/bin/sh
# The tests of audit/verify.py, and a foreign implementation on the files that the engine makes, in a
# virtual environment under .build. What is missing is installed if that is allowed.
#
# usage: audit-test.sh [--if-possible]   # then a machine without Python or PyPI is only told so
set -eu
cd "$(dirname "$0")/.."
environment=.build/audit-venv
stamp=$environment/requirements.txt

give_up() {
    echo "audit-test: $1" >&2
    [ "${optional:-}" = yes ] || exit 69
    echo "audit-test: the Python verifier was NOT tested" >&2
    exit 0
}
[ "${1:-}" = --if-possible ] && optional=yes

if ! python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >&2 ||
            give_up "python3-venv could not be installed; install Python 3.11 or later with venv"
    else
        give_up "needs Python 3.11 or later with venv; run: sudo apt-get install python3-venv"
    fi
fi
if ! cat audit/requirements*.txt | cmp -s - "$stamp"; then
    rm -rf "$environment"
    mkdir -p .build
    python3 -m venv "$environment" || give_up "a virtual environment could not be made in $environment"
    "$environment/bin/pip" install --quiet --disable-pip-version-check -r audit/requirements-test.txt ||
        give_up "pip could not install audit/requirements-test.txt; is PyPI in reach?"
    cat audit/requirements*.txt >"$stamp"
fi
PYTHONDONTWRITEBYTECODE=1 "$environment/bin/python" -m unittest discover --quiet -s audit -t audit
