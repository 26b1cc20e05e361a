#!/usr/bin/env bash
# The contract's scenarios through the built tool, the journals of a former build, a table of dates, and the demo's
# output.
#
# usage: check.sh REPLAY
set -euo pipefail
cd "$(dirname "$0")/.."
replay=$1

if command -v python3 >/dev/null 2>&1; then
    find Examples/examroom Examples/learnable Examples/quranflow Examples/tafawoq Tests/Scenarios -name '*.jsonl' | sort |
        xargs python3 docs/contract/scenarios.py --replay "$replay"
    python3 Tests/Former/former.py --replay "$replay"
    # With the version of the time zones that the engine holds (ADR 0010).
    environment=.build/dates-venv
    if ! cmp -s Tests/Dates/requirements.txt "$environment/requirements.txt"; then
        rm -rf "$environment"
        python3 -m venv "$environment" &&
            "$environment/bin/pip" install --quiet --disable-pip-version-check -r Tests/Dates/requirements.txt &&
            cp Tests/Dates/requirements.txt "$environment/" || rm -rf "$environment"
    fi
    if [ -d "$environment" ]; then
        PYTHONTZPATH= "$environment/bin/python" Tests/Dates/dates.py --replay "$replay"
    else
        echo "check: PyPI's tzdata could not be installed; the dates were NOT compared" >&2
    fi
else
    echo "check: python3 is not there; the scenarios run in the tests only" >&2
fi

journal=$(mktemp -d)
trap 'rm -rf "$journal"' EXIT
# What depends on the machine stands in the last section.
Scripts/demo.sh "$replay" "$journal/journal" | sed '/^7\. /,$d' >"$journal/output"
diff -u Examples/lsat/expected.txt "$journal/output"
echo "demo: as expected"
