#!/usr/bin/env bash
# Runs the tests that are built, with the runner's output kept in a file. When tests fail, the last
# lines say which and why, since CI may show no more than those; the runner's own line stays last.
#
# usage: test.sh SWIFT [OPTION...]
set -uo pipefail
cd "$(dirname "$0")/.."
swift=$1
shift
log=.build/tests.log
mkdir -p .build
"$swift" test --skip-build "$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
[ "$status" = 0 ] && exit 0

plain() { sed $'s/\x1b\\[[0-9;]*m//g' "$log" | cut -c "1-$1"; }
echo
echo "What failed (all of it is in $log):"
# The first issues of each test with the lines that explain them, then the tests by name.
plain 300 | awk '
    function show(line) { if (++shown <= 24) print line }
    / recorded an issue/ {
        name = $0
        sub(/ recorded an issue.*/, "", name)
        isShown = ++issues[name] <= 3
        details = comments = 0
        if (isShown) show($0)
        next
    }
    # Comments are marked, and what was found is indented below what was expected.
    isShown && /^↳/ { if (++comments == 1) show($0); next }
    isShown && /^ / { if (!comments && ++details <= 2) show($0); next }
    { isShown = 0 }
    /^✘ Test .* failed after/ && !/^✘ Test run / { failed[++count] = $0 }
    /: error: / || /^error: / || /Fatal error/ { failed[++count] = $0 }
    END {
        if (shown > 24) print "… and more issues"
        for (i = 1; i <= count && i <= 10; i++) print failed[i]
        if (count > 10) print "… and " count - 10 " more"
    }'
# Without a closing line the process ended before the tests did; the test begun last is the suspect.
if ! plain 300 | grep -q '^✘ Test run '; then
    echo "the tests did not come to their end (exit code $status); the last lines:"
    plain 300 | grep -v '^$' | tail -n 5
fi
plain 300 | grep '^✘ Test run ' | tail -n 1
exit "$status"
