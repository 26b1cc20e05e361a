#!/usr/bin/env bash
# Runs one command while another runs: two that keep a core each busy take as long as the longer one. What the first says is kept in
# a file and printed behind what the second says, unless the second fails: then its own last words stay last. Fails if either fails.
#
# usage: beside.sh LOG COMMAND [ARGUMENT...] -- COMMAND [ARGUMENT...]
set -uo pipefail
log=$1
shift
command=()
while [ "$1" != -- ]; do
    command+=("$1")
    shift
done
shift
mkdir -p "$(dirname "$log")"
"${command[@]}" >"$log" 2>&1 &
beside=$!
# An end from outside ends both.
trap 'kill "$beside" 2>/dev/null' INT TERM
"$@"
status=$?
wait "$beside"
first=$?
[ "$status" = 0 ] || exit "$status"
cat "$log"
exit "$first"
