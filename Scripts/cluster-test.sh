#!/bin/sh
# Black-box tests of a cluster: three nodes of sijilld and a PostgreSQL server, all of the tests' own, in directories that are
# thrown away. With --short a part of them; with --faults ROUNDS faults at random, and a checker (SEED repeats their choice).
#
# usage: cluster-test.sh BIN-DIRECTORY [--short | --faults ROUNDS]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
for program in python3 openssl; do
    if ! command -v $program >/dev/null 2>&1; then
        echo "cluster-test: $program is not there; the cluster was NOT tested" >&2
        exit 0
    fi
done
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null 2>&1; then
    echo "cluster-test: PostgreSQL is not there; the cluster was NOT tested" >&2
    exit 0
fi
cd "$here/Tests/Cluster"
export SIJILL_BUILD=$1
case ${2:-} in
--faults) exec python3 -W ignore faults.py "$3" ;;
--short)
    exec python3 -W ignore -m unittest -k any_node -k under_way -k lost_its_end -k erasure -k in_its_senders_name \
        -k comes_later -k cannot_read cluster_test
    ;;
*)
    python3 -W ignore -m unittest cluster_test
    exec python3 -W ignore faults.py 11
    ;;
esac
