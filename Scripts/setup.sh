#!/bin/sh
# Makes sure that what the build needs is there; installs the system's packages if it may.
set -eu

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: swift is not on the PATH; install Swift 6.2 or later (https://swift.org/install) and try again" >&2
    exit 69
fi

missing=""
# For Tests/Torture and tests that make system calls fail.
command -v cc >/dev/null 2>&1 || missing="$missing gcc libc6-dev"
[ -e /usr/include/lmdb.h ] || missing="$missing liblmdb-dev"
[ -e /usr/include/zstd.h ] || missing="$missing libzstd-dev"
[ -e /usr/include/openssl/evp.h ] || missing="$missing libssl-dev"
[ -e /usr/include/postgresql/libpq-fe.h ] || missing="$missing libpq-dev"
[ -e /usr/include/nats/nats.h ] || missing="$missing libnats-dev"
[ -e /usr/include/sqlite3.h ] || missing="$missing libsqlite3-dev"
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: needs:$missing (Debian's names); install them and try again" >&2
    exit 69
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "setup: needs$missing; run: sudo apt-get install$missing" >&2
    exit 69
fi
echo "setup: installing$missing" >&2
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of packages
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $missing >&2
