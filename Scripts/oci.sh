#!/bin/sh
# Makes a container image as an OCI image layout, without docker: a small Debian with the programs of BIN-DIRECTORY (make oci). Needs root.
#
# usage: oci.sh BIN-DIRECTORY LAYOUT-DIRECTORY
#
# `skopeo copy oci:LAYOUT-DIRECTORY:latest docker://…` sends it to a registry.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$1
for tool in mmdebstrap python3 strip; do
    command -v "$tool" >/dev/null || {
        echo "oci: $tool is missing; apt-get install mmdebstrap python3 binutils" >&2
        exit 69
    }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Reproducible as long as Debian's packages are the same: no caches, no logs, no ids of this machine.
mmdebstrap --quiet --variant=extract --include=libc6,libstdc++6,libgcc-s1,liblmdb0,libzstd1,libssl3,libpq5,libnats3.4,libsqlite3-0,zlib1g,ca-certificates,base-files,tzdata \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    bookworm "$work/base.tar"
mkdir -p "$work/programs/usr/bin" "$work/programs/var/lib/sijill" "$work/programs/etc/sijill"
for tool in replay sijilld; do strip --strip-unneeded -o "$work/programs/usr/bin/$tool" "$bin/$tool"; done
printf '{"journal": "/var/lib/sijill/journal", "http": {"host": "0.0.0.0", "port": 8180}}\n' >"$work/programs/etc/sijill/sijilld.json"
rm -rf "$2"
python3 "$here/Scripts/oci.py" "$work/base.tar" "$work/programs" "$2"
