#!/usr/bin/env bash
# The contract's scenarios through the built tool, and the demo's output.
#
# usage: check.sh REPLAY RELEASE_REPLAY
set -euo pipefail
cd "$(dirname "$0")/.."
replay=$1
release=$2

if command -v python3 >/dev/null 2>&1; then
    find Examples/examroom Examples/learnable Examples/quranflow Examples/tafawoq -name '*.jsonl' | sort |
        xargs python3 docs/contract/scenarios.py --replay "$replay"
else
    echo "check: python3 is not there; the scenarios run in the tests only" >&2
fi

journal=$(mktemp -d)
trap 'rm -rf "$journal"' EXIT
# What depends on the machine stands in the last section.
Scripts/demo.sh "$release" "$journal/journal" | sed '/^7\. /,$d' >"$journal/output"
diff -u Examples/lsat/expected.txt "$journal/output"
echo "demo: as expected"
