#!/usr/bin/env bash
# The contract's scenarios through the built tool, the demo's output, and the copies of the contract.
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

shared=../shared
if [ -d "$shared/spec" ]; then
    differs=0
    for page in README.md replay.md shared.md examroom.md learnable.md quranflow.md tafawoq.md scenarios.py; do
        cmp -s "$shared/spec/$page" "docs/contract/$page" || { echo "check: docs/contract/$page is not the shared page" >&2; differs=1; }
    done
    for product in examroom learnable quranflow tafawoq; do
        for file in "$shared/spec/examples/$product"/*.jsonl; do
            cmp -s "$file" "Examples/$product/${file##*/}" || { echo "check: Examples/$product/${file##*/} is not the shared file" >&2; differs=1; }
        done
    done
    cmp -s "$shared/data/lsat6.csv" Examples/lsat/lsat6.csv || { echo "check: Examples/lsat/lsat6.csv is not the shared file" >&2; differs=1; }
    [ "$differs" = 0 ] && echo "copies: as shared"
fi
