#!/usr/bin/env bash
# Runs one command while another runs: two that keep a core each busy take as long as the longer one. What the first says is kept in
# a file and printed behind what the second says. Fails if either fails.
#
# usage: beside.sh LOG COMMAND [ARGUMENT...] -- COMMAND [ARGUMENT...]
set -uo pipefail
log=$1
shift
first=()
while [ "$1" != -- ]; do
    first+=("$1")
    shift
done
shift
mkdir -p "$(dirname "$log")"
"${first[@]}" >"$log" 2>&1 &
beside=$!
# An end from outside ends both.
trap 'kill "$beside" 2>/dev/null' INT TERM
"$@"
status=$?
wait "$beside" || status=$?
cat "$log"
exit "$status"
