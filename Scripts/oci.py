#!/usr/bin/env python3
"""Writes an OCI image layout (image-spec 1.0) of a tar of the system and a directory of programs: two layers, a configuration, a manifest.

usage: oci.py BASE.tar PROGRAMS-DIRECTORY LAYOUT-DIRECTORY
"""
import datetime
import gzip
import hashlib
import io
import json
import os
import platform
import sys
import tarfile

USER = 65532
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
CREATED = datetime.datetime.fromtimestamp(EPOCH, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def normal(member, owner=None):
    """Without what tells one build from another."""
    member.mtime = min(int(member.mtime), EPOCH)
    member.uname = member.gname = ""
    member.pax_headers = {}
    if owner is not None:
        member.uid = member.gid = owner
    return member


def tar(add):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as out:
        add(out)
    return file.getvalue()


def base(path):
    def add(out):
        with tarfile.open(path) as given:
            for member in sorted(given.getmembers(), key=lambda member: member.name):
                if member.isdev() or member.name.startswith(("./var/cache/", "./var/log/", "./var/lib/apt/lists/")):
                    continue
                out.addfile(normal(member), given.extractfile(member) if member.isreg() else None)
    return tar(add)


def programs(path):
    def add(out):
        for folder, names, files in sorted(os.walk(path)):
            names.sort()
            for name in sorted([*names, *files]):
                full = os.path.join(folder, name)
                inside = os.path.relpath(full, path)
                member = out.gettarinfo(full, inside)
                member.mode = 0o755 if member.isdir() or inside.startswith("usr/bin/") else 0o644
                member = normal(member, USER if inside == "var/lib/sijill" else 0)
                member.mtime = EPOCH
                if member.isreg():
                    with open(full, "rb") as file:
                        out.addfile(member, file)
                else:
                    out.addfile(member)
    return tar(add)


class Layout:
    def __init__(self, path):
        self.path = path
        os.makedirs(os.path.join(path, "blobs", "sha256"))

    def blob(self, data, kind):
        digest = hashlib.sha256(data).hexdigest()
        with open(os.path.join(self.path, "blobs", "sha256", digest), "wb") as file:
            file.write(data)
        return {"mediaType": kind, "digest": "sha256:" + digest, "size": len(data)}

    def json(self, value, kind):
        return self.blob(json.dumps(value, sort_keys=True).encode(), kind)


def main():
    layout = Layout(sys.argv[3])
    layers = [base(sys.argv[1]), programs(sys.argv[2])]
    kind = "application/vnd.oci.image."
    blobs = [layout.blob(gzip.compress(layer, 9, mtime=0), kind + "layer.v1.tar+gzip") for layer in layers]
    labels = {
        "org.opencontainers.image.title": "sijill", "org.opencontainers.image.licenses": "Apache-2.0",
        "org.opencontainers.image.description": "Serves event-sourced journals over HTTP.", "org.opencontainers.image.created": CREATED}
    config = layout.json({
        "created": CREATED, "os": "linux", "architecture": {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()],
        "config": {
            "User": f"{USER}:{USER}", "Entrypoint": ["/usr/bin/sijilld"], "Cmd": ["--config", "/etc/sijill/sijilld.json"],
            "Env": ["PATH=/usr/bin:/bin"], "ExposedPorts": {"8180/tcp": {}}, "Volumes": {"/var/lib/sijill": {}}, "StopSignal": "SIGTERM",
            "WorkingDir": "/var/lib/sijill", "Labels": labels,
            # Docker's own, which others pass over.
            "Healthcheck": {"Test": ["CMD", "/usr/bin/sijilld", "health", "--config", "/etc/sijill/sijilld.json"],
                            "Interval": 30_000_000_000, "Timeout": 10_000_000_000}},
        "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest() for layer in layers]},
        "history": [{"created": CREATED, "created_by": "mmdebstrap bookworm"}, {"created": CREATED, "created_by": "sijill"}],
    }, kind + "config.v1+json")
    manifest = layout.json({
        "schemaVersion": 2, "mediaType": kind + "manifest.v1+json", "config": config, "layers": blobs, "annotations": labels}, kind + "manifest.v1+json")
    index = {"schemaVersion": 2, "mediaType": kind + "index.v1+json",
             "manifests": [{**manifest, "annotations": {"org.opencontainers.image.ref.name": "latest"}}]}
    for name, value in (("index.json", index), ("oci-layout", {"imageLayoutVersion": "1.0.0"})):
        with open(os.path.join(layout.path, name), "w", encoding="utf-8") as file:
            json.dump(value, file, sort_keys=True)
    print(f"{layout.path}: {manifest['digest']}, {sum(each['size'] for each in blobs) >> 20} MiB")


if __name__ == "__main__":
    main()
