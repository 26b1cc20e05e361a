#!/bin/sh
# Three nodes on loopback with a PostgreSQL server, which is installed if it is missing: clients register 1,000 people by any
# node, the node that decides is killed in mid-stream, and what was answered is counted on every node.
#
# usage: cluster.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
if ! ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && ! command -v initdb >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "Installing PostgreSQL."
        apt-get update -q >/dev/null
        # No server of the machine's own is made.
        mkdir -p /etc/postgresql-common
        [ -e /etc/postgresql-common/createcluster.conf ] ||
            echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
        DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends postgresql >/dev/null
    else
        echo "cluster: PostgreSQL is not there; install it, as root: apt-get install postgresql" >&2
        exit 1
    fi
fi
for program in python3 openssl; do
    command -v $program >/dev/null 2>&1 || { echo "cluster: $program is not there; install it" >&2; exit 1; }
done
cd "$here/Tests/Cluster"
SIJILL_BUILD=$1 exec python3 -W ignore show.py
