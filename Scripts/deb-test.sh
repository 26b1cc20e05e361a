#!/bin/sh
# Installs the package in a clean Debian 12, serves a journal there, upgrades it and removes it (make deb-test). Needs root.
#
# usage: deb-test.sh BIN-DIRECTORY
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$1
for tool in mmdebstrap lintian unshare; do
    command -v "$tool" >/dev/null || {
        echo "deb-test: $tool is missing; apt-get install mmdebstrap lintian util-linux" >&2
        exit 69
    }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

first=$("$here/Scripts/deb.sh" "$bin" "$work/first" 0.1)
again=$("$here/Scripts/deb.sh" "$bin" "$work/again" 0.1)
cmp "$first" "$again" || { echo "deb-test: the same programs gave another package" >&2; exit 1; }
second=$("$here/Scripts/deb.sh" "$bin" "$work/second" 0.2)
lintian --fail-on error,warning --tag-display-limit 0 "$first"
echo "deb-test: lintian finds nothing, and the same programs give the same bytes"

root=$work/root
# What the package depends on, since inside there is no network; apt checks that nothing else is missing.
needs=$(dpkg-deb -f "$first" Depends | sed 's/([^)]*)//g; s/ //g')
mmdebstrap --quiet --variant=minbase --include="curl,$needs" bookworm "$root"
cp "$first" "$second" "$root/tmp/"
cat >"$root/tmp/inside.sh" <<'IN'
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get install -y -qq /tmp/sijill_0.1_*.deb >/dev/null
mkdir -p /var/lib/sijill
replay init --simulated --journal /var/lib/sijill/exams
ask() { curl -sS --fail-with-body "$@"; }
serve() {
    sijilld --config /etc/sijill/example.json --journal /var/lib/sijill/exams 2>/tmp/log &
    pid=$!
    for _ in $(seq 50); do sijilld health --config /etc/sijill/example.json --journal x 2>/dev/null && return; sleep 0.2; done
    cat /tmp/log >&2; exit 1
}
serve
ask http://127.0.0.1:8180/v1/commands -H 'Content-Type: application/json' -d '{"id":"c-1","command":"examroom.account.register","at":"2026-03-01T09:00:00Z","by":"system","data":{"account":"S-1","role":"student","name":"Amal","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}}' | grep -q accepted
ask http://127.0.0.1:8180/v1/models/examroom.account/S-1 >/tmp/before
grep -q Amal /tmp/before
kill "$pid"; wait "$pid"
replay verify --journal /var/lib/sijill/exams >/dev/null
apt-get install -y -qq /tmp/sijill_0.2_*.deb >/dev/null
replay verify --journal /var/lib/sijill/exams >/dev/null
serve
ask http://127.0.0.1:8180/v1/models/examroom.account/S-1 | cmp - /tmp/before
kill "$pid"; wait "$pid"
apt-get purge -y -qq sijill >/dev/null
test ! -e /usr/bin/sijilld && test ! -e /etc/sijill/example.json
test -e /var/lib/sijill/exams/journal.mdb
IN
unshare --mount --pid --fork --net sh -c "ip link set lo up 2>/dev/null || ifconfig lo up; mount -t proc proc $root/proc; mount -t tmpfs tmpfs $root/dev; mknod -m 666 $root/dev/null c 1 3; mknod -m 666 $root/dev/urandom c 1 9; mknod -m 666 $root/dev/random c 1 8; mkdir $root/dev/shm; chroot $root sh /tmp/inside.sh"
echo "deb-test: installed, served, upgraded and removed in a clean Debian 12; the journal is still there"
