#!/bin/sh
# Runs an image layout's program in its own files, as its configuration says, and asks it (make oci-test). Needs root.
#
# usage: oci-test.sh LAYOUT-DIRECTORY
set -eu
layout=$1
for tool in skopeo umoci; do
    command -v "$tool" >/dev/null || { echo "oci-test: $tool is missing; apt-get install skopeo umoci" >&2; exit 69; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
skopeo inspect "oci:$layout:latest" >"$work/inspect.json"
grep -q '"Os": "linux"' "$work/inspect.json"
skopeo copy --quiet "oci:$layout:latest" "oci:$work/copy:latest"
umoci unpack --image "$work/copy:latest" "$work/bundle" >/dev/null 2>&1
root=$work/bundle/rootfs
settings=
# shellcheck disable=SC2086 # a list of settings
enter() { exec env -i PATH=/usr/sbin:/usr/bin:/bin $settings chroot --userspec=65532:65532 "$root" "$@"; }
run() { (enter "$@"); }
# As in any container: a program of Swift's reads its arguments there.
mount -t proc proc "$root/proc"
mount -t tmpfs tmpfs "$root/dev"
trap 'umount "$root/dev" "$root/proc"; rm -rf "$work"' EXIT
mknod -m 666 "$root/dev/null" c 1 3
mknod -m 666 "$root/dev/urandom" c 1 9
mkdir -m 1777 "$root/dev/shm"
run /usr/bin/replay init --simulated --journal /var/lib/sijill/journal
run /usr/bin/sijilld --config /etc/sijill/sijilld.json >"$work/log" 2>&1 && { echo "oci-test: it listens to everybody without a policy" >&2; exit 1; }
grep -q access.file "$work/log"
settings="SIJILL_HTTP_HOST=127.0.0.1 SIJILL_HTTP_PORT=18181"
enter /usr/bin/sijilld --config /etc/sijill/sijilld.json >"$work/log" 2>&1 &
pid=$!
for _ in $(seq 50); do
    run /usr/bin/sijilld health --config /etc/sijill/sijilld.json 2>/dev/null && break
    sleep 0.2
done
run /usr/bin/sijilld health --config /etc/sijill/sijilld.json
curl -sS --fail http://127.0.0.1:18181/v1/commands -H 'Content-Type: application/json' -d '{"id":"c-1","command":"examroom.account.register","at":"2026-03-01T09:00:00Z","by":"system","data":{"account":"S-1","role":"student","name":"Amal","credential":{"scheme":"bcrypt","salt":"s","digest":"d"}}}' | grep -q accepted
kill "$pid"
wait "$pid"
echo "oci-test: unpacked, served as its user, asked, and stopped"
