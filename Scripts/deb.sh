#!/bin/sh
# Makes a Debian package of the programs in BIN-DIRECTORY, which are linked with --static-swift-stdlib (make deb).
#
# usage: deb.sh BIN-DIRECTORY OUTPUT-DIRECTORY [VERSION]
#
# The same programs give the same bytes: SOURCE_DATE_EPOCH, or the last commit's time, stands for the present.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
for tool in dpkg-deb dpkg-shlibdeps dpkg-gencontrol fakeroot strip gzip; do
    command -v "$tool" >/dev/null || {
        echo "deb: $tool is missing; apt-get install dpkg-dev fakeroot binutils" >&2
        exit 69
    }
done
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# Without a release the version is the day, so that each is later than the one before.
version=${3:-0.$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)}
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
root=$work/debian/sijill
mkdir -p "$root/DEBIAN" "$root/usr/bin" "$root/usr/share/man/man1" "$root/etc/sijill" "$root/lib/systemd/system" \
    "$root/usr/share/doc/sijill/examples" "$root/usr/share/bash-completion/completions" "$root/usr/share/zsh/vendor-completions" \
    "$root/usr/share/fish/vendor_completions.d" "$root/usr/share/lintian/overrides"

for tool in replay sijilld; do
    strip --strip-unneeded -o "$root/usr/bin/$tool" "$bin/$tool"
    chmod 755 "$root/usr/bin/$tool"
    gzip -9n <"$here/docs/man/$tool.1" >"$root/usr/share/man/man1/$tool.1.gz"
    "$bin/$tool" --generate-completion-script bash | sed '1{/^#!/d}' >"$root/usr/share/bash-completion/completions/$tool"
    "$bin/$tool" --generate-completion-script zsh >"$root/usr/share/zsh/vendor-completions/_$tool"
    "$bin/$tool" --generate-completion-script fish >"$root/usr/share/fish/vendor_completions.d/$tool.fish"
done
cp "$here/Packaging/sijilld@.service" "$root/lib/systemd/system/"
cp "$here/Packaging/example.json" "$root/etc/sijill/example.json"
cp -r "$here/Packaging/prometheus" "$here/Packaging/grafana" "$root/usr/share/doc/sijill/examples/"
cp "$here/Packaging/debian/copyright" "$root/usr/share/doc/sijill/copyright"
cp "$here/Packaging/debian/lintian-overrides" "$root/usr/share/lintian/overrides/sijill"
gzip -9n <"$here/CHANGELOG.md" >"$root/usr/share/doc/sijill/NEWS.gz"
day=$(LC_ALL=C date -u -R -d "@$SOURCE_DATE_EPOCH")
printf 'sijill (%s) unstable; urgency=medium\n\n  * See NEWS.gz.\n\n -- Sijill <sijill@example.org>  %s\n' "$version" "$day" \
    >"$work/debian/changelog"
gzip -9n <"$work/debian/changelog" >"$root/usr/share/doc/sijill/changelog.gz"
find "$root" -type f ! -path '*/usr/bin/*' -exec chmod 644 {} +
echo /etc/sijill/example.json >"$root/DEBIAN/conffiles"

cp "$here/Packaging/debian/control" "$work/debian/control"
cd "$work"
dpkg-shlibdeps -e"$root/usr/bin/replay" -e"$root/usr/bin/sijilld" 2>"$work/shlibdeps.log" || {
    cat "$work/shlibdeps.log" >&2
    exit 70
}
dpkg-gencontrol -psijill -P"$root" -v"$version"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
fakeroot dpkg-deb -Zxz -z4 --build "$root" "$output/sijill_${version}_${architecture}.deb" >&2
echo "$output/sijill_${version}_${architecture}.deb"
