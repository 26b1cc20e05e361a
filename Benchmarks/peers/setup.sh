#!/bin/sh
# Installs the peers into a throw-away directory and starts what needs a server.
#
#   setup.sh DIRECTORY
#
# Prints one line a peer: its name, then the command that starts it, or why it is left out. Nothing
# outside DIRECTORY is touched, but that missing system packages are asked for by name; `stop.sh` in
# DIRECTORY stops the server.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
place=$1
mkdir -p "$place/bin"
cc=${CC:-cc}
flags="-std=gnu11 -O2 -Wall -Wextra"
log=$place/setup.log

# An absent library is installed if we may; failing that its peer is left out.
package() {
    dpkg -s "$1" >/dev/null 2>&1 && return 0
    [ "$(id -u)" = 0 ] || return 1
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$1"; } >>"$log" 2>&1
}

left_out() { echo "$1 left out: $2"; }

program() { # NAME PACKAGE LIBRARIES
    if ! package "$2"; then
        left_out "$1" "$2 is not installed"
    elif ! $cc $flags -I/usr/include/postgresql -o "$place/bin/$1" "$here/$1.c" "$here/peer.c" \
        $3 -lpthread >>"$log" 2>&1; then
        left_out "$1" "$cc cannot compile it: $(tail -1 "$log")"
    else
        return 0
    fi
    return 1
}

if program lmdb liblmdb-dev -llmdb; then echo "lmdb $place/bin/lmdb"; fi
if program sqlite libsqlite3-dev -lsqlite3; then echo "sqlite $place/bin/sqlite"; fi

# PostgreSQL refuses to run as root: the server then belongs to an unprivileged user.
postgres() {
    server=/usr/lib/postgresql/15/bin
    if ! [ -x $server/initdb ] && ! package postgresql-15; then
        left_out postgres "postgresql-15 is not installed"
        return
    fi
    program postgres libpq-dev -lpq || return 0
    as=""
    user=$(id -un)
    mkdir -p "$place/postgres"
    if [ "$(id -u)" = 0 ]; then
        user=postgres
        id postgres >/dev/null 2>&1 || user=nobody
        # The way to its directory must be open to it; nothing in it is secret.
        chmod 755 "$place"
        chown "$user" "$place/postgres"
        as="setpriv --reuid=$user --regid=$(id -g "$user") --clear-groups"
    fi
    cd "$place/postgres"
    if ! $as $server/initdb -D "$place/postgres/data" -U "$user" -A trust -E UTF8 --locale=C \
        >>"$log" 2>&1; then
        left_out postgres "initdb failed: $(tail -1 "$log")"
    elif ! $as $server/pg_ctl -D "$place/postgres/data" -w -l "$place/postgres/log" \
        -o "-c listen_addresses='' -c unix_socket_directories='$place/postgres'" start \
        >>"$log" 2>&1; then
        left_out postgres "the server does not start: $(tail -1 "$place/postgres/log" 2>/dev/null)"
    else
        echo "$as $server/pg_ctl -D '$place/postgres/data' -m immediate stop >/dev/null 2>&1" \
            >"$place/stop.sh"
        echo "postgres env PGHOST=$place/postgres PGUSER=$user $place/bin/postgres"
    fi
}
postgres

# The Python peers: an environment of their own with the versions that were compared.
python() {
    if ! python3 -m venv "$place/python" >>"$log" 2>&1; then
        left_out umadb "python3 -m venv failed (apt install python3-venv)"
        left_out eventsourcing "python3 -m venv failed (apt install python3-venv)"
        return
    fi
    for peer in umadb==0.7.8 eventsourcing==9.5.6; do
        name=${peer%%==*}
        if "$place/python/bin/pip" install --quiet --disable-pip-version-check "$peer" >>"$log" 2>&1
        then
            echo "$name $place/python/bin/python $here/${name}_peer.py"
        else
            left_out "$name" "pip cannot install $peer"
        fi
    done
}
python
