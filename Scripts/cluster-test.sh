#!/bin/sh
# Black-box tests of a cluster: three nodes of sijilld and the log's servers, PostgreSQL or three of NATS, all of the tests' own, in
# directories that are thrown away; then each kind of fault once, and a checker. With --short a part of the tests; with --faults
# ROUNDS so many faults alone (SEED repeats their choice). With --log over that kind of log alone; else the tests are over both, and
# ROUNDS faults over PostgreSQL.
#
# usage: cluster-test.sh BIN-DIRECTORY [--log postgres | nats] [--short | --faults ROUNDS]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
for program in python3 openssl; do
    if ! command -v $program >/dev/null 2>&1; then
        echo "cluster-test: $program is not there; the cluster was NOT tested" >&2
        exit 0
    fi
done
export SIJILL_BUILD=$1
shift
logs="postgres nats"
if [ "${1:-}" = --log ]; then
    logs=$2
    shift 2
fi
case $logs in
*nats*) "$here/Scripts/nats.sh" ;;
esac
cd "$here/Tests/Cluster"
case ${1:-} in
--faults)
    export SIJILL_LOG="${logs%% *}"
    exec python3 -W ignore faults.py "$2"
    ;;
--short)
    for log in $logs; do
        tests="-k lost_its_end_stops"
        [ "$log" = nats ] || tests="$tests -k under_way -k any_node -k erasure -k in_its_senders_name -k comes_later -k cannot_read -k damaged_journal"
        # shellcheck disable=SC2086 # several words
        SIJILL_LOG=$log python3 -W ignore -m unittest $tests cluster_test
    done
    ;;
*)
    for log in $logs; do
        SIJILL_LOG=$log python3 -W ignore -m unittest cluster_test
        SIJILL_LOG=$log python3 -W ignore faults.py
    done
    ;;
esac
